"""Workers are killed at random times under load; no run is lost, and nothing happens twice."""

import random
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.journal.killing import KILLED, exit_code, start
from tests.journal.orders import Orders
from tests.journal.storm import Storm

from callagain import JournalFile


def test_journals_that_were_about_to_be_made_are_whole(tmp_path: Path) -> None:
    chance, paths = random.Random(), [tmp_path / f"{number}.db" for number in range(12)]
    for path in paths:

        def work(path: Path = path) -> None:
            JournalFile(path).close()
            signal.pause()

        process = start(work)
        time.sleep(chance.uniform(0.005, 0.04))
        process.kill()
        assert exit_code(process) == KILLED
    for path in paths:
        with closing(JournalFile(path)) as journal:
            assert journal.list() == []


@pytest.mark.slow
def test_all_runs_come_to_their_ends(orders: Orders, path: Path) -> None:
    storm = Storm(orders, path, seed=random.randrange(10**6))
    storm.rage(kills=50)
    assert storm.settle() > 10
