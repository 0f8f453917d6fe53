"""A run as a workflow of DBOS: each command is a step, and an effect is two.

A worker that is killed leaves a workflow; another one calls it again, and is given what each step gave then.
A step that had not ended is performed again, unless it was an effect: its intent step gives the token of the
execution that began it, which is not that of the new one, and so its outcome is unknown.
"""

from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import aclosing, contextmanager
from typing import Any
from uuid import uuid4

from callagain.engine.commands import CallFunction, CallTool, Command, Key
from callagain.engine.drivers import Cancellation, Clock, Performer
from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
from callagain.engine.drivers.late_receipts import receipt_when_unknown
from callagain.engine.drivers.one_command import TellEvent, perform_command
from callagain.engine.drivers.recorded import drive_recorded
from callagain.engine.events import Event
from callagain.engine.journal.entries_json import entry_as_json, entry_from_json
from callagain.engine.json_text import MAX_DEPTH, decode, encode
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run

Body = Callable[[], Coroutine[Any, Any, str]]
_NOTHING = ""


async def drive_by_steps(
    run: Run,
    performer: Performer,
    *,
    max_concurrent_tools: int,
    deadline: float | None,
    cancellation: Cancellation,  # noqa: ARG001 - DBOS cancels a workflow, and with it the step under way
    clock: Clock,
) -> AsyncGenerator[Event, None]:
    """Drives a run inside a workflow of DBOS. deadline: counted anew in each execution."""
    ends = None if deadline is None else clock.now() + deadline
    recorder = _Steps(run, performer, ends, clock)
    driving = drive_recorded(run, recorder, max_concurrent_tools=max_concurrent_tools, clock=clock)
    async with aclosing(driving) as events:
        async for event in events:
            yield event


class _Steps:
    """The recorder of one execution. ends: when the run's deadline is, by the clock."""

    def __init__(self, run: Run, performer: Performer, ends: float | None, clock: Clock) -> None:
        self._run = run
        self._performer = performer
        self._ends = ends
        self._clock = clock
        self._execution = uuid4().hex
        self._begun_by: dict[Key, str] = {}

    async def intend(self, key: Key, command: Command) -> None:
        if command.on_unknown != "retry":
            self._begun_by[key] = await _step(f"intent: {_name(command)}", self._own_token)

    async def perform(self, key: Key, command: Command, tell: TellEvent) -> Receipt | Held:
        async def body() -> str:
            with no_exit(_name(command)):
                return encode(entry_as_json(await self._performed(key, command, tell))).decode()

        return _entry(await _step(_name(command), body))

    async def hold(self, key: Key, command: Command) -> Held | None:
        async def body() -> str:
            begun = self._performer.begin(self._run, key, command, prefer_async=True)
            return encode(entry_as_json(begun)).decode() if isinstance(begun, Held) else _NOTHING

        text = await _step(f"ask: {_name(command)}", body)
        entry = None if text == _NOTHING else _entry(text)
        return entry if isinstance(entry, Held) else None

    async def _own_token(self) -> str:
        return self._execution

    async def _performed(self, key: Key, command: Command, tell: TellEvent) -> Receipt | Held:
        if self._begun_by.get(key, self._execution) != self._execution:
            return self._unknown(key, command)
        left = None if self._ends is None else max(0.0, self._ends - self._clock.now())
        return await perform_command(self._run, key, self._performer, tell, deadline=left, clock=self._clock)

    def _unknown(self, key: Key, command: Command) -> Receipt | Held:
        begun = self._performer.begin(self._run, key, command, prefer_async=True)
        if isinstance(begun, Receipt | Held):
            # It would not have been performed at all.
            return begun
        if command.on_unknown == "fail":
            return Receipt(key, receipt_when_unknown(command))
        return Held(key, UNKNOWN_OUTCOME)


def _entry(text: str) -> Receipt | Held:
    # A value inside may be as deep as JSON may be anywhere.
    entry = entry_from_json(decode(text, max_depth=2 * MAX_DEPTH))
    assert isinstance(entry, Receipt | Held)
    return entry


@contextmanager
def no_exit(what: str) -> Generator[None, None, None]:
    """It would end the event loop of all runs of the worker, and of every worker that took the run up."""
    try:
        yield
    except (SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(f"{what} raised {type(error).__name__}, which would end the worker") from error


def _name(command: Command) -> str:
    return command.name if isinstance(command, CallTool | CallFunction) else "llm_call"


async def _step(name: str, body: Body) -> str:
    """What the step gave, now or before. A run that is cancelled ends the step that is under way."""
    from dbos import DBOS

    return await DBOS.run_step_async({"name": name, "preemptible": True}, body)
