"""What goes to the Responses API: https://platform.openai.com/docs/api-reference/responses/create"""

from collections.abc import Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call
from callagain.engine.wire.responses.items import (
    CUSTOM_CALL,
    FUNCTION_CALL,
    OUTPUT_OF_CALL,
    answerable,
    is_call,
    is_id,
    is_unanswerable,
    items_in,
    type_of,
)
from callagain.engine.wire.round_answers import RoundAnswers
from callagain.engine.wire.tool_names import legal_name

# Fields that mean nothing without tools, and that the API refuses then.
_TOOL_FIELDS = ("tools", "tool_choice", "parallel_tool_calls")
ENCRYPTED_REASONING = "reasoning.encrypted_content"
_RENAMED = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}

# Items of the model's own, whose fields may be absent but not null; those of the endpoint's tools may be.
_SAID_BY_THE_MODEL = ("message", "reasoning", *OUTPUT_OF_CALL)
# https://github.com/openai/openai-java/blob/master/docs/response-history.md
_NOT_ECHOED = ("created_by",)

ROUND_ANSWERS = RoundAnswers("type", tuple(OUTPUT_OF_CALL.values()), id_field="call_id", text_field="output")


def first_fields(
    model: str,
    tools: Sequence[JsonObject],
    options: Mapping[str, Json],
    profile: Profile,
    *,
    stream: bool,
) -> JsonObject:
    """Model, input, tools, tool_choice, in that order; then the options; then who keeps the conversation.

    The loop keeps it, so nothing is stored, and a model's reasoning comes back encrypted to be sent again.
    Options that say otherwise (`store`, `include`, `conversation`) win. Options of Chat Completions are
    turned into those of this API where they have another form here.
    """
    fields: JsonObject = {"model": model, "input": []}
    if tools:
        fields["tools"] = list(tools)
        fields["tool_choice"] = "auto"
    for name, value in options.items():
        if name in _RENAMED and _RENAMED[name] not in options:
            fields[_RENAMED[name]] = value
        elif name not in _RENAMED and (tools or name not in _TOOL_FIELDS):
            fields[name] = value
    fields = _moved(fields)
    if not profile.supports.parallel_tool_calls:
        fields.pop("parallel_tool_calls", None)
    if isinstance(entries := fields.get("tools"), list):
        fields["tools"] = [_tool(entry) for entry in entries]
    if "tool_choice" in fields:
        fields["tool_choice"] = _tool_choice(fields["tool_choice"])
    if not fields.get("store") and not fields.get("conversation"):
        if profile.facts(model).reasoning is not False:
            fields["include"] = _with_reasoning(fields.get("include"))
        fields.setdefault("store", False)
    if stream:
        fields["stream"] = True
    return fields


def write(message: JsonObject, calls: Sequence[Call], answers: Sequence[str], profile: Profile) -> bytes:
    """A round as it stands in a request: what the model put out, in order, then one output for each call.

    Every item goes back as it came, since the API refuses a call without the reasoning that led to it; save
    that null fields and ids that are none do not, calls that cannot be answered do not, and fields that the
    API wants in every item of a type do, whether they came or not.
    """
    waiting = list(calls)
    sent: list[JsonObject] = []
    for item in answerable(items_in(message, "output")):
        if type_of(item) in OUTPUT_OF_CALL.values():
            # To answer a call is the loop's, and a second answer is refused.
            continue
        if not is_call(item):
            sent.append(_echo(item, profile))
        elif waiting:
            sent.append(_write_call(waiting.pop(0), profile))
    sent.extend(_write_call(call, profile) for call in waiting)
    return b",".join(encode(item) for item in (*sent, *_outputs(calls, answers)))


def continuation(
    fields: JsonObject, message: JsonObject, calls: Sequence[Call], answers: Sequence[str], is_wanted: bool
) -> bytes | None:
    """The outputs alone, where the endpoint keeps the conversation: if that is wanted and it stores its
    responses, and always in a `conversation` of its own.

    None also if the endpoint could not pair them: it knows its calls by the ids that it gave them itself.
    """
    response_id = message.get("id")
    if fields.get("conversation"):
        before: JsonObject = {}
    elif is_wanted and fields.get("store") is True and isinstance(response_id, str) and response_id:
        before = {"previous_response_id": response_id}
    else:
        return None
    if any(is_unanswerable(item) for item in items_in(message, "output")):
        return None
    if any(call.id != call.received.get("call_id") for call in calls):
        return None
    return encode({**fields, **before, "input": _outputs(calls, answers)})


def without_tools(fields: JsonObject) -> JsonObject:
    """The fields of a request that forbids further tool calls."""
    return {**fields, "tool_choice": "none"} if "tools" in fields else fields


def _with_reasoning(include: Json) -> Json:
    """Without it, a model's reasoning could not be sent back, and the API refuses calls without theirs.

    An empty list asks for nothing: there are models that refuse to be asked for reasoning.
    """
    given: list[Json] = include if isinstance(include, list) else [ENCRYPTED_REASONING]
    return given if not given or ENCRYPTED_REASONING in given else [*given, ENCRYPTED_REASONING]


def _moved(fields: JsonObject) -> JsonObject:
    """Options of Chat Completions that stand in another place here."""
    moved = dict(fields)
    text = dict(given) if isinstance(given := moved.get("text"), dict) else {}
    if isinstance(form := moved.pop("response_format", None), dict):
        text.setdefault("format", _flat(form))
    if (verbosity := moved.pop("verbosity", None)) is not None:
        text.setdefault("verbosity", verbosity)
    if text:
        moved["text"] = text
    if (effort := moved.pop("reasoning_effort", None)) is not None:
        reasoning = moved.get("reasoning")
        moved["reasoning"] = {"effort": effort, **(reasoning if isinstance(reasoning, dict) else {})}
    return moved


def _flat(entry: JsonObject) -> JsonObject:
    """An entry that Chat Completions nests under the name of its type: `{"type": "x", "x": {…}}`."""
    kind = entry.get("type")
    inner = entry.get(kind) if isinstance(kind, str) else None
    return {"type": kind, **inner} if isinstance(inner, dict) else entry


def _tool(entry: Json) -> Json:
    """This API takes a function as strict where it does not say; a schema must be made for that."""
    if not isinstance(entry, dict):
        return entry
    tool = _flat(entry)
    if tool.get("type") != "function":
        return tool
    return {**tool, "parameters": tool.get("parameters"), "strict": tool.get("strict") or False}


def _tool_choice(choice: Json) -> Json:
    if not isinstance(choice, dict):
        return choice
    flat = _flat(choice)
    if flat.get("type") == "allowed_tools" and isinstance(tools := flat.get("tools"), list):
        return {**flat, "tools": [_flat(tool) if isinstance(tool, dict) else tool for tool in tools]}
    return flat


def _echo(item: JsonObject, profile: Profile) -> JsonObject:
    kind = type_of(item)
    kept: JsonObject = {
        name: value
        for name, value in item.items()
        if (value is not None or kind not in _SAID_BY_THE_MODEL)
        and name not in _NOT_ECHOED
        and name not in profile.not_echoed
    }
    if not is_id(kept.get("id")):
        kept.pop("id", None)
    if kind == "reasoning":
        kept.setdefault("summary", [])
    return {"content": [], **kept, "role": "assistant"} if kind == "message" else kept


def _write_call(call: Call, profile: Profile) -> JsonObject:
    kept = {**_echo(call.received, profile), "call_id": call.id}
    if type_of(call.received) == CUSTOM_CALL:
        return kept
    return {**kept, "type": FUNCTION_CALL, "name": legal_name(call.name), "arguments": call.arguments_text}


def _outputs(calls: Sequence[Call], answers: Sequence[str]) -> list[Json]:
    outputs: list[Json] = []
    for call, answer in zip(calls, answers, strict=True):
        kind = CUSTOM_CALL if type_of(call.received) == CUSTOM_CALL else FUNCTION_CALL
        outputs.append({"type": OUTPUT_OF_CALL[kind], "call_id": call.id, "output": answer})
    return outputs
