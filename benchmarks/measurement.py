"""Measures runs of the process that it is in: CPU of all its threads, time, memory."""

import asyncio
import gc
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.task import FINAL


@dataclass(frozen=True, slots=True)
class Measured:
    """cpu, wall: seconds for one run; at once, those of all runs divided by their number. memory: MB above
    the idle process. endpoint: how busy the endpoint was meanwhile, 1.0 for one core."""

    runs: int
    cpu: float
    wall: float
    memory: float | None = None
    endpoint: float | None = None

    def as_json(self) -> dict[str, Any]:
        """To a tenth of a microsecond."""
        return {name: value and round(value, 7) for name, value in asdict(self).items()}


class WrongAnswerError(Exception):
    """A run did something else than the task."""


def check(answer: object) -> None:
    if str(answer).strip() != FINAL:
        raise WrongAnswerError(f"answered {str(answer)[:200]!r} instead of {FINAL!r}")


class Watch:
    """CPU and time since it was made; the garbage of earlier runs is taken away before."""

    def __init__(self) -> None:
        gc.collect()
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    @property
    def cpu(self) -> float:
        return time.process_time() - self._cpu

    def measured(self, runs: int, memory: float | None = None) -> Measured:
        cpu, wall = self.cpu, time.perf_counter() - self._wall
        return Measured(runs, cpu / runs, wall / runs, memory)


def measure(run: Callable[[], str], cpu_seconds: float) -> Measured:
    """Runs one after the other, until so much CPU is used; one at least."""
    watch, runs = Watch(), 0
    while runs == 0 or watch.cpu < cpu_seconds:
        check(run())
        runs += 1
    return watch.measured(runs)


async def measure_async(run: Callable[[], Awaitable[str]], cpu_seconds: float) -> Measured:
    """The same on an event loop."""
    watch, runs = Watch(), 0
    while runs == 0 or watch.cpu < cpu_seconds:
        check(await run())
        runs += 1
    return watch.measured(runs)


async def measure_at_once(run: Callable[[], Awaitable[str]], runs: int, idle: float) -> Measured:
    """All of them at the same time. idle: `peak_memory` before."""
    watch = Watch()
    for answer in await asyncio.gather(*[run() for _ in range(runs)]):
        check(answer)
    return watch.measured(runs, peak_memory() - idle)


def peak_memory() -> float:
    """The largest resident set so far, in MB."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (2**20 if sys.platform == "darwin" else 2**10)
