"""The driver for an engine that keeps what came of each step of a function, and that after a crash calls the
function again and gives what it kept: DBOS, Temporal and their like.

Such an engine knows a step by its number, so the same steps are begun in the same order each time, whatever
ends first. Time and chance are the recorder's: nothing that is not recorded decides what comes next.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import Any, Protocol

from callagain.engine.commands import Command, Key
from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
from callagain.engine.drivers.one_command import TellEvent
from callagain.engine.errors import EntryError
from callagain.engine.events import CommandEnded, CommandHeld, CommandStarted, Event, OperationEnded, RunEnded
from callagain.engine.log_entries import Held, Intent, Receipt
from callagain.engine.run import Run


class Recorder(Protocol):
    """Performs commands by steps of the engine, each of which gives the next time what it gave the first."""

    async def intend(self, key: Key, command: Command) -> None:
        """The command is about to be performed. Awaited in the order of the commands."""
        ...

    def perform(self, key: Key, command: Command, tell: TellEvent) -> Coroutine[Any, Any, Receipt | Held]:
        """What comes of the command. Begun in the order of the commands, awaited together."""
        ...

    async def hold(self, key: Key, command: Command) -> Held | None:
        """Whether the command will have to wait for a decision when its turn comes."""
        ...


async def drive_recorded(
    run: Run, recorder: Recorder, *, max_concurrent_tools: int = 8, clock: Clock = SYSTEM_CLOCK
) -> AsyncGenerator[Event, None]:
    """Drives the run to its outcome, and yields what happens; what was recorded happens again, at once.

    Up to max_concurrent_tools commands are performed at a time; the next ones begin when all have ended.
    What a recorder raises leaves at once; the run can be driven again from its beginning.
    """
    last_end = clock.now()
    while True:
        for step in run.walk():
            now = clock.now()
            yield OperationEnded(step, now - last_end)
            last_end = now
        if run.outcome is not None:
            yield RunEnded(run.outcome)
            return
        ready = run.open.ready()[:max_concurrent_tools]
        if not ready:
            raise EntryError("the run was left during a call; go on with it where that is kept")
        for key, command in ready:
            yield CommandStarted(key, command)
            await recorder.intend(key, command)
        together = _Together(recorder, clock)
        async with aclosing(together.performed(ready)) as events:
            async for event in events:
                yield event
        for (_, command), entry in zip(ready, together.entries, strict=True):
            _apply(run, command, entry)
        if any(isinstance(entry, Held) for entry in together.entries):
            for key, command in run.open.blocked():
                if (held := await recorder.hold(key, command)) is not None:
                    _apply(run, command, held)
                    yield CommandHeld(key, command, held.why)


class _Together:
    """Commands that are performed at the same time. entries: what came of them, in their order."""

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        self.entries: list[Receipt | Held] = []
        self._recorder = recorder
        self._clock = clock
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    async def performed(self, commands: list[tuple[Key, Command]]) -> AsyncGenerator[Event, None]:
        """Performs them, and yields what happens. If one raises, the others are cancelled and awaited."""
        tasks = [asyncio.create_task(self._perform(key, command)) for key, command in commands]
        everything = asyncio.gather(*tasks)
        everything.add_done_callback(lambda _: self._events.put_nowait(None))
        try:
            while (event := await self._events.get()) is not None:
                yield event
            self.entries = await everything
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await asyncio.wait([everything])
            # It has been raised already, or nobody is there any more to be told.
            _ = everything.cancelled() or everything.exception()

    async def _perform(self, key: Key, command: Command) -> Receipt | Held:
        began = self._clock.now()
        entry = await self._recorder.perform(key, command, self._events.put_nowait)
        if isinstance(entry, Held):
            self._events.put_nowait(CommandHeld(key, command, entry.why))
        else:
            self._events.put_nowait(CommandEnded(key, command, entry.value, self._clock.now() - began))
        return entry


def _apply(run: Run, command: Command, entry: Receipt | Held) -> None:
    """What waits for somebody's word has not begun; what nobody knows the outcome of has."""
    if isinstance(entry, Receipt) or entry.why == UNKNOWN_OUTCOME:
        run.apply(Intent(entry.key, command.digest))
    run.apply(entry)
