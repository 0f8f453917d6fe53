"""Reading any body, and writing rounds that every endpoint takes."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.chat_completions import CHAT_COMPLETIONS
from callagain.engine.wire.error_answers import error_message
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.engine.wire.reply import Call, Reply
from callagain.engine.wire.tool_names import resolve_name
from callagain.engine.wire.usage import Usage
from callagain.testing import refuse


def answer(body: object) -> HttpAnswer:
    return HttpAnswer(200, "application/json", body if isinstance(body, str) else json.dumps(body))


def read(received: HttpAnswer, profile: Profile, seed: str) -> Reply:
    """As Parse Response does: a reply that must not be used is a failure."""
    reply = CHAT_COMPLETIONS.read(received, profile, seed)
    if reply.problem is not None:
        raise Failure.of(reply.problem)
    return reply


def write(message: JsonObject, written: Sequence[Call], answers: Sequence[str]) -> bytes:
    return CHAT_COMPLETIONS.write(message, written, answers, GENERIC)


def read_message(message: dict[str, Any], finish_reason: object = "stop", **body: Any) -> Reply:
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return read(answer({"choices": [choice], **body}), GENERIC, "seed")


def function_call(arguments: Any = "{}", call_id: Any = "call_a", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "ping", "arguments": arguments}, **more}


def failure_of(message: dict[str, Any], finish_reason: str = "stop") -> Failure:
    with pytest.raises(Failure) as caught:
        read_message(message, finish_reason)
    return caught.value


words: st.SearchStrategy[Any] = st.sampled_from(
    [
        "choices",
        "message",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "content",
        "type",
        "error",
        "text",
    ]
)
bodies: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | words | st.just("{}"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=25,
)
calls: st.SearchStrategy[Any] = st.lists(
    st.fixed_dictionaries(
        {}, optional={"id": bodies, "type": bodies, "function": st.dictionaries(words, bodies, max_size=3)}
    ),
    max_size=3,
)
messages = st.fixed_dictionaries(
    {}, optional={"content": bodies, "tool_calls": calls | bodies, "refusal": bodies, "function_call": bodies}
)


@given(
    body=bodies
    | st.text()
    | st.fixed_dictionaries({"choices": st.tuples(messages.map(lambda m: {"message": m}))})
)
def test_any_body_is_a_usable_reply_or_a_failure(body: Any) -> None:
    try:
        reply = read(answer(body), GENERIC, "seed")
    except Failure:
        return
    assert reply.calls or reply.text.strip()
    for call in reply.calls:
        assert isinstance(json.loads(call.arguments_text or "{}"), dict)
        assert (call.arguments is None) == (call.error is not None)
    assert len({call.id for call in reply.calls}) == len(reply.calls)


@given(message=messages)
def test_what_is_sent_after_any_reply_is_accepted(message: Any) -> None:
    try:
        reply = read_message(message)
    except Failure:
        return
    resolved = [resolve_name(call, ["ping"])[0] for call in reply.calls]
    if not resolved or any(call.error and call.error.error == "unsupported_call_type" for call in resolved):
        return
    fragment = write(reply.message, resolved, ["answer"] * len(resolved))
    content: Any = json.loads(b"[" + fragment + b"]")[0]["content"]
    types = set[str]() if content is None or content == str(content) else {part["type"] for part in content}
    if not types <= {"text", "refusal"}:
        # Parts of a type that only this endpoint knows go back to it as they came.
        return
    tools: list[Json] = [{"type": "function", "function": {"name": "ping", "parameters": {"type": "object"}}}]
    request: dict[str, Json] = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi"}, *json.loads(b"[" + fragment + b"]")],
        "tools": tools,
    }
    refusal = refuse(request)
    assert refusal is None, refusal


def test_a_text_is_the_answer() -> None:
    reply = read_message(
        {"role": "assistant", "content": "Hello.", "reasoning_content": "They greet."},
        usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    )
    assert (reply.text, reply.reasoning, reply.calls) == ("Hello.", "They greet.", ())
    assert reply.usage == Usage(3, 2, 5)


@pytest.mark.parametrize("finish_reason", ["stop", "tool_calls", "function_call", None, 7])
def test_the_array_decides_and_not_the_finish_reason(finish_reason: object) -> None:
    reply = read_message({"content": None, "tool_calls": [function_call()]}, finish_reason)
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [("call_a", "ping", {})]


@pytest.mark.parametrize("none", [{"tool_calls": []}, {"tool_calls": None}, {}])
def test_no_calls_are_no_calls_however_that_is_said(none: dict[str, Any]) -> None:
    assert read_message({"content": "Hello.", **none}).calls == ()


@pytest.mark.parametrize(
    ("received", "value", "text"),
    [
        (None, {}, "{}"),
        ("", {}, "{}"),
        (" \n", {}, "{}"),
        ("null", {}, "{}"),
        ({"a": 1}, {"a": 1}, '{"a":1}'),
        ('{"a": 1.0}', {"a": 1.0}, '{"a": 1.0}'),
        ('"{\\"a\\": 1}"', {"a": 1}, '{"a":1}'),
        ('{"a": "\\ud83d"}', {"a": "\ufffd"}, '{"a":"\ufffd"}'),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, '{"a":"😀"}'),
    ],
)
def test_arguments_that_can_be_used(received: Json, value: Json, text: str) -> None:
    arguments = read_arguments(received)
    assert (arguments.value, arguments.text, arguments.problem) == (value, text, None)


def test_arguments_that_had_to_be_mended_are_told() -> None:
    (note,) = read_message({"tool_calls": [function_call('"{}"')]}).notes
    assert (note.code, note.message) == ("arguments_repaired", "the arguments of ping had to be mended")
    assert not read_message({"tool_calls": [function_call('{"a": "\\n"}')]}).notes


@pytest.mark.parametrize(
    ("received", "problem"),
    [
        ('["1"]', 'arguments must be a JSON object, got array. You sent: ["1"]'),
        ("7", "arguments must be a JSON object, got number. You sent: 7"),
        ('"null"', 'arguments must be a JSON object, got null. You sent: "null"'),
        (
            '{"a": "\n"}',
            'arguments are not valid JSON: Invalid control character at position 7. You sent: {"a": "\n"}',
        ),
        (True, "arguments must be a JSON object, got boolean"),
        ('"text"', 'arguments are not valid JSON: Expecting value at position 0. You sent: "text"'),
        ('{"a": NaN}', 'arguments are not valid JSON: NaN is not a JSON number. You sent: {"a": NaN}'),
        ('{"a": 1, "a": 2}', "arguments are not valid JSON: the key 'a' stands twice in one object."),
        ('{"\\ud83d": 1, "\\ud83e": 2}', "arguments are not valid JSON: the key '\ufffd' stands twice in"),
        ('{"a": "4815', "arguments are not valid JSON: Unterminated string starting at position 6."),
    ],
)
def test_arguments_that_cannot_be_used_go_back_as_an_empty_object(received: Json, problem: str) -> None:
    arguments = read_arguments(received)
    assert (arguments.value, arguments.text) == (None, "{}")
    assert arguments.problem is not None
    assert arguments.problem.startswith(problem)


def test_a_cut_response_runs_nothing() -> None:
    reply = read_message({"tool_calls": [function_call(), function_call('{"a": "b', "call_b")]}, "length")
    assert [call.arguments for call in reply.calls] == [None, None]
    assert {call.error.error if call.error else None for call in reply.calls} == {"truncated_arguments"}


@pytest.mark.parametrize(
    ("message", "finish_reason", "kind"),
    [
        ({"content": None}, "stop", "empty_response"),
        ({"content": " \n"}, "stop", "empty_response"),
        ({"content": None, "reasoning_content": "hm"}, "stop", "empty_response"),
        ({"content": "<tool_call>", "tool_calls": []}, "tool_calls", "malformed_response"),
        ({"content": None, "refusal": "I can't."}, "stop", "refusal"),
        ({"tool_calls": [function_call()]}, "content_filter", "content_filter"),
        ({"content": "Half an ans"}, "length", "truncated"),
    ],
)
def test_what_is_neither_calls_nor_an_answer_fails(
    message: dict[str, Any], finish_reason: str, kind: str
) -> None:
    assert failure_of(message, finish_reason).problem.kind == kind


def test_the_text_of_a_cut_answer_is_kept_apart() -> None:
    assert failure_of({"content": "Half an ans"}, "length").problem.partial_text == "Half an ans"


def test_ids_are_made_where_they_are_missing_or_doubled_and_kept_where_they_are_not() -> None:
    reply = read_message(
        {"tool_calls": [function_call(call_id=value) for value in ("dup", "dup", "", None, 7)]}
    )
    ids = [call.id for call in reply.calls]
    assert ids[0] == "dup"
    assert len(set(ids)) == 5
    assert [note.code for note in reply.notes] == ["call_id_replaced"] * 4
    assert all(len(made) == 9 and made.isalnum() and made.isascii() for made in ids[1:])
    again = read_message(
        {"tool_calls": [function_call(call_id=value) for value in ("dup", "dup", "", None, 7)]}
    )
    assert [call.id for call in again.calls] == ids


def test_a_profile_may_ask_for_ids_of_a_pattern() -> None:
    mistral = Profile("mistral", "[A-Za-z0-9]{9}")
    body = {
        "choices": [
            {"message": {"tool_calls": [function_call(call_id="call_1"), function_call(call_id="abcDEF123")]}}
        ]
    }
    ids = [call.id for call in read(answer(body), mistral, "seed").calls]
    assert ids[1] == "abcDEF123"
    assert len(ids[0]) == 9


def test_a_legacy_function_call_is_a_call() -> None:
    reply = read_message(
        {"content": None, "function_call": {"name": "ping", "arguments": "{}"}}, "function_call"
    )
    (call,) = reply.calls
    sent = json.loads(b"[" + write(reply.message, reply.calls, ["pong"]) + b"]")
    assert "function_call" not in sent[0]
    assert sent[0]["tool_calls"][0] == {
        "id": call.id,
        "type": "function",
        "function": {"name": "ping", "arguments": "{}"},
    }


def test_what_the_endpoint_sent_goes_back_to_it_and_nulls_do_not() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [function_call({"a": 1}, extra_content={"signature": "c2ln"}, index=None)],
        "reasoning_content": "hm",
        "refusal": None,
        "annotations": [],
        "function_call": None,
    }
    reply = read_message(message)
    sent = json.loads(b"[" + write(reply.message, reply.calls, ["pong"]) + b"]")
    assert sent == [
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [
                {
                    "id": "call_a",
                    "type": "function",
                    "function": {"name": "ping", "arguments": '{"a":1}'},
                    "extra_content": {"signature": "c2ln"},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_a", "content": "pong"},
    ]


def test_content_in_parts_is_its_texts() -> None:
    parts: Json = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Let me look."}]},
        {"type": "text", "text": "It has "},
        {"type": "image_url", "image_url": {}},
        {"type": "text", "text": "shipped."},
    ]
    reply = read_message({"content": parts})
    assert reply.text == "It has shipped."
    assert "Let me look." in reply.reasoning
    assert [note.code for note in reply.notes] == ["unknown_part"]


@pytest.mark.parametrize(
    ("name", "resolved"),
    [
        ("ping", "ping"),
        (" functions.ping ", "ping"),
        ("default_api:ping", "ping"),
        ("ping<|channel|>commentary", "ping"),
        ("Ping", None),
        ("pin", None),
        ("functions.pin", None),
        ("", None),
    ],
)
def test_a_name_is_resolved_or_refused_and_never_guessed(name: str, resolved: str | None) -> None:
    call, notes = resolve_name(Call("c", name, {}, "{}", {}), ["ping", "pong"])
    if resolved is None:
        assert call.error is not None
        assert (call.arguments, call.error.error) == ({}, "unknown_tool")
        assert "Available tools: ping, pong." in call.error.content
    else:
        assert (call.name, call.error) == (resolved, None)
        assert [note.code for note in notes] == ([] if name == resolved else ["tool_name_repaired"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "a"}}, "a"),
        ([{"error": {"message": "b"}}], "b"),
        ({"error": "c"}, "c"),
        ({"detail": [{"msg": "d"}]}, "d"),
        ({"message": "e"}, "e"),
        ({"error": {"code": 7}}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_reason_is_found_wherever_it_stands(body: Json, message: str | None) -> None:
    assert error_message(body) == message


ERROR: JsonObject = {"message": "overloaded", "code": 503}


@pytest.mark.parametrize(
    ("choice", "beside", "found"),
    [
        ({"finish_reason": "error", "error": ERROR}, None, ERROR),
        ({"finish_reason": "error", "error": "overloaded"}, None, {"message": "overloaded"}),
        ({"finish_reason": "error"}, ERROR, ERROR),
        ({"finish_reason": "error"}, None, None),
        ({"finish_reason": "stop", "error": ERROR}, ERROR, None),
    ],
)
def test_the_error_that_a_choice_ended_with_is_found(choice: JsonObject, beside: Json, found: Json) -> None:
    body: JsonObject = {"choices": [{"message": {"content": "The order"}, **choice}], "error": beside}
    assert CHAT_COMPLETIONS.error_in(body) == found
