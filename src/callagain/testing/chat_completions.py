"""The shape of a Chat Completions response, and what a request says about tools. Pure.

Source: the API reference of OpenAI, "The chat completion object".
"""

from collections.abc import Iterator, Sequence

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.testing.answers import Call, ModelAnswer
from callagain.testing.usage import chat_usage

CREATED = 1_767_225_600
"""The `created` of every response, 2026-01-01 UTC: the same requests give the same bytes on every day."""


def completion(
    answer: ModelAnswer, request: JsonObject, *, number: int, request_size: int
) -> dict[str, object]:
    """The whole chat.completion object.

    number: tells this response's id from the others of one server. request_size: bytes, for the estimate of
    prompt_tokens (a quarter of it).
    """
    message: dict[str, object] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.reasoning is not None:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [
            {"id": id_, "type": "function", "function": {"name": one.name, "arguments": arguments_text(one)}}
            for one, id_ in zip(answer.calls, call_ids(answer.calls, request), strict=True)
        ]
    return {
        "id": f"chatcmpl-stand-in-{number}",
        "object": "chat.completion",
        "created": CREATED,
        "model": request["model"],
        "choices": [
            {"index": 0, "message": message, "finish_reason": answer.finish_reason, "logprobs": None},
        ],
        "usage": chat_usage(answer.usage, request_size, len(encode(message))),
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


def call_ids(wanted: Sequence[Call], request: JsonObject) -> list[str]:
    """The ids of these calls: their own, or call_1, call_2, … as far as they are new to the conversation."""
    fresh = _fresh_ids(request, {one.id for one in wanted if one.id is not None})
    return [next(fresh) if one.id is None else one.id for one in wanted]


def arguments_text(call: Call) -> str:
    """The arguments as they are sent: the text of a JSON object, or what the script has in its place."""
    return call.arguments if isinstance(call.arguments, str) else encode(dict(call.arguments)).decode()


def _fresh_ids(request: JsonObject, taken: set[str]) -> Iterator[str]:
    """Numbered on from the calls of the conversation, so no state is needed."""
    messages = request.get("messages")
    for message in messages if isinstance(messages, list) else []:
        taken.update(tool_call_ids(message))
    number = len(taken)
    while True:
        number += 1
        if f"call_{number}" not in taken:
            yield f"call_{number}"
