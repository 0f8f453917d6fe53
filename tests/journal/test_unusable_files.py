"""What is wrong with the file of a journal is told in one line, and no run is begun or gone on with half."""

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.journal.killing import Driver, exit_code, start
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import JournalError, JournalFile, ToolLoop, approve
from callagain.engine.journal.store import Timing
from callagain.testing import ModelAnswer, StandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve = Callable[..., StandIn]

LOCKED = (
    r"^the journal .*runs\.db is locked by another program; end what holds it \(a shell with an open "
    r"transaction, a backup\), and try again$"
)


@pytest.fixture
def shop() -> Shop:
    return Shop(requires_approval=False)


def asks(body: dict[str, Any]) -> ModelAnswer:
    return SORRY if len(body["messages"]) > 1 else asks_for(a_look(), a_refund())


@contextmanager
def locked(path: Path | str) -> Generator[None, None, None]:
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def a_folder(path: Path) -> None:
    path.mkdir()


def a_text(path: Path) -> None:
    path.write_text("run_id,status\n" * 100, encoding="utf-8")


def another_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id)")


def a_newer_journal(path: Path) -> None:
    JournalFile(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def a_truncated_journal(path: Path) -> None:
    JournalFile(path).close()
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (a_folder, "is a folder; give the path of a file"),
        (a_text, "is no journal of callagain, and no database; choose another path for the journal"),
        (another_database, "is the database of another program; choose another path for the journal"),
        (a_newer_journal, "was written by a newer callagain: "),
        (a_truncated_journal, "is damaged; take it from a backup, or move it away to begin a new one"),
    ],
)
def test_a_loop_is_not_made_with_what_is_no_journal(
    path: Path, make: Callable[[Path], None], told: str
) -> None:
    make(path)
    with pytest.raises(JournalError, match=f"^[^\n]*{path} {told}[^\n]*$"):
        ToolLoop(model="m", api_key="any", journal=path)


def test_a_loop_is_not_made_with_a_file_that_may_not_be_written() -> None:
    # Not tmp_path, which another user could not even look into.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.db"
        JournalFile(path).close()
        path.chmod(0o444)
        Path(folder).chmod(0o555)

        def work() -> None:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            told = (
                f"^the journal {path} cannot be opened for writing; let this user write to the file and to "
            )
            with pytest.raises(JournalError, match=told):
                ToolLoop(model="m", api_key="any", journal=path)

        assert exit_code(start(work)) == 0
        Path(folder).chmod(0o755)
        assert os.listdir(folder) == ["runs.db"]


class TestALockedFile:
    def test_begins_no_run(self, stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver) -> None:
        server = stand_in([SORRY])
        loop = shop.loop(server, journal=journal)
        with locked(journal.path), pytest.raises(JournalError, match=LOCKED):
            driver.run(loop, "one")
        assert (journal.list(), server.requests) == ([], [])
        assert driver.run(loop, "one").outcome == "completed"

    def test_takes_no_run_up(self, stand_in: Serve, journal: JournalFile, driver: Driver) -> None:
        shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
        loop = shop.loop(server, journal=journal)
        driver.run(loop, "one")
        with locked(journal.path), pytest.raises(JournalError, match=LOCKED):
            driver.resume(loop, "one", decisions={"r1": approve})
        assert (shop.refunds, journal.read("one").status) == ([], "suspended")
        assert driver.resume(loop, "one", decisions={"r1": approve}).outcome == "completed"
        assert shop.refunds == [("481516", 40)]

    def test_lets_no_effect_happen_before_its_intent_is_kept(
        self, stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver
    ) -> None:
        with ExitStack() as lock:

            def answer(body: dict[str, Any]) -> ModelAnswer:
                lock.enter_context(locked(journal.path))
                return asks(body)

            loop = shop.loop(stand_in(answer), journal=journal)
            with pytest.raises(JournalError, match=LOCKED):
                driver.run(loop, "one")
            assert shop.refunds == []
        assert driver.run(shop.loop(stand_in([SORRY]), journal=journal), "other").outcome == "completed"
        assert journal.read("one").status == "interrupted"
        again = shop.loop(stand_in(asks), journal=journal)
        assert driver.resume(again, "one").outcome == "completed"
        assert shop.refunds == [("481516", 40)]

    def test_keeps_a_call_from_beginning_when_its_time_is_over(
        self, stand_in: Serve, path: Path, driver: Driver
    ) -> None:
        """So nobody has to find out what it did."""
        shop = Shop(requires_approval=False)
        with ExitStack() as lock, closing(JournalFile(path)) as journal:

            def answer(body: dict[str, Any]) -> ModelAnswer:
                is_first = len(body["messages"]) == 1
                if is_first:
                    lock.enter_context(locked(path))
                else:
                    lock.close()
                return asks(body)

            loop = shop.loop(stand_in(answer), journal=journal, tool_timeout=0.2)
            result = driver.run(loop, "one")
        assert result.outcome == "completed"
        assert [each.error for each in result.tool_results] == ["not_executed", "not_executed"]
        assert "its time was over before the journal could keep it" in result.tool_results[1].content
        assert (shop.looks, shop.refunds) == ([], [])

    async def test_does_not_keep_the_event_loop_waiting(self, stand_in: Serve, path: Path) -> None:
        shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
        with closing(JournalFile(path, timing=Timing(lock=1.0))) as journal:
            loop = shop.loop(server, journal=journal)
            await loop.arun("Go", run_id="one")
            with locked(path):
                driven = (loop.arun("Go", run_id="two"), loop.aresume("one", decisions={"r1": approve}))
                waiting, gaps = asyncio.gather(*driven, return_exceptions=True), [0.0]
                while not waiting.done():
                    began = time.monotonic()
                    await asyncio.sleep(0.005)
                    gaps.append(time.monotonic() - began)
                assert all(isinstance(end, JournalError) for end in waiting.result())
                assert max(gaps) < 0.6
