"""Who performs a command, as a driver sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from callagain.engine.commands import Command, Key
from callagain.engine.drivers.clock import Clock
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run
from callagain.engine.wire.deltas import Delta

Tell: TypeAlias = Callable[[Delta], None]
"""Told of each piece of a response, as it comes; from any thread."""


@dataclass(frozen=True, slots=True)
class Again:
    """The work is to be performed once more: what came of this attempt (counted from 1), and for how many
    seconds it waits now."""

    attempt: int
    kind: str
    why: str
    seconds: float


class Work(Protocol):
    """One command on its way to its receipt.

    timeout: seconds in all for one attempt, or None. in_caller_thread: perform it in the thread that drives,
    where nothing can time it out.
    """

    @property
    def is_async(self) -> bool: ...

    @property
    def in_caller_thread(self) -> bool: ...

    @property
    def timeout(self) -> float | None: ...

    def perform(self, tell: Tell) -> Json:
        """The value of the receipt; called unless is_async. What an effect raises is part of the receipt."""
        ...

    async def perform_async(self, tell: Tell) -> Json:
        """The same; awaited if is_async."""
        ...

    def abandon(self) -> None:
        """Nobody waits for this attempt any more."""
        ...

    def wait(self, clock: Clock) -> float:
        """How many seconds it may not be performed yet; 0 for at once. Asked before each attempt."""
        ...

    def late(self) -> Json | Held | None:
        """The receipt that there is already, although the attempt did not end in time; or that somebody has
        to find out first what the attempt did."""
        ...

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:
        """The receipt as it is to stand in the log; or that another attempt is to be made."""
        ...


class OneAttempt:
    """What is alike in all work that is performed at once, and once."""

    def wait(self, clock: Clock) -> float:  # noqa: ARG002 - Work's signature
        return 0.0

    def late(self) -> Json | Held | None:
        return None

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:  # noqa: ARG002 - Work's signature
        return receipt


class Performer(Protocol):
    """Knows how to perform commands."""

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        """The work to do; or a receipt, if it is known already; or why the command has to wait.

        prefer_async: the driver runs on an event loop.
        """
        ...


# Ends a piece of work that has been started, as far as that can be done from outside.
Stop: TypeAlias = Callable[[], object]
