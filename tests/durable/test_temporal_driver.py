"""The sketch of examples/temporal_driver.py, on the test server of Temporal.

That server keeps everything in memory, so what is shown is that a history can be replayed and that a lost
worker is no lost run; and nothing of what a real server survives.
"""

import asyncio
import os
import signal
import sys
import sysconfig
import threading
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest
from examples.temporal_driver import CommandsOf, ToolCallingRun
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Replayer, Worker

from callagain import Tool, ToolLoop, approve, tool
from callagain.testing import calls, says
from callagain.testing.plugin import StartStandIn

ROOT = Path(__file__).parents[2]
SERVER = Path(sysconfig.get_path("scripts")) / "temporal-test-server"
QUEUE = "runs"


@pytest.fixture
async def temporal() -> AsyncGenerator[Client, None]:
    async with await WorkflowEnvironment.start_time_skipping(test_server_existing_path=str(SERVER)) as server:
        yield server.client


def loop_of(base_url: str, *tools: Tool, **settings: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=base_url, api_key="any", tools=tools, **settings)


def worker(client: Client, loop: ToolLoop) -> Worker:
    commands = CommandsOf(loop)
    return Worker(
        client,
        task_queue=QUEUE,
        workflows=[ToolCallingRun],
        activities=[commands.perform, commands.hold],
        # So that each workflow task folds the whole history, as after a crash.
        max_cached_workflows=0,
    )


async def run_through(client: Client, loop: ToolLoop, text: str, name: str) -> Sequence[str]:
    async with worker(client, loop):
        return await client.execute_workflow(ToolCallingRun.run, text, id=name, task_queue=QUEUE)


async def test_a_run_goes_through_calls_that_run_together_and_an_approval(
    temporal: Client, stand_in: StartStandIn
) -> None:
    looked_up: list[str] = []
    paid: list[str] = []
    both = threading.Barrier(2, timeout=10)

    @tool(read_only=True)
    def look_up(order_id: str) -> str:
        """Look an order up."""
        both.wait()
        looked_up.append(order_id)
        return f"{order_id} is lost"

    @tool(requires_approval=True, sequential=True)
    def refund(order_id: str) -> str:
        """Pay an order back."""
        paid.append(order_id)
        return "paid"

    asked = calls(
        ("look_up", {"order_id": "1"}), ("look_up", {"order_id": "2"}), ("refund", {"order_id": "1"})
    )
    endpoint = stand_in([asked, says("It is paid back.")])
    loop = loop_of(endpoint.base_url, look_up, refund)

    outcome, text = await run_through(temporal, loop, loop.start("Go").snapshot(), "first")
    waiting = loop.load(text)
    assert (outcome, waiting.error and waiting.error.kind) == ("suspended", "approval_required")
    assert (sorted(looked_up), paid) == (["1", "2"], [])

    (call,) = waiting.pending_calls
    decided = loop.reopen(text, decisions={call.id: approve}, kept_elsewhere=True).snapshot()
    outcome, text = await run_through(temporal, loop, decided, "second")
    assert (outcome, loop.load(text).final_response) == ("completed", "It is paid back.")
    assert (sorted(looked_up), paid, len(endpoint.requests)) == (["1", "2"], ["1"], 2)

    for name in ("first", "second"):
        history = await temporal.get_workflow_handle(name).fetch_history()
        await Replayer(workflows=[ToolCallingRun]).replay_workflow(history)
    assert (len(paid), len(endpoint.requests)) == (1, 2)


@pytest.mark.parametrize("read_only", [True, False], ids=["read_only", "an_effect"])
async def test_a_call_whose_worker_is_killed_is_made_again_only_if_it_may_be(
    read_only: bool, temporal: Client, stand_in: StartStandIn, tmp_path: Path
) -> None:
    endpoint = stand_in([calls(("count", {})), says("Counted.")])
    made = tmp_path / "made"
    loop = loop_of(endpoint.base_url, counter(made, read_only=read_only, dies=False))
    handle = await temporal.start_workflow(
        ToolCallingRun.run, args=[loop.start("Go").snapshot(), 2.0], id="run", task_queue=QUEUE
    )
    target = temporal.service_client.config.target_host
    dying = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"from tests.durable.test_temporal_driver import die_at_work\n"
        f"die_at_work({target!r}, {endpoint.base_url!r}, {str(made)!r}, read_only={read_only})",
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
    )
    assert await dying.wait() == -signal.SIGKILL

    async with worker(temporal, loop):
        outcome, text = await handle.result()
    if read_only:
        assert (outcome, made.read_text()) == ("completed", "made made ")
        return
    waiting = loop.load(text)
    assert (outcome, waiting.error and waiting.error.kind) == ("suspended", "call_outcome_unknown")
    (call,) = waiting.pending_calls
    known = loop.reopen(text, results={call.id: "1"}, kept_elsewhere=True).snapshot()
    assert (await run_through(temporal, loop, known, "known"))[0] == "completed"
    assert made.read_text() == "made "


def counter(made: Path, *, read_only: bool, dies: bool) -> Tool:
    def count() -> int:
        """Count."""
        with made.open("a", encoding="utf-8") as file:
            file.write("made ")
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return 1

    return tool(read_only=read_only)(count)


def die_at_work(target: str, base_url: str, made: str, *, read_only: bool) -> None:
    """A worker of another process, which the call kills."""

    async def work() -> None:
        loop = loop_of(base_url, counter(Path(made), read_only=read_only, dies=True))
        await worker(await Client.connect(target), loop).run()

    asyncio.run(work())
