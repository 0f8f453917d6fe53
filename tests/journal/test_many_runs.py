"""Many runs at once in one journal: none gets anything of another, and they share the waits for the disk."""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.engine.journal.stored import forked, told
from tests.journal.orders import Book, client_of

from callagain import JournalError, JournalFile, Result, Tool, ToolContext, ToolLoop, tool
from callagain.engine.journal.store import Timing
from callagain.testing import ModelAnswer, StandIn, call, calls, says

Serve = Callable[..., StandIn]

ROUNDS = 2


def asks(body: dict[str, list[dict[str, str]]]) -> ModelAnswer:
    """Every round pays twice, for the run that the user names."""
    name = next(message["content"] for message in body["messages"] if message["role"] == "user")
    done = sum(message["role"] == "assistant" for message in body["messages"])
    if done == ROUNDS:
        return says(f"{name} is paid.")
    return calls(*[call("pay", {"name": name, "amount": amount}, id=f"{done}-{amount}") for amount in (1, 2)])


def tools_with(book: Book) -> list[Tool]:
    @tool
    def pay(name: str, amount: int, context: ToolContext) -> str:
        """Pay for somebody."""
        assert name == context.run_id
        book.write(context)
        return f"{name}: {amount}"

    return [pay]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "book")


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in(asks)


def loop_with(server: StandIn, book: Book, journal: JournalFile, *, is_async: bool) -> ToolLoop:
    client = client_of(server, is_async=is_async)
    return ToolLoop(model="m", client=client, tools=tools_with(book), journal=journal)


def run_named(loop: ToolLoop, name: str) -> Result:
    return loop.run(name, run_id=name)


def check(loop: ToolLoop, journal: JournalFile, book: Book, results: dict[str, Result]) -> None:
    """Each of them has its own calls, once, and is in the journal as it was."""
    assert Counter(line.run_id for line in book.lines()) == dict.fromkeys(results, 2 * ROUNDS)
    assert len({line.key for line in book.lines()}) == 2 * ROUNDS * len(results)
    stored = {run.run_id: run.status for run in journal.list(limit=1000)}
    assert stored == dict.fromkeys(results, "completed")
    for name, result in results.items():
        assert result.final_response == f"{name} is paid."
        replayed = loop.replay(name).raise_for_difference().result
        assert replayed is not None
        assert replayed.messages == result.messages
        assert {name} == set(re.findall(r"run-\d+", str(replayed.messages)))


async def test_fifty_of_one_event_loop(server: StandIn, path: Path, book: Book) -> None:
    names = [f"run-{number}" for number in range(51)]
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, book, journal, is_async=True)
        before = journal.commits
        results = [await loop.arun(names[0], run_id=names[0])]
        alone = journal.commits
        results += await asyncio.gather(*(loop.arun(name, run_id=name) for name in names[1:]))
        assert journal.commits - alone < 50 * (alone - before) / 2
        check(loop, journal, book, dict(zip(names, results, strict=True)))


def test_of_twenty_threads(server: StandIn, path: Path, book: Book) -> None:
    names = [f"run-{number}" for number in range(40)]
    with closing(JournalFile(path)) as journal, ThreadPoolExecutor(20) as threads:
        loop = loop_with(server, book, journal, is_async=False)
        results = threads.map(partial(run_named, loop), names)
        check(loop, journal, book, dict(zip(names, results, strict=True)))


def test_that_end_while_their_process_tells_that_it_lives(server: StandIn, path: Path, book: Book) -> None:
    names = [f"run-{number}" for number in range(40)]
    with (
        closing(JournalFile(path, "process", timing=Timing(heartbeat=0.0))) as journal,
        ThreadPoolExecutor(4) as threads,
    ):
        loop = loop_with(server, book, journal, is_async=False)
        results = threads.map(partial(run_named, loop), names)
        check(loop, journal, book, dict(zip(names, results, strict=True)))


def test_of_a_process_and_of_one_that_it_forks(server: StandIn, path: Path, book: Book) -> None:
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, book, journal, is_async=False)
        live = loop.start("run-1", run_id="run-1")
        events = live.events()
        while live.state != "tool_dispatcher":
            next(events)

        def work(pipe: Connection) -> None:
            try:
                list(events)
            except JournalError as error:
                pipe.send(str(error))
            pipe.send(loop.run("run-2", run_id="run-2").final_response)

        with forked(work) as (_, pipe):
            refused = "the run is driven by the process that this one was forked from; begin another run"
            assert told(pipe) == refused
            assert told(pipe) == "run-2 is paid."
        list(events)
        assert live.result is not None
        other = loop.replay("run-2").result
        assert other is not None
        check(loop, journal, book, {"run-1": live.result, "run-2": other})
    assert os.listdir(path.parent)
