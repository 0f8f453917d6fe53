"""The page of all traps, docs/porting-traps.md, whose list is made of the registry."""

import re
import textwrap
from pathlib import Path

from callagain.porting.report import TRAPS, Trap
from callagain.porting.report.trap import REPLACED

PAGE = Path(__file__).parents[3] / "docs" / "porting-traps.md"
_LIST = re.compile(r"(?<=<!-- traps -->\n).*(?=<!-- end -->)", re.DOTALL)


def regenerated(page: str) -> str:
    """The page with the traps as they are in the code now."""
    listed = "\n".join(["", *map(_entry, TRAPS)])
    return _LIST.sub(lambda _: listed, page)


def _entry(trap: Trap) -> str:
    said = [("As a script", trap.script_does), ("Found", trap.looks_for)]
    if trap.chain_does != REPLACED:
        said.insert(0, ("In a chain", trap.chain_does))
    points = [_wrapped(f"- **{heading}.** {_text(words)}") for heading, words in said]
    return "\n".join([f"### {_text(trap.name)}", "", _wrapped(_text(trap.does)), "", *points, ""])


def _text(text: str) -> str:
    return re.sub(r"[*`<>\[\]\\]", r"\\\g<0>", " ".join(text.split()))


def _wrapped(text: str) -> str:
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
