"""The messages that a caller brings from earlier turns: whole, or refused before anything is sent.

Chat Completions wants every tool call answered by one tool message, directly after the message that made
the calls: https://platform.openai.com/docs/guides/function-calling
"""

from collections.abc import Sequence

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, encode

_ROLES = ("system", "developer", "user", "assistant", "tool")


def checked_history(history: Sequence[Json]) -> list[JsonObject]:
    """The history as it may be sent: as it is, save that an empty `tool_calls` is dropped.

    The caller's own messages are not changed. Raises Failure("invalid_history") with index and id.
    """
    messages: list[JsonObject] = []
    open_ids: list[str] = []
    for index, message in enumerate(history):
        _check_is_json(index, message)
        if not isinstance(message, dict) or message.get("role") not in _ROLES:
            raise _invalid(index, f"is no message with a role of {', '.join(_ROLES)}")
        if message["role"] == "tool":
            _close(index, message.get("tool_call_id"), open_ids)
        elif open_ids:
            raise _invalid(index, f"comes before the answer to tool call {open_ids[0]!r}")
        calls = message.get("tool_calls")
        if "tool_calls" in message and not calls:
            message = {name: value for name, value in message.items() if name != "tool_calls"}
        elif message["role"] == "assistant" and calls:
            open_ids = _call_ids(index, calls)
        messages.append(message)
    if open_ids:
        raise _invalid(len(history) - 1, f"ends the history before the answer to tool call {open_ids[0]!r}")
    return messages


def _check_is_json(index: int, message: Json) -> None:
    try:
        encode(message)
    except JsonError as error:
        raise _invalid(index, str(error)) from None


def _close(index: int, call_id: Json, open_ids: list[str]) -> None:
    if not isinstance(call_id, str) or call_id not in open_ids:
        raise _invalid(index, f"answers tool call {call_id!r}, which is not open there")
    open_ids.remove(call_id)


def _call_ids(index: int, calls: Json) -> list[str]:
    entries = calls if isinstance(calls, list) else []
    ids = [call.get("id") if isinstance(call, dict) else None for call in entries]
    found = [call_id for call_id in ids if isinstance(call_id, str) and call_id]
    if not found or len(found) != len(ids) or len(set(found)) != len(found):
        raise _invalid(index, "has tool_calls that are no list of calls with an id of its own each")
    return found


def _invalid(index: int, what: str) -> Failure:
    return Failure(
        "invalid_history", f"message {index} of the history {what}; pass result.messages of an earlier run"
    )
