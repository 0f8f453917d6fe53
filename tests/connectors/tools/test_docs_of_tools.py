"""Every snippet of docs/tools.md runs on its own, and its tables name what there is."""

import re
from pathlib import Path

import pytest

from callagain.connectors.tools import ToolOptions
from callagain.engine import receipts

PAGE = Path(__file__).parents[3] / "docs" / "tools.md"
TEXT = PAGE.read_text(encoding="utf-8")
SNIPPETS = [
    (TEXT[: match.start()].count("\n") + 2, match.group(1))
    for match in re.finditer(r"```python\n(.*?)```", TEXT, re.S)
]


@pytest.mark.parametrize(("line", "code"), SNIPPETS, ids=[f"line {line}" for line, _ in SNIPPETS])
def test_snippet_runs(line: int, code: str) -> None:
    # The empty lines make an error point at the line of the page.
    exec(compile("\n" * (line - 1) + code, str(PAGE), "exec"), {"__name__": "snippet"})


def test_every_error_code_is_explained_with_when_and_what_the_model_reads() -> None:
    assert receipts.__doc__ is not None
    codes = re.findall(r"\w+", receipts.__doc__.partition("codes of tool errors: ")[2].partition(".")[0])
    assert len(codes) >= 10
    # No loop denies a call yet.
    codes.remove("denied")
    explained = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", TEXT.partition("## Errors that")[2], re.M)
    assert explained == codes


def test_every_option_is_explained() -> None:
    assert set(ToolOptions.__annotations__) <= set(re.findall(r"^\| `(\w+)` \|", TEXT, re.M))
