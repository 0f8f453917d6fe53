"""Reading any response of the Responses API."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.responses import RESPONSES
from callagain.engine.wire.usage import Usage

Item = dict[str, Any]


def read_body(body: object, profile: Profile = GENERIC) -> Reply:
    text = body if isinstance(body, str) else json.dumps(body)
    return RESPONSES.read(HttpAnswer(200, "application/json", text), profile, "seed")


def read_output(*items: object, **body: Any) -> Reply:
    return read_body({"id": "resp_1", "status": "completed", "output": list(items), **body})


def function_call(arguments: Any = "{}", call_id: Any = "call_a", **more: Any) -> Item:
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": call_id,
        "name": "ping",
        "arguments": arguments,
        "status": "completed",
        **more,
    }


def message(*parts: object, **more: Any) -> Item:
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": list(parts),
        **more,
    }


def output_text(text: str) -> Item:
    return {"type": "output_text", "text": text, "annotations": []}


def reasoning(*summary: str, **more: Any) -> Item:
    parts = [{"type": "summary_text", "text": text} for text in summary]
    return {"type": "reasoning", "id": "rs_1", "summary": parts, "encrypted_content": "b64==", **more}


def codes(reply: Reply) -> list[str | None]:
    return [note.code for note in reply.notes]


def problem_of(reply: Reply) -> tuple[str, str]:
    assert reply.problem is not None
    return reply.problem.kind, reply.problem.message


def error_of(call: Call) -> str | None:
    return None if call.error is None else call.error.error


words: st.SearchStrategy[Any] = (
    st.sampled_from(["output", "status", "incomplete_details", "reason", "error", "usage", "input_tokens"])
    | st.sampled_from(["type", "call_id", "name", "arguments", "environment", "id"])
    | st.sampled_from(["role", "content", "text", "refusal", "summary"])
)
values: st.SearchStrategy[Any] = (
    st.sampled_from(
        ["function_call", "custom_tool_call", "shell_call", "computer_call", "reasoning", "message"]
    )
    | st.sampled_from(["completed", "incomplete", "failed", "max_output_tokens", "content_filter", "queued"])
    | st.sampled_from(["output_text", "refusal", "assistant", "call_a", "{}", '{"a":1}', "{", "[]", "\ud800"])
)
junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | words | values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)
items: st.SearchStrategy[Any] = junk | st.fixed_dictionaries(
    {"type": values | junk},
    optional={"call_id": values | junk, "name": values | junk, "arguments": junk, "content": junk},
)
responses: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"output": st.lists(items, max_size=6)},
    optional={"status": values | junk, "error": junk, "incomplete_details": junk, "usage": junk},
)


@given(body=responses | junk | st.dictionaries(words, junk, max_size=4) | st.text(max_size=20))
def test_any_body_is_a_reply_or_a_failure(body: Any) -> None:
    try:
        reply = read_body(body)
    except Failure:
        return
    assert reply.problem or reply.calls or reply.text.strip()
    for call in reply.calls:
        assert isinstance(json.loads(call.arguments_text), dict)
        assert (call.arguments is None) == (call.error is not None)
    assert len({call.id for call in reply.calls}) == len(reply.calls)


def test_a_text_is_the_answer() -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    parts = message(output_text("Hel"), output_text("lo."), phase="final_answer")
    reply = read_output(reasoning("They greet.", "I greet."), parts, usage=usage)
    assert (reply.text, reply.reasoning, reply.calls) == ("Hello.", "They greet.\n\nI greet.", ())
    assert (reply.finish_reason, reply.notes, reply.problem) == ("stop", (), None)
    assert reply.usage == Usage(3, 2, 5)


def test_the_message_of_a_reply_is_the_whole_response() -> None:
    body: JsonObject = {"id": "resp_1", "output": [message(output_text("Hi"))], "error": None}
    assert read_body(body).message == body
    assert RESPONSES.message_in(body) == body
    assert RESPONSES.message_in({"choices": []}) is None


def test_reasoning_that_a_model_shows_is_read_too() -> None:
    shown = {"type": "reasoning_text", "text": "Two and two."}
    assert read_output(reasoning(content=[shown]), message(output_text("4"))).reasoning == "Two and two."


def test_parts_that_are_no_text_are_left_out_with_a_warning() -> None:
    reply = read_output(message({"type": "hologram"}, output_text("Hi"), 7))
    assert reply.text == "Hi"
    assert reply.notes[0] == Note(
        "a content part of type 'hologram' was left out of the text", "unknown_part"
    )
    assert codes(reply) == ["unknown_part", "unknown_part"]


def test_a_call_has_the_call_id_and_not_the_id_of_its_item() -> None:
    reply = read_output(function_call('{"a": 1}'))
    (call,) = reply.calls
    assert (call.id, call.name, call.arguments, call.error) == ("call_a", "ping", {"a": 1}, None)
    assert (call.received, reply.finish_reason) == (function_call('{"a": 1}'), "tool_calls")


@pytest.mark.parametrize("call_id", [None, "", 7, "x" * 65])
def test_a_call_id_that_cannot_be_sent_back_is_replaced(call_id: Any) -> None:
    reply = read_output(function_call(call_id=call_id))
    (new,) = [call.id for call in reply.calls]
    assert len(new) == 9
    assert reply.notes == (Note(f"the call id {call_id!r} was replaced by {new}", "call_id_replaced"),)


def test_two_calls_with_one_id_both_stay() -> None:
    reply = read_output(function_call(), function_call())
    first, second = (call.id for call in reply.calls)
    assert first == "call_a"
    assert second != first


def test_an_id_that_the_profile_refuses_is_replaced() -> None:
    body = {"output": [function_call()]}
    strict = Profile("strict", call_id_pattern="[a-zA-Z0-9]{9}")
    assert read_body(body, strict).calls[0].id == read_body(body, strict).calls[0].id != "call_a"


@pytest.mark.parametrize("arguments", ["", "  ", None, "null", {}, "{}"])
def test_empty_arguments_are_an_empty_object(arguments: Any) -> None:
    (call,) = read_output(function_call(arguments)).calls
    assert (call.arguments, call.arguments_text) == ({}, "{}")


def test_json_in_json_is_unwrapped_with_a_warning() -> None:
    reply = read_output(function_call(json.dumps('{"a": 1}')))
    assert (reply.calls[0].arguments, codes(reply)) == ({"a": 1}, ["arguments_repaired"])


@pytest.mark.parametrize("arguments", ['{"a": ', "[1]", '{"a": NaN}'])
def test_bad_arguments_are_answered_with_an_error(arguments: str) -> None:
    (call,) = read_output(function_call(arguments)).calls
    assert (error_of(call), call.arguments_text) == ("invalid_arguments", "{}")


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    reply = read_output(message(output_text("half \ud83d")), function_call('{"a": "\\ud83d"}'))
    assert (reply.text, reply.calls[0].arguments) == ("half \ufffd", {"a": "\ufffd"})
    assert json.loads(reply.calls[0].arguments_text) == {"a": "\ufffd"}


def test_a_call_of_another_type_is_answered_with_an_error() -> None:
    custom = {"type": "custom_tool_call", "call_id": "call_c", "name": "sql", "input": "select 1"}
    reply = read_output(custom, function_call())
    assert [(call.id, error_of(call)) for call in reply.calls] == [
        ("call_c", "unsupported_call_type"),
        ("call_a", None),
    ]


@pytest.mark.parametrize("kind", ["computer_call", "mcp_approval_request"])
def test_a_call_that_cannot_be_answered_is_no_call_but_a_warning(kind: str) -> None:
    reply = read_output({"type": kind, "call_id": "c"}, message(output_text("Done.")))
    told = f"a {kind} was left out of the conversation, since it cannot be answered here"
    assert (reply.calls, reply.problem, reply.notes) == ((), None, (Note(told, "call_dropped"),))


def test_a_response_of_nothing_but_such_a_call_is_no_answer() -> None:
    kind, told = problem_of(read_output({"type": "computer_call", "call_id": "c"}))
    assert kind == "empty_response"
    assert "no text, but a computer_call, which cannot be answered here; " in told


def test_no_call_of_a_response_that_is_cut_off_runs() -> None:
    calls = [function_call('{"a": 1}', "call_a"), function_call('{"a": ', "call_b", status="incomplete")]
    reply = read_output(*calls, status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert (reply.finish_reason, reply.problem) == ("length", None)
    assert [(error_of(call), call.arguments) for call in reply.calls] == [("truncated_arguments", None)] * 2


@pytest.mark.parametrize("output", [[message(output_text("The order"))], [reasoning()], []])
def test_an_answer_that_is_cut_off_is_none(output: list[Item]) -> None:
    usage = {"output_tokens": 9}
    details = {"reason": "max_output_tokens"}
    reply = read_output(*output, status="incomplete", incomplete_details=details, usage=usage)
    assert reply.problem is not None
    assert (reply.problem.kind, reply.problem.usage.completion_tokens) == ("truncated", 9)
    assert reply.problem.partial_text == (reply.text or None)
    assert json.loads(reply.problem.body or "")["status"] == "incomplete"


def test_a_filtered_response_is_not_used_and_its_text_is_partial() -> None:
    reply = read_output(
        message(output_text("How to")),
        function_call(),
        status="incomplete",
        incomplete_details={"reason": "content_filter"},
    )
    assert reply.problem is not None
    assert (reply.problem.kind, reply.problem.partial_text) == ("content_filter", "How to")


@pytest.mark.parametrize("details", [None, {}, {"reason": "steered"}, {"reason": 7}, "max_output_tokens"])
def test_a_response_that_is_incomplete_for_another_reason_is_not_used(details: Any) -> None:
    reply = read_output(function_call(), status="incomplete", incomplete_details=details)
    kind, told = problem_of(reply)
    assert kind == "malformed_response"
    assert told.startswith(f"the response is not whole, the endpoint's reason is {reply.finish_reason!r}; ")


@pytest.mark.parametrize("status", ["in_progress", "queued", "cancelled"])
def test_a_response_that_is_not_finished_is_not_used(status: str) -> None:
    kind, told = problem_of(read_output(function_call(), status=status))
    assert kind == "malformed_response"
    assert told.startswith(f"the response is not finished, its status is {status!r}; ")


@pytest.mark.parametrize(
    "body",
    [
        {"status": "failed", "error": {"code": "server_error", "message": "It broke."}},
        {"status": "completed", "error": {"message": "It broke."}},
    ],
)
def test_a_response_that_tells_of_an_error_is_not_used(body: Item) -> None:
    kind, told = problem_of(read_output(function_call(), **body))
    assert kind == "provider_error"
    assert told.startswith("the response failed: It broke; ")


def test_a_response_that_failed_without_a_word_is_not_used() -> None:
    _, told = problem_of(read_output(status="failed"))
    assert told.startswith("the response failed: the endpoint does not say why; ")


def test_a_refusal_is_no_answer() -> None:
    reply = read_output(message({"type": "refusal", "refusal": "I can't help with that."}))
    told = "the model refused: I can't help with that. Change what is asked."
    assert problem_of(reply) == ("refusal", told)


def test_text_and_calls_count_more_than_a_refusal() -> None:
    refusal = {"type": "refusal", "refusal": "No."}
    assert read_output(message(refusal, output_text("Here it is."))).problem is None
    assert read_output(message(refusal), function_call()).problem is None


@pytest.mark.parametrize(
    "output", [[], [reasoning("I should answer.")], [message(output_text(" "))], ["junk"]]
)
def test_a_response_without_call_and_text_is_empty(output: list[Any]) -> None:
    kind, told = problem_of(read_output(*output))
    assert kind == "empty_response"
    assert told.startswith("the response holds no tool call and no text; ")


@pytest.mark.parametrize("body", ["{}", "[]", "7", '{"output": {}}', '{"choices": [{"message": {}}]}'])
def test_a_body_without_output_is_malformed(body: str) -> None:
    with pytest.raises(Failure, match=r"holds no list of output items, it begins: .*; check that") as caught:
        read_body(body)
    assert caught.value.problem.kind == "malformed_response"


def test_a_page_in_place_of_a_response_is_malformed_and_quoted() -> None:
    with pytest.raises(Failure, match=r"is not JSON .*, it begins: <!doctype html>; check that"):
        RESPONSES.read(HttpAnswer(200, "text/html", "<!doctype html>"), GENERIC, "seed")


ERROR: JsonObject = {"code": "rate_limit_exceeded", "message": "Slow down."}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": ERROR}, ERROR),
        ({"error": ERROR, "output": []}, ERROR),
        ([{"error": ERROR}], ERROR),
        ({"error": "Slow down."}, {"message": "Slow down."}),
        ({"error": ERROR, "status": "failed", "output": [function_call()]}, ERROR),
        ({"error": ERROR, "status": "completed", "output": [function_call()]}, None),
        ({"error": None, "output": []}, None),
        ({"error": {}}, None),
        ({"error": ["Slow down."]}, None),
        ("Slow down.", None),
    ],
)
def test_an_error_is_found_where_there_is_no_output(body: Any, error: Any) -> None:
    assert RESPONSES.error_in(body) == error


def test_the_ids_of_calls_are_as_received() -> None:
    custom: JsonObject = {"type": "custom_tool_call", "call_id": "call_c"}
    other: JsonObject = {"type": "computer_call", "call_id": "x"}
    output: list[Json] = [function_call(), custom, function_call(call_id=None), other]
    assert RESPONSES.call_ids({"output": output}) == ["call_a", "call_c"]
    assert RESPONSES.call_ids("no response") == []
