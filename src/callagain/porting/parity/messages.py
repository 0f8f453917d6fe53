"""Messages in requests and in the variables that hold them."""

from typing import Any, cast

from callagain.porting.parity.values import parsed_json


def contents_in(text: str) -> list[str]:
    """The texts of all messages in a request, or in an array of messages."""
    contents = [_member(message, "content") for message in _messages_in(parsed_json(text))]
    return [content for content in contents if isinstance(content, str)]


def without_empty_system_message(design: object, python: object) -> object:
    """The design's side without the system message that says nothing, where the other side has none.

    Where there is no system prompt the guide's script sends an empty one, and callagain sends none. What is
    no JSON, and what has no such message, is given back as it is.
    """
    sides = parsed_json(design), parsed_json(python)
    ours, theirs = (_messages_in(side) for side in sides)
    if not _is_system(ours) or _member(ours[0], "content") != "" or _is_system(theirs):
        return design
    if isinstance(sides[0], dict):
        return {**cast("dict[str, object]", sides[0]), "messages": ours[1:]}
    return ours[1:]


def _messages_in(value: object) -> list[object]:
    messages = _member(value, "messages") if isinstance(value, dict) else value
    return cast("list[object]", messages) if isinstance(messages, list) else []


def _is_system(messages: list[object]) -> bool:
    return bool(messages) and _member(messages[0], "role") == "system"


def _member(value: Any, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
