"""docs/embedding.md shows the programs as they are, and knows every kind of error."""

import re
from pathlib import Path

from tests.docs.included_sources import with_sources

from callagain.engine.error_kinds import ERROR_KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "embedding.md").read_text("utf-8")


def test_the_page_shows_the_programs_as_they_are() -> None:
    assert with_sources(PAGE) == PAGE


def test_the_page_says_for_each_kind_of_error_what_to_do() -> None:
    table = PAGE.partition("## What to do with each outcome")[2].partition("Each kind")[0]
    rows = re.findall(r"^\| `(\w+)`[^|]*\| ([^|]*) \|", table, re.M)
    told = {kind: outcome for outcome, kinds in rows for kind in re.findall(r"`(\w+)`", kinds)}
    assert told == {kind: known.outcome for kind, known in ERROR_KINDS.items()}
