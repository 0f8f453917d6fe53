"""A Chat Completions response as the chunks of a stream. Pure.

Source: the API reference of OpenAI, "The chat completion chunk object".
"""

from collections.abc import Iterator

from callagain.engine.json_text import Json, JsonObject
from callagain.testing.json_objects import objects
from callagain.testing.server_sent_events import DONE, event, pieces

_TEXTS = ("reasoning_content", "content")


def chat_stream(whole: JsonObject, request: JsonObject) -> list[bytes] | None:
    """The events that bring this chat.completion object, with `[DONE]` at the end.

    None if it is no such object, for want of a choice with a message: that has no form as a stream.
    """
    choices = [choice for choice in objects(whole.get("choices")) if isinstance(choice.get("message"), dict)]
    if not choices:
        return None
    same: JsonObject = {key: value for key, value in whole.items() if key not in ("choices", "usage")}
    same["object"] = "chat.completion.chunk"
    if not _wants_usage(request):
        return [*(event(same | {"choices": [part]}) for part in _parts(choices)), DONE]
    chunks = [same | {"choices": [part], "usage": None} for part in _parts(choices)]
    last: JsonObject = {"choices": [], "usage": whole.get("usage")}
    return [*map(event, chunks), event(same | last), DONE]


def _wants_usage(request: JsonObject) -> bool:
    match request.get("stream_options"):
        case {"include_usage": True}:
            return True
        case _:
            return False


def _parts(choices: list[JsonObject]) -> Iterator[JsonObject]:
    """What the chunks say of each choice, one after the other."""
    for number, choice in enumerate(choices):
        index, logprobs = choice.get("index", number), choice.get("logprobs")
        for delta in _deltas(choice["message"]):
            yield {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": None}
        finish_reason = choice.get("finish_reason")
        yield {"index": index, "delta": {}, "logprobs": None, "finish_reason": finish_reason}


def _deltas(message: Json) -> Iterator[JsonObject]:
    if not isinstance(message, dict):
        return
    calls = objects(message.get("tool_calls"))
    texts = {name: text for name in _TEXTS if isinstance(text := message.get(name), str)}
    begun: JsonObject = {name: "" if name in texts else value for name, value in message.items()}
    if calls:
        del begun["tool_calls"]
    yield begun
    for name, text in texts.items():
        for piece in pieces(text):
            yield {name: piece}
    for index, call in enumerate(calls):
        for fragment in _fragments(call):
            yield {"tool_calls": [{"index": index, **fragment}]}


def _fragments(call: JsonObject) -> Iterator[JsonObject]:
    """Id and name first, the arguments after them; arguments that are no text come at once."""
    function = call.get("function")
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if not (isinstance(function, dict) and isinstance(arguments, str)):
        yield call
        return
    yield {**call, "function": {**function, "arguments": ""}}
    for piece in pieces(arguments):
        yield {"function": {"arguments": piece}}
