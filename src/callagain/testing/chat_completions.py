"""The shape of a Chat Completions response, and what a request says about tools. Pure.

Source: the API reference of OpenAI, "The chat completion object".
"""

from collections.abc import Iterator, Mapping

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.testing.answers import Call, ModelAnswer

CREATED = 1_767_225_600
"""The `created` of every response, 2026-01-01 UTC: the same requests give the same bytes on every day."""

_CHARACTERS_PER_TOKEN = 4


def completion(
    answer: ModelAnswer, request: JsonObject, *, number: int, request_size: int
) -> dict[str, object]:
    """The whole chat.completion object.

    number: tells this response's id from the others of one server. request_size: bytes, for the estimate of
    prompt_tokens (a quarter of it).
    """
    message: dict[str, object] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.calls:
        message["tool_calls"] = _tool_calls(answer.calls, request)
    return {
        "id": f"chatcmpl-stand-in-{number}",
        "object": "chat.completion",
        "created": CREATED,
        "model": request["model"],
        "choices": [
            {"index": 0, "message": message, "finish_reason": answer.finish_reason, "logprobs": None},
        ],
        "usage": _usage(answer.usage, request_size, len(encode(message))),
    }


def callable_tools(request: JsonObject) -> set[str]:
    """The names of the functions that a model could call in answer to this request."""
    announced = set(function_names(request.get("tools")))
    match request.get("tool_choice"):
        case "none":
            return set()
        case {"function": {"name": str(name)}}:
            return announced & {name}
        case {"allowed_tools": {"tools": tools}}:
            return announced & set(function_names(tools))
        case _:
            return announced


def function_names(tools: Json) -> Iterator[str]:
    """The names in a list of tools, in order; entries of another shape are passed over."""
    for tool in tools if isinstance(tools, list) else []:
        match tool:
            case {"function": {"name": str(name)}}:
                yield name
            case _:
                pass


def tool_call_ids(message: Json) -> list[str]:
    """The ids of the calls that an assistant message makes, in order."""
    match message:
        case {"role": "assistant", "tool_calls": list(entries)}:
            ids = [entry.get("id") for entry in entries if isinstance(entry, dict)]
            return [id_ for id_ in ids if isinstance(id_, str)]
        case _:
            return []


def content_text(content: Json) -> str:
    """The text of a message's content: the string, or its text parts joined."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _tool_calls(wanted: tuple[Call, ...], request: JsonObject) -> list[dict[str, object]]:
    fresh = _fresh_ids(request, {one.id for one in wanted if one.id is not None})
    return [
        {
            "id": next(fresh) if one.id is None else one.id,
            "type": "function",
            "function": {"name": one.name, "arguments": _arguments_text(one.arguments)},
        }
        for one in wanted
    ]


def _fresh_ids(request: JsonObject, taken: set[str]) -> Iterator[str]:
    """call_1, call_2, …: numbered on from the calls of the conversation, so no state is needed."""
    messages = request.get("messages")
    for message in messages if isinstance(messages, list) else []:
        taken.update(tool_call_ids(message))
    number = len(taken)
    while True:
        number += 1
        if f"call_{number}" not in taken:
            yield f"call_{number}"


def _arguments_text(arguments: Mapping[str, object] | str) -> str:
    return arguments if isinstance(arguments, str) else encode(dict(arguments)).decode()


def _usage(given: Mapping[str, object], request_size: int, message_size: int) -> dict[str, object]:
    usage: dict[str, object] = {
        "prompt_tokens": max(1, request_size // _CHARACTERS_PER_TOKEN),
        "completion_tokens": max(1, message_size // _CHARACTERS_PER_TOKEN),
        **given,
    }
    match usage:
        case {"prompt_tokens": int(prompt), "completion_tokens": int(completed)}:
            return {"total_tokens": prompt + completed, **usage}
        case _:
            return usage
