"""The bottom line of a terminal: drawn while something is waited for, gone before anything is written."""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from typing import TextIO, cast

from callagain.cli.terminal import can_redraw

# Takes away what stands in the line that the cursor is in.
ERASED = "\r\x1b[K"


class BottomLine:
    """A stream in the place of the terminal's own, for all that writes to stderr, whoever does.

    The line is erased before anything is written, and comes back with the next `draw`, once what was written
    has ended its line. Any thread may write or draw.
    """

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._text: Callable[[], str] | None = None
        self._drawn = ""
        self._begins_a_line = True

    def show(self, text: Callable[[], str]) -> None:
        """From now on the line shows this; it is asked for at each `draw`."""
        with self._lock:
            self._text = text

    def hide(self) -> None:
        """Erases the line, and draws none until `show`."""
        with self._lock:
            self._text = None
            self._erase()

    def draw(self) -> None:
        """Shows the line as it is now. Raises OSError if the terminal is gone."""
        with self._lock:
            if self._text is None or not self._begins_a_line or (text := self._text()) == self._drawn:
                return
            self._erase()
            self._terminal.write(text)
            self._terminal.flush()
            self._drawn = text

    def write(self, text: str, /) -> int:
        # A forked child has no line of its own, and may have got a lock that nobody gives back.
        if os.getpid() != self._process:
            return self._terminal.write(text)
        with self._lock:
            self._erase()
            if text:
                self._begins_a_line = text.endswith(("\n", ERASED))
            return self._terminal.write(text)

    def writelines(self, lines: Iterable[str], /) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        """All else is as the terminal has it."""
        return getattr(self._terminal, name)

    def _erase(self) -> None:
        if self._drawn:
            self._terminal.write(ERASED)
            self._terminal.flush()
            self._drawn = ""


def bottom_line() -> BottomLine | None:
    """The one that stderr has; None where it has none."""
    stream = cast("object", sys.stderr)
    return stream if isinstance(stream, BottomLine) else None


@contextlib.contextmanager
def stderr_with_a_bottom_line() -> Generator[None, None, None]:
    """Where stderr is a terminal on which a line can be redrawn."""
    if bottom_line() is not None or not can_redraw(sys.stderr):
        yield
        return
    line = BottomLine(sys.stderr)
    with contextlib.redirect_stderr(cast("TextIO", line)):
        try:
            yield
        finally:
            line.hide()
