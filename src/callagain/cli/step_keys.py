"""The keys of `callagain step`: single ones on a terminal, and lines from everything else."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Generator
from importlib.util import find_spec
from types import FrameType
from typing import Protocol

from callagain.cli.bottom_line import ERASED
from callagain.cli.terminal import can_redraw, note, say

# How a terminal says what keys without a letter are.
_SEQUENCES = {"[C": "", "OC": "", "[D": "b", "OD": "b"}
_ESCAPE, _END_OF_INPUT = "\x1b", "\x04"
# What belongs to one character or one escape sequence comes at once.
_SEQUENCE_SECONDS = 0.05
# A signal that arrives just before a wait begins does not interrupt it.
_WAIT_SECONDS = 0.25
# These stop or end the process without a word; the terminal is given back before.
_LEAVING = ("SIGTSTP", "SIGTERM", "SIGHUP", "SIGQUIT")


class Keys(Protocol):
    """Where the keys come from."""

    def taken(self) -> contextlib.AbstractContextManager[None]:
        """For the whole walk: what is typed is not shown."""
        ...

    def lent(self) -> contextlib.AbstractContextManager[None]:
        """Within `taken`, for as long as others may read the terminal: it is as it was before."""
        ...

    def read(self, prompt: str, *, fresh: bool) -> str | None:
        """The next key: a letter, nothing for Enter, a word for what is no key; None at the end of the input.

        fresh: what was typed before now does not count, for it was typed before the prompt could be read.
        """
        ...


def keys() -> Keys:
    """Single keys need a terminal that is one in both directions."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        return Lines()
    # Windows has none.
    return Lines() if find_spec("termios") is None else SingleKeys()


class Lines:
    """One key a line, for scripts, and for terminals that can do no better."""

    def taken(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def lent(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def read(self, prompt: str, *, fresh: bool) -> str | None:  # noqa: ARG002 - Keys' signature
        if sys.stdin.isatty() and sys.stderr.isatty():
            say(prompt, end="", to=sys.stderr)
        line = ""
        with contextlib.suppress(OSError, ValueError):
            line = sys.stdin.readline()
        return line.strip() if line else None


class SingleKeys:
    """One key at a time, unseen. Ctrl-C, Ctrl-Z and Ctrl-\\ do what they always do.

    However the walk ends, and for as long as it is stopped, the terminal is as it was.
    """

    def __init__(self) -> None:
        import termios

        self._terminal = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._terminal)
        # Where a key is waited for.
        self._prompt: str | None = None

    @contextlib.contextmanager
    def taken(self) -> Generator[None, None, None]:
        handled = [number for number in _signals() if signal.getsignal(number) is signal.SIG_DFL]
        try:
            for number in handled:
                signal.signal(number, self._leave)
            self._take()
            yield
        finally:
            self._give_back()
            for number in handled:
                signal.signal(number, signal.SIG_DFL)

    @contextlib.contextmanager
    def lent(self) -> Generator[None, None, None]:
        handled = [number for number in _signals() if signal.getsignal(number) == self._leave]
        try:
            self._give_back()
            for number in handled:
                signal.signal(number, signal.SIG_DFL)
            yield
        finally:
            for number in handled:
                signal.signal(number, self._leave)
            self._take()

    def read(self, prompt: str, *, fresh: bool) -> str | None:
        import termios

        key = None
        if fresh:
            termios.tcflush(self._terminal, termios.TCIFLUSH)
        self._prompt = prompt
        try:
            say(prompt, end="", to=sys.stderr)
            key = _key(self._terminal)
        finally:
            self._prompt = None
            _end_prompt(key)
        return key

    def _take(self) -> None:
        import termios
        import tty

        tty.setcbreak(self._terminal, termios.TCSADRAIN)

    def _give_back(self) -> None:
        import termios

        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def _leave(self, number: int, _: FrameType | None) -> None:
        self._give_back()
        if self._prompt is not None:
            _end_prompt("")
        else:
            # Erases the bottom line, if there is one.
            say("", end="", to=sys.stderr)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        # Only a stop comes to an end.
        signal.signal(number, self._leave)
        self._take()
        if self._prompt is not None:
            say(self._prompt, end="", to=sys.stderr)


def _end_prompt(key: str | None) -> None:
    if can_redraw(sys.stderr):
        say(ERASED, end="", to=sys.stderr)
    else:
        note(key or "")


def _key(terminal: int) -> str | None:
    while True:
        while not select.select([terminal], [], [], _WAIT_SECONDS)[0]:
            pass
        letter = _letters(terminal, 1)
        if letter in ("", _END_OF_INPUT):
            return None
        if letter in ("\r", "\n", " "):
            return ""
        if letter.isascii() and letter != _ESCAPE:
            return letter
        more = _letters(terminal, 8) if select.select([terminal], [], [], _SEQUENCE_SECONDS)[0] else ""
        if letter != _ESCAPE or (key := _SEQUENCES.get(more)) is None:
            return "other"
        return key


def _letters(terminal: int, most: int) -> str:
    """Empty where the terminal is gone."""
    try:
        return os.read(terminal, most).decode(errors="replace")
    except OSError:
        return ""


def _signals() -> list[signal.Signals]:
    """Those of the names that this system has."""
    return [number for number in signal.Signals if number.name in _LEAVING]
