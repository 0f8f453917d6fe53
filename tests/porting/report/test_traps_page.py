"""docs/porting-traps.md lists every trap as the code has it."""

import re

from tests.porting.report.traps_page import PAGE, regenerated

from callagain.porting.report import TRAPS


def test_the_page_shows_what_the_code_says() -> None:
    page = PAGE.read_text("utf-8")
    assert page == regenerated(page), "run python -m tests.porting.report to write the list anew"


def test_every_trap_has_a_heading_of_its_own() -> None:
    headings = re.findall(r"^### (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [heading.replace("\\", "") for heading in headings] == [trap.name for trap in TRAPS]


def test_what_is_said_of_a_trap_is_short_and_ends_in_a_full_stop() -> None:
    for trap in TRAPS:
        for text in (trap.does, trap.chain_does, trap.script_does):
            assert text.endswith("."), text
            assert len(text) <= 110, text
