"""A process that is asked to end puts away first what it has made."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

# Ctrl-C raises an exception by itself.
_SIGNALS = ("SIGTERM", "SIGHUP")


class _AskedToEndError(SystemExit):
    """Is not to be caught on its way."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def ended_by_signals() -> Generator[None, None, None]:
    """SIGTERM and SIGHUP end the process as they always do, but each `finally` in the `with` comes first.

    One that somebody else handles, or that is ignored, stays as it is.
    """

    def leave(number: int, _: FrameType | None) -> None:
        # Nothing is to come in between.
        for each in handled:
            signal.signal(each, signal.SIG_IGN)
        raise _AskedToEndError(number)

    numbers = [number for number in signal.Signals if number.name in _SIGNALS]
    # Python lets no other thread handle signals.
    is_main = threading.current_thread() is threading.main_thread()
    handled = [each for each in numbers if is_main and signal.getsignal(each) is signal.SIG_DFL]
    ended_by: int | None = None
    try:
        for each in handled:
            signal.signal(each, leave)
        yield
    except _AskedToEndError as asked:
        ended_by = asked.number
        raise
    finally:
        for each in handled:
            signal.signal(each, signal.SIG_DFL)
        if ended_by is not None:
            signal.raise_signal(ended_by)
