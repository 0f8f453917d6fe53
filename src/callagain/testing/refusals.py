"""What the stand-in refuses of Chat Completions: the requests that the real API answers with status 400.

The wording is the API's own where it is known. Two rules are stricter than OpenAI:

- The arguments of every call in the history must be the text of a JSON object. vLLM, llama.cpp and DeepSeek
  parse them when they build the prompt, so one bad call makes every later request of the conversation fail.
- Two tools, or two calls of one message, may not share a name or an id. Gateways and other providers refuse
  this, and with OpenAI one of the two is silently lost.

Results within one round may stand in any order, as with the real API.
"""

from collections.abc import Iterator, Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject
from callagain.testing.chat_completions import function_names, tool_call_ids
from callagain.testing.parameter_refusals import (
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

PART_TYPES: Mapping[str, Sequence[str]] = {
    "system": ("text",),
    "assistant": ("text", "refusal"),
    "user": ("text", "image_url", "input_audio", "file"),
    "function": ("text",),
    "tool": ("text",),
    "developer": ("text",),
}
"""The roles, and the types of the content parts that a message of each may hold."""

_CALLED: Mapping[str, Sequence[str]] = {"function": ("name", "arguments"), "custom": ("name", "input")}
"""The types of calls that a history may hold, and the texts that each has in the field of that name."""


def refuse(body: Json | bytes) -> Refusal | None:
    """The first reason for which the API would not accept this request body, or None if it would.

    body: parsed, or the bytes that are sent. Raises TypeError for a text, which could be meant as either.
    """
    parsed = parsed_body(body)
    return NOT_A_JSON_OBJECT if parsed is None else next(_refusals(parsed), None)


# Each of the following yields refusals, and only the first one is ever asked for: whatever stands after a
# `yield` may rely on nothing having been refused.


def _refusals(body: JsonObject) -> Iterator[Refusal]:
    if not (isinstance(body.get("model"), str) and body["model"]):
        yield Refusal("you must provide a model parameter")
    yield from _settings(body)
    messages = body.get("messages")
    if messages is None:
        yield missing("messages")
    elif not isinstance(messages, list):
        yield wrong_type("messages", "an array of objects", messages)
    elif not messages:
        yield empty_array("messages")
    else:
        for index, message in enumerate(messages):
            yield from _message(message, f"messages[{index}]")
        yield from _rounds([message for message in messages if isinstance(message, dict)])
    yield from _tools(body.get("tools"))
    yield from _tool_choice(body)


def _settings(body: JsonObject) -> Iterator[Refusal]:
    yield from stream(body)
    yield from temperature(body)
    for name in ("max_tokens", "max_completion_tokens"):
        yield from token_limit(body, name, 1)


def _message(message: Json, where: str) -> Iterator[Refusal]:
    if not isinstance(message, dict):
        yield wrong_type(where, "an object", message)
        return
    role = message.get("role")
    if role is None:
        yield missing(f"{where}.role")
    if not isinstance(role, str) or role not in PART_TYPES:
        yield unsupported(f"{where}.role", role, PART_TYPES)
        return
    yield from _content(message, role, where)
    if role == "assistant":
        yield from _calls(message.get("tool_calls"), f"{where}.tool_calls")


def _content(message: JsonObject, role: str, where: str) -> Iterator[Refusal]:
    content = message.get("content")
    if content is None:
        said = ("tool_calls", "function_call", "refusal")
        if role != "assistant" or all(message.get(name) is None for name in said):
            param = f"{where.replace('[', '.[')}.content"
            yield Refusal("Invalid value for 'content': expected a string, got null.", param)
        return
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        yield wrong_type(f"{where}.content", "one of a string or array of objects", content)
        return
    if not content:
        yield empty_array(f"{where}.content")
    yield from content_parts(content, f"{where}.content", PART_TYPES[role], type_param=".type")


def _calls(entries: Json, where: str) -> Iterator[Refusal]:
    if entries is None:
        return
    if not isinstance(entries, list):
        yield wrong_type(where, "an array of objects", entries)
        return
    if not entries:
        yield empty_array(where)
    ids: set[str] = set()
    for index, entry in enumerate(entries):
        here = f"{where}[{index}]"
        if not isinstance(entry, dict):
            yield wrong_type(here, "an object", entry)
            continue
        id_ = entry.get("id")
        if not isinstance(id_, str):
            yield missing(f"{here}.id") if id_ is None else wrong_type(f"{here}.id", "a string", id_)
            continue
        if id_ in ids:
            yield Refusal(f"Invalid '{where}': ids must be unique, but '{id_}' stands twice.", where)
        ids.add(id_)
        kind = entry.get("type")
        if not isinstance(kind, str) or kind not in _CALLED:
            yield unsupported(f"{here}.type", kind, _CALLED)
            continue
        yield from _called(entry.get(kind), _CALLED[kind], f"{here}.{kind}")


def _called(called: Json, texts: Sequence[str], where: str) -> Iterator[Refusal]:
    if not isinstance(called, dict):
        yield missing(where) if called is None else wrong_type(where, "an object", called)
        return
    yield from text_fields(called, texts, where)


def _rounds(messages: Sequence[JsonObject]) -> Iterator[Refusal]:
    """Every call is answered, once, directly after the message that makes it."""
    asked: list[str] = []
    answered: dict[str, int] = {}
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            yield from _result(message, index, asked, answered)
            answered[str(message.get("tool_call_id"))] = index
        else:
            yield from _unanswered(asked, answered, index)
            asked, answered = tool_call_ids(message), {}
    yield from _unanswered(asked, answered, len(messages))


def _result(message: JsonObject, index: int, asked: list[str], answered: dict[str, int]) -> Iterator[Refusal]:
    if not asked:
        reason = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        yield Refusal(f"Invalid parameter: {reason}", f"messages.[{index}].role")
    param = f"messages.[{index}].tool_call_id"
    id_ = message.get("tool_call_id")
    if not isinstance(id_, str):
        reason = "messages with role 'tool' must have a 'tool_call_id'."
        yield Refusal(f"Missing parameter 'tool_call_id': {reason}", param)
    elif id_ not in asked:
        reason = f"'tool_call_id' of '{id_}' not found in 'tool_calls' of previous message."
        yield Refusal(f"Invalid parameter: {reason}", param)
    elif id_ in answered:
        both = f"messages[{answered[id_]}] and messages[{index}]"
        reason = f"Duplicate value for 'tool_call_id' of '{id_}', in {both}."
        yield Refusal(f"Invalid parameter: {reason}", param)


def _unanswered(asked: list[str], answered: Mapping[str, int], index: int) -> Iterator[Refusal]:
    open_ids = [id_ for id_ in asked if id_ not in answered]
    if open_ids:
        yield Refusal(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(open_ids),
            f"messages.[{index}].role",
        )


def _tools(tools: Json) -> Iterator[Refusal]:
    if tools is None:
        return
    if not isinstance(tools, list):
        yield wrong_type("tools", "an array of objects", tools)
        return
    if not tools:
        yield Refusal("[] is too short - 'tools'", "tools")
    for index, tool in enumerate(tools):
        yield from _tool(tool, f"tools[{index}]")
    yield from unique_tool_names(list(function_names(tools)))


def _tool(tool: Json, where: str) -> Iterator[Refusal]:
    if not isinstance(tool, dict):
        yield wrong_type(where, "an object", tool)
        return
    if tool.get("type") is None:
        yield missing(f"{where}.type")
    if tool["type"] != "function":
        yield unsupported(f"{where}.type", tool["type"], ["function"])
    function = tool.get("function")
    if not isinstance(function, dict):
        here = f"{where}.function"
        yield missing(here) if function is None else wrong_type(here, "an object", function)
        return
    yield from tool_name(function.get("name"), f"{where}.function.name")
    if "parameters" in function:
        yield from tool_parameters(function["parameters"], function["name"], f"{where}.function.parameters")


def _tool_choice(body: JsonObject) -> Iterator[Refusal]:
    yield from tool_settings_without_tools(body)
    match body.get("tool_choice"):
        case None | "none" | "auto" | "required":
            return
        case {"type": "function", "function": {"name": str(name)}}:
            chosen = [name]
        case {"type": "allowed_tools", "allowed_tools": {"tools": list(tools)}}:
            chosen = list(function_names(tools))
        case other:
            yield unsupported("tool_choice", other, ["none", "auto", "required"])
            return
    yield from chosen_functions(chosen, list(function_names(body["tools"])))
