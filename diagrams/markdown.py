"""The table of a chain in Markdown, row by row as it stands in the code."""

import re
from collections.abc import Iterator

from callagain.diagrams.overlay import chain_of, duration, stand, taken, times
from callagain.diagrams.plain_text import one_line
from callagain.diagrams.walk import Walk
from callagain.engine.chain import Chain

_HEADINGS = ("source", "event", "when", "target")
_HEADINGS_OF_A_RUN = ("taken", "time")

# What Markdown would read as a sign of its own; an underscore between letters is none.
_SIGNS = re.compile(r"[\\|*`<>\[\]&~#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def transition_table_markdown(drawn: Chain | Walk) -> str:
    """The links in table order: source, event, the guards that must all hold, target.

    Of a run also how often each was taken, and how long the operations took that were left by it, with where
    the run is below the table.
    """
    links = chain_of(drawn).links
    rows = [_HEADINGS, *((k.source, k.event, ", ".join(k.when), k.target) for k in links)]
    cells = [[_escaped(cell) for cell in row] for row in rows]
    below = ""
    if isinstance(drawn, Walk):
        cells = [[*row, *further] for row, further in zip(cells, _columns_of_a_run(drawn), strict=True)]
        below = f"\n{_escaped(stand(drawn))}\n"
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return "".join(_line(row, widths) for row in cells) + below


def _columns_of_a_run(walk: Walk) -> Iterator[tuple[str, str]]:
    yield _HEADINGS_OF_A_RUN
    visits = taken(walk)
    for link in walk.chain.links:
        count, seconds = visits[link]
        yield times(count) if count else "", "" if seconds is None else duration(seconds)


def _line(cells: list[str], widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |\n"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\g<0>", one_line(text))
