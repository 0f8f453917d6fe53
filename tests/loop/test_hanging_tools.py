"""A tool that hangs ends by its timeout, however often: the run goes on, and tells what it left behind."""

import gc
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.loop.shop import SORRY, asks_for, told

from callagain import Result, Tool, ToolLoop, tool
from callagain.engine.run import Run as RunOfAChain
from callagain.testing import ModelAnswer, StandIn, call

# What is measured here is time.
pytestmark = pytest.mark.timed

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

SOURCE = Path(__file__).parents[2] / "src"
RUNS = 1_000
HANG = asks_for(call("hang", id="h1"))


class Hanging:
    """Tools that hang until `release`."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def tool(self, **options: Any) -> Tool:
        @tool(**options)
        def hang() -> str:
            """Hang."""
            self.release.wait(100)
            return "late"

        return hang


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    found = Hanging()
    yield found
    found.release.set()


def loop_with(server: StandIn, *tools: Tool, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, tool_timeout=0.01, **options)


def hangs_once(request: dict[str, Any]) -> ModelAnswer:
    return SORRY if len(request["messages"]) > 1 else HANG


def test_the_model_is_told_not_to_repeat_the_call_and_the_caller_what_was_left(
    run: Run, stand_in: Serve, hanging: Hanging
) -> None:
    server = stand_in(hangs_once)
    began = time.monotonic()
    result = run(loop_with(server, hanging.tool()))
    assert time.monotonic() - began < 10
    assert (result.outcome, result.abandoned_calls) == ("completed", 1)
    message = (
        "no result within 0.01 s; it may still be running. Do not repeat the call: check first what it did"
    )
    assert told(server, "h1") == {"error": {"code": "timeout", "message": message}}
    assert [(each.error, each.abandoned) for each in result.tool_results] == [("timeout", True)]


def test_many_calls_of_one_response_end_in_turns(run: Run, stand_in: Serve, hanging: Hanging) -> None:
    server = stand_in([asks_for(*[call("hang")] * 20), SORRY])
    result = run(loop_with(server, hanging.tool(), max_concurrent_tools=8))
    assert (result.outcome, result.abandoned_calls, len(result.tool_results)) == ("completed", 20, 20)


def test_a_call_that_waits_for_an_answer_about_it_counts_too(
    run: Run, stand_in: Serve, hanging: Hanging
) -> None:
    server = stand_in([asks_for(call("hang", id="h1"), call("hang_on", id="h2")), SORRY])
    loop = loop_with(server, hanging.tool(on_unknown="ask"), hanging.tool(name="hang_on"))
    waiting = run(loop)
    assert waiting.error is not None
    assert (waiting.error.kind, [each.id for each in waiting.pending_calls]) == (
        "call_outcome_unknown",
        ["h1"],
    )
    assert waiting.abandoned_calls == 2
    result = loop.resume(waiting, results={"h1": "it was done"})
    assert (result.outcome, result.abandoned_calls) == ("completed", 2)


def test_what_comes_late_changes_nothing(run: Run, stand_in: Serve, hanging: Hanging) -> None:
    server = stand_in(hangs_once)
    result = run(loop_with(server, hanging.tool()))
    entries = len(result.log)
    hanging.release.set()
    time.sleep(0.1)
    assert len(result.log) == entries
    assert "late" not in result.snapshot()


def test_a_run_that_is_over_is_not_kept_alive_by_what_it_left(
    run: Run, stand_in: Serve, hanging: Hanging
) -> None:
    result = run(loop_with(stand_in(hangs_once), hanging.tool()), run_id="over")
    assert result.abandoned_calls == 1
    assert len(_runs("over")) == 1
    del result
    assert _runs("over") == []


def _runs(run_id: str) -> list[object]:
    """Those that are in memory."""
    gc.collect()
    return [
        each for each in gc.get_objects() if isinstance(each, RunOfAChain) and each.inputs.run_id == run_id
    ]


@pytest.mark.slow
def test_a_thousand_runs_of_a_tool_that_hangs(stand_in: Serve, hanging: Hanging) -> None:
    loop = loop_with(stand_in(hangs_once), hanging.tool())
    loop.run("Go")
    threads, memory, began = threading.active_count(), _memory(), time.monotonic()
    longest = 0.0
    for _ in range(RUNS):
        before = time.monotonic()
        result = loop.run("Go")
        longest = max(longest, time.monotonic() - before)
        assert (result.outcome, result.abandoned_calls) == ("completed", 1)
    assert time.monotonic() - began < 60
    assert longest < 10
    assert threading.active_count() - threads < RUNS + 20
    assert _memory() - memory < 200e6
    hanging.release.set()
    end = time.monotonic() + 10
    while threading.active_count() - threads > 100 and time.monotonic() < end:
        time.sleep(0.05)
    assert threading.active_count() - threads <= 100


def _memory() -> float:
    """Bytes that the process holds; 0 where the system does not say."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text(encoding="utf-8").split()[1]) * 4096 if statm.exists() else 0


PROGRAM = '''\
"""Hang until no thread can be started any more, and what comes of the runs after that."""

import asyncio
import json
import os
import resource
import sys
import threading
from pathlib import Path

from callagain import ToolLoop, tool

base_url, driver = sys.argv[1:]


@tool
def hang() -> str:
    """Hang."""
    threading.Event().wait()
    return "late"


loop = ToolLoop(model="m", base_url=base_url, tools=[hang], tool_timeout=0.05, max_retries=0)
# asyncio.run would want a thread itself, when it ends.
event_loop = asyncio.new_event_loop()


def run():
    return loop.run("Go") if driver == "sync" else event_loop.run_until_complete(loop.arun("Go"))


run()
# A stack of 64 MB for each thread, and room for three or so.
used = int(Path("/proc/self/statm").read_text().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + 300 * 2**20,) * 2)
threading.stack_size(64 * 2**20)
came = []
for _ in range(10):
    result = run()
    error = result.error.kind if result.error else None
    came.append([result.outcome, error, [each.error for each in result.tool_results]])
print(json.dumps(came), flush=True)
os._exit(0)
'''


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is limited so there alone")
@pytest.mark.parametrize("driver", ["sync", "async"])
def test_a_run_ends_when_no_thread_can_be_started(stand_in: Serve, tmp_path: Path, driver: str) -> None:
    server = stand_in(hangs_once)
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py", server.base_url, driver],
        cwd=tmp_path,
        env={"PYTHONPATH": str(SOURCE), "OPENAI_API_KEY": "any"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    came = json.loads(done.stdout)
    assert came[0] == ["completed", None, ["timeout"]]
    possible = [["completed", None, ["timeout"]], ["completed", None, ["not_executed"]]]
    possible += [["failed", "provider_unavailable", codes] for codes in ([], ["timeout"], ["not_executed"])]
    assert all(each in possible for each in came), came
    assert came[-1] != came[0]
