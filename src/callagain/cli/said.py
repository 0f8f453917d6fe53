"""Who says what in a message, of either API, for people to read in a line."""

from callagain.engine.json_text import Json, JsonObject, encode

# The Responses API has calls and their results beside the messages.
_ROLES = {"function_call": "assistant", "function_call_output": "tool"}


def said_in(message: JsonObject) -> tuple[str, str]:
    """(who, what): the role, or the type of what has none, and its text with the calls behind it."""
    kind = message.get("type")
    who = message.get("role") or (_ROLES.get(kind, kind) if isinstance(kind, str) else kind)
    parts = [_text(message.get("content"))]
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            parts.append(f"{_text(function.get('name'))} {_text(function.get('arguments'))}")
    parts += [_text(message[name]) for name in ("name", "arguments", "output") if name in message]
    return str(who), " ".join(part for part in parts if part)


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(_of_part(part) for part in value)
    return encode(value).decode()


def _of_part(part: Json) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else encode(part).decode()
