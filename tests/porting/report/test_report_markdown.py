"""The report in Markdown."""

import re
from dataclasses import replace

from tests.porting.report.reports import ORDERS, harmful_report

from callagain.porting.report import report_markdown

WHOLE = """\
# Port of Orders Assistant

Read from: Studio export. The package is `orders_assistant`.

| converted | with notes | kept as script | stub | ignored |
| --- | --- | --- | --- | --- |
| 2 | 1 | 0 | 1 | 1 |

## What is left to do

- 1 stub to write: script Notify
- 1 secret to enter anew: openai key
- 1 function to replace: SendEmail
- 1 tag that names nothing:
  - \\<TAG\\>operation:Gone\\</TAG\\> in Notify, 4:12
- 1 trap to read about, at 2 places: first call only
- 1 guess to check:
  - outcome 200 was taken for On Fail (orders.json: components\\[3\\])

## The machine

```mermaid
stateDiagram-v2
    [*] --> initialize
```

## Inventory

| component | number |
| --- | --- |
| operations | 8 |
| Jitterbit scripts | 10 |
"""


def test_the_page_has_summary_tasks_diagram_and_tables() -> None:
    page = report_markdown(ORDERS)
    assert page.startswith(WHOLE)
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        "What is left to do",
        "The machine",
        "Inventory",
        "Components",
        "Traps",
        "Unknown functions",
        "Tags that name nothing",
        "Names",
        "Secrets to enter anew",
        "Guesses",
    ]
    place = "orders.json: components\\[3\\]"
    assert f"| script | `Notify` | stub | `orders_assistant/stubs.py` | {place} | no SendEmail |\n" in page
    assert "| first call only | `Parse Response` 7:31, 9:31 | Only the first call " in page
    assert "| variable | `$gpt.model` | `gpt_model` |" in page


def test_sections_without_content_are_left_out() -> None:
    page = report_markdown(
        replace(ORDERS, unknown_functions=(), unresolved_tags=(), traps=(), guesses=(), diagram="")
    )
    assert "Unknown functions" not in page
    assert "mermaid" not in page


def test_a_design_is_text_wherever_it_stands() -> None:
    page = report_markdown(harmful_report())
    assert [each for each in page if not (each.isprintable() or each == "\n")] == []
    assert "\u202e" not in page
    # Outside of the fence every sign of its own is escaped, and no address is a link.
    outside = re.sub(r"^```mermaid\n.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"(?<!\\)[<>\[\]*]", outside)
    assert not re.search(r"https?:|www\.|@", outside)
    rows = [line for line in outside.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6, 3, 7, 5, 4}


def test_nothing_in_a_diagram_closes_its_fence() -> None:
    page = report_markdown(harmful_report())
    assert len(re.findall(r"^ {0,3}(```|~~~)", page, re.MULTILINE)) == 2
