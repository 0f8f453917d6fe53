"""The chunks of a streamed response become the response that would have come without streaming."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.errors import Failure
from callagain.engine.json_text import encode
from callagain.engine.wire.chat_completions.reply import read
from callagain.engine.wire.chat_completions.stream import ChatAssembly
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC
from callagain.engine.wire.reply import Reply


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def finish(reason: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


FINISH = finish("stop")


def calls_chunk(*fragments: Any) -> dict[str, Any]:
    return chunk(tool_calls=list(fragments))


def fragment(arguments: Any = None, name: str | None = None, **entry: Any) -> dict[str, Any]:
    given_fields = {"name": name, "arguments": arguments}
    function = {field: value for field, value in given_fields.items() if value is not None}
    return {**entry, "function": function}


def assembled(*chunks: dict[str, Any]) -> ChatAssembly:
    assembly = ChatAssembly()
    for each in chunks:
        assembly.take("", each)
    return assembly


def message_of(*chunks: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = assembled(*chunks).body()
    message: dict[str, Any] = body["choices"][0]["message"]
    return message


def calls_of(*fragments: Any) -> list[tuple[str | None, str, Any]]:
    """Id, name and arguments of the calls, when each fragment comes in a chunk of its own."""
    entries = message_of(*map(calls_chunk, fragments))["tool_calls"]
    return [
        (entry.get("id"), entry["function"]["name"], entry["function"].get("arguments")) for entry in entries
    ]


def deltas_of(*chunks: dict[str, Any]) -> list[Delta]:
    assembly = ChatAssembly()
    return [delta for each in chunks for delta in assembly.take("", each)]


def read_as_answer(assembly: ChatAssembly) -> Reply:
    return read(HttpAnswer(200, "application/json", encode(assembly.body()).decode()), GENERIC, "seed")


def test_the_whole_response_is_that_of_an_answer_without_streaming() -> None:
    head = {"id": "chatcmpl-s", "object": "chat.completion.chunk", "created": 17, "model": "demo-model"}
    assembly = assembled(
        {**head, **chunk(role="assistant", content="Hel"), "system_fingerprint": None},
        {**head, **chunk(content="lo"), "system_fingerprint": "fp_1", "service_tier": "default"},
        {**head, **FINISH},
        {**head, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}},
    )
    assert assembly.body() == {
        "id": "chatcmpl-s",
        "object": "chat.completion",
        "created": 17,
        "model": "demo-model",
        "system_fingerprint": "fp_1",
        "service_tier": "default",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Hello"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
    }
    reply = read_as_answer(assembly)
    assert (reply.text, reply.finish_reason, reply.usage.total_tokens) == ("Hello", "stop", 13)


def test_a_call_is_read_as_that_of_an_answer_without_streaming() -> None:
    assembly = assembled(
        calls_chunk(fragment("", "get_order_status", index=0, id="call_a1", type="function")),
        calls_chunk(fragment('{"order_id":', index=0)),
        calls_chunk(fragment('"481516"}', index=0)),
        finish("tool_calls"),
    )
    (call,) = read_as_answer(assembly).calls
    assert (call.id, call.name, call.arguments) == ("call_a1", "get_order_status", {"order_id": "481516"})
    assert call.received == {
        "id": "call_a1",
        "type": "function",
        "function": {"name": "get_order_status", "arguments": '{"order_id":"481516"}'},
    }


# Chunks and choices


def test_no_choice_at_all_is_a_response_without_choices() -> None:
    assert assembled({"id": "x", "choices": []}, {"choices": None}, {}).body()["choices"] == []


@pytest.mark.parametrize("without_choices", [{"choices": []}, {"choices": None}, {}, {"choices": "odd"}])
def test_a_chunk_without_choices_gives_only_the_usage(without_choices: dict[str, Any]) -> None:
    usage = {"prompt_tokens": 9}
    assembly = assembled(without_choices, chunk(content="a"), FINISH, {**without_choices, "usage": usage})
    assert assembly.body()["usage"] == usage
    assert read_as_answer(assembly).text == "a"


def test_empty_fields_of_a_chunk_without_choices_take_nothing_away() -> None:
    named = {"id": "chatcmpl-s", "model": "demo-model"}
    empty = {"id": "", "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]}
    body = assembled(empty, {**named, **chunk(content="a")}, empty).body()
    assert (body["id"], body["model"]) == ("chatcmpl-s", "demo-model")
    assert "prompt_filter_results" not in body


def test_other_choices_are_ignored_and_one_without_index_is_the_first() -> None:
    def choice(text: str, **index: Any) -> dict[str, Any]:
        return {**index, "delta": {"content": text}, "finish_reason": None}

    other = {"index": 1, "delta": {"content": "x"}, "finish_reason": "stop"}
    first = [choice("a", index=0), choice("b"), choice("c", index=None)]
    assembly = assembled({"choices": [other, *first, "odd", None]})
    assert message_of({"choices": [other, *first]})["content"] == "abc"
    assert not assembly.is_complete


def test_the_usage_may_stand_in_several_places_and_the_last_counts() -> None:
    first, second = {"prompt_tokens": 1}, {"prompt_tokens": 2}
    of_choice = {"choices": [{"index": 0, "delta": {}, "usage": first}]}
    assert assembled({**FINISH, "usage": first}).body()["usage"] == first
    assert assembled({**FINISH, "x_groq": {"id": "r", "usage": first}}).body()["usage"] == first
    assert assembled(of_choice).body()["usage"] == first
    assert assembled({"usage": first}, {"usage": second}, {"usage": None}, FINISH).body()["usage"] == second
    assert "usage" not in assembled(FINISH).body()


def test_a_delta_may_be_null_or_missing() -> None:
    nothing: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": None}]}, {"choices": [{"index": 0}]}]
    assert message_of(chunk(content="a"), *nothing, chunk(content="b"))["content"] == "ab"


def test_a_message_in_place_of_a_delta_is_taken() -> None:
    message = {"role": "assistant", "content": "Hi", "tool_calls": [fragment("{}", "f", id="call_a")]}
    taken = message_of(
        chunk(role="assistant", content=""), {"choices": [{"message": message, "finish_reason": "stop"}]}
    )
    assert taken["content"] == "Hi"
    assert [call["id"] for call in taken["tool_calls"]] == ["call_a"]


@pytest.mark.parametrize(
    "delta", [{"content": "Hel"}, {"tool_calls": [fragment("{}", "f")]}, {"refusal": "no"}]
)
def test_a_message_after_deltas_is_ignored(delta: dict[str, Any]) -> None:
    message = {"role": "assistant", "content": "Hello", "refusal": "never"}
    repeated = {"choices": [{"index": 0, "delta": {}, "message": message}]}
    assert message_of(chunk(**delta), repeated) == message_of(chunk(**delta))


@pytest.mark.parametrize("unfinished", [None, "", "null"])
def test_only_a_finish_reason_makes_the_response_complete(unfinished: str | None) -> None:
    assembly = ChatAssembly()
    assembly.take("", {"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": unfinished}]})
    assert not assembly.is_complete
    assembly.take("", FINISH)
    assert assembly.is_complete
    assembly.take("", {"choices": [{"index": 0, "delta": {}, "finish_reason": unfinished}]})
    assert assembly.is_complete
    assert assembly.body() == assembled(chunk(content="a"), FINISH).body()


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_response_that_was_cut_or_filtered_stays_so(reason: str) -> None:
    said = chunk(content="a")
    assert assembled(said, finish(reason), FINISH).body() == assembled(said, finish(reason)).body()
    assert assembled(said, FINISH, finish(reason)).body() == assembled(said, finish(reason)).body()


# Errors


def test_an_error_in_the_stream_is_the_failure() -> None:
    error: dict[str, Any] = {"error": {"message": "overloaded", "code": 503}}
    assembly = ChatAssembly()
    assembly.take("", chunk(content="a"))
    assert assembly.failure is None
    assert assembly.take("", error) == []
    assert assembly.failure == error


def test_an_error_beside_a_choice_is_no_response() -> None:
    choice = {"index": 0, "delta": {"content": ""}, "message": {"content": "a"}, "finish_reason": "error"}
    assembly = assembled({"id": "x", "error": {"message": "overloaded"}, "choices": [choice]})
    assert assembly.failure == {"id": "x", "error": {"message": "overloaded"}}
    assert not assembly.is_complete


def test_an_event_named_error_is_an_error_whatever_its_form() -> None:
    assembly = ChatAssembly()
    assembly.take("error", {"message": "overloaded", "code": 503})
    assert assembly.failure == {"error": {"message": "overloaded", "code": 503}}
    assembly = ChatAssembly()
    assembly.take("error", {"error": "overloaded"})
    assert assembly.failure == {"error": "overloaded"}


@pytest.mark.parametrize("nothing", [None, {}, "", False])
def test_an_error_field_that_is_empty_says_nothing(nothing: object) -> None:
    assembly = assembled({**chunk(content="a"), "error": nothing}, FINISH)
    assert assembly.failure is None
    assert "error" not in assembly.body()


def test_the_error_of_a_choice_stays_with_it() -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "error", "error": {"message": "overloaded"}}
    body: dict[str, Any] = assembled({"choices": [choice]}, {"choices": [{"error": None}]}).body()
    assert body["choices"][0]["error"] == {"message": "overloaded"}


# Texts


def test_texts_come_in_pieces() -> None:
    names = ("content", "reasoning_content", "reasoning", "refusal", "unknown_text")
    pieces = [chunk(**dict.fromkeys(names, piece)) for piece in ("a", "", "b", None, "c")]
    assert message_of(*pieces) == {"role": "assistant", **dict.fromkeys(names, "abc")}


def test_the_role_is_set_once() -> None:
    assert message_of(chunk(role="assistant"), chunk(role="assistant", content="a"))["role"] == "assistant"
    assert message_of(chunk(role=""), chunk(role="model"), chunk(role="tool"))["role"] == "model"


def test_no_content_is_null_and_an_empty_one_is_empty() -> None:
    assert message_of(chunk(role="assistant", content=None))["content"] is None
    assert message_of(chunk(content=""), chunk(content=""))["content"] == ""


def test_content_may_be_a_list_of_parts() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Let me "}, {"text": "look."}]}
    parts = [thinking, {"type": "text", "text": "It has "}]
    chunks = [chunk(content=parts), chunk(content=[{"type": "text", "text": "ship"}]), chunk(content="ped.")]
    message = message_of(*chunks)
    assert message["content"] == [
        thinking,
        {"type": "text", "text": "It has "},
        {"type": "text", "text": "ship"},
        {"type": "text", "text": "ped."},
    ]
    assert deltas_of(*chunks) == [
        ReasoningDelta("Let me look."),
        TextDelta("It has "),
        TextDelta("ship"),
        TextDelta("ped."),
    ]
    assert read_as_answer(assembled(*chunks, FINISH)).text == "It has shipped."


def test_a_list_after_a_text_makes_the_text_a_part() -> None:
    picture = {"type": "image_url", "image_url": {"url": "u"}}
    chunks = [chunk(content="See: "), chunk(content=[picture])]
    assert message_of(*chunks)["content"] == [{"type": "text", "text": "See: "}, picture]
    assert deltas_of(*chunks) == [TextDelta("See: ")]


def test_text_and_reasoning_are_told_of() -> None:
    chunks = [
        chunk(role="assistant", content=""),
        chunk(reasoning_content="Hm", content=None),
        chunk(reasoning=", yes", content=""),
        chunk(content="Hello"),
        chunk(reasoning="one", reasoning_content="one"),
        chunk(content=[{"type": "reasoning", "reasoning": "two"}, {"type": "output_text", "text": "!"}]),
    ]
    assert deltas_of(*chunks) == [
        ReasoningDelta("Hm"),
        ReasoningDelta(", yes"),
        TextDelta("Hello"),
        ReasoningDelta("one"),
        ReasoningDelta("two"),
        TextDelta("!"),
    ]


def test_a_character_in_two_halves_is_put_together() -> None:
    halves = [chunk(content="a\ud83d"), chunk(content="\ude00b")]
    assert message_of(*halves)["content"] == "a😀b"
    assert deltas_of(*halves) == [TextDelta("a\ufffd"), TextDelta("\ufffdb")]


def test_half_a_character_by_itself_becomes_the_replacement_character() -> None:
    assert message_of(chunk(content="a\ud83db"))["content"] == "a\ufffdb"
    assert message_of(chunk(content="a\ud83d"))["content"] == "a\ufffd"


# Fields that nobody knows


def test_unknown_fields_are_kept_each_in_its_way() -> None:
    first = {"details": [1], "audio": {"id": "a", "inner": {"x": 1, "y": None}}, "flag": True, "gone": None}
    second = {"details": [2, 3], "audio": {"id": None, "inner": {"y": 2}}, "flag": False, "count": 1}
    assert message_of(chunk(**first), chunk(**second)) == {
        "role": "assistant",
        "content": None,
        "details": [1, 2, 3],
        "audio": {"id": "a", "inner": {"x": 1, "y": 2}},
        "flag": False,
        "count": 1,
    }


def test_of_values_of_different_types_the_last_counts() -> None:
    assert message_of(chunk(odd="a"), chunk(odd=["b"]), chunk(odd=None))["odd"] == ["b"]
    assert message_of(chunk(odd={"a": 1}), chunk(odd="b"), chunk(odd="c"))["odd"] == "bc"


def test_the_chunks_themselves_stay_as_they_are() -> None:
    chunks = [chunk(a=[1], b={"c": {"d": 1}}), chunk(a=[2], b={"c": {"e": 1}})]
    before = json.dumps(chunks)
    assembled(*chunks)
    assert json.dumps(chunks) == before


# Which call a fragment belongs to


def test_two_calls_without_index_stay_two() -> None:
    assert calls_of(
        fragment('{"order_id":"1"}', "get_order_status", id="call_a1", type="function"),
        fragment('{"order_id":', "get_order_status", id="call_a2", type="function"),
        fragment('"2"}'),
    ) == [
        ("call_a1", "get_order_status", '{"order_id":"1"}'),
        ("call_a2", "get_order_status", '{"order_id":"2"}'),
    ]


def test_without_index_the_id_finds_its_call() -> None:
    assert calls_of(
        fragment("1", "f", id="a"), fragment("2", "g", id="b"), fragment("3", id="a"), fragment("4", id="")
    ) == [("a", "f", "13"), ("b", "g", "24")]


def test_an_id_finds_a_call_that_began_with_an_index() -> None:
    assert calls_of(fragment("1", "f", index=3, id="a"), fragment("2", id="a"), fragment("3")) == [
        ("a", "f", "123")
    ]


def test_without_index_and_id_a_name_after_arguments_begins_a_call() -> None:
    assert calls_of(
        fragment("", "f"), fragment("{", ""), fragment("}"), fragment("{}", "f"), fragment({"a": 1}, "g")
    ) == [(None, "f", "{}"), (None, "f", "{}"), (None, "g", {"a": 1})]


def test_several_calls_with_one_index_are_told_apart_by_their_ids() -> None:
    assert calls_of(
        fragment('{"order_id":"1"}', "f", index=0, id="call_a1"),
        fragment('{"order_', "f", index=0, id="call_a2"),
        fragment('id":', index=0, id="call_a2"),
        fragment('"2', index=0),
        fragment('"}', index=0, id=""),
        fragment(" ", index=0, id="call_a1"),
    ) == [("call_a1", "f", '{"order_id":"1"} '), ("call_a2", "f", '{"order_id":"2"}')]


def test_an_id_may_come_after_the_first_fragment() -> None:
    assert calls_of(fragment("", "f", index=0), fragment("{", index=0, id="a"), fragment("}", index=0)) == [
        ("a", "f", "{}")
    ]


def test_one_id_at_two_indexes_is_two_calls() -> None:
    pieces = [fragment("1", "f", index=0, id="a"), fragment("2", "g", index=1, id="a")]
    assert calls_of(*pieces, fragment("3", index=0, id="a"), fragment("4", index=1, id="a")) == [
        ("a", "f", "13"),
        ("a", "g", "24"),
    ]


def test_interleaved_fragments_go_by_their_index() -> None:
    assert calls_of(
        fragment("", "f", index=1, id="call_a1"),
        fragment("", "f", index=2, id="call_a2"),
        fragment('{"order_id":', index=1),
        fragment('{"order_id":', index=2),
        fragment('"1"}', index=1),
        fragment('"2"}', index=2),
    ) == [("call_a1", "f", '{"order_id":"1"}'), ("call_a2", "f", '{"order_id":"2"}')]


def test_calls_are_ordered_by_index_and_those_without_come_after() -> None:
    pieces = [
        fragment("{}", "last", id="x"),
        fragment("{}", "third", index=7, id="c"),
        fragment("{}", "first", index=2, id="a"),
        fragment("{}", "second", index=2, id="b"),
        fragment("{}", "very last", index=None, id="y"),
    ]
    names = [name for _, name, _ in calls_of(*pieces)]
    assert names == ["first", "second", "third", "last", "very last"]


@pytest.mark.parametrize(
    "whole", ['{"a": "}{"}', '{"a":{"b":[{}]}}\n', '{"a":"\\\\"}', '{"a":"\\""}', {}, {"a": 1}]
)
@pytest.mark.parametrize("following", ["{", '{"b":1}', {"b": 1}])
def test_with_one_index_and_no_ids_a_name_after_whole_arguments_begins_a_call(
    whole: object, following: object
) -> None:
    assert calls_of(fragment(whole, "f", index=0), fragment(following, "f", index=0)) == [
        (None, "f", whole),
        (None, "f", following),
    ]


def test_whole_arguments_may_have_come_in_any_pieces() -> None:
    text = '{"a": "\\\\\\"}", "b": [{"c": "\\u007d"}]}'
    pieces = [fragment(character, "f", index=0) for character in text]
    assert calls_of(*pieces, fragment("{}", "f", index=0)) == [(None, "f", text), (None, "f", "{}")]


@pytest.mark.parametrize("held", ['{"a": 1', '{"a": "}', '{"a": "\\"}', '{"a": [{}', "", "  "])
@pytest.mark.parametrize("call_id", [{}, {"id": ""}])
def test_a_name_again_before_the_arguments_are_whole_continues_the_call(held: str, call_id: Any) -> None:
    ((_, name, arguments),) = calls_of(fragment(held, "f", index=0), fragment("x", "f", index=0, **call_id))
    assert (name, arguments) == ("f", held + "x")


@pytest.mark.parametrize(
    "following",
    [
        fragment(None, "f", index=0),
        fragment("", "f", index=0),
        fragment("\n", "f", index=0),
        fragment("\n", index=0),
        fragment("\n", "f", index=0, id="a"),
    ],
)
def test_what_follows_whole_arguments_without_new_ones_continues_the_call(following: Any) -> None:
    ((call_id, name, arguments),) = calls_of(fragment("{}", "f", index=0, id="a"), following)
    assert (call_id, name, arguments.strip()) == ("a", "f", "{}")


@pytest.mark.parametrize("index", ["0", True, 1.5, [], {}])
def test_an_index_that_is_no_integer_is_none(index: object) -> None:
    assert calls_of(fragment("1", "f", index=index, id="a"), fragment("2", index=index)) == [("a", "f", "12")]


def test_several_fragments_may_come_in_one_chunk() -> None:
    both = calls_chunk(fragment("1", "f", index=0, id="a"), None, "odd", fragment("2", "g", index=1, id="b"))
    assert [call["id"] for call in message_of(both)["tool_calls"]] == ["a", "b"]


def test_no_calls_leave_no_field() -> None:
    for nothing in (None, [], "odd", [None]):
        assert "tool_calls" not in message_of(chunk(content="a", tool_calls=nothing))


# What is in a call


def test_a_name_may_come_in_pieces_or_again_and_again() -> None:
    assert calls_of(
        fragment(None, "get_", index=0), fragment("", "order", index=0), fragment("{}", index=0)
    ) == [(None, "get_order", "{}")]
    assert calls_of(fragment("", "f", index=0), fragment("{", "f", index=0), fragment("}", "g", index=0)) == [
        (None, "f", "{}")
    ]


def test_arguments_that_are_an_object_are_kept_if_they_are_the_first() -> None:
    assert calls_of(fragment("", "f", index=0), fragment({"a": 1}, index=0), fragment("x", index=0)) == [
        (None, "f", {"a": 1})
    ]
    assert calls_of(fragment("{", "f", index=0), fragment({"a": 1}, index=0), fragment("}", index=0)) == [
        (None, "f", "{}")
    ]


def test_an_id_that_is_no_text_is_none() -> None:
    assert calls_of(fragment("{}", "f", index=0, id=7), fragment("", index=0, id="a")) == [("a", "f", "{}")]


def test_unknown_fields_stay_with_their_call() -> None:
    signature = {"google": {"thought_signature": "c2ln"}}
    first, second = message_of(
        calls_chunk(fragment("", "f", index=0, id="a", type="function", extra_content=signature)),
        calls_chunk(fragment("{}", "g", index=1, id="b", type="function")),
        calls_chunk(
            {"index": 0, "type": "function", "extra_content": {"more": [1]}, "note": "x", "parts": [1]}
        ),
        calls_chunk({"index": 0, "note": "y", "parts": [2], "function": {"arguments": "{}", "origin": "z"}}),
    )["tool_calls"]
    assert first == {
        "id": "a",
        "type": "function",
        "function": {"name": "f", "arguments": "{}", "origin": "z"},
        "extra_content": {**signature, "more": [1]},
        "note": "xy",
        "parts": [1, 2],
    }
    assert second == {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}


def test_a_custom_call_has_its_input_gathered() -> None:
    assembly = assembled(
        calls_chunk({"index": 0, "id": "a", "type": "custom", "custom": {"name": "sql", "input": "sel"}}),
        calls_chunk({"index": 0, "custom": {"input": "ect"}}),
        FINISH,
    )
    (call,) = read_as_answer(assembly).calls
    assert call.received == {"id": "a", "type": "custom", "custom": {"name": "sql", "input": "select"}}
    assert call.error is not None


@pytest.mark.parametrize("empty", [None, {}, "odd", []])
def test_an_empty_member_beside_the_function_says_nothing(empty: object) -> None:
    entry = {"index": 0, "id": "a", "custom": empty, "function": {"name": "f", "arguments": "{}"}}
    (call,) = message_of(calls_chunk(entry), calls_chunk({"index": 0, "function": empty}))["tool_calls"]
    assert call == {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def test_a_call_of_an_unknown_type_has_no_function() -> None:
    entry = {"index": 0, "id": "a", "type": "mcp", "mcp": {"name": "x"}}
    assert message_of(calls_chunk(entry))["tool_calls"] == [{"id": "a", "type": "mcp", "mcp": {"name": "x"}}]


def test_a_call_in_the_old_form_is_gathered() -> None:
    chunks = [
        chunk(function_call={"name": "ping", "arguments": ""}),
        chunk(function_call={"arguments": '{"a":'}),
        chunk(function_call={"arguments": "1}"}),
        chunk(function_call=None),
        chunk(function_call={}),
        finish("function_call"),
    ]
    assert message_of(*chunks)["function_call"] == {"name": "ping", "arguments": '{"a":1}'}
    (call,) = read_as_answer(assembled(*chunks)).calls
    assert (call.name, call.arguments) == ("ping", {"a": 1})
    assert deltas_of(*chunks) == [ArgumentsDelta(0, "", "ping", piece) for piece in ("", '{"a":', "1}")]


@pytest.mark.parametrize("empty", [None, {}, "", []])
def test_an_empty_call_in_the_old_form_is_none(empty: object) -> None:
    chunks = [chunk(content="a"), chunk(function_call=empty), FINISH]
    assert read_as_answer(assembled(*chunks)).calls == ()
    assert deltas_of(*chunks) == [TextDelta("a")]


def test_every_fragment_of_a_call_is_told_of() -> None:
    chunks = [
        calls_chunk(fragment("", "f", index=4, id="a")),
        calls_chunk(fragment('{"x"', "g", index=2), fragment("{", index=4)),
        calls_chunk({"index": 2, "id": "b"}),
        calls_chunk(fragment("}", index=4, id="a")),
        calls_chunk(fragment({"y": 1}, "h", index=9, id="c")),
        calls_chunk({"id": "d", "type": "custom", "custom": {"name": "sql", "input": "select"}}),
    ]
    assert deltas_of(*chunks) == [
        ArgumentsDelta(0, "a", "f", ""),
        ArgumentsDelta(1, "", "g", '{"x"'),
        ArgumentsDelta(0, "a", "f", "{"),
        ArgumentsDelta(1, "b", "g", ""),
        ArgumentsDelta(0, "a", "f", "}"),
        ArgumentsDelta(2, "c", "h", '{"y":1}'),
        ArgumentsDelta(3, "d", "sql", "select"),
    ]


@pytest.mark.timeout(20)
def test_arguments_in_many_pieces_are_gone_through_once() -> None:
    # The name in each of them asks each time whether the arguments held are whole.
    piece = fragment("}" + "x" * 200 + "{", "f", index=0)
    assembly = assembled(calls_chunk(fragment('{"a":"', "f", index=0)), *[calls_chunk(piece)] * 20_000)
    assert len(encode(assembly.body())) > 200 * 20_000


def test_a_name_without_an_end_ends_somewhere() -> None:
    ((_, name, _),) = calls_of(*[fragment(None, f"{number} ", index=0) for number in range(10_000)])
    assert name.startswith("0 1 2 ")
    assert 1_000 <= len(name) < 1_010


# Anything at all

KEYS = [
    "choices", "delta", "message", "index", "finish_reason", "role", "content", "tool_calls", "function_call",
    "function", "custom", "name", "arguments", "input", "id", "type", "usage", "x_groq", "reasoning_content",
    "reasoning", "refusal", "extra_content", "text", "thinking", "error", "model", "object", "created",
]  # fmt: skip
VALUES = [
    "",
    "a",
    "{}",
    '{"a":',
    "}",
    "text",
    "thinking",
    "function",
    "custom",
    "stop",
    "null",
    "\ud83d",
    "\ude00",
]

scalars: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.floats(0, 1)
    | st.sampled_from(VALUES)
    | st.text(max_size=3)
)
objects: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=6,
)
functions = st.fixed_dictionaries({}, optional={"name": objects, "arguments": objects, "input": objects})
fragments = st.fixed_dictionaries(
    {},
    optional={
        "index": scalars,
        "id": st.sampled_from(["", "a", "b"]) | objects,
        "type": scalars,
        "function": functions | objects,
        "custom": functions | objects,
        "extra_content": objects,
    },
)
deltas = st.dictionaries(st.sampled_from(KEYS), objects, max_size=5) | st.fixed_dictionaries(
    {},
    optional={
        "content": objects,
        "tool_calls": st.lists(fragments | objects, max_size=3),
        "function_call": functions,
    },
)
choices = st.fixed_dictionaries(
    {},
    optional={
        "index": scalars,
        "delta": deltas | objects,
        "message": deltas | objects,
        "finish_reason": objects,
    },
)
chunks_of_any_form: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {}, optional={"choices": st.lists(choices | objects, max_size=3) | objects}
) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), objects, max_size=5)


@given(
    st.lists(st.tuples(st.sampled_from(["", "error"]) | st.text(max_size=3), chunks_of_any_form), max_size=6)
)
def test_whatever_comes_can_be_read_or_refused(stream: list[tuple[str, dict[str, Any]]]) -> None:
    assembly = ChatAssembly()
    for event, data in stream:
        for delta in assembly.take(event, data):
            encode([getattr(delta, name) for name in delta.__slots__])
    for body in (assembly.body(), assembly.failure or {}):
        with suppress(Failure):
            reply = read(HttpAnswer(200, "application/json", encode(body).decode()), GENERIC, "seed")
            assert all(call.id for call in reply.calls)


@given(
    st.lists(st.sampled_from(["He", "l", "lo", "", "😀", " "])),
    st.lists(st.sampled_from(["{", '"a', '":1', "}"])),
)
def test_what_was_told_piece_by_piece_is_what_the_response_holds(texts: list[str], pieces: list[str]) -> None:
    chunks = [chunk(content=text) for text in texts]
    chunks += [calls_chunk(fragment(piece, index=0)) for piece in ["", *pieces]]
    told = deltas_of(*chunks)
    message = message_of(*chunks)
    assert "".join(each.text for each in told if isinstance(each, TextDelta)) == (message["content"] or "")
    arguments = "".join(each.arguments for each in told if isinstance(each, ArgumentsDelta))
    assert arguments == message["tool_calls"][0]["function"].get("arguments", "")
