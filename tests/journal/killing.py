"""Processes that are killed, and what drives a run in them."""

import asyncio
import itertools
import os
import signal
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.context import ForkProcess
from typing import Any, Literal

from tests.engine.journal.stored import FORK
from tests.journal.orders import Book, told_by

from callagain import JournalFile, LiveRun, Result, ToolLoop
from callagain.engine.journal.store.transactions import Job, Transactions

KILLED = -signal.SIGKILL
When = Literal["before", "after"]


class Driver:
    """Begins and resumes runs, by the synchronous methods or by the asynchronous ones."""

    def __init__(self, *, is_async: bool) -> None:
        self.is_async = is_async
        self._runner = asyncio.Runner() if is_async else None

    def run(self, loop: ToolLoop, run_id: str) -> Result:
        if self._runner is not None:
            return self._runner.run(loop.arun("Go", run_id=run_id))
        return loop.run("Go", run_id=run_id)

    def resume(self, loop: ToolLoop, run_id: str, **said: Any) -> Result:
        if self._runner is not None:
            return self._runner.run(loop.aresume(run_id, **said))
        return loop.resume(run_id, **said)

    def drive(self, live: LiveRun) -> Result:
        return live.run() if self._runner is None else self._runner.run(live.arun())

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def begin(driver: Driver, loop: ToolLoop, book: Book, run_id: str) -> Result:
    """Runs to the end, as somebody does who answers all questions."""
    return _with_answers(driver, loop, book, run_id, driver.run(loop, run_id))


def go_on(driver: Driver, loop: ToolLoop, journal: JournalFile, book: Book, run_id: str) -> Result:
    """Takes a run up where the journal has left it, or begins it, and runs it to the end."""
    if all(run.run_id != run_id for run in journal.list(limit=1000)):
        return begin(driver, loop, book, run_id)
    if journal.read(run_id).status in ("suspended", "completed"):
        result = loop.replay(run_id).raise_for_difference().result
        assert result is not None
    else:
        result = driver.resume(loop, run_id)
    return _with_answers(driver, loop, book, run_id, result)


def _with_answers(driver: Driver, loop: ToolLoop, book: Book, run_id: str, result: Result) -> Result:
    while result.outcome == "suspended":
        decisions, results = told_by(book, run_id, result.pending_calls)
        result = driver.resume(loop, run_id, decisions=decisions, results=results)
    return result


def start(work: Callable[[], object]) -> ForkProcess:
    """A forked process that does this."""
    process = FORK.Process(target=work)
    with warnings.catch_warnings():
        # Later versions of Python warn where threads are running: those of the stand-in, which sleep.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    return process


def exit_code(process: ForkProcess, seconds: float = 30.0) -> int:
    """How it ended: minus the signal that killed it."""
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise AssertionError(f"the process did not end in {seconds:g} s")
    code = process.exitcode
    process.close()
    return code


def kill_at(number: int, when: When) -> None:
    """For a forked process: its journal commits each row by itself, and around this one it is killed."""
    rows = itertools.count(1)
    write = Transactions.write

    def write_one_by_one(self: Transactions, jobs: Sequence[Job]) -> None:
        for job in jobs:
            is_last = _is_row(job) and next(rows) == number
            if is_last and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            write(self, [job])
            if is_last:
                os.kill(os.getpid(), signal.SIGKILL)

    Transactions.write = write_one_by_one  # type: ignore[method-assign]


def _is_row(job: Job) -> bool:
    """Whether it writes something: a barrier only waits, and a heartbeat is of no run."""
    return job.run_id != "" and (job.future is None or job.lease is None)
