"""Text of a design in a report: it comes from others, and may hold what a terminal or Markdown would obey."""

import re

from callagain.diagrams.plain_text import one_line

# What Markdown or HTML would read as a sign of its own; an underscore between letters is none.
_SIGNS = re.compile(r"[\\|*`<>\[\]&~#!$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# An address would become a link without any sign.
_ADDRESS = re.compile(r"(?i)(https?|ftp|mailto)(:)|(www)(\.)|(@)")
_FENCE = re.compile(r"`{3,}|~{3,}")
_LONGEST = 400


def plain(text: str, longest: int = _LONGEST) -> str:
    """The text in one line without control characters and marks of direction, cut where it is very long."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def markdown(text: str, longest: int = _LONGEST) -> str:
    """The text in one line, for a sentence or a cell of a table: nothing in it means anything to Markdown."""
    escaped = _SIGNS.sub(r"\\\g<0>", plain(text, longest))
    return _ADDRESS.sub(_apart, escaped)


def code(text: str) -> str:
    """A name in Markdown's code letters; one with backticks or pipes, which could end it, as escaped text."""
    line = plain(text)
    return f"`{line}`" if line and not re.search(r"[`|\\]", line) else markdown(text)


def fenced(text: str, language: str) -> str:
    """A text in a fence that nothing in it closes, without control characters."""
    lines = [_FENCE.sub("", _line(line)) for line in text.splitlines()]
    return "\n".join([f"```{language}", *lines, "```"])


def _line(line: str) -> str:
    """A line with its indentation."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + one_line(line)


def _apart(match: re.Match[str]) -> str:
    """An address with its sign as an entity, so that no link is made of it."""
    return "".join(f"&#{ord(part)};" if part in (":", ".", "@") else part for part in match.groups() if part)
