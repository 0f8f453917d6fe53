"""What one process holds: `python -m benchmarks.scaling.one_process`.

Runs of three rounds at the same time, against an endpoint that answers after 200 ms: four requests, and 0.8 s
a run if nothing else took time. Each line is the median of three processes, which have a core of their own.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Literal

from benchmarks.files_limit import raise_files_limit
from benchmarks.scaling.order_loop import ROOT, Work, endpoint, environment, pin, print_machine
from benchmarks.task import FINAL, Task
from openai import AsyncOpenAI, DefaultAioHttpClient

from callagain import Result, ToolLoop, open_journal
from callagain.engine.journal.store import Durability

WORK = Work(Task(rounds=3, wait_ms=200), effect=True)
WARM_UP = 3
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Load:
    """How runs are made. journal: its durability, or None. clients: how many the runs share."""

    how: Literal["async", "aiohttp", "threads"]
    at_once: int
    journal: Durability | None = None
    clients: int = 1


@dataclass(frozen=True, slots=True)
class Held:
    """wall, cpu: seconds for all runs. idle, peak: MB of the process at the most, before them and
    with them."""

    wall: float
    cpu: float
    idle: float
    peak: float


LOADS = [
    *(Load("async", at_once) for at_once in (1, 10, 100, 300)),
    Load("async", 300, clients=3),
    *(Load("aiohttp", at_once) for at_once in (100, 300, 1000)),
    *(Load("threads", at_once) for at_once in (10, 100, 300)),
    *(Load("async", at_once, "effects") for at_once in (1, 10, 100)),
    Load("async", 100, "process"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--here", nargs=2, metavar=("URL", "LOAD"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        url, load = arguments.here
        print(json.dumps(asdict(hold(Load(**json.loads(load)), url))))
        return
    print_machine()
    print("how      at once  journal  clients  runs/s  CPU ms a run  MB idle  MB peak  KB a run")
    with endpoint() as base_url:
        for load in LOADS:
            if load.how == "aiohttp" and find_spec("aiohttp") is None:
                print("aiohttp is not installed: pip install 'openai[aiohttp]'")
                continue
            show(load, [in_a_process(load, base_url) for _ in range(REPEATS)])


def in_a_process(load: Load, base_url: str) -> Held:
    command = [sys.executable, "-m", __spec__.name, "--here", base_url, json.dumps(asdict(load))]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, check=True)
    return Held(**json.loads(done.stdout))


def show(load: Load, held: Sequence[Held]) -> None:
    wall, cpu, idle, peak = (
        median(getattr(each, name) for each in held) for name in ("wall", "cpu", "idle", "peak")
    )
    cpu_of_run, memory_of_run = 1000 * cpu / load.at_once, 1024 * (peak - idle) / load.at_once
    rates = sorted(load.at_once / each.wall for each in held)
    print(
        f"{load.how:8} {load.at_once:7} {load.journal or '-':>8} {load.clients:8} {load.at_once / wall:7.1f}"
        f" {cpu_of_run:13.1f} {idle:8.0f} {peak:8.0f} {memory_of_run:9.0f}"
        f"   ({rates[0]:.1f} to {rates[-1]:.1f} runs/s)",
        flush=True,
    )


def hold(load: Load, base_url: str) -> Held:
    """In this process."""
    raise_files_limit()
    pin(0)
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder) / "runs.db", load.journal) if load.journal else None
        client = partial(on_aiohttp, base_url) if load.how == "aiohttp" else None
        loops = [WORK.loop(base_url, journal, client) for _ in range(load.clients)]
        if load.how == "threads":
            return hold_in_threads(loops[0], load.at_once)
        return asyncio.run(hold_on_a_loop(loops, load.at_once))


def on_aiohttp(base_url: str) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=base_url, api_key="any", http_client=DefaultAioHttpClient())


async def hold_on_a_loop(loops: Sequence[ToolLoop], at_once: int) -> Held:
    for loop in loops:
        for _ in range(WARM_UP):
            check(await loop.arun("Go"))
    watch = Watch()
    async with asyncio.TaskGroup() as group:
        runs = [group.create_task(loops[number % len(loops)].arun("Go")) for number in range(at_once)]
    held = watch.held()
    for run in runs:
        check(run.result())
    return held


def hold_in_threads(loop: ToolLoop, at_once: int) -> Held:
    for _ in range(WARM_UP):
        check(loop.run("Go"))
    with ThreadPoolExecutor(at_once) as threads:
        watch = Watch()
        results = list(threads.map(loop.run, ["Go"] * at_once))
        held = watch.held()
    for result in results:
        check(result)
    return held


def check(result: Result) -> None:
    if result.final_response != FINAL:
        raise SystemExit(f"a run came to {result!r}")


class Watch:
    """Time, CPU and memory since it was made."""

    def __init__(self) -> None:
        self._idle = peak_memory()
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def held(self) -> Held:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return Held(wall, cpu, self._idle, peak_memory())


def peak_memory() -> float:
    """MB."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    main()
