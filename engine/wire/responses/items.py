"""The items that a conversation of the Responses API consists of.

Many types of call look alike. Those of OUTPUT_OF_CALL are answered here; most others the endpoint runs
itself, and they only go back to it. What is left over wants an answer that nobody here can give: a
screenshot, the output of a shell, somebody's approval. Items of all types:
https://platform.openai.com/docs/api-reference/responses/object#responses/object-output
"""

from collections.abc import Collection, Iterable
from typing import TypeGuard

from callagain.engine.json_text import Json, JsonObject

FUNCTION_CALL = "function_call"
CUSTOM_CALL = "custom_tool_call"
OUTPUT_OF_CALL = {FUNCTION_CALL: "function_call_output", CUSTOM_CALL: "custom_tool_call_output"}

# Some endpoints give longer ones, and refuse them when they come back: V1ki/dsh-plugin-subscriptions#29.
CALL_ID_CHARS = 64

_UNANSWERABLE = ("computer_call", "local_shell_call", "apply_patch_call", "mcp_approval_request")


def items_in(body: Json, field: str) -> list[JsonObject]:
    """The items of a response's `output` or a request's `input`, without what is no object of some type."""
    items = body.get(field) if isinstance(body, dict) else None
    found = items if isinstance(items, list) else []
    return [item for item in found if isinstance(item, dict) and type_of(item) is not None]


def type_of(item: JsonObject) -> str | None:
    """The item's type; of messages it may be left out."""
    kind = item.get("type")
    if kind is None and "role" in item:
        return "message"
    return kind if isinstance(kind, str) else None


def is_call(item: JsonObject) -> bool:
    """A call that is answered here, be it by an error."""
    return type_of(item) in OUTPUT_OF_CALL


def is_unanswerable(item: JsonObject) -> bool:
    """A call that wants an answer which only another kind of program could give."""
    kind = type_of(item)
    if kind == "shell_call":
        environment = item.get("environment")
        return not (isinstance(environment, dict) and environment.get("type") == "container_reference")
    if kind == "tool_search_call":
        return item.get("execution") == "client"
    return kind in _UNANSWERABLE


def answerable(items: Iterable[JsonObject]) -> list[JsonObject]:
    """The items without the calls that cannot be answered: the API refuses an input in which one stays open.

    It also refuses reasoning without the item that came of it, so such reasoning is left out too; a response
    may end with some, where the output limit cut it off.
    """
    kept: list[JsonObject] = []
    leads_nowhere = True
    for item in reversed(list(items)):
        if is_unanswerable(item):
            leads_nowhere = leads_nowhere or type_of(kept[-1]) == "reasoning"
        elif not (leads_nowhere and type_of(item) == "reasoning"):
            kept.append(item)
            leads_nowhere = False
    return kept[::-1]


def call_ids(body: Json) -> list[str]:
    """The ids of the calls in a response, as received."""
    return ids_of(items_in(body, "output"), OUTPUT_OF_CALL)


def answered_ids(body: Json) -> list[str]:
    """The ids that the outputs in a request carry."""
    return ids_of(items_in(body, "input"), OUTPUT_OF_CALL.values())


def ids_of(items: Iterable[JsonObject], types: Collection[str]) -> list[str]:
    """The call ids of the items of some types."""
    found = [item.get("call_id") for item in items if type_of(item) in types]
    return [call_id for call_id in found if is_id(call_id)]


def is_id(value: Json) -> TypeGuard[str]:
    return isinstance(value, str) and value != ""
