"""No effect before its intent is safe: what performs commands, where a run is kept in a journal."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from callagain.engine.commands import Command, Key, SendRequest
from callagain.engine.drivers import Again, Clock, Performer, Tell, Work
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import ToolReceipt
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
        return _KeptEffect(begun, self)


@dataclass
class _KeptEffect:
    work: Work
    kept: KeptEffects
    is_abandoned: bool = field(default=False)

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
        # Nobody waits any more: the time was over before the effect could begin.
        return _NOT_BEGUN if self.is_abandoned else self.work.perform(tell)

    async def perform_async(self, tell: Tell) -> Json:
        await self.kept.barrier_async()
        return _NOT_BEGUN if self.is_abandoned else await self.work.perform_async(tell)

    def abandon(self) -> None:
        self.is_abandoned = True
        self.work.abandon()

    def wait(self, clock: Clock) -> float:
        return self.work.wait(clock)

    def late(self) -> Json | Held | None:
        return self.work.late()

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:
        return self.work.settle(receipt, clock)


_NOT_BEGUN = ToolReceipt.of_error("not_executed", "not executed: its time was over").as_json()
