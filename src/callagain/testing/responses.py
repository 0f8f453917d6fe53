"""The shape of a response of the Responses API. Pure.

Source: the API reference of OpenAI, "The response object".
"""

import base64
from collections.abc import Iterator

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.testing.answers import ModelAnswer
from callagain.testing.chat_completions import CREATED, arguments_text, call_ids
from callagain.testing.usage import responses_usage

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
"""The finish reasons of Chat Completions that leave a response incomplete, and the reasons that it gives."""

_ECHOED: JsonObject = {
    "background": False,
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
}
"""What a response repeats of its request, with what stands there if the request is silent."""


def response(
    answer: ModelAnswer, request: JsonObject, as_chat: JsonObject, *, number: int, request_size: int
) -> dict[str, object]:
    """The whole response object.

    as_chat: the conversation in the form of Chat Completions, in which the ids of the calls are to be new.
    number: tells the ids of this response and its items from the others of one server. request_size: bytes.
    """
    reason = _INCOMPLETE.get(answer.finish_reason)
    status = "completed" if reason is None else "incomplete"
    output = list(_output(answer, request, as_chat, number=number, status=status))
    given = {name: value for name, value in request.items() if name in _ECHOED and value is not None}
    return {
        "id": f"resp_stand-in-{number}",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": None if reason is None else {"reason": reason},
        "model": request["model"],
        "output": output,
        **_ECHOED,
        **given,
        "usage": responses_usage(answer.usage, request_size, len(encode(output))),
    }


def _output(
    answer: ModelAnswer, request: JsonObject, as_chat: JsonObject, *, number: int, status: str
) -> Iterator[dict[str, object]]:
    if answer.reasoning is not None:
        yield _reasoning(answer.reasoning, request, f"rs_stand-in-{number}")
    if answer.text is not None:
        part: JsonObject = {"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}
        yield {
            "id": f"msg_stand-in-{number}",
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": [part],
        }
    ids = call_ids(answer.calls, as_chat)
    for position, (call, call_id) in enumerate(zip(answer.calls, ids, strict=True), start=1):
        yield {
            "id": f"fc_stand-in-{number}-{position}",
            "type": "function_call",
            "status": status,
            "call_id": call_id,
            "name": call.name,
            "arguments": arguments_text(call),
        }


def _reasoning(text: str, request: JsonObject, id_: str) -> dict[str, object]:
    """A summary and the encrypted content only where they are asked for, as the API does."""
    item: dict[str, object] = {"id": id_, "type": "reasoning", "summary": []}
    if _wants_summary(request.get("reasoning")):
        item["summary"] = [{"type": "summary_text", "text": text}]
    include = request.get("include")
    if isinstance(include, list) and "reasoning.encrypted_content" in include:
        item["encrypted_content"] = base64.b64encode(encode({"id": id_, "reasoning": text})).decode()
    return item


def _wants_summary(reasoning: Json) -> bool:
    return isinstance(reasoning, dict) and reasoning.get("summary") is not None
