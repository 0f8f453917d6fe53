"""The table of a chain in Markdown, row by row as it stands in the code."""

import re

from callagain.engine.chain import Chain

_HEADINGS = ("source", "event", "when", "target")

# What Markdown would read as a sign of its own; an underscore between letters is none.
_SIGNS = re.compile(r"[\\|*`<>\[\]&~#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def transition_table_markdown(chain: Chain) -> str:
    """The links in table order: source, event, the guards that must all hold, target."""
    rows = [_HEADINGS, *((k.source, k.event, ", ".join(k.when), k.target) for k in chain.links)]
    cells = [[_escaped(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEADINGS))]
    cells.insert(1, ["-" * width for width in widths])
    return "".join(_line(row, widths) for row in cells)


def _line(cells: list[str], widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |\n"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\g<0>", " ".join(text.split()))
