"""What performs commands, with a span around each piece of work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from callagain.engine.commands import Command, Key
from callagain.engine.drivers import Again, Clock, Performer, Tell, Work
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run
from callagain.telemetry.command_spans import CommandSpan

# Makes the span of a command that has been begun; None for what has none.
Spanned: TypeAlias = Callable[[Run, Key, Command, Work | Receipt | Held], CommandSpan | None]

_UNKNOWN = "call_outcome_unknown"


@dataclass(frozen=True)
class SpannedPerformer:
    """Performs commands as `performer` does."""

    performer: Performer
    spanned: Spanned

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        begun = self.performer.begin(run, key, command, prefer_async=prefer_async)
        span = self.spanned(run, key, command, begun)
        return begun if span is None or isinstance(begun, Receipt | Held) else SpannedWork(begun, span)


@dataclass(frozen=True)
class SpannedWork:
    """A piece of work whose span is current wherever it is performed: in a thread, or in a task."""

    work: Work
    span: CommandSpan

    @property
    def is_async(self) -> bool:
        return self.work.is_async

    @property
    def in_caller_thread(self) -> bool:
        return self.work.in_caller_thread

    @property
    def timeout(self) -> float | None:
        return self.work.timeout

    def perform(self, tell: Tell) -> Json:
        with self.span.current():
            return self.work.perform(self.span.telling(tell))

    async def perform_async(self, tell: Tell) -> Json:
        with self.span.current():
            return await self.work.perform_async(self.span.telling(tell))

    def abandon(self) -> None:
        """Its span ends with the receipt that it gets in spite of that, or with the drive."""
        self.work.abandon()

    def wait(self, clock: Clock) -> float:
        return self.work.wait(clock)

    def late(self) -> Json | Held | None:
        known = self.work.late()
        if isinstance(known, Held):
            self.span.left(_UNKNOWN)
        return known

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:
        settled = self.work.settle(receipt, clock)
        if isinstance(settled, Again):
            self.span.again(settled)
        else:
            self.span.settled(settled)
        return settled
