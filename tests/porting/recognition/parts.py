"""The one shape of a design, and the parts of its loop by their names."""

from tests.porting.recognition.designs import guide_design

from callagain.porting.design.model import Design
from callagain.porting.recognition import ToolCallingLoop, recognise

PARTS = (
    *("controller", "initialise", "llm_call", "response_parser", "tool_dispatcher", "dispatcher"),
    "append_tool_result",
)


def loop_of(of: Design) -> ToolCallingLoop:
    """The loop of a design that has no other shape."""
    recognition = recognise(of)
    (shape,) = recognition.shapes
    assert isinstance(shape, ToolCallingLoop)
    assert recognition.loop is shape
    return shape


def parts_of(of: Design) -> dict[str, str | None]:
    loop = loop_of(of)
    return {part: getattr(loop, part) for part in PARTS}


def guesses_of(of: Design) -> list[str]:
    return [f"{guess.place}: {guess.text}" for guess in recognise(of).guesses]


GUIDE_PARTS = parts_of(guide_design())
