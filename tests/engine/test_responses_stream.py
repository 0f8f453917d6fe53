"""The events of a streamed response give its pieces, and then the response itself."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.json_text import JsonObject
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta
from callagain.engine.wire.responses import RESPONSES
from callagain.engine.wire.wire_format import Assembly


def take_all(*events: JsonObject) -> tuple[list[Delta], Assembly]:
    assembly = RESPONSES.assembly()
    return [delta for event in events for delta in assembly.take("", event)], assembly


def begin(call_id: str, output_index: int, kind: str = "function_call") -> JsonObject:
    item: JsonObject = {"type": kind, "id": f"fc_{call_id}", "call_id": call_id, "name": "ping"}
    return {"type": "response.output_item.added", "output_index": output_index, "item": item}


def arguments(delta: str, **where: Any) -> JsonObject:
    return {"type": "response.function_call_arguments.delta", "delta": delta, **where}


def done(item: Any, output_index: Any) -> JsonObject:
    return {"type": "response.output_item.done", "output_index": output_index, "item": item}


def test_pieces_of_text_and_reasoning_come_as_they_are() -> None:
    deltas, assembly = take_all(
        {"type": "response.created", "response": {"output": []}},
        {"type": "response.reasoning_summary_text.delta", "delta": "They "},
        {"type": "response.reasoning_text.delta", "delta": "greet."},
        {"type": "response.output_text.delta", "delta": "Hel"},
        {"type": "response.output_text.delta", "delta": ""},
        {"type": "response.output_text.delta", "delta": "lo"},
        {"type": "response.refusal.delta", "delta": "No."},
    )
    assert deltas == [ReasoningDelta("They "), ReasoningDelta("greet."), TextDelta("Hel"), TextDelta("lo")]
    assert (assembly.is_complete, assembly.failure) == (False, None)


def test_pieces_of_arguments_go_to_their_own_call() -> None:
    deltas, _ = take_all(
        begin("a", 1),
        begin("x", 2, "web_search_call"),
        begin("b", 3),
        arguments('{"n"', item_id="fc_b", output_index=3),
        arguments("{}", item_id="fc_a", output_index=1),
        arguments(":1}", item_id="fc_b"),
    )
    assert deltas == [
        ArgumentsDelta(0, "a", "ping", ""),
        ArgumentsDelta(1, "b", "ping", ""),
        ArgumentsDelta(1, "b", "ping", '{"n"'),
        ArgumentsDelta(0, "a", "ping", "{}"),
        ArgumentsDelta(1, "b", "ping", ":1}"),
    ]


def test_the_place_of_a_call_counts_more_than_the_id_of_its_item() -> None:
    deltas, _ = take_all(begin("a", 0), arguments("{}", item_id="another", output_index=0))
    assert deltas[1] == ArgumentsDelta(0, "a", "ping", "{}")


def test_arguments_of_a_call_that_was_not_announced_are_a_call_of_their_own() -> None:
    deltas, _ = take_all(begin("a", 0), arguments("{", item_id="fc_z"), arguments("}", item_id="fc_z"))
    assert deltas[1:] == [ArgumentsDelta(1, "", "", "{"), ArgumentsDelta(1, "", "", "}")]


def test_a_lone_surrogate_in_a_piece_becomes_the_replacement_character() -> None:
    deltas, _ = take_all({"type": "response.output_text.delta", "delta": "\ud83d"}, begin("a\ud83d", 0))
    assert deltas == [TextDelta("\ufffd"), ArgumentsDelta(0, "a\ufffd", "ping", "")]


def test_the_name_of_an_event_counts_where_its_data_has_no_type() -> None:
    assembly = RESPONSES.assembly()
    assert assembly.take("response.output_text.delta", {"delta": "Hi"}) == [TextDelta("Hi")]


@pytest.mark.parametrize("kind", ["completed", "incomplete"])
def test_the_last_event_holds_the_response(kind: str) -> None:
    response: JsonObject = {"id": "resp_1", "status": kind, "output": [{"type": "message"}]}
    deltas, assembly = take_all(
        done({"type": "reasoning"}, 0),
        {"type": f"response.{kind}", "response": response},
        {"type": "response.output_text.delta", "delta": "late"},
        {"type": "error", "message": "late"},
    )
    assert (assembly.is_complete, assembly.failure, deltas) == (True, None, [])
    assert assembly.body() == response


@pytest.mark.parametrize("output", [{}, {"output": []}, {"output": None}])
def test_items_that_were_done_stand_in_for_an_empty_output(output: JsonObject) -> None:
    _, assembly = take_all(
        done({"id": "second"}, 1),
        done({"id": "first"}, 0),
        done({"id": "third"}, None),
        done("no item", 3),
        {"type": "response.completed", "response": {"id": "resp_1", **output}},
    )
    assert assembly.body() == {"id": "resp_1", "output": [{"id": "first"}, {"id": "second"}, {"id": "third"}]}


def test_a_last_event_without_a_response_still_completes_it() -> None:
    _, assembly = take_all(done({"id": "first"}, 0), {"type": "response.completed"})
    assert assembly.body() == {"status": "completed", "output": [{"id": "first"}]}


def test_a_stream_that_is_not_complete_says_so_in_its_body() -> None:
    _, assembly = take_all(done({"id": "first"}, 0))
    assert not assembly.is_complete
    assert assembly.body() == {"status": "incomplete", "output": [{"id": "first"}]}


NO_REASON = {"message": "the response failed, and the endpoint does not say why"}


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (
            {
                "type": "response.failed",
                "response": {"error": {"code": "server_error", "message": "It broke."}},
            },
            {"code": "server_error", "message": "It broke."},
        ),
        ({"type": "response.failed", "response": {"error": None}}, NO_REASON),
        ({"type": "response.failed"}, NO_REASON),
        (
            {
                "type": "error",
                "sequence_number": 2,
                "code": "server_error",
                "message": "It broke.",
                "param": None,
            },
            {"code": "server_error", "message": "It broke."},
        ),
        ({"type": "error", "error": {"message": "It broke."}}, {"message": "It broke."}),
        ({"type": "error"}, NO_REASON),
        ({"error": {"message": "It broke.", "code": 503}}, {"message": "It broke.", "code": 503}),
        ({"error": "It broke."}, {"message": "It broke."}),
    ],
)
def test_an_error_in_the_stream_is_the_error_body(event: JsonObject, error: JsonObject) -> None:
    _, assembly = take_all({"type": "response.created"}, event)
    assert assembly.failure == {"error": error}
    assert not assembly.is_complete
    assert RESPONSES.error_in(assembly.failure) == error


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["function_call", "fc_1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)
kinds = (
    st.sampled_from(["response.output_text.delta", "response.reasoning_text.delta"])
    | st.sampled_from(["response.output_item.added", "response.function_call_arguments.delta"])
    | st.sampled_from(["response.output_item.done", "response.completed", "response.failed", "error"])
)
events: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {},
    optional={
        "type": kinds | json_values,
        "delta": json_values,
        "item": json_values
        | st.fixed_dictionaries({"type": st.just("function_call")}, optional={"id": json_values}),
        "item_id": json_values,
        "output_index": json_values,
        "response": json_values
        | st.fixed_dictionaries({}, optional={"output": json_values, "error": json_values}),
        "error": json_values,
    },
)


@given(stream=st.lists(events, max_size=8))
def test_no_event_is_too_odd(stream: list[JsonObject]) -> None:
    deltas, assembly = take_all(*stream)
    indexes = [delta.index for delta in deltas if isinstance(delta, ArgumentsDelta)]
    assert set(indexes) == set(range(len(set(indexes))))
    assert isinstance(assembly.body()["output"], list)
