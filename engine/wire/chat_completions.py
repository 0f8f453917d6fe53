"""Chat Completions: https://platform.openai.com/docs/api-reference/chat

`read` judges the raw JSON itself, since endpoints that call themselves compatible answer in many ways
that no client library checks. The calls array decides whether there are calls, as in the guide, and not
`finish_reason`, which gateways get wrong; two values of it still count: `length` says that the response
is cut, and `content_filter` that it may not be used.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

from callagain.engine.errors import Failure, Problem
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode, valid_unicode
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.http_answer import HttpAnswer, error_message, kind_of
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply, Usage

_CUT_OFF = (
    "The output limit cut this response off, so nothing of it was executed. Send a smaller call, "
    "or fewer calls at once."
)


def read(answer: HttpAnswer, profile: Profile, seed: str) -> Reply:
    """The reply in a successful answer. `seed` is what generated call ids derive from.

    Raises Failure: malformed_response, provider_error (or the kind of the status that an error body
    names), content_filter, refusal, truncated, empty_response.
    """
    body, choice, message = _open(answer)
    usage = _read_usage(body.get("usage"))
    text, reasoning, notes = _read_text(message)
    calls, call_notes = _read_calls(message, profile, seed)
    finish_reason = choice.get("finish_reason")
    reply = Reply(
        message=message,
        calls=calls,
        text=text,
        reasoning=reasoning,
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        usage=usage,
        notes=(*notes, *call_notes),
    )
    if (problem := _problem(reply, message.get("refusal"))) is not None:
        raise Failure.of(replace(problem, usage=usage))
    if reply.finish_reason == "length":
        cut = ToolReceipt.of_error("truncated_arguments", _CUT_OFF)
        return replace(reply, calls=tuple(replace(call, arguments=None, error=cut) for call in calls))
    return reply


def write(message: JsonObject, calls: Sequence[Call], answers: Sequence[str]) -> bytes:
    """A round as it stands in a request: the assistant message, then one tool message for each call.

    Fields that the endpoint sent itself go back to it, known or not, since some endpoints refuse a history
    without them; null fields do not, since others refuse those. The key `content` is always there.
    """
    assistant: JsonObject = {"role": "assistant", "content": None}
    for name, value in message.items():
        if value is not None and value != [] and name not in ("role", "tool_calls", "function_call"):
            assistant[name] = value
    if not _is_content(assistant["content"]):
        assistant["content"] = _read_text(message)[0] or None
    if not isinstance(assistant.get("refusal", ""), str):
        del assistant["refusal"]
    assistant["tool_calls"] = [_write_call(call) for call in calls]
    results: list[JsonObject] = [
        {"role": "tool", "tool_call_id": call.id, "content": answer}
        for call, answer in zip(calls, answers, strict=True)
    ]
    return b",".join(encode(item) for item in (assistant, *results))


def _open(answer: HttpAnswer) -> tuple[JsonObject, JsonObject, JsonObject]:
    try:
        body = decode(answer.body)
        if "\\ud" in answer.body.lower():
            body = decode(encode(body).decode())
    except JsonError as error:
        raise _malformed(answer, f"is not JSON ({error})") from None
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if isinstance(body, dict) and isinstance(choice, dict) and isinstance(message, dict):
        return body, choice, message
    if (said := error_message(body)) is not None:
        raise _error_in_body(body, said)
    raise _malformed(answer, "holds no choices[0].message")


def _malformed(answer: HttpAnswer, what: str) -> Failure:
    return Failure(
        "malformed_response",
        f"the answer (HTTP {answer.status}, {answer.content_type or 'no content type'}) {what}; "
        f"check that the base URL is that of an OpenAI-compatible API. It begins: {answer.quoted}",
    )


def _error_in_body(body: Json, said: str) -> Failure:
    error = body.get("error") if isinstance(body, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    is_status = isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600
    kind = kind_of(code, said) if isinstance(code, int) and is_status else "provider_error"
    return Failure(kind, f"the endpoint answered with an error{f' {code}' if code else ''}: {said}")


def _problem(reply: Reply, refusal: Json) -> Problem | None:
    if reply.finish_reason == "content_filter":
        return Problem(
            "content_filter", "the endpoint's content filter stopped the response", partial_text=reply.text
        )
    if reply.calls:
        return None
    if isinstance(refusal, str) and refusal:
        return Problem("refusal", f"the model refused: {valid_unicode(refusal)}")
    if reply.finish_reason in ("tool_calls", "function_call"):
        return Problem(
            "malformed_response",
            f"finish_reason is {reply.finish_reason!r}, but the response holds no call; the server's tool "
            f"parser may have failed. The text began: {reply.text[:200]}",
        )
    if reply.finish_reason == "length":
        return Problem(
            "truncated",
            "the output limit cut the answer off; raise max_tokens in request_options",
            partial_text=reply.text,
        )
    if not reply.text.strip():
        return Problem("empty_response", "the response holds no tool call and no text")
    return None


def _read_text(message: JsonObject) -> tuple[str, str, list[Note]]:
    content = message.get("content")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    thoughts = [reasoning] if isinstance(reasoning, str) else []
    if isinstance(content, str):
        return content, "".join(thoughts), []
    texts: list[str] = []
    notes: list[Note] = []
    for part in content if isinstance(content, list) else []:
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(part, dict) and kind in ("text", "output_text") and isinstance(part.get("text"), str):
            texts.append(str(part["text"]))
        elif isinstance(part, dict) and kind in ("thinking", "reasoning"):
            thoughts.append(encode(part.get(str(kind))).decode())
        else:
            notes.append(Note(f"a content part of type {kind!r} was left out of the text", "unknown_part"))
    return "".join(texts), "".join(thoughts), notes


def _read_calls(message: JsonObject, profile: Profile, seed: str) -> tuple[tuple[Call, ...], list[Note]]:
    received = message.get("tool_calls")
    entries: list[JsonObject] = []
    legacy = message.get("function_call")
    if isinstance(received, list) and received:
        entries = [entry if isinstance(entry, dict) else {} for entry in received]
    elif isinstance(legacy, dict) and legacy.get("name"):
        entries.append({"function": legacy})
    calls: list[Call] = []
    notes: list[Note] = []
    taken: set[str] = set()
    for position, entry in enumerate(entries):
        call_id = _usable_id(entry.get("id"), taken, profile)
        if call_id is None:
            call_id = _generated_id(f"{seed}:{position}", taken)
            notes.append(
                Note(f"the call id {entry.get('id')!r} was replaced by {call_id}", "call_id_replaced")
            )
        taken.add(call_id)
        call, note = _read_call(entry, call_id)
        calls.append(call)
        notes.extend(note)
    return tuple(calls), notes


def _read_call(entry: JsonObject, call_id: str) -> tuple[Call, list[Note]]:
    if _is_of_another_type(entry):
        told = f"calls of type {entry['type']!r} are not supported; call a function"
        return Call(call_id, "", None, "", entry, ToolReceipt.of_error("unsupported_call_type", told)), []
    function = _function_of(entry)
    name = function.get("name")
    name = name if isinstance(name, str) else ""
    arguments = read_arguments(function.get("arguments"))
    error = ToolReceipt.of_error("invalid_arguments", arguments.problem) if arguments.problem else None
    notes = [Note(f"the arguments of {name} were JSON in JSON", "arguments_repaired")] * arguments.repaired
    return Call(call_id, name, arguments.value, arguments.text, entry, error), notes


def _is_of_another_type(entry: JsonObject) -> bool:
    kind = entry.get("type")
    return "function" not in entry and isinstance(kind, str) and kind not in ("", "function")


def _function_of(entry: JsonObject) -> JsonObject:
    function = entry.get("function")
    return function if isinstance(function, dict) else {}


def _usable_id(received: Json, taken: set[str], profile: Profile) -> str | None:
    if not isinstance(received, str) or not received or received in taken:
        return None
    if profile.call_id_pattern and not re.fullmatch(profile.call_id_pattern, received):
        return None
    return received


_LETTERS_AND_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _generated_id(seed: str, taken: set[str]) -> str:
    """Nine letters and digits: the one form of an id that every known endpoint accepts."""
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    made = "".join(_LETTERS_AND_DIGITS[byte % 62] for byte in digest[:9])
    return made if made not in taken else _generated_id(f"{seed}+", taken)


def _write_call(call: Call) -> JsonObject:
    kept: JsonObject = {name: value for name, value in call.received.items() if value is not None}
    if _is_of_another_type(call.received):
        return {**kept, "id": call.id}
    sent: JsonObject = {
        **_function_of(kept),
        "name": _legal_name(call.name),
        "arguments": call.arguments_text,
    }
    return {**kept, "id": call.id, "type": "function", "function": sent}


def _legal_name(name: str) -> str:
    """A name that no tool has may be of any form; the API refuses a history with such a one."""
    return re.sub("[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


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


def _read_usage(received: Json) -> Usage:
    if not isinstance(received, dict):
        return Usage()
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    counts = [value if isinstance(value := received.get(name), int) else 0 for name in names]
    return Usage(*counts)
