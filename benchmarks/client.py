"""The process of one peer: `python -m benchmarks.client MODULE:FUNCTION BASE_URL`.

It reads orders from stdin, a JSON object a line, and answers each by a line: what was measured, or an error.
"""

import asyncio
import inspect
import io
import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any, TypeVar, cast

from benchmarks.files_limit import raise_files_limit
from benchmarks.measurement import (
    Measured,
    WrongAnswerError,
    check,
    measure,
    measure_async,
    measure_at_once,
    peak_memory,
)
from benchmarks.task import Orders, Run, Task

Prepare = Callable[[Task, Orders, str], Run]
Value = TypeVar("Value")

WARM_UP_RUNS = 3
# So many rounds are warm after a run of them; beyond that the process alone is warmed up.
LONG_ROUNDS, LONGEST_ROUNDS = 20, 50


@dataclass(frozen=True, slots=True)
class Order:
    """cpu_seconds: of runs one after the other. at_once: how many runs at the same time, if not 0."""

    task: Task
    cpu_seconds: float = 0.0
    at_once: int = 0

    def as_line(self) -> str:
        return json.dumps(asdict(self))


def order_of(line: str) -> Order:
    read = json.loads(line)
    return Order(Task(**read["task"]), read["cpu_seconds"], read["at_once"])


class Client:
    """Carries out orders. What it prepares for a task is kept, so that the end of none is ever measured."""

    def __init__(self, prepare: Prepare, base_url: str) -> None:
        self._prepare = prepare
        self._base_url = base_url
        self._prepared: dict[Task, tuple[Run, Orders]] = {}
        self._idle: float | None = None
        # One event loop for the whole process: asynchronous clients are bound to it.
        self._loop = asyncio.new_event_loop()

    def carry_out(self, order: Order) -> Measured:
        """Raises WrongAnswerError, and what the peer raises."""
        run, orders = self._runnable(order.task)
        before = orders.calls
        measured = self._measured(run, order)
        called, expected = orders.calls - before, measured.runs * order.task.tool_calls
        if called != expected:
            raise WrongAnswerError(f"called the tool {called} times instead of {expected}")
        return measured

    def close(self) -> None:
        self._loop.close()

    def _measured(self, run: Run, order: Order) -> Measured:
        if not inspect.iscoroutinefunction(run):
            return measure(cast(Callable[[], str], run), order.cpu_seconds)
        if not order.at_once:
            return self._await(measure_async(run, order.cpu_seconds))
        if self._idle is None:
            self._idle = peak_memory()
        return self._await(measure_at_once(run, order.at_once, self._idle))

    def _runnable(self, task: Task) -> tuple[Run, Orders]:
        if task not in self._prepared:
            orders = Orders(task.result_chars)
            run = self._prepare(task, orders, self._base_url)
            if task.rounds > LONGEST_ROUNDS:
                self._runnable(Task(rounds=1))
            else:
                for _ in range(1 if task.rounds >= LONG_ROUNDS else WARM_UP_RUNS):
                    check(self._await(_awaited(run)) if inspect.iscoroutinefunction(run) else run())
            self._prepared[task] = run, orders
        return self._prepared[task]

    def _await(self, work: Coroutine[Any, Any, Value]) -> Value:
        return self._loop.run_until_complete(work)


async def _awaited(run: Run) -> str:
    return await cast(Callable[[], Awaitable[str]], run)()


def main(entry: str, base_url: str) -> None:
    raise_files_limit()
    answers = _own_stdout()
    module, _, function = entry.partition(":")
    peer = import_module(f"benchmarks.peers.{module}")
    _answer(answers, {"versions": {package: version(package) for package in peer.PACKAGES}})
    client = Client(getattr(peer, function), base_url)
    for line in sys.stdin:
        try:
            _answer(answers, client.carry_out(order_of(line)).as_json())
        except Exception as error:
            _answer(answers, {"error": "".join(traceback.format_exception_only(error)).strip()})
    # Threads of peers would be waited for.
    os._exit(0)


def _own_stdout() -> io.TextIOWrapper:
    """Where the answers go; what a peer prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return answers


def _answer(answers: io.TextIOWrapper, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
