"""Workers are killed at random times under load; no run is lost, and nothing happens twice."""

import random
from pathlib import Path

import pytest
from tests.journal.orders import Orders
from tests.journal.storm import Storm


@pytest.mark.slow
def test_all_runs_come_to_their_ends(orders: Orders, path: Path) -> None:
    storm = Storm(orders, path, seed=random.randrange(10**6))
    storm.rage(kills=50)
    assert storm.settle() > 10
