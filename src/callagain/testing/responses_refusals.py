"""What the stand-in refuses of the Responses API: the requests that the real API answers with status 400.

The wording is the API's own where it is known. It is stricter than OpenAI where other providers are: the
arguments of every call are the text of a JSON object, a call_id is used once and has one output, no two tools
share a name, and settings for tools need tools.
"""

from collections.abc import Iterator, Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject
from callagain.testing.parameter_refusals import (
    boolean,
    chosen_functions,
    content_parts,
    parsed_body,
    stream,
    temperature,
    text_fields,
    token_limit,
    tool_name,
    tool_parameters,
    tool_settings_without_tools,
    unique_tool_names,
)
from callagain.testing.refusal import (
    NOT_A_JSON_OBJECT,
    Refusal,
    empty_array,
    missing,
    unsupported,
    wrong_type,
)
from callagain.testing.response_memory import ResponseMemory
from callagain.testing.responses_as_chat import function_tool_names
from callagain.testing.responses_history_refusals import history_refusals

_MIN_OUTPUT_TOKENS = 16

_MOVED: Mapping[str, str] = {
    "messages": "input",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "response_format": "text.format",
    "reasoning_effort": "reasoning.effort",
}
"""Parameters of Chat Completions, and where the Responses API has them."""

_CHAT_FIELDS = ("tool_calls", "tool_call_id", "function_call", "reasoning_content")
"""What a message of Chat Completions may have, and a message here may not."""

_INPUT_PARTS = ("input_text", "input_image", "input_file", "input_audio")
_PART_TYPES: Mapping[str, Sequence[str]] = {
    "assistant": ("output_text", "refusal"),
    "system": _INPUT_PARTS,
    "developer": _INPUT_PARTS,
    "user": _INPUT_PARTS,
}
"""The roles, and the types of the content parts that a message of each may hold."""

_ID_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}

_ITEM_TYPES = (
    "additional_tools", "apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "compaction",
    "compaction_trigger", "computer_call", "computer_call_output", "configuration_update", "custom_tool_call",
    "custom_tool_call_output", "file_search_call", "function_call", "function_call_output",
    "image_generation_call", "item_reference", "local_shell_call", "local_shell_call_output",
    "mcp_approval_request", "mcp_approval_response", "mcp_call", "mcp_list_tools", "message", "program",
    "program_output", "reasoning", "shell_call", "shell_call_output", "tool_search_call",
    "tool_search_output", "web_search_call",
)  # fmt: skip

_TOOL_TYPES = (
    "apply_patch", "code_interpreter", "computer", "computer_use_preview", "custom", "file_search",
    "function", "image_generation", "local_shell", "mcp", "namespace", "programmatic_tool_calling", "shell",
    "tool_search", "web_search", "web_search_2025_08_26", "web_search_preview",
    "web_search_preview_2025_03_11",
)  # fmt: skip


def refuse_responses(body: Json | bytes, memory: ResponseMemory | None = None) -> Refusal | None:
    """The first reason for which the Responses API would not accept this body, or None if it would.

    body: parsed, or the bytes that are sent. memory: the responses that previous_response_id and the ids of
    items may mean; none without it. Raises TypeError for a text, which could be meant as either.
    """
    parsed = parsed_body(body)
    if parsed is None:
        return NOT_A_JSON_OBJECT
    return next(_refusals(parsed, ResponseMemory() if memory is None else memory), None)


# Each of the following yields refusals, and only the first one is ever asked for: whatever stands after a
# `yield` may rely on nothing having been refused.


def _refusals(body: JsonObject, memory: ResponseMemory) -> Iterator[Refusal]:
    if not (isinstance(body.get("model"), str) and body["model"]):
        yield missing("model")
    for param, new_name in _MOVED.items():
        if param in body:
            yield _moved(param, new_name)
    yield from _settings(body)
    yield from _previous(body.get("previous_response_id"), memory)
    yield from _input(body.get("input"))
    yield from history_refusals(memory.conversation(body), memory)
    yield from _tools(body.get("tools"))
    yield from _tool_choice(body)


def _moved(param: str, new_name: str) -> Refusal:
    return Refusal(
        f"Unsupported parameter: '{param}'. In the Responses API, this parameter has moved to '{new_name}'. "
        "Try again with the new parameter. See the API documentation for more information: "
        "https://platform.openai.com/docs/api-reference/responses/create.",
        param,
        "unsupported_parameter",
    )


def _settings(body: JsonObject) -> Iterator[Refusal]:
    yield from stream(body)
    yield from boolean(body, "store")
    yield from temperature(body)
    yield from token_limit(body, "max_output_tokens", _MIN_OUTPUT_TOKENS)
    include = body.get("include")
    if include is not None and not isinstance(include, list):
        yield wrong_type("include", "an array of strings", include)


def _previous(response_id: Json, memory: ResponseMemory) -> Iterator[Refusal]:
    param = "previous_response_id"
    if response_id is None:
        return
    if not isinstance(response_id, str):
        yield wrong_type(param, "a string", response_id)
    elif not memory.knows(response_id):
        message = f"Previous response with id '{response_id}' not found."
        yield Refusal(message, param, "previous_response_not_found")


def _input(given: Json) -> Iterator[Refusal]:
    if given is None:
        yield missing("input")
    elif isinstance(given, str):
        return
    elif not isinstance(given, list):
        yield wrong_type("input", "one of a string or array of objects", given)
    elif not given:
        yield empty_array("input")
    else:
        for index, item in enumerate(given):
            yield from _item(item, f"input[{index}]")


def _item(item: Json, where: str) -> Iterator[Refusal]:
    if not isinstance(item, dict):
        yield wrong_type(where, "an object", item)
        return
    kind = item.get("type") or "message"
    if not isinstance(kind, str) or kind not in _ITEM_TYPES:
        yield unsupported(f"{where}.type", kind, _ITEM_TYPES)
        return
    yield from _item_id(item.get("id"), kind, f"{where}.id")
    match kind:
        case "message":
            yield from _message(item, where)
        case "function_call":
            yield from _call_id(item.get("call_id"), f"{where}.call_id")
            yield from text_fields(item, ("name", "arguments"), where)
        case "custom_tool_call":
            yield from _call_id(item.get("call_id"), f"{where}.call_id")
            yield from text_fields(item, ("name", "input"), where)
        case "function_call_output" | "custom_tool_call_output":
            yield from _call_id(item.get("call_id"), f"{where}.call_id")
            yield from _text_or_parts(item, "output", _INPUT_PARTS, where)
        case "reasoning":
            summary = item.get("summary")
            if not isinstance(summary, list):
                param = f"{where}.summary"
                yield missing(param) if summary is None else wrong_type(param, "an array of objects", summary)
        case _:
            return


def _item_id(id_: Json, kind: str, param: str) -> Iterator[Refusal]:
    prefix = _ID_PREFIXES.get(kind, "")
    if id_ is None:
        return
    if not isinstance(id_, str):
        yield wrong_type(param, "a string", id_)
    elif not id_.startswith(prefix):
        message = f"Invalid '{param}': '{id_}'. Expected an ID that begins with '{prefix}'."
        yield Refusal(message, param, "invalid_value")


def _call_id(call_id: Json, param: str) -> Iterator[Refusal]:
    if call_id is None:
        yield missing(param)
    elif not isinstance(call_id, str):
        yield wrong_type(param, "a string", call_id)
    elif not call_id:
        reason = "Expected a string with minimum length 1, but got an empty string instead."
        yield Refusal(f"Invalid '{param}': empty string. {reason}", param, "empty_string")


def _message(message: JsonObject, where: str) -> Iterator[Refusal]:
    role = message.get("role")
    if role is None:
        yield missing(f"{where}.role")
    if not isinstance(role, str) or role not in _PART_TYPES:
        yield unsupported(f"{where}.role", role, _PART_TYPES)
        return
    for name in _CHAT_FIELDS:
        if name in message:
            param = f"{where}.{name}"
            yield Refusal(f"Unknown parameter: '{param}'.", param, "unknown_parameter")
    yield from _text_or_parts(message, "content", _PART_TYPES[role], where)


def _text_or_parts(item: JsonObject, field: str, supported: Sequence[str], where: str) -> Iterator[Refusal]:
    value, param = item.get(field), f"{where}.{field}"
    if field not in item:
        yield missing(param)
    elif isinstance(value, list):
        yield from content_parts(value, param, supported, type_param="")
    elif not isinstance(value, str):
        yield wrong_type(param, "one of a string or array of objects", value)


def _tools(tools: Json) -> Iterator[Refusal]:
    if tools is None:
        return
    if not isinstance(tools, list):
        yield wrong_type("tools", "an array of objects", tools)
        return
    for index, tool in enumerate(tools):
        where = f"tools[{index}]"
        if not isinstance(tool, dict):
            yield wrong_type(where, "an object", tool)
            continue
        kind = tool.get("type")
        if kind is None:
            yield missing(f"{where}.type")
        if kind not in _TOOL_TYPES:
            yield unsupported(f"{where}.type", kind, _TOOL_TYPES)
        if kind == "function":
            yield from tool_name(tool.get("name"), f"{where}.name")
            if tool.get("parameters") is not None:
                yield from tool_parameters(tool["parameters"], tool["name"], f"{where}.parameters")
    yield from unique_tool_names(function_tool_names(tools))


def _tool_choice(body: JsonObject) -> Iterator[Refusal]:
    yield from tool_settings_without_tools(body)
    choice = body.get("tool_choice")
    chosen: list[str] = []
    match choice:
        case {"type": "function", "name": str(name)}:
            chosen = [name]
        case {"type": "function"}:
            yield missing("tool_choice.name")
        case {"type": "allowed_tools", "tools": list(tools)}:
            chosen = function_tool_names(tools)
        case None | "none" | "auto" | "required" | {"type": str()}:
            return
        case other:
            yield unsupported("tool_choice", other, ["none", "auto", "required"])
    yield from chosen_functions(chosen, function_tool_names(body["tools"]))
