"""Workers that drive many runs at once, and are killed at random times until enough of them have been."""

import asyncio
import itertools
import os
import random
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.context import ForkProcess
from pathlib import Path

from tests.journal.killing import KILLED, Driver, begin, exit_code, go_on, start
from tests.journal.orders import (
    CALLS,
    Orders,
    answers_by_call,
    assert_done_once,
    assert_replayed,
    seen,
    told_by,
)

from callagain import JournalFile, ToolLoop

LANES = 4
WORKERS = 2
# Seconds: from a worker that has hardly begun to one that is in the midst of its second or third runs.
LIFE = (0.02, 0.6)


@dataclass
class Storm:
    """kills: how many there have been. seed: of the times at which they happen."""

    orders: Orders
    path: Path
    seed: int
    kills: int = 0
    _generations: Iterator[int] = field(default_factory=itertools.count)

    def rage(self, kills: int) -> None:
        """Until there have been so many more kills. A worker has the runs of the one before it."""
        chance, most = random.Random(self.seed), self.kills + kills
        workers = [self._worker(number) for number in range(WORKERS)]
        try:
            while self.kills < most:
                time.sleep(chance.uniform(*LIFE) / WORKERS)
                number = chance.randrange(WORKERS)
                self._kill(workers.pop(number))
                workers.insert(number, self._worker(number))
        finally:
            for worker in workers:
                worker.kill()
        for worker in workers:
            self._kill(worker)

    def settle(self) -> int:
        """Sees all runs through to their ends, checks all of them, and tells how many there are."""
        book = self.orders.book
        with Driver(is_async=False) as driver, closing(JournalFile(self.path)) as journal:
            loop = self.orders.loop(journal, is_async=False)
            whole = begin(driver, loop, book, "whole")
            runs = [run.run_id for run in journal.list(limit=1_000_000)]
            assert {line.run_id for line in book.lines()} <= {*runs}, "a run that has begun is lost"
            for run_id in runs:
                result = go_on(driver, loop, journal, book, run_id)
                assert seen(result) == seen(whole), run_id
                assert answers_by_call(result) == {each.id: 1 for each in CALLS}, run_id
                assert_done_once(book, run_id)
                assert_replayed(loop.replay(run_id).raise_for_difference().result, result)
            assert {run.status for run in journal.list(limit=1_000_000)} == {"completed"}
        with closing(sqlite3.connect(self.path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return len(runs)

    def _kill(self, worker: ForkProcess) -> None:
        worker.kill()
        assert exit_code(worker) == KILLED, "the worker ended by itself; see what it wrote"
        self.kills += 1

    def _worker(self, number: int) -> ForkProcess:
        """Sync and async by turns, so that what one of them leaves the other takes up."""
        generation = next(self._generations)
        work = _work_async if generation % 2 else _work
        return start(lambda: work(self.orders, self.path, f"{number}", f"{number}-{generation}"))


def _work(orders: Orders, path: Path, prefix: str, name: str) -> None:
    """Goes on with the runs of this prefix that were left, then begins new ones, until it is killed."""
    journal = JournalFile(path)
    loop, book = orders.loop(journal, is_async=False), orders.book
    runs = _runs(journal, prefix, name)
    lock = threading.Lock()

    def lane() -> None:
        while True:
            with lock:
                run_id = next(runs)
            go_on(Driver(is_async=False), loop, journal, book, run_id)

    for _ in range(LANES):
        threading.Thread(target=_or_end(lane)).start()


def _work_async(orders: Orders, path: Path, prefix: str, name: str) -> None:
    """The same in one event loop."""
    journal = JournalFile(path)
    loop = orders.loop(journal, is_async=True)
    runs = _runs(journal, prefix, name)

    async def lane() -> None:
        while True:
            await _go_on_async(loop, journal, orders, next(runs))

    async def lanes() -> None:
        await asyncio.gather(*(lane() for _ in range(LANES)))

    _or_end(lambda: asyncio.run(lanes()))()


async def _go_on_async(loop: ToolLoop, journal: JournalFile, orders: Orders, run_id: str) -> None:
    stands = {run.run_id: run.status for run in journal.list(limit=1000)}.get(run_id)
    if stands is None:
        result = await loop.arun("Go", run_id=run_id)
    elif stands == "interrupted":
        result = await loop.aresume(run_id)
    else:
        replayed = loop.replay(run_id).raise_for_difference().result
        assert replayed is not None
        result = replayed
    while result.outcome == "suspended":
        decisions, results = told_by(orders.book, run_id, result.pending_calls)
        result = await loop.aresume(run_id, decisions=decisions, results=results)


def _runs(journal: JournalFile, prefix: str, name: str) -> Iterator[str]:
    """The ids of runs to be seen through: those that were left, and then new ones without end."""
    left = [
        run.run_id
        for run in journal.list(limit=1000)
        if run.status != "completed" and run.run_id.startswith(f"{prefix}-")
    ]
    return itertools.chain(left, (f"{name}-{number}" for number in itertools.count()))


def _or_end(work: Callable[[], None]) -> Callable[[], None]:
    """Whatever goes wrong ends the process, and is told."""

    def guarded() -> None:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    return guarded
