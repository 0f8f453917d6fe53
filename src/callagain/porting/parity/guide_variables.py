"""The variables of the guide: which there are, and where two values of one differ."""

from collections.abc import Iterator
from typing import cast

from callagain.porting.parity.values import Leaf, is_absent, json_leaves, leaves
from callagain.porting.script import ScriptError, Value, to_text
from callagain.porting.script.values import to_truth

_JSON = frozenset(
    {
        "request",
        "InAndOut",
        "non_tool_messages_json",
        "tools_messages",
        "tools_resp",
        "toolsJson",
        "function_arguments",
    }
)
GUIDE_VARIABLES = (
    "systemPrompt",
    "userMessage",
    "toolsJson",
    "maxIterations",
    "InAndOut",
    "non_tool_messages_json",
    "tools_messages",
    "tools_resp",
    "call_llm_again",
    "loop_count",
    "tool_call_id",
    "function_name",
    "function_arguments",
    "function_resp",
    "final_response",
)
"""As `callagain.engine.Variables.as_jitterbit` gives them."""


def guide_leaves(name: str, design: object, python: object) -> Iterator[Leaf]:
    """Where a variable of the guide differs: JSON texts as what they hold, others as Jitterbit reads them.

    A variable that was never set is as one that is empty.
    """
    if is_empty(design) and is_empty(python):
        return
    if name in _JSON:
        yield from json_leaves(design, python)
    elif not _are_read_alike(design, python):
        yield from leaves(design, python)


def is_empty(value: object) -> bool:
    """Whether a variable was not set, or to nothing."""
    return is_absent(value) or value == ""


def _are_read_alike(design: object, python: object) -> bool:
    """A condition by its truth, where 1 is true; a number by its text."""
    if is_absent(design):
        return python is False or python == 0
    value = cast("Value", design)
    try:
        if isinstance(python, bool):
            return to_truth(value) is python
        return to_text(value) == to_text(cast("Value", python))
    except ScriptError:
        return False
