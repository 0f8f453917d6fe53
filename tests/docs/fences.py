"""The fenced blocks of a page, as Markdown has them."""

import re
from dataclasses import dataclass

_FENCE = re.compile(
    r"(?:^`(?P<file>[\w.]+)`:\n\n)?"
    r"^(?P<ticks>`{3,})(?P<language>\w*)(?: source=(?P<source>\S+))?\n(?P<body>.*?)^(?P=ticks)$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Fence:
    """language: of the info line; "" if it has none. body: its lines, each with its end. line: the first one.

    source: the definition that it shows, as `operations/initialize.py::Initialize.run`. file: the name of the
    file that it is, where a line such as "`orders.py`:" stands above it. start, end: the place of its text,
    backticks included.
    """

    language: str
    body: str
    line: int
    start: int
    end: int
    source: str | None = None
    file: str | None = None


def fences_in(page: str) -> list[Fence]:
    """In their order."""
    return [
        Fence(
            found["language"],
            found["body"],
            page.count("\n", 0, found.start("body")) + 1,
            found.start("ticks"),
            found.end(),
            found["source"],
            found["file"],
        )
        for found in _FENCE.finditer(page)
    ]


def with_bodies(page: str, bodies: dict[int, str]) -> str:
    """The page with other bodies in the fences that begin at these lines."""
    for fence in reversed(fences_in(page)):
        if fence.line in bodies:
            opening = page[fence.start : fence.end].split("\n", 1)[0]
            ticks = opening[: len(opening) - len(opening.lstrip("`"))]
            written = f"{opening}\n{bodies[fence.line]}{ticks}"
            page = page[: fence.start] + written + page[fence.end :]
    return page
