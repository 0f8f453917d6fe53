"""Messages of Chat Completions as items, so that a conversation can move from that API to this one.

What has one form in both stays as it is. What this API has no place for (the name of a speaker, the thoughts
of another endpoint's model) is left out.
https://platform.openai.com/docs/guides/migrate-to-responses
"""

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.responses.items import CUSTOM_CALL, FUNCTION_CALL, OUTPUT_OF_CALL
from callagain.engine.wire.tool_names import legal_name

# What a message may hold here if it has no `type`, as those of Chat Completions have none.
_MESSAGE_FIELDS = ("role", "content", "phase")


def as_items(message: JsonObject) -> list[JsonObject]:
    """The items that a message stands for; an item is itself. A call without an id stays without."""
    if message.get("type") is not None or "role" not in message:
        return [message]
    if message["role"] == "tool":
        answer: JsonObject = {"type": OUTPUT_OF_CALL[FUNCTION_CALL], "call_id": message.get("tool_call_id")}
        return [{**answer, "output": input_content(message.get("content")) or ""}]
    kept = {name: message[name] for name in _MESSAGE_FIELDS if name in message}
    if message["role"] != "assistant":
        return [{**kept, "content": input_content(message.get("content"))}]
    content = _output_content(message.get("content"))
    content = message.get("refusal") if content is None else content
    calls = message.get("tool_calls") or []
    items = [_call(entry) for entry in (calls if isinstance(calls, list) else [calls])]
    return [{**kept, "content": content}, *items] if content or not items else items


def input_content(content: Json) -> Json:
    """The text, or the list of parts, of a message to the model."""
    return [_input_part(part) for part in content] if isinstance(content, list) else content


def _input_part(part: Json) -> Json:
    if not isinstance(part, dict):
        return part
    kind, image, file = part.get("type"), part.get("image_url"), part.get("file")
    if kind == "text":
        return {**part, "type": "input_text"}
    if kind == "image_url":
        inner: JsonObject = image if isinstance(image, dict) else {"url": image}
        return {"type": "input_image", "image_url": inner.get("url"), "detail": inner.get("detail", "auto")}
    if kind == "file" and isinstance(file, dict):
        return {"type": "input_file", **file}
    return part


def _output_content(content: Json) -> Json:
    """What a model said has to be one text, where the message has no `type`."""
    if not isinstance(content, list):
        return content
    texts = [part.get("text") or part.get("refusal") for part in content if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _call(entry: Json) -> JsonObject:
    call = entry if isinstance(entry, dict) else {}
    call_id, custom, function = call.get("id"), call.get("custom"), call.get("function")
    if isinstance(custom, dict):
        return {
            "type": CUSTOM_CALL,
            "call_id": call_id,
            "name": custom.get("name"),
            "input": custom.get("input"),
        }
    named = function if isinstance(function, dict) else {}
    return {
        "type": FUNCTION_CALL,
        "call_id": call_id,
        "name": legal_name(str(named.get("name") or "")),
        "arguments": named.get("arguments"),
    }
