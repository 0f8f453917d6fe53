"""What the tests here share; those with `driver` run by the sync methods and by the async ones."""

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from tests.engine.journal.stored import HASTY
from tests.journal.killing import Driver
from tests.journal.orders import Model, Orders

from callagain import JournalFile
from callagain.testing.plugin import StartStandIn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def journal(path: Path) -> Generator[JournalFile, None, None]:
    """Waits for no lock, and takes a silent process for dead soon."""
    with closing(JournalFile(path, timing=HASTY)) as journal:
        yield journal


@pytest.fixture
def orders(stand_in: StartStandIn, tmp_path: Path) -> Orders:
    return Orders(stand_in(Model()), tmp_path)


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def driver(request: pytest.FixtureRequest) -> Generator[Driver, None, None]:
    with Driver(is_async=request.param) as driver:
        yield driver
