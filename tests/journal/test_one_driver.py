"""Of all who would go on with a run, of whatever process, one does; the others are told, and harm nothing."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.engine.journal.stored import FORK, forked, told
from tests.journal.killing import Driver
from tests.journal.orders import Book

from callagain import (
    CallAgainError,
    JournalError,
    JournalFile,
    RunInProgressError,
    Tool,
    ToolContext,
    ToolLoop,
    approve,
    tool,
)
from callagain.engine.journal.store import Timing
from callagain.testing import ModelAnswer, StandIn, call, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve = Callable[..., StandIn]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "book")


def asks(body: dict[str, list[object]]) -> ModelAnswer:
    return says("Done.") if len(body["messages"]) > 1 else calls(call("pay", {"amount": 5}, id="pay-1"))


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in(asks)


def tools_with(book: Book, *, seconds: float = 0.0, asks_first: bool = True) -> list[Tool]:
    @tool(requires_approval=asks_first)
    def pay(amount: int, context: ToolContext) -> str:
        """Pay an amount."""
        book.write(context)
        time.sleep(seconds)
        return f"paid {amount}"

    return [pay]


def loop_with(server: StandIn, journal: JournalFile | Path, tools: list[Tool]) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, journal=journal)


def test_a_run_that_another_process_drives_is_refused(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    def work(pipe: Connection) -> None:
        loop = loop_with(server, path, tools_with(book, seconds=0.5, asks_first=False))
        with Driver(is_async=not driver.is_async) as own:
            pipe.send(own.run(loop, "one").outcome)

    with forked(work) as (process, pipe):
        while not book.lines():
            time.sleep(0.005)
        with closing(JournalFile(path)) as journal:
            loop = loop_with(server, journal, tools_with(book, asks_first=False))
            told_by_whom = (
                f"^the run 'one' is being driven by process {process.pid} on .* since .*Z; wait until it has "
                "ended, or end its driver$"
            )
            with pytest.raises(RunInProgressError, match=told_by_whom):
                driver.resume(loop, "one")
            assert journal.read("one").status == "running"
            assert loop.replay("one").result is None
        assert told(pipe) == "completed"
    assert len(book.lines()) == 1


def test_a_process_that_is_thought_dead_does_nothing_more(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    """It gave no sign of life for so long that another one has taken its run over."""
    timing = Timing(heartbeat=60.0, lease=0.2)
    first = JournalFile(path, timing=timing)
    live = loop_with(server, first, tools_with(book, asks_first=False)).start("Go", run_id="one")
    events = live.events()
    while live.state != "tool_dispatcher":
        next(events)
    time.sleep(0.3)
    with closing(JournalFile(path, timing=timing)) as second:
        loop = loop_with(server, second, tools_with(book, asks_first=False))
        assert driver.resume(loop, "one").outcome == "completed"
    with pytest.raises(RunInProgressError, match=r" has taken the run 'one' over, "):
        list(events)
    assert len(book.lines()) == 1
    first.close()


@pytest.mark.parametrize("is_left", [False, True], ids=["that waits for a decision", "that was left"])
def test_of_processes_that_race_for_a_run_one_goes_on(
    server: StandIn, path: Path, book: Book, driver: Driver, is_left: bool
) -> None:
    tools = tools_with(book, asks_first=not is_left)
    decisions = {} if is_left else {"pay-1": approve}
    with closing(JournalFile(path)) as journal:
        live = loop_with(server, journal, tools).start("Go", run_id="one")
        while live.state != "tool_dispatcher" or (not is_left and live.result is None):
            live.step()
    line = FORK.Barrier(4)

    def work(pipe: Connection) -> None:
        loop = loop_with(server, path, tools)
        with Driver(is_async=driver.is_async) as own:
            line.wait(10)
            try:
                pipe.send(own.resume(loop, "one", decisions=decisions).outcome)
            except CallAgainError as error:
                pipe.send(type(error).__name__)

    with forked(work) as (_, a), forked(work) as (_, b), forked(work) as (_, c), forked(work) as (_, d):
        ends = sorted(told(pipe) for pipe in (a, b, c, d))
    assert ends.count("completed") == 1
    # Whoever comes when all is over finds nothing to decide, or a run that is completed.
    assert {*ends} <= {"completed", "RunInProgressError", "DecisionError", "ConfigurationError"}
    assert len(book.lines()) == 1
    with closing(JournalFile(path)) as journal:
        assert journal.read("one").status == "completed"


def test_of_threads_that_race_for_a_run_one_goes_on(server: StandIn, path: Path, book: Book) -> None:
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book))
        loop.run("Go", run_id="one")

        def resume(_: int) -> str:
            try:
                return loop.resume("one", decisions={"pay-1": approve}).outcome
            except CallAgainError as error:
                return type(error).__name__

        with ThreadPoolExecutor(8) as threads:
            ends = list(threads.map(resume, range(8)))
    assert ends.count("completed") == 1
    assert len(book.lines()) == 1


async def test_of_tasks_that_race_for_a_run_one_goes_on(server: StandIn, path: Path, book: Book) -> None:
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book))
        await loop.arun("Go", run_id="one")
        resumed = [loop.aresume("one", decisions={"pay-1": approve}) for _ in range(8)]
        ends = await asyncio.gather(*resumed, return_exceptions=True)
    assert sum(not isinstance(end, BaseException) for end in ends) == 1
    assert all(isinstance(end, CallAgainError) for end in ends if isinstance(end, BaseException))
    assert len(book.lines()) == 1


def test_of_processes_that_begin_runs_of_one_id_one_does(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    line = FORK.Barrier(3)

    def work(pipe: Connection) -> None:
        loop = loop_with(server, path, tools_with(book, asks_first=False))
        with Driver(is_async=driver.is_async) as own:
            line.wait(10)
            try:
                pipe.send(own.run(loop, "one").outcome)
            except JournalError as error:
                pipe.send(str(error))

    with forked(work) as (_, a), forked(work) as (_, b), forked(work) as (_, c):
        ends = sorted(told(pipe) for pipe in (a, b, c))
    refused = "the journal has a run 'one' already; resume it, or choose another run_id"
    assert ends == ["completed", refused, refused]
    assert len(book.lines()) == 1


def test_a_run_is_suspended_in_one_process_and_decided_in_another(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    def work(pipe: Connection) -> None:
        with Driver(is_async=driver.is_async) as own:
            pipe.send(own.run(loop_with(server, path, tools_with(book)), "one").outcome)

    with forked(work) as (process, pipe):
        assert told(pipe) == "suspended"
        process.join(10)
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book))
        looked_at = loop.replay("one").result
        assert looked_at is not None
        (waiting,) = looked_at.pending_calls
        assert (waiting.id, waiting.name, waiting.arguments) == ("pay-1", "pay", {"amount": 5})
        # It is about this call alone, and no other process than this one has ever seen it.
        result = driver.resume(loop, "one", decisions={"pay-1": approve(waiting)})
    assert (result.outcome, [line.run_id for line in book.lines()]) == ("completed", ["one"])
    assert process.pid != os.getpid()
