"""What the engine costs where requests and calls are answered at once: `python -m benchmarks.engine_share 5`.

Run, operations, wire format and driver, without HTTP, threads, tools, log and journal. It prints an
EngineShare as JSON.
"""

import cProfile
import json
import pstats
import sys
import time
from collections import Counter
from dataclasses import asdict
from typing import Any

from benchmarks.endpoint import completion, message
from benchmarks.measurement import check
from benchmarks.results import EngineShare
from benchmarks.task import PROMPT, TOOL_NAME, TOOLS, Orders, Task

from callagain.engine.commands import Command, Key, SendRequest
from callagain.engine.drivers import drive
from callagain.engine.log_entries import Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.operations import TOOL_CALLING_LOOP

TASK = Task(rounds=50)
RUNS = 20

# The part that a file belongs to; the first name that is in its path counts.
PARTS = {
    "transitions/": "transitions: the machine that executes the table",
    "callagain/operations/": "operations: the guide's steps",
    "callagain/engine/wire/": "engine/wire: reading responses, writing messages",
    "callagain/engine/json_text.py": "JSON",
    "/json/": "JSON",
    "callagain/engine/drivers/": "engine/drivers: the driver's book-keeping",
    "callagain/engine/": "engine: run, log, variables",
}
REST = "the rest of Python"


class ScriptedPerformer:
    """Has the receipt of every command ready."""

    def __init__(self) -> None:
        orders = Orders()
        self._tool = ToolReceipt(orders.status_json("481516")).as_json()
        self._answers = [self._answer(made) for made in range(TASK.rounds + 1)]

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Receipt:  # noqa: ARG002
        if isinstance(command, SendRequest):
            return Receipt(key, self._answers[run.variables.loop_count])
        return Receipt(key, self._tool)

    @staticmethod
    def _answer(made: int) -> Any:
        body = completion(TASK.model(), message(TASK, "text", made), 100 * made)
        return {"status": 200, "content_type": "application/json", "body": body.decode(), "attempts": 1}


def run_once(performer: ScriptedPerformer) -> None:
    tools = (AnnouncedTool(TOOL_NAME, TOOLS[0], on_unknown="ask"),)
    inputs = Inputs("benchmark", TASK.model(), PROMPT, tools=tools, max_iterations=TASK.rounds)
    run = Run(TOOL_CALLING_LOOP, inputs)
    for _ in drive(run, performer):
        pass
    check(run.variables.final_response)


def seconds_per_round(performer: ScriptedPerformer) -> float:
    began = time.process_time()
    for _ in range(RUNS):
        run_once(performer)
    return (time.process_time() - began) / RUNS / TASK.rounds


def part_of(path: str) -> str:
    return next((part for place, part in PARTS.items() if place in path), REST)


def profiled(performer: ScriptedPerformer) -> tuple[dict[str, float], float]:
    """The share of each part in its own time, and calls of functions per round."""
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(RUNS):
        run_once(performer)
    profile.disable()
    statistics: Any = pstats.Stats(profile)
    seconds: Counter[str] = Counter()
    calls = 0
    for (path, _, _), (_, number, own, _, callers) in statistics.stats.items():
        if path != "~":
            seconds[part_of(path)] += own
            calls += number
            continue
        # What is written in C belongs to whoever calls it.
        for (caller, _, _), (_, _, own_for_caller, _) in callers.items():
            seconds[part_of(caller)] += own_for_caller
    total = sum(seconds.values())
    return {part: own / total for part, own in seconds.most_common()}, calls / RUNS / TASK.rounds


def main(repeats: int) -> None:
    performer = ScriptedPerformer()
    run_once(performer)
    times = [seconds_per_round(performer) for _ in range(repeats)]
    parts, calls = profiled(performer)
    print(json.dumps(asdict(EngineShare(times, parts, calls))))


if __name__ == "__main__":
    main(int(sys.argv[1]))
