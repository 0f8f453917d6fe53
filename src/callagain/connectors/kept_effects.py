"""No effect before its intent is safe: what performs commands, where a run is kept in a journal."""

import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.drivers import Again, Clock, Performer, Tell, Work
from callagain.engine.drivers.late_receipts import receipt_when_not_started
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run


@dataclass(frozen=True)
class KeptEffects:
    """Performs commands as `performer` does. An LLM request may be had again, so nothing waits for it.

    barrier, barrier_async: return when all that was kept so far is safe.
    """

    performer: Performer
    barrier: Callable[[], None]
    barrier_async: Callable[[], Awaitable[None]]

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        begun = self.performer.begin(run, key, command, prefer_async=prefer_async)
        if isinstance(begun, Receipt | Held) or isinstance(command, SendRequest):
            return begun
        return _KeptEffect(begun, self, command)


@dataclass
class _KeptEffect:
    """An effect that begins when its intent is safe, unless its time is over before."""

    work: Work
    kept: KeptEffects
    command: CallTool | CallFunction
    _decided: threading.Lock = field(default_factory=threading.Lock)

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
        self.kept.barrier()
        return self.work.perform(tell) if self._comes_first() else self._not_begun()

    async def perform_async(self, tell: Tell) -> Json:
        await self.kept.barrier_async()
        return await self.work.perform_async(tell) if self._comes_first() else self._not_begun()

    def abandon(self) -> None:
        self._comes_first()
        self.work.abandon()

    def wait(self, clock: Clock) -> float:
        return self.work.wait(clock)

    def late(self) -> Json | Held | None:
        """Nobody has to find out what a call did that has not begun."""
        is_known = isinstance(self.command, CallTool) and self._comes_first()
        return self._not_begun() if is_known else self.work.late()

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:
        return self.work.settle(receipt, clock)

    def _comes_first(self) -> bool:
        """True once: for the beginning of the effect, or for what keeps it from beginning."""
        return self._decided.acquire(blocking=False)

    def _not_begun(self) -> Json:
        return receipt_when_not_started(self.command, "its time was over before the journal could keep it")
