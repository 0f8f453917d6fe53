"""What the commands write, and how: the answer to stdout, all the rest to stderr."""

import io
import json
import os
import shutil
import sys
import textwrap
import unicodedata
from dataclasses import dataclass
from typing import TextIO

from callagain.engine.errors import ConfigurationError

_WIDEST, _NARROWEST = 100, 20


class OutputClosedError(Exception):
    """Whoever read stdout does not read any more."""


def prepare_streams() -> None:
    """A character that the terminal's encoding lacks is shown as `?`, and is no error.

    A stdin that was closed is an empty one, and what is written to a closed stderr is lost; a closed stdout
    would lose the answer, and raises ConfigurationError.
    """
    # Python has None for a stream that was closed when it started. What is opened here stays so to the end.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise ConfigurationError("stdout is closed; send the output somewhere, as to a file")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(text: str = "", *, end: str = "\n", to: TextIO | None = None) -> None:
    """Writes to stdout, or to another stream, at once.

    Raises OutputClosedError, or ConfigurationError for a full disk.
    """
    stream = to or sys.stdout
    try:
        print(text, end=end, file=stream, flush=True)
    except BrokenPipeError:
        _discard(stream)
        raise OutputClosedError from None
    except OSError as error:
        _discard(stream)
        raise ConfigurationError(
            f"cannot write the output: {error.strerror}; send it somewhere else"
        ) from None


def note(text: str) -> None:
    """Writes a line to stderr. There is nobody to tell if that cannot be written."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def complain(text: str) -> None:
    """Writes `callagain: text` to stderr, as one line."""
    note(f"callagain: {flat(text)}")


def warn_in_one_line(message: Warning | str, *_: object, **__: object) -> None:
    """In place of `warnings.showwarning`, which shows a line of code as well."""
    complain(f"warning: {message}")


def flat(text: str) -> str:
    """The text as one line, whatever it holds: no newline and no control sequence reaches the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def filled(text: str, width: int, *, indent: int = 0) -> list[str]:
    """The text as lines of at most `width` columns, broken at spaces; those after the first are indented."""
    lines = textwrap.wrap(
        flat(text), max(_NARROWEST, width), subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return lines or [""]


def fold(text: str, width: int, *, begin: int = 0) -> str:
    """The text as one line of at most `width` characters; a text that was cut ends with its length.

    begin: the place in the text from which it is shown; what stands before it becomes an ellipsis.
    """
    line = f"…{flat(text[begin:])}" if begin else flat(text)
    if width_of(line) <= width:
        return line
    length = f"… ({len(text):,} chars)"
    return f"{cut(line, width - len(length))}{length}"


def cut(text: str, width: int) -> str:
    """As much of the text, from its beginning, as stands in so many columns."""
    if text.isascii():
        return text[: max(0, width)]
    for place, letter in enumerate(text):
        width -= width_of(letter)
        if width < 0:
            return text[:place]
    return text


def width_of(text: str) -> int:
    """The columns that the text takes: two for a wide character (Unicode Standard Annex #11)."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def visible(text: str) -> str:
    """The text with JSON's escape for each character that a terminal would obey, or not show."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def columns() -> int:
    """The width to write to: the terminal's, but no wider than is pleasant to read."""
    return min(shutil.get_terminal_size().columns, _WIDEST)


def can_redraw(stream: TextIO) -> bool:
    """Whether a line may be erased and written anew: on a terminal that can, whose user has not set NO_COLOR,
    as those do whose terminal is read aloud or kept."""
    able = os.environ.get("TERM", "dumb") != "dumb"
    return able and not os.environ.get("NO_COLOR") and stream.isatty()


@dataclass(frozen=True, slots=True)
class Style:
    """Colours, on a terminal whose user does not mind them (https://no-color.org)."""

    coloured: bool

    @classmethod
    def of(cls, stream: TextIO) -> "Style":
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(wanted and stream.isatty())

    def bold(self, text: str) -> str:
        return self._with("1", text)

    def faint(self, text: str) -> str:
        return self._with("2", text)

    def good(self, text: str) -> str:
        return self._with("32", text)

    def bad(self, text: str) -> str:
        return self._with("31", text)

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured else text


def _discard(stream: TextIO) -> None:
    """So that the interpreter does not fail at its end, when it writes what is still in the buffer."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
