"""What a Chat Completions response says: https://platform.openai.com/docs/api-reference/chat

`read` judges the raw JSON itself, since endpoints that call themselves compatible answer in many ways
that no client library checks. The calls array decides whether there are calls, as in the guide, and not
`finish_reason`, which gateways get wrong; two values of it still count: `length` says that the response
is cut, and `content_filter` that it may not be used.
"""

from dataclasses import replace

from callagain.engine.error_kinds import ERROR_KINDS, advised
from callagain.engine.json_text import Json, JsonObject, encode, valid_unicode
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.call_ids import generated_id, usable_id
from callagain.engine.wire.error_answers import KEPT_CHARS, decoded, error_message, error_object, malformed
from callagain.engine.wire.finish_reasons import meant_by
from callagain.engine.wire.http_answer import QUOTED_CHARS, HttpAnswer
from callagain.engine.wire.output_limit import cut_off
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.usage import Usage, usage_of


def read(answer: HttpAnswer, profile: Profile, seed: str) -> Reply:
    """The reply in a successful answer. `seed` is what generated call ids derive from.

    Its problem is one of content_filter, refusal, truncated, empty_response, malformed_response and
    provider_error.
    Raises Failure("malformed_response") where there is nothing to read.

    Guide: GetJSONString, toolCallsVal, hasToolCalls, Length, note on absent tool_calls, tool_resp.
    Departs from the guide in GetJSONString, TrimChars: the guide takes values as JSON text and trims quotes
    off their ends, which an answer that begins or ends with a quote would lose. Here the response is decoded
    once, and each value is what it says.
    Departs from the guide in hasToolCalls: the guide asks for the array alone. Here the older function_call
    counts too; calls of a response that the output limit cut off are not run, since their arguments may be
    cut; and what the content filter stopped is not used.
    """
    body, choice, message = _open(answer)
    text, reasoning, notes = _read_text(message)
    calls, call_notes = _read_calls(message, profile, seed)
    reply = Reply(
        message=message,
        calls=calls,
        text=text,
        reasoning=reasoning,
        finish_reason=meant_by(choice.get("finish_reason")),
        usage=_read_usage(body.get("usage")),
        notes=(*notes, *call_notes),
    )
    if reply.finish_reason == "length":
        reply = replace(reply, calls=cut_off(calls))
    return replace(reply, problem=_problem(reply, choice, message, answer.status))


def message_in(body: Json) -> JsonObject | None:
    """The assistant message of a response: /choices/0/message."""
    choice = _first_choice(body)
    message = None if choice is None else choice.get("message")
    return message if isinstance(message, dict) else None


def text_of(message: JsonObject) -> str:
    """The text of a message, without its thoughts."""
    return _read_text(message)[0]


def error_in(body: Json) -> JsonObject | None:
    """The error object of a body without a choice, which some gateways send with status 200; or of a choice
    that ended with it."""
    choice = _first_choice(body) or {}
    if meant_by(choice.get("finish_reason")) == "error":
        return error_object(choice) or error_object(body)
    return error_object(body) if message_in(body) is None else None


def call_ids(body: Json) -> list[str]:
    """The ids of the calls in a response, as received."""
    entries = (message_in(body) or {}).get("tool_calls")
    calls = entries if isinstance(entries, list) else []
    return [str(call.get("id")) for call in calls if isinstance(call, dict)]


def _first_choice(body: Json) -> JsonObject | None:
    choices = body.get("choices") if isinstance(body, dict) else None
    found = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    return next((choice for choice in found if choice.get("index") == 0), found[0] if found else None)


def _open(answer: HttpAnswer) -> tuple[JsonObject, JsonObject, JsonObject]:
    body = decoded(answer)
    choice = _first_choice(body)
    if not isinstance(body, dict) or choice is None:
        raise malformed(answer, "holds no choices[0].message")
    message = choice.get("message")
    if message is None and meant_by(choice.get("finish_reason")) is not None:
        message = {}
    if not isinstance(message, dict):
        raise malformed(answer, "holds no choices[0].message")
    calls = message.get("tool_calls")
    if calls and not isinstance(calls, list):
        raise malformed(answer, "holds tool_calls that are no list")
    return body, choice, message


def _problem(reply: Reply, choice: JsonObject, message: JsonObject, status: int) -> Problem | None:
    found = _what_is_wrong(reply, choice, message)
    if found is None:
        return None
    kind, what = found
    body = encode(message).decode()[:KEPT_CHARS]
    return Problem(kind, what, reply.text or None, reply.usage, status=status, body=body)


def _what_is_wrong(reply: Reply, choice: JsonObject, message: JsonObject) -> tuple[str, str] | None:
    said = choice.get("finish_reason")
    match reply.finish_reason:
        case "content_filter":
            return "content_filter", advised("content_filter", "the content filter stopped the response")
        case "error":
            told = error_message(choice.get("error")) or "the endpoint does not say why"
            return "provider_error", advised("provider_error", f"the response ended with an error: {told}")
        case "malformed":
            return "malformed_response", (
                f"the model made a call that its server could not read ({said}); ask again, or take another "
                "model or server"
            )
        case _ if reply.calls:
            return None
        case _ if isinstance(refusal := message.get("refusal"), str) and refusal:
            return "refusal", refused(valid_unicode(refusal))
        case "tool_calls" | "function_call":
            return "malformed_response", (
                f"finish_reason is {said!r}, but the response holds no call, and its text begins: "
                f"{reply.text[:QUOTED_CHARS]!r}; check the tool parser of the server, which may have failed"
            )
        case "length":
            return "truncated", advised("truncated", "the output limit cut the answer off")
        case _ if not reply.text.strip():
            return "empty_response", advised("empty_response", "the response holds no tool call and no text")
        case _:
            return None


def refused(words: str) -> str:
    """The message of a refusal: the model's words as they are, then what to do."""
    end = "" if words.rstrip().endswith((".", "!", "?", "…")) else "."
    return f"the model refused: {words}{end} {ERROR_KINDS['refusal'].advice.capitalize()}."


def _read_text(message: JsonObject) -> tuple[str, str, list[Note]]:
    content = message.get("content")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    thoughts = [reasoning] if isinstance(reasoning, str) else []
    if isinstance(content, str):
        return content, "".join(thoughts), []
    texts: list[str] = []
    notes: list[Note] = []
    for part in content if isinstance(content, list) else [content] if isinstance(content, dict) else []:
        if isinstance(part, str):
            texts.append(part)
            continue
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
        call_id = usable_id(entry.get("id"), taken, profile)
        if call_id is None:
            call_id = generated_id(f"{seed}:{position}", taken)
            notes.append(
                Note(f"the call id {entry.get('id')!r} was replaced by {call_id}", "call_id_replaced")
            )
        taken.add(call_id)
        call, note = _read_call(entry, call_id)
        calls.append(call)
        notes.extend(note)
    return tuple(calls), notes


def _read_call(entry: JsonObject, call_id: str) -> tuple[Call, list[Note]]:
    if is_of_another_type(entry):
        told = f"calls of type {entry['type']!r} are not supported; call a function"
        return Call(call_id, "", None, "", entry, ToolReceipt.of_error("unsupported_call_type", told)), []
    function = function_of(entry)
    name = function.get("name")
    name = name if isinstance(name, str) else ""
    arguments = read_arguments(function.get("arguments"))
    error = ToolReceipt.of_error("invalid_arguments", arguments.problem) if arguments.problem else None
    notes = [Note(f"the arguments of {name} had to be mended", "arguments_repaired")] * arguments.repaired
    return Call(call_id, name, arguments.value, arguments.text, entry, error), notes


def is_of_another_type(entry: JsonObject) -> bool:
    """A call of a kind that was not offered."""
    kind = entry.get("type")
    return "function" not in entry and isinstance(kind, str) and kind not in ("", "function")


def function_of(entry: JsonObject) -> JsonObject:
    """The function and its arguments in the entry of a call."""
    function = entry.get("function")
    return function if isinstance(function, dict) else {}


def _read_usage(received: Json) -> Usage:
    if not isinstance(received, dict):
        return Usage()
    return usage_of(
        received.get("prompt_tokens"), received.get("completion_tokens"), received.get("total_tokens")
    )
