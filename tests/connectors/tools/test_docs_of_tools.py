"""The tables of docs/tools.md name what there is."""

import re
from pathlib import Path

from callagain.connectors.tools import ToolOptions
from callagain.engine import receipts

PAGE = Path(__file__).parents[3] / "docs" / "tools.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_error_code_is_explained_with_when_and_what_the_model_reads() -> None:
    assert receipts.__doc__ is not None
    codes = re.findall(r"\w+", receipts.__doc__.partition("codes of tool errors: ")[2].partition(".")[0])
    assert len(codes) >= 10
    explained = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", TEXT.partition("## Errors that")[2], re.M)
    assert explained == codes


def test_every_option_is_explained() -> None:
    assert set(ToolOptions.__annotations__) <= set(re.findall(r"^\| `(\w+)` \|", TEXT, re.M))
