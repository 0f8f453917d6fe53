"""Cancelling a run from another thread or from a signal handler."""

from collections.abc import Callable


class Cancellation:
    """`cancel()` may be called from anywhere, any number of times; the driver raises RunCancelledError."""

    def __init__(self) -> None:
        self._cancelled = False
        self._wake: Callable[[], None] | None = None

    def cancel(self) -> None:
        self._cancelled = True
        if (wake := self._wake) is not None:
            wake()

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def wakes(self, wake: Callable[[], None] | None) -> None:
        """Whom to wake: a driver that is waiting, or nobody."""
        self._wake = wake
