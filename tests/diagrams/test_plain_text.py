"""Marks of direction come through in no drawn form: each is shown, and turns nothing around."""

from collections.abc import Callable

from tests.diagrams.runs import loop_with

from callagain import tool
from callagain.diagrams import (
    flowchart_mermaid,
    flowchart_svg,
    sequence_mermaid,
    sequence_svg,
    state_diagram_mermaid,
    state_diagram_svg,
    transition_table_markdown,
)
from callagain.diagrams.plain_text import one_line
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import StandIn, calls, says

MARKS = "".join(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))


class Turned(Script):
    title = f"turned {MARKS}"

    def run(self, variables: Variables) -> None: ...


def test_a_mark_of_direction_is_shown_and_obeyed_by_nobody(stand_in: Callable[..., StandIn]) -> None:
    @tool
    def look_up() -> str:
        """Finds something."""
        return f"cod{MARKS}exe"

    chain = TOOL_CALLING_LOOP.insert(f"turned{MARKS}", Turned(), before="append_tool_result")
    drawn = [flowchart_mermaid(chain), flowchart_svg(chain), state_diagram_mermaid(chain)]
    drawn += [state_diagram_svg(chain), transition_table_markdown(chain)]
    walk = loop_with(stand_in([calls(("look_up", {})), says(MARKS)]), tools=[look_up]).run(MARKS).walk
    drawn += [sequence_mermaid(walk), sequence_svg(walk)]
    assert [text for text in drawn if set(text) & set(MARKS)] == []
    assert ["u202e" in text for text in drawn] == [True] * len(drawn)


def test_a_text_becomes_one_line() -> None:
    assert one_line("a\x1b[2J\n  b\u2028c \u202ed") == "a [2J b c \\u202ed"
