"""What was said, in the form that the conventions give messages: a role, and parts of one type each.

Source: https://github.com/open-telemetry/semantic-conventions-genai/tree/v0.1.0/docs/gen-ai, the JSON schemas
of input messages, output messages, system instructions and tool definitions. A part that the conventions do
not know stays as it is.
"""

from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.telemetry.exchanges import finish_reasons

_TEXTS = ("text", "input_text", "output_text")
_OF_THE_ASSISTANT = ("function_call", "reasoning")


def input_messages(body: JsonObject) -> list[Json]:
    """The messages of a request, or the items of its input."""
    messages = body.get("messages", body.get("input"))
    if isinstance(messages, str):
        return [message("user", messages)]
    return [_message(each) for each in messages] if isinstance(messages, list) else []


def system_instructions(body: JsonObject) -> list[Json]:
    """What a request of the Responses API gives apart from its messages."""
    instructions = body.get("instructions")
    return [_text(instructions)] if isinstance(instructions, str) else []


def output_messages(body: JsonObject) -> list[Json]:
    """What a response says: a message for each choice, or one for all items of its output."""
    reasons = finish_reasons(body)
    choices, items = body.get("choices"), body.get("output")
    messages: list[JsonObject] = []
    if isinstance(choices, list):
        messages = [_message(each.get("message")) for each in choices if isinstance(each, dict)]
    elif isinstance(items, list):
        messages = [{"role": "assistant", "parts": [part for item in items for part in _parts(item)]}]
    for place, said in enumerate(messages):
        said["finish_reason"] = reasons[place] if place < len(reasons) else ""
    return list(messages)


def tool_definitions(tools: Json) -> list[Json]:
    """The announced tools; what a function is stands beside its type, as the Responses API has it."""
    found: list[Json] = []
    for tool in tools if isinstance(tools, list) else []:
        function = tool.get("function") if isinstance(tool, dict) else None
        found.append({"type": "function", **function} if isinstance(function, dict) else tool)
    return found


def message(role: str, content: Json) -> JsonObject:
    """One message with what its content consists of."""
    if isinstance(content, list):
        return {"role": role, "parts": [_part(each) for each in content]}
    return {"role": role, "parts": [_text(content)] if isinstance(content, str) and content else []}


def _message(item: Json) -> JsonObject:
    """Of a message of Chat Completions, or of an item of the Responses API."""
    if not isinstance(item, dict):
        return {"role": "", "parts": []}
    role = item.get("role")
    if not isinstance(role, str):
        role = "assistant" if item.get("type") in _OF_THE_ASSISTANT else "tool"
    return {"role": role, "parts": _parts(item)}


def _parts(item: Json) -> list[Json]:
    if not isinstance(item, dict):
        return []
    match item.get("type"):
        case "function_call":
            return [_call(item.get("call_id"), item)]
        case "function_call_output":
            return [_answer(item.get("call_id"), item.get("output"))]
        case "message" | None:
            return _parts_of_message(item)
        case _:
            return [item]


def _parts_of_message(item: JsonObject) -> list[Json]:
    if item.get("role") == "tool":
        return [_answer(item.get("tool_call_id"), item.get("content"))]
    parts: list[Json] = list(_list(message("", item.get("content"))["parts"]))
    for call in _list(item.get("tool_calls")):
        if isinstance(call, dict):
            parts.append(_call(call.get("id"), call.get("function")))
    return parts


def _part(part: Json) -> Json:
    if isinstance(part, dict) and part.get("type") in _TEXTS:
        return _text(part.get("text"))
    return part


def _text(text: Json) -> JsonObject:
    return {"type": "text", "content": text}


def _call(call_id: Json, function: Json) -> JsonObject:
    named = function if isinstance(function, dict) else {}
    return {
        "type": "tool_call",
        "id": call_id,
        "name": named.get("name"),
        "arguments": _object(named.get("arguments")),
    }


def _answer(call_id: Json, said: Json) -> JsonObject:
    return {"type": "tool_call_response", "id": call_id, "response": said}


def _object(arguments: Json) -> Json:
    """Arguments are the text of a JSON object; what is no JSON stays a text."""
    try:
        return decode(arguments) if isinstance(arguments, str) else arguments
    except JsonError:
        return arguments


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
