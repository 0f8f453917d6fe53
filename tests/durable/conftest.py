"""One PostgreSQL for all tests of a process, and a database of its own for each."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.durable.caller import Caller
from tests.durable.server import Server
from tests.durable.shop import Book, Shop, model, order
from tests.durable.workers import Workers

from callagain.testing import StandIn
from callagain.testing.plugin import StartStandIn

CallerOf = Callable[..., Caller]


@pytest.fixture(scope="session")
def server() -> Generator[Server, None, None]:
    # Its user is another one, to whom pytest closes the folders that it makes.
    with TemporaryDirectory(prefix="callagain-") as folder, closing(Server(Path(folder) / "data")) as server:
        yield server


@pytest.fixture
def url(server: Server) -> str:
    """Of a database with the tables of DBOS."""
    return server.migrated_database()


@pytest.fixture
def shop(stand_in: StartStandIn, tmp_path: Path) -> Shop:
    return Shop(stand_in(model), tmp_path)


@pytest.fixture
def book(shop: Shop) -> Book:
    return shop.book


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a run imports late is there, so that forked workers need not."""
    with StandIn(model) as server:
        loop = Shop(server, tmp_path_factory.mktemp("imported")).loop()
        assert asyncio.run(loop.arun(order("fetch"))).outcome == "completed"


@pytest.fixture
def workers(imported: None, shop: Shop, url: str, tmp_path: Path) -> Generator[Workers, None, None]:  # noqa: ARG001
    with closing(Workers(shop.loop(), url, tmp_path)) as workers:
        yield workers


@pytest.fixture
def caller_of(shop: Shop, url: str) -> Generator[CallerOf, None, None]:
    """caller_of(loop, **options) -> Caller: further ones, with a loop of their own."""
    with ExitStack() as callers:

        def make(loop: Any = None, where: str = url, **options: Any) -> Caller:
            return callers.enter_context(closing(Caller(loop or shop.loop(), where, **options)))

        yield make


@pytest.fixture
def caller(caller_of: CallerOf) -> Caller:
    return caller_of()


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def either_caller(request: pytest.FixtureRequest, caller_of: CallerOf) -> Caller:
    """By the synchronous methods, and by the asynchronous ones."""
    return caller_of(is_async=request.param)
