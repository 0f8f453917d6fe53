"""What the Responses API refuses in a conversation as a whole: items that do not belong together. Pure."""

from collections.abc import Iterator, Sequence

from callagain.engine.json_text import JsonObject
from callagain.testing.refusal import Refusal
from callagain.testing.response_memory import GivenItem, ResponseMemory

_CALLS = ("function_call", "custom_tool_call")
_OUTPUTS = {"function_call_output": "function_call", "custom_tool_call_output": "custom_tool_call"}
_NO_OUTPUT_OF_A_MODEL = (*_OUTPUTS, "item_reference")


def history_refusals(items: Sequence[JsonObject], memory: ResponseMemory) -> Iterator[Refusal]:
    """items: the whole conversation. memory: what this server gave, which it recognises by its ids."""
    yield from _references(items)
    yield from _twice_given(items)
    yield from _pairs(items)
    seen: set[str] = set()
    for item, following in zip(items, [*items[1:], None], strict=True):
        given = memory.item(item.get("id"))
        if item.get("type") == "reasoning":
            yield from _reasoning(item, following, given)
        elif given and given.reasoning_id and given.reasoning_id not in seen:
            yield Refusal(
                f"Item '{item['id']}' of type '{item.get('type', 'message')}' was provided without its "
                f"required 'reasoning' item: '{given.reasoning_id}'.",
                "input",
            )
        seen.add(str(item.get("id")))


def _references(items: Sequence[JsonObject]) -> Iterator[Refusal]:
    for item in items:
        if item.get("type") == "item_reference":
            yield Refusal(f"Item with id '{item.get('id')}' not found.", "input", status=404)


def _twice_given(items: Sequence[JsonObject]) -> Iterator[Refusal]:
    seen: set[str] = set()
    for item in items:
        id_ = item.get("id")
        if not isinstance(id_, str):
            continue
        if id_ in seen:
            remedy = "Remove duplicate items from your input and try again."
            yield Refusal(f"Duplicate item found with id {id_}. {remedy}", "input")
        seen.add(id_)


def _pairs(items: Sequence[JsonObject]) -> Iterator[Refusal]:
    """Every call has one output, somewhere behind it, and every output has its call."""
    answered: dict[tuple[str, str], bool] = {}
    for item in items:
        kind, call_id = str(item.get("type")), str(item.get("call_id"))
        if kind in _CALLS:
            if (kind, call_id) in answered:
                yield Refusal(
                    f"Invalid 'input': call_ids must be unique, but '{call_id}' stands twice.", "input"
                )
            answered[kind, call_id] = False
        elif kind in _OUTPUTS:
            call = (_OUTPUTS[kind], call_id)
            name = kind.replace("_", " ")
            if call not in answered:
                yield Refusal(f"No tool call found for {name} with call_id {call_id}.", "input")
            elif answered[call]:
                yield Refusal(f"Invalid 'input': the call '{call_id}' has two outputs.", "input")
            answered[call] = True
    for (kind, call_id), has_output in answered.items():
        if not has_output:
            yield Refusal(f"No tool output found for {kind.replace('_', ' ')} {call_id}.", "input")


def _reasoning(item: JsonObject, following: JsonObject | None, given: GivenItem | None) -> Iterator[Refusal]:
    id_ = item.get("id")
    if following is None or not _may_follow(following, given):
        reason = "was provided without its required following item."
        yield Refusal(f"Item '{id_}' of type 'reasoning' {reason}", "input")
    if given is None:
        return
    encrypted = item.get("encrypted_content")
    if encrypted is None and not given.stored:
        yield Refusal(
            f"Item with id '{id_}' not found. Items are not persisted when `store` is set to false. "
            "Try again with `store` set to true, or remove this item from your input.",
            "input",
            status=404,
        )
    elif encrypted is not None and encrypted != given.item.get("encrypted_content"):
        reason = "Encrypted content could not be decrypted or parsed."
        message = f"The encrypted content for item {id_} could not be verified. Reason: {reason}"
        yield Refusal(message, code="invalid_encrypted_content")


def _may_follow(item: JsonObject, reasoning: GivenItem | None) -> bool:
    """It is something that a model put out and, as far as ids tell, what came after the reasoning."""
    if item.get("type") in _NO_OUTPUT_OF_A_MODEL or item.get("role", "assistant") != "assistant":
        return False
    known = reasoning is not None and reasoning.following_id is not None and "id" in item
    return not known or (reasoning is not None and item["id"] == reasoning.following_id)
