"""Every snippet of docs/tools.md runs on its own, and its tables name what there is."""

import re
from pathlib import Path

import pytest

from callagain.connectors.tools import ToolOptions

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


def test_every_option_is_explained() -> None:
    assert set(ToolOptions.__annotations__) <= set(re.findall(r"^\| `(\w+)` \|", TEXT, re.M))
