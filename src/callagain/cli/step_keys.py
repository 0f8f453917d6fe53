"""The keys of `callagain step`: single ones on a terminal, and lines from everything else."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Generator
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

    def read(self, prompt: str, *, fresh: bool) -> str | None:  # noqa: ARG002 - Keys' signature
        if sys.stdin.isatty() and sys.stderr.isatty():
            say(prompt, end="", to=sys.stderr)
        line = ""
        with contextlib.suppress(OSError, ValueError):
            line = sys.stdin.readline()
        return line.strip() if line else None


class SingleKeys:
    """One key at a time. The terminal is as it was whenever nobody waits for a key."""

    def read(self, prompt: str, *, fresh: bool) -> str | None:
        terminal = sys.stdin.fileno()
        key = None

        def ask() -> None:
            say(prompt, end="", to=sys.stderr)

        try:
            with _letter_by_letter(terminal, ask, fresh=fresh):
                ask()
                key = _key(terminal)
        finally:
            _end_prompt(key)
        return key


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


@contextlib.contextmanager
def _letter_by_letter(terminal: int, ask: Callable[[], None], *, fresh: bool) -> Generator[None, None, None]:
    """Gives letters as they are typed, unseen. ask: writes the prompt once more when a stop is over.

    Ctrl-C, Ctrl-Z and Ctrl-\\ do what they always do.
    """
    import termios
    import tty

    before = termios.tcgetattr(terminal)

    def begin(when: int) -> None:
        tty.setcbreak(terminal, when)

    def end() -> None:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    def leave(number: int, _: FrameType | None) -> None:
        end()
        _end_prompt("")
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        # Only a stop comes to an end.
        signal.signal(number, leave)
        begin(termios.TCSADRAIN)
        ask()

    handled = [number for number in _signals() if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in handled:
            signal.signal(number, leave)
        begin(termios.TCSAFLUSH if fresh else termios.TCSADRAIN)
        yield
    finally:
        end()
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _signals() -> list[signal.Signals]:
    """Those of the names that this system has."""
    return [number for number in signal.Signals if number.name in _LEAVING]
