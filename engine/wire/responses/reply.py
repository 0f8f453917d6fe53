"""What a response of the Responses API says.

https://platform.openai.com/docs/api-reference/responses/object

As with Chat Completions, the raw JSON is judged, and the calls decide whether there are calls. The status
still counts: a response that is `incomplete` is cut or filtered, and any other than `completed` is none yet.
"""

from dataclasses import replace

from callagain.engine.error_kinds import advised
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.call_ids import generated_id, usable_id
from callagain.engine.wire.chat_completions.reply import refused
from callagain.engine.wire.error_answers import KEPT_CHARS, decoded, error_message, error_object, malformed
from callagain.engine.wire.finish_reasons import meant_by
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.output_limit import cut_off
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.responses.items import (
    CALL_ID_CHARS,
    FUNCTION_CALL,
    is_call,
    is_unanswerable,
    items_in,
    type_of,
)
from callagain.engine.wire.usage import Usage, usage_of

_UNFINISHED = ("in_progress", "queued", "cancelled")


def read(answer: HttpAnswer, profile: Profile, seed: str) -> Reply:
    """The reply in a successful answer. `seed` is what generated call ids derive from.

    Its problem is one of content_filter, refusal, truncated, empty_response, malformed_response,
    provider_error. Raises Failure("malformed_response") where there is nothing to read.
    """
    body = _open(answer)
    items = items_in(body, "output")
    text, refusal, notes = _read_messages(items)
    calls, call_notes = _read_calls(items, profile, seed)
    reply = Reply(
        message=body,
        calls=calls,
        text=text,
        reasoning=_read_reasoning(items),
        finish_reason=_finish_reason(body, calls),
        usage=_read_usage(body.get("usage")),
        notes=(*notes, *call_notes),
    )
    if reply.finish_reason == "length":
        reply = replace(reply, calls=cut_off(calls))
    return replace(reply, problem=_problem(reply, refusal, answer.status))


def message_in(body: Json) -> JsonObject | None:
    """The whole response, since all of its output goes back, and its id may."""
    return body if isinstance(body, dict) and isinstance(body.get("output"), list) else None


def error_in(body: Json) -> JsonObject | None:
    """The error object of a response that failed, or of a body that holds no output."""
    failed = isinstance(body, dict) and body.get("status") == "failed"
    return error_object(body) if failed or not items_in(body, "output") else None


def _open(answer: HttpAnswer) -> JsonObject:
    body = decoded(answer)
    response = message_in(body)
    if response is None:
        raise malformed(answer, "holds no list of output items")
    return response


def _finish_reason(body: JsonObject, calls: tuple[Call, ...]) -> str:
    """In the words of Chat Completions; a status that has none there as it is."""
    status = body.get("status")
    if status == "failed" or body.get("error"):
        return "error"
    if status == "incomplete":
        details = body.get("incomplete_details")
        return meant_by(details.get("reason") if isinstance(details, dict) else None) or "incomplete"
    if isinstance(status, str) and status in _UNFINISHED:
        return status
    return "tool_calls" if calls else "stop"


def _problem(reply: Reply, refusal: str, status: int) -> Problem | None:
    found = _what_is_wrong(reply, refusal)
    if found is None:
        return None
    kind, what = found
    body = encode(reply.message).decode()[:KEPT_CHARS]
    return Problem(kind, what, reply.text or None, reply.usage, status=status, body=body)


def _what_is_wrong(reply: Reply, refusal: str) -> tuple[str, str] | None:
    match reply.finish_reason:
        case "error":
            told = error_message(reply.message.get("error")) or "the endpoint does not say why"
            return "provider_error", advised("provider_error", f"the response failed: {told}")
        case "content_filter":
            return "content_filter", advised("content_filter", "the content filter stopped the response")
        case "length" | "stop" | "tool_calls":
            return None if reply.calls else _what_is_wrong_with_the_answer(reply, refusal)
        case status if status in _UNFINISHED:
            what = f"the response is not finished, its status is {status!r}"
            return "malformed_response", f"{what}; send no `background` in request_options"
        case why:
            what = f"the response is not whole, the endpoint's reason is {why!r}"
            return "malformed_response", f"{what}; ask again, or look the reason up in its documentation"


def _what_is_wrong_with_the_answer(reply: Reply, refusal: str) -> tuple[str, str] | None:
    if refusal and not reply.text:
        return "refusal", refused(refusal)
    if reply.finish_reason == "length":
        return "truncated", advised("truncated", "the output limit cut the answer off")
    if reply.text.strip():
        return None
    what = "the response holds no tool call and no text"
    wanted = [type_of(item) for item in items_in(reply.message, "output") if is_unanswerable(item)]
    if wanted:
        what = f"{what}, but a {wanted[0]}, which cannot be answered here"
    return "empty_response", advised("empty_response", what)


def _read_messages(items: list[JsonObject]) -> tuple[str, str, list[Note]]:
    texts: list[str] = []
    refusals: list[str] = []
    notes: list[Note] = []
    for part in _parts(items, "message", "content"):
        kind = part.get("type") if isinstance(part, dict) else None
        text, refusal = _string(part, "text"), _string(part, "refusal")
        if kind == "refusal" and refusal is not None:
            refusals.append(refusal)
        elif (isinstance(part, str) or kind in ("output_text", "text")) and text is not None:
            texts.append(text)
        else:
            notes.append(Note(f"a content part of type {kind!r} was left out of the text", "unknown_part"))
    return "".join(texts), "".join(refusals), notes


def _read_reasoning(items: list[JsonObject]) -> str:
    """The summary, a paragraph a part, or the reasoning itself where a model shows it."""
    parts = _parts(items, "reasoning", "summary") + _parts(items, "reasoning", "content")
    return "\n\n".join(text for part in parts if (text := _string(part, "text")))


def _parts(items: list[JsonObject], kind: str, field: str) -> list[Json]:
    found: list[Json] = []
    for item in items:
        value = item.get(field) if type_of(item) == kind else None
        if value is not None:
            found.extend(value if isinstance(value, list) else [value])
    return found


def _string(part: Json, field: str) -> str | None:
    """A part that is a text is that text."""
    value = part.get(field) if isinstance(part, dict) else part
    return value if isinstance(value, str) else None


def _read_calls(items: list[JsonObject], profile: Profile, seed: str) -> tuple[tuple[Call, ...], list[Note]]:
    calls: list[Call] = []
    notes: list[Note] = []
    taken: set[str] = set()
    for item in filter(is_call, items):
        received = item.get("call_id")
        call_id = usable_id(received, taken, profile)
        if call_id is None or len(call_id) > CALL_ID_CHARS:
            call_id = generated_id(f"{seed}:{len(calls)}", taken)
            notes.append(Note(f"the call id {received!r} was replaced by {call_id}", "call_id_replaced"))
        taken.add(call_id)
        call, note = _read_call(item, call_id)
        calls.append(call)
        notes.extend(note)
    for item in filter(is_unanswerable, items):
        told = f"a {type_of(item)} was left out of the conversation, since it cannot be answered here"
        notes.append(Note(told, "call_dropped"))
    return tuple(calls), notes


def _read_call(item: JsonObject, call_id: str) -> tuple[Call, list[Note]]:
    kind = type_of(item)
    if kind != FUNCTION_CALL:
        told = f"calls of type {kind!r} are not supported; call a function"
        return Call(call_id, "", None, "{}", item, ToolReceipt.of_error("unsupported_call_type", told)), []
    name = _string(item, "name") or ""
    arguments = read_arguments(item.get("arguments"))
    error = ToolReceipt.of_error("invalid_arguments", arguments.problem) if arguments.problem else None
    notes = [Note(f"the arguments of {name} had to be mended", "arguments_repaired")] * arguments.repaired
    return Call(call_id, name, arguments.value, arguments.text, item, error), notes


def _read_usage(received: Json) -> Usage:
    if not isinstance(received, dict):
        return Usage()
    return usage_of(received.get("input_tokens"), received.get("output_tokens"), received.get("total_tokens"))
