"""What is known to differ, and by which trap of the port's report."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from callagain.porting.parity.guide_variables import GUIDE_VARIABLES
from callagain.porting.parity.messages import contents_in
from callagain.porting.parity.values import Leaf, Missing, is_absent, is_json

FAILED_UNSEEN = "failed operation unseen"
NO_DEFAULT = "dispatcher without default"
FIRST_CALL_ONLY = "first call only"
STALE_RESPONSE = "stale final_response at the limit"
NO_LIMIT = "loop without limit"
OBJECT_AS_TEXT = "object as text"
QUOTES_TRIMMED = "quotes trimmed from text"
NOT_REPLACED = "messages not replaced"
BASE_CHANGED = "base messages changed in the loop"
RAISED = "raised error"
_NEED_ESCAPES = {
    "quotes escaped only": re.compile(r"[\x00-\x1f\\]"),
    "unescaped text in JSON": re.compile(r"[\x00-\x1f\\\"]"),
}
EXPLAINING = frozenset(
    {
        FAILED_UNSEEN,
        NO_DEFAULT,
        FIRST_CALL_ONLY,
        STALE_RESPONSE,
        NO_LIMIT,
        OBJECT_AS_TEXT,
        QUOTES_TRIMMED,
        NOT_REPLACED,
        BASE_CHANGED,
        RAISED,
        *_NEED_ESCAPES,
    }
)
"""The traps by which a difference can be explained."""

MESSAGES = frozenset({"InAndOut", "non_tool_messages_json", "tools_messages", "request"})
"""The variables of the guide, and the requests, that hold messages."""


@dataclass(frozen=True)
class Circumstances:
    """What happened in a case.

    found: the traps that the report finds in the design. failed_calls, unknown_calls: the ids of calls whose
    tool failed on both sides, and of those that no branch of the dispatcher knows. at_limit: the chain ended
    there. failed: the conversation failed on both sides.
    """

    found: frozenset[str]
    failed_calls: frozenset[str] = frozenset()
    unknown_calls: frozenset[str] = frozenset()
    at_limit: bool = False
    failed: bool = False

    def trap_of(self, variable: str, leaf: Leaf) -> str | None:
        """The trap by which a variable of the guide differs; None if none explains it."""
        return next((trap for rule in _RULES if (trap := rule(self, variable, leaf)) is not None), None)


Rule = Callable[[Circumstances, str, Leaf], str | None]


def _failed_tool(known: Circumstances, _: str, leaf: Leaf) -> str | None:
    """The design sends what an earlier tool returned, the chain what went wrong."""
    return FAILED_UNSEEN if leaf.call_id in known.failed_calls else None


def _unknown_tool(known: Circumstances, _: str, leaf: Leaf) -> str | None:
    return NO_DEFAULT if NO_DEFAULT in known.found and leaf.call_id in known.unknown_calls else None


def _object_as_text(known: Circumstances, _: str, leaf: Leaf) -> str | None:
    is_object = isinstance(leaf.design, str) and leaf.design.startswith("[object ")
    return OBJECT_AS_TEXT if is_object and OBJECT_AS_TEXT in known.found else None


def _final_response(known: Circumstances, variable: str, leaf: Leaf) -> str | None:
    if variable != "final_response":
        return None
    if known.at_limit and (is_absent(leaf.python) or leaf.python == ""):
        return STALE_RESPONSE
    trimmed = isinstance(leaf.python, str) and leaf.python.strip('"') == leaf.design
    return QUOTES_TRIMMED if trimmed and QUOTES_TRIMMED in known.found else None


def _escapes(known: Circumstances, variable: str, leaf: Leaf) -> str | None:
    """A text that the design pastes between quotes, and that is not what it was any more.

    Where the whole is no JSON any more, one of the texts in it must be of that kind.
    """
    if variable not in MESSAGES or not isinstance(leaf.python, str):
        return None
    if leaf.path.endswith(".content"):
        texts = [leaf.python]
    elif not leaf.path and isinstance(leaf.design, str) and leaf.design and not is_json(leaf.design):
        texts = contents_in(leaf.python)
    else:
        return None
    return next(
        (
            trap
            for trap, needs_escape in _NEED_ESCAPES.items()
            if trap in known.found and any(needs_escape.search(text) for text in texts)
        ),
        None,
    )


def _messages(known: Circumstances, variable: str, leaf: Leaf) -> str | None:
    """Messages that one side alone has, where the design is known to lose or repeat some."""
    if variable not in MESSAGES:
        return None
    if isinstance(leaf.design, Missing) and NOT_REPLACED in known.found:
        return NOT_REPLACED
    is_on_one_side = isinstance(leaf.design, Missing) or isinstance(leaf.python, Missing)
    return BASE_CHANGED if is_on_one_side and BASE_CHANGED in known.found else None


def _failed_conversation(known: Circumstances, variable: str, leaf: Leaf) -> str | None:
    """What a controller notes before it raises an error; the chain has it in result.error."""
    is_of_the_loop = variable in GUIDE_VARIABLES or variable in MESSAGES
    return RAISED if known.failed and is_absent(leaf.python) and not is_of_the_loop else None


_RULES: tuple[Rule, ...] = (
    _failed_tool,
    _unknown_tool,
    _object_as_text,
    _final_response,
    _escapes,
    _messages,
    _failed_conversation,
)
