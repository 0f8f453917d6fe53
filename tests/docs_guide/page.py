"""The page that shows the table, and the code that it is made of."""

from collections.abc import Sequence
from pathlib import Path

from tests.docs_guide.annotations import annotations_in, sources_of
from tests.docs_guide.table import EVERY_ROW, GuideTable, read_elements

from callagain.engine.links import Link
from callagain.engine.table import TOOL_CALLING_LOOP

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "jitterbit-to-python.md"


def guide_table() -> GuideTable:
    """The guide's elements in the code as it is now."""
    return GuideTable(read_elements(), annotations_in(sources_of(ROOT)), rows_of(TOOL_CALLING_LOOP))


def rows_of(links: Sequence[Link]) -> dict[str, str]:
    """What docstrings call the rows of the table, and what the page shows of each."""
    rows = {f"{link.source} → {link.target}": _row(link) for link in links}
    return {**rows, EVERY_ROW: EVERY_ROW}


def _row(link: Link) -> str:
    when = ", ".join(link.when)
    return f"`{' '.join(filter(None, (link.source, link.event, when)))} → {link.target}`"
