"""The page that shows the table, and the code that it is made of."""

from pathlib import Path

from tests.docs_guide.annotations import annotations_in, sources_of
from tests.docs_guide.table import GuideTable, read_elements

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "jitterbit-to-python.md"


def guide_table() -> GuideTable:
    """The guide's elements in the code as it is now."""
    return GuideTable(read_elements(), annotations_in(sources_of(ROOT)))
