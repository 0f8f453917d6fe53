"""What goes to Chat Completions: https://platform.openai.com/docs/api-reference/chat/create"""

from collections.abc import Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.wire.chat_completions.reply import function_of, is_of_another_type, text_of
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call
from callagain.engine.wire.round_answers import RoundAnswers
from callagain.engine.wire.tool_names import legal_name

# Fields that mean nothing without tools, and that the API refuses then.
_TOOL_FIELDS = ("tools", "tool_choice", "parallel_tool_calls")
_NOT_ECHOED = ("role", "tool_calls", "function_call")

ROUND_ANSWERS = RoundAnswers("role", ("tool",), id_field="tool_call_id", text_field="content")


def first_fields(
    model: str,
    tools: Sequence[JsonObject],
    options: Mapping[str, Json],
    profile: Profile,
    *,
    stream: bool,
) -> JsonObject:
    """The guide's first InAndOut: model, messages, tools, tool_choice, in that order; then the options.

    max_tokens goes by the name that the endpoint takes: some models of OpenAI refuse the old one.

    Guide: model, tools, tool_choice, parallel_tool_calls, messages.
    Departs from the guide in tools, tool_choice: the guide always sends both. Here a loop without tools sends
    neither, since the API refuses an empty list, and a choice of nothing.
    """
    fields: JsonObject = {"model": model, "messages": []}
    if tools:
        fields["tools"] = list(tools)
        fields["tool_choice"] = "auto"
    for name, value in options.items():
        if name == "max_tokens" and profile.output_limit_field not in options:
            fields[profile.output_limit_field] = value
        elif tools or name not in _TOOL_FIELDS:
            fields[name] = value
    if not profile.supports.parallel_tool_calls:
        fields.pop("parallel_tool_calls", None)
    if stream:
        fields["stream"] = True
        if profile.supports.stream_options:
            fields.setdefault("stream_options", {"include_usage": True})
    return fields


def write(message: JsonObject, calls: Sequence[Call], answers: Sequence[str], profile: Profile) -> bytes:
    """A round as it stands in a request: the assistant message, then one tool message for each call.

    Fields that the endpoint sent itself go back to it, known or not, since some endpoints refuse a history
    without them; null fields do not, since others refuse those. The key `content` is always there.

    Guide: assistant_msg, assistantMsgJson, tool_result_msg, toolResultJson, tool role, note on adjacency.
    Departs from the guide in assistant_msg: the guide sends the message back as it came. Here fields that are
    null or empty stay out, and arguments are always the text of an object, since some endpoints refuse
    others.
    """
    assistant: JsonObject = {"role": "assistant", "content": None}
    for name, value in message.items():
        if value is not None and value != [] and name not in _NOT_ECHOED and name not in profile.not_echoed:
            assistant[name] = value
    if not _is_content(assistant["content"]):
        assistant["content"] = text_of(message) or None
    if not isinstance(assistant.get("refusal", ""), str):
        del assistant["refusal"]
    assistant["tool_calls"] = [_write_call(call) for call in calls]
    results: list[JsonObject] = [
        {"role": "tool", "tool_call_id": call.id, "content": answer}
        for call, answer in zip(calls, answers, strict=True)
    ]
    return b",".join(encode(item) for item in (assistant, *results))


def _write_call(call: Call) -> JsonObject:
    kept: JsonObject = {name: value for name, value in call.received.items() if value is not None}
    if is_of_another_type(call.received):
        return {**kept, "id": call.id}
    sent: JsonObject = {
        **function_of(kept),
        "name": legal_name(call.name),
        "arguments": call.arguments_text,
    }
    return {**kept, "id": call.id, "type": "function", "function": sent}


def _is_content(value: Json) -> bool:
    """A text, or parts that say what they are; also of types that only this endpoint knows."""
    if not isinstance(value, list):
        return isinstance(value, str)
    return all(
        isinstance(part, dict)
        and isinstance(kind := part.get("type"), str)
        and (kind != "text" or isinstance(part.get("text"), str))
        for part in value
    )


def no_continuation(*_: object) -> None:
    """This API keeps no conversation."""


def without_tools(fields: JsonObject) -> JsonObject:
    """The fields of a request that forbids further tool calls."""
    return {**fields, "tool_choice": "none"} if "tools" in fields else fields


def answered_ids(body: Json) -> list[str]:
    """The ids that the tool messages of a request carry."""
    messages = body.get("messages") if isinstance(body, dict) else None
    found = [
        message.get("tool_call_id")
        for message in (messages if isinstance(messages, list) else [])
        if isinstance(message, dict)
    ]
    return [call_id for call_id in found if isinstance(call_id, str)]
