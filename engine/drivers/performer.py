"""Who performs a command, as a driver sees it."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from callagain.engine.commands import Command, Key
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run


class Work(Protocol):
    """One command on its way to its receipt.

    timeout: seconds in all, or None. in_caller_thread: perform it in the thread that drives, where nothing
    can time it out.
    """

    @property
    def is_async(self) -> bool: ...

    @property
    def in_caller_thread(self) -> bool: ...

    @property
    def timeout(self) -> float | None: ...

    def perform(self) -> Json:
        """The value of the receipt; called unless is_async. What an effect raises is part of the receipt."""
        ...

    async def perform_async(self) -> Json:
        """The same; awaited if is_async."""
        ...

    def abandon(self) -> None:
        """Nobody waits for it any more."""
        ...


class Performer(Protocol):
    """Knows how to perform commands."""

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        """The work to do; or a receipt, if it is known already; or why the command has to wait.

        prefer_async: the driver runs on an event loop.
        """
        ...


# Ends a piece of work that has been started, as far as that can be done from outside.
Stop: TypeAlias = Callable[[], object]
