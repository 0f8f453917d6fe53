"""A journal that has no room stops the runs that do not fit: no effect happens that it does not know of.

The limit of a process on the size of its files stands for the disk; a process of its own runs each test.
"""

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.journal.killing import Driver, exit_code, start
from tests.journal.orders import Book

from callagain import (
    JournalError,
    JournalFile,
    RunInProgressError,
    Tool,
    ToolContext,
    ToolLoop,
    approve,
    tool,
)
from callagain.testing import ModelAnswer, StandIn, calls, says

# A limit of the whole process is set here, so nothing else runs meanwhile.
pytestmark = pytest.mark.timed

Serve = Callable[..., StandIn]

NO_ROOM = (
    r"^the journal .*runs\.db could not be read or written \(disk I/O error, SQLITE_IOERR_WRITE\); see that "
    r"its disk works and has room, and resume the runs that it stopped$"
)
HARD = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
DONE = says("Done.")
# More than the journal may have in the tests, so that this receipt is what does not fit.
LARGE = 1_000_000


def leave_room_for(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, HARD))


def tools_with(book: Book) -> list[Tool]:
    @tool(read_only=True, max_result_chars=LARGE)
    def fetch(size: int, context: ToolContext) -> str:
        """Fetch so many characters."""
        book.write(context)
        return "x" * size

    @tool
    def pay(amount: int, context: ToolContext) -> str:
        """Pay an amount."""
        book.write(context)
        return f"paid {amount}"

    return [fetch, pay]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "book")


def asks(body: dict[str, Any]) -> ModelAnswer:
    """In its turn: for much, for an effect, for nothing."""
    done: int = sum(message["role"] == "assistant" for message in body["messages"])
    answers = [calls(("fetch", {"size": LARGE})), calls(("pay", {"amount": 5})), DONE]
    return answers[done]


def names(book: Book, run_id: str) -> list[str]:
    return [line.name for line in book.lines(run_id)]


def test_a_run_that_does_not_fit_stops_before_its_next_effect_and_goes_on_when_there_is_room(
    stand_in: Serve, path: Path, book: Book, driver: Driver
) -> None:
    server, brief = stand_in(asks), stand_in([DONE])

    def work() -> None:
        journal = JournalFile(path)
        loop = ToolLoop(model="m", base_url=server.base_url, tools=tools_with(book), journal=journal)
        with Driver(is_async=driver.is_async) as own:
            leave_room_for(400_000)
            with pytest.raises(JournalError, match=NO_ROOM):
                own.run(loop, "large")
            assert names(book, "large") == ["fetch"]
            # What does fit is not held up.
            small = ToolLoop(model="m", base_url=brief.base_url, journal=journal)
            assert own.run(small, "small").outcome == "completed"
            leave_room_for(HARD)
            assert own.resume(loop, "large").outcome == "completed"
            # Nobody could know that it had been fetched already.
            assert names(book, "large") == ["fetch", "fetch", "pay"]
            loop.replay("large").raise_for_difference()
            assert {run.status for run in journal.list()} == {"completed"}
        journal.close()

    assert exit_code(start(work)) == 0


def test_a_run_that_does_not_fit_is_not_begun(stand_in: Serve, path: Path, driver: Driver) -> None:
    server = stand_in([DONE])

    def work() -> None:
        journal = JournalFile(path)
        loop = ToolLoop(model="m", base_url=server.base_url, journal=journal, system_prompt="x" * LARGE)
        with Driver(is_async=driver.is_async) as own:
            leave_room_for(400_000)
            with pytest.raises(JournalError, match=NO_ROOM):
                own.run(loop, "large")
            assert journal.list() == []
            leave_room_for(HARD)
            assert own.run(loop, "large").outcome == "completed"
        journal.close()

    assert exit_code(start(work)) == 0
    assert len(server.requests) == 1


def test_a_run_in_memory_brings_what_did_not_fit_when_there_is_room(
    stand_in: Serve, path: Path, book: Book
) -> None:
    """Its calls have been made, and are not made again."""
    server = stand_in(asks)

    def work() -> None:
        journal = JournalFile(path)
        loop = ToolLoop(model="m", base_url=server.base_url, tools=tools_with(book), journal=journal)
        live = loop.start("Go", run_id="large")
        leave_room_for(400_000)
        for _ in range(2):
            with pytest.raises(JournalError, match=NO_ROOM):
                live.run()
        leave_room_for(HARD)
        result = live.run()
        if result.outcome == "suspended":
            # The writer told of the full disk when `pay` was about to begin, and so the run asks about it.
            (waiting,) = result.pending_calls
            assert (waiting.why, names(book, "large")) == ("call_outcome_unknown", ["fetch"])
            live.resume(decisions={waiting.id: approve})
            result = live.run()
        assert result.outcome == "completed"
        assert names(book, "large") == ["fetch", "pay"]
        loop.replay("large").raise_for_difference()
        journal.close()

    assert exit_code(start(work)) == 0


def test_a_run_in_memory_does_not_go_on_when_another_one_has(stand_in: Serve, path: Path, book: Book) -> None:
    server = stand_in(asks)

    def work() -> None:
        journal = JournalFile(path)
        loop = ToolLoop(model="m", base_url=server.base_url, tools=tools_with(book), journal=journal)
        live = loop.start("Go", run_id="large")
        leave_room_for(400_000)
        with pytest.raises(JournalError, match=NO_ROOM):
            live.run()
        leave_room_for(HARD)
        assert loop.resume("large").outcome == "completed"
        with pytest.raises(
            RunInProgressError, match=r"^somebody else went on with the run large; resume it "
        ):
            live.run()
        journal.close()

    assert exit_code(start(work)) == 0
    assert names(book, "large") == ["fetch", "fetch", "pay"]
