"""Texts of a script as comments of Python, which can neither end early nor speak to a tool."""

import ast
import re
import textwrap

from callagain.porting.script.tokens import Comment
from callagain.porting.translation.layout import WIDTH

_TOOLS = r"(?:noqa|nosec|type|pyright|mypy|ruff|fmt|isort|pylint|flake8|pragma|yapf|black|region|endregion)\b"
_SPEAKS = re.compile(rf"\s*(?:{_TOOLS}|[-*!:%])", re.IGNORECASE)
_SPEAKS_INSIDE = re.compile(rf"#(?=\s*{_TOOLS})", re.IGNORECASE)
_DECLARES_ENCODING = re.compile(r"coding(?=[:=])", re.IGNORECASE)
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_FORMS_OF_CODE = (
    "{text}",
    "{text}\n    pass",
    "try:\n    pass\n{text}\n    pass",
    "if x:\n    pass\n{text}\n    pass",
)
_LOOKS_LIKE_CODE = re.compile(r"[()\[\]{}:=]")


def remark(comment: Comment) -> list[str]:
    """The lines of a comment of the script, each with its `#`."""
    texts = [
        line.strip().lstrip("*").strip() if comment.block else line.strip() for line in _lines(comment.text)
    ]
    written: list[str] = []
    for text in texts:
        mark = "# // " if _SPEAKS.match(text) or _is_code(text) else "# "
        written += _wrapped(text, mark, mark) if text else ["#"]
    return [*_without_empty_ends(written)]


def original(text: str) -> list[str]:
    """A whole script as a block of comment lines with a bar at their left."""
    return [line for each in _lines(text.strip("\r\n")) for line in _unwrapped(each)]


def shown(name: str) -> str:
    """A name, such as that of a script, inside a comment or a docstring: in one line of bounded length."""
    text = " ".join(_harmless(line) for line in _LINE_BREAK.split(name))
    return textwrap.shorten(text.replace("\\", "/").replace('"', "'"), 80, placeholder="…")


def _unwrapped(line: str) -> list[str]:
    """A line with its indentation; one that is too long goes on below, behind another mark."""
    mark, rest, room, written = "# | ", line.rstrip(), WIDTH - 4, list[str]()
    while len(rest) > room:
        # A space stays at the end of no line, so it goes down with what is behind it.
        cut = rest.rfind(" ", 1, room + 1)
        cut = cut if rest[:cut].strip() and cut > 0 else room
        written.append(f"{mark}{rest[:cut]}".rstrip())
        mark, rest = "# > ", rest[cut:]
    return [*written, f"{mark}{rest}".rstrip()]


def _lines(text: str) -> list[str]:
    return [_harmless(line) for line in _LINE_BREAK.split(text)]


def _harmless(line: str) -> str:
    shown = "".join(each if each.isprintable() else _escape(each) for each in line.expandtabs(4))
    return _DECLARES_ENCODING.sub(lambda match: f"{match[0]} ", _SPEAKS_INSIDE.sub("#|", shown))


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _is_code(text: str) -> bool:
    """Whether a linter would take the comment for code that somebody has switched off."""
    if not _LOOKS_LIKE_CODE.search(text):
        return False
    for candidate in (
        text,
        f"{text}\n    pass",
        f"try:\n    pass\n{text}\n    pass",
        f"if x:\n    pass\n{text}\n    pass",
    ):
        try:
            ast.parse(candidate)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return True
    return False


def _wrapped(text: str, first: str, following: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH - 24, initial_indent=first, subsequent_indent=following, break_on_hyphens=False
    ) or [first.rstrip()]


def _without_empty_ends(lines: list[str]) -> list[str]:
    while lines and lines[0] == "#":
        lines = lines[1:]
    while lines and lines[-1] == "#":
        lines = lines[:-1]
    return lines
