"""The page docs/jitterbit-script.md has the functions that there are. Run this file to write them into it."""

import re
from pathlib import Path

from callagain.porting.script.functions import FUNCTIONS, GROUPS
from callagain.porting.script.modes import MODES

PAGE = Path(__file__).parents[3] / "docs/jitterbit-script.md"
MARKED = re.compile(r"(?<=<!-- functions -->\n).*(?=<!-- end -->)", re.DOTALL)


def table_of_functions() -> str:
    """The functions of each page of the reference, by name, as Markdown."""
    lines: list[str] = [""]
    for group in GROUPS:
        functions = [function for function in FUNCTIONS.values() if function.group == group]
        lines += [
            f"### {group.name}",
            "",
            f"<https://{group.page}>",
            "",
            "| function | gives |",
            "| --- | --- |",
        ]
        lines += [
            f"| `{function.declaration}` | {function.summary} |"
            for function in sorted(functions, key=lambda function: function.name.lower())
        ]
        lines.append("")
    return "\n".join(lines) + "\n"


def test_the_page_has_the_functions_that_there_are() -> None:
    marked = MARKED.search(PAGE.read_text("utf-8"))
    assert marked is not None
    assert marked.group() == table_of_functions(), f"run {Path(__file__).name} to write the table anew"


def test_no_summary_breaks_the_table() -> None:
    assert [function.name for function in FUNCTIONS.values() if "|" in function.summary] == []


def test_the_page_names_the_modes() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"| {name} |" in text or f" {name} |" in text for name in MODES)


if __name__ == "__main__":
    PAGE.write_text(MARKED.sub(lambda _: table_of_functions(), PAGE.read_text("utf-8")), "utf-8")
