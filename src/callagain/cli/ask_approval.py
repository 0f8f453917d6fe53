"""Somebody at a terminal is asked about a call: yes, no, or other arguments.

A model wrote the arguments, so they are hostile until somebody has read them. All of them can be seen; what
is no visible character is shown as JSON escapes it, and no line of them begins where our own lines begin.
"""

import contextlib
import os
import select
import sys
import unicodedata
from collections.abc import Iterable, Iterator

from callagain.cli.terminal import Style, columns, complain, flat, note, say, visible
from callagain.connectors.tools import Tool, ToolProblem
from callagain.decisions import Verdict, approve, deny, edit
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.pending_calls import PendingCall

# Of a line, and of one that goes on, so that no text can look like another argument.
_INDENT, _INDENT_ON = " " * 4, " " * 8
_CHOICES = "[y]es, [n]o, [e]dit"
_NEW_ARGUMENTS = "new arguments, a JSON object on one line (an empty line is no): "
_HELP = "y runs the call; n does not, and what follows n is told to the model; e takes other arguments"

# What is shown at first: lines of one argument, and lines in all.
_LINES_OF_ONE, _LINES_OF_ALL = 10, 40
_NARROWEST = 20

_WAIT_SECONDS = 0.25


class AskApproval:
    """An approver that asks on stderr, and reads the answer from stdin.

    The safe answer is the default: an empty line, the end of the input and input that cannot be read are no.
    tools: those whose calls it is asked about. Ctrl-C raises KeyboardInterrupt.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def __call__(self, call: PendingCall) -> Verdict:
        style = Style.of(sys.stderr)
        begin, end = f"callagain: may {call.name} run", "with these arguments?"
        between = " " if len(begin) + len(end) < _width() else f"\n{_INDENT}"
        note(f"callagain: may {style.bold(call.name)} run{between}{end}")
        is_cut = _show(call.arguments or {}, whole=False)
        while True:
            choices = f"{_CHOICES}, [s]how all" if is_cut else _CHOICES
            answer = _read(f"{style.bold(call.name)}: {choices}? ")
            word, _, rest = answer.partition(" ")
            match word.lower(), rest.strip():
                case (("y" | "yes"), ""):
                    return approve(call)
                case (("" | "n" | "no"), reason):
                    return deny(flat(reason), call) if reason else deny(about=call)
                case (("e" | "edit"), text):
                    return self._edited(call, text)
                case (("s" | "show"), ""):
                    is_cut = _show(call.arguments or {}, whole=True)
                case _:
                    complain(_HELP)

    def _edited(self, call: PendingCall, text: str) -> Verdict:
        """text: the new arguments, if they were given with the answer."""
        if not text:
            note(f"{_INDENT}its arguments:")
            note("\n".join(_wrapped(encode(call.arguments).decode())))
        while text := text or _read(_NEW_ARGUMENTS):
            try:
                return edit(self._checked(call.name, text), call)
            except (JsonError, ToolProblem) as error:
                complain(f"these arguments cannot be used: {error}")
            text = ""
        return deny(about=call)

    def _checked(self, name: str, text: str) -> JsonObject:
        """The arguments in the text. Raises JsonError, ToolProblem."""
        arguments = decode(text, unique_keys=True)
        if not isinstance(arguments, dict):
            raise JsonError("they are no JSON object, such as {}")
        self._tools[name].validated(arguments)
        return arguments


def _show(arguments: JsonObject, *, whole: bool) -> bool:
    """Writes them, one below the other; whether something was left out."""
    if not arguments:
        note(f"{_INDENT}(none)")
        return False
    listed = [_argument(name, value, None if whole else _LINES_OF_ONE) for name, value in arguments.items()]
    lines = [line for shown, _ in listed for line in shown]
    is_cut = any(cut for _, cut in listed)
    if not whole and len(lines) > _LINES_OF_ALL:
        is_cut, left_out = True, len(lines) - _LINES_OF_ALL
        lines[_LINES_OF_ALL:] = [f"{_INDENT}… and {left_out:,} more lines"]
    note("\n".join(lines))
    return is_cut


def _argument(name: str, value: Json, most: int | None) -> tuple[list[str], bool]:
    """Its lines, and whether it is cut after `most` of them; then the last one has its whole length."""
    shown = name if name.isidentifier() else encode(name).decode()
    text = f"{shown}: {encode(value).decode()}"
    lines = list(_wrapped(text))
    if most is None or len(lines) <= most:
        return lines, False
    return [*lines[: most - 1], f"{_INDENT_ON}… ({len(text):,} chars)"], True


def _wrapped(text: str) -> Iterator[str]:
    """The text in lines that no terminal breaks again, whatever it holds."""
    line, used, width = _INDENT, len(_INDENT), _width()
    for letter in visible(text):
        # A letter of ambiguous width is two columns on some terminals (Unicode Standard Annex #11).
        wide = 2 if unicodedata.east_asian_width(letter) in "WFA" else 1
        if used + wide > width:
            yield line
            line, used = _INDENT_ON, len(_INDENT_ON)
        line += letter
        used += wide
    yield line


def _width() -> int:
    """Of the terminal that stderr is; stdout may be another one, or none."""
    widths = [columns()]
    with contextlib.suppress(OSError, ValueError):
        widths.append(os.get_terminal_size(sys.stderr.fileno()).columns)
    # A terminal of no columns does not know how many it has.
    return max(_NARROWEST, min(width for width in widths if width > 0))


def _read(prompt: str) -> str:
    """The next line; empty if there is none, or if the input ended in it."""
    _forget_what_was_typed()
    line = ""
    try:
        say(prompt, end="", to=sys.stderr)
        with contextlib.suppress(OSError, UnicodeDecodeError):
            _wait_for_a_line()
            line = sys.stdin.readline()
    finally:
        # What comes next begins a line of its own.
        if not line.endswith("\n"):
            note("")
    return line.strip() if line.endswith("\n") else ""


def _wait_for_a_line() -> None:
    """A signal that arrives just before a read begins does not interrupt it, and Ctrl-C would be lost."""
    # Elsewhere select takes only sockets.
    while os.name == "posix" and not select.select([sys.stdin], [], [], _WAIT_SECONDS)[0]:
        pass


def _forget_what_was_typed() -> None:
    """Nobody can have answered a question that had not been asked."""
    try:
        import termios
    except ImportError:
        return
    with contextlib.suppress(OSError, ValueError, termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
