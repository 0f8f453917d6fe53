"""What goes back after a round: everything the model put out, and one output for every call."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import ResponseInputParam
from pydantic import TypeAdapter

from callagain.engine.json_text import JsonObject
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.engine.wire.reply import Call
from callagain.engine.wire.responses import RESPONSES

Item = dict[str, Any]

INPUT: TypeAdapter[Any] = TypeAdapter(ResponseInputParam)


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


def sent_after(*output: object, profile: Profile = GENERIC) -> list[Item]:
    body = json.dumps({"id": "resp_1", "status": "completed", "output": output})
    reply = RESPONSES.read(HttpAnswer(200, "application/json", body), profile, "seed")
    return written(reply.message, *reply.calls, profile=profile)


def written(message: JsonObject, *calls: Call, profile: Profile = GENERIC) -> list[Item]:
    answers = [f"answer {position}" for position in range(len(calls))]
    sent: list[Item] = json.loads(b"[" + RESPONSES.write(message, calls, answers, profile) + b"]")
    return sent


def is_call(item: Item) -> bool:
    return item.get("type") in ("function_call", "custom_tool_call")


junk: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["call_a", "{}", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
types = st.sampled_from(["function_call", "custom_tool_call", "web_search_call"]) | st.sampled_from(
    ["shell_call", "computer_call", "reasoning", "message"]
)
items: st.SearchStrategy[Item] = st.fixed_dictionaries(
    {"type": types},
    optional=dict.fromkeys(["id", "call_id", "name", "arguments", "content", "environment"], junk),
)


@given(output=st.lists(items, max_size=6))
def test_every_call_goes_back_with_one_output_whatever_the_response(output: list[Item]) -> None:
    sent = sent_after(*output)
    calls = list(filter(is_call, sent))
    outputs = sent[len(sent) - len(calls) :]
    assert [item["type"] for item in calls] == [item["type"] for item in filter(is_call, output)]
    assert len({item["call_id"] for item in calls}) == len(calls)
    assert [(item["type"], item["call_id"]) for item in outputs] == [
        (f"{item['type']}_output", item["call_id"]) for item in calls
    ]
    functions = [item for item in calls if item["type"] == "function_call"]
    assert all(isinstance(json.loads(item["arguments"]), dict) for item in functions)


def test_every_item_goes_back_as_it_came_and_in_order() -> None:
    output = [
        reasoning("Look.", id="rs_1"),
        message(output_text("I look."), phase="commentary"),
        function_call('{"a": 1}', "call_a", namespace="shop", unknown={"kept": True}),
        reasoning(id="rs_2"),
        function_call("{}", "call_b"),
    ]
    sent = sent_after(*output)
    assert sent[:5] == output
    assert sent[5:] == [
        {"type": "function_call_output", "call_id": "call_a", "output": "answer 0"},
        {"type": "function_call_output", "call_id": "call_b", "output": "answer 1"},
    ]
    INPUT.validate_python(sent)


def test_null_fields_and_fields_for_the_reader_only_do_not_go_back() -> None:
    output = [reasoning(status=None, content=None), function_call(namespace=None, created_by="user_1")]
    sent = sent_after(*output, "no item")
    assert sent[:2] == [reasoning(), function_call()]
    assert len(sent) == 3


def test_what_the_api_wants_in_every_item_goes_back_whether_it_came_or_not() -> None:
    thought = {"type": "reasoning", "id": "", "summary": None, "encrypted_content": "b64=="}
    said = {"type": "message", "id": 7, "content": None}
    sent = sent_after(thought, said, {}, function_call(id=""))
    assert sent[0] == {"type": "reasoning", "summary": [], "encrypted_content": "b64=="}
    assert sent[1] == {"type": "message", "role": "assistant", "content": []}
    assert [item["type"] for item in sent[2:]] == ["function_call", "function_call_output"]
    assert "id" not in sent[2]


def test_fields_that_the_profile_keeps_back_do_not_go_back() -> None:
    profile = Profile("strict", not_echoed=frozenset({"phase"}))
    sent = sent_after(message(output_text("Hi"), phase="commentary"), function_call(), profile=profile)
    assert sent[0] == message(output_text("Hi"))


@pytest.mark.parametrize("call_id", [None, "", "x" * 65])
def test_a_replaced_id_stands_in_the_call_and_its_output(call_id: str | None) -> None:
    call, output = sent_after(function_call(call_id=call_id))
    assert call["call_id"] == output["call_id"] != call_id
    assert call["id"] == "fc_1"


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [("", "{}"), (None, "{}"), ({"a": 1}, '{"a":1}'), ('"{}"', "{}"), ('{"a": ', "{}"), ("[1]", "{}")],
)
def test_arguments_go_back_as_the_text_of_an_object(arguments: Any, sent: str) -> None:
    assert sent_after(function_call(arguments))[0]["arguments"] == sent


def test_a_name_that_no_tool_has_goes_back_in_a_legal_form() -> None:
    assert sent_after(function_call(name="no such tool!"))[0]["name"] == "no_such_tool_"


def test_a_custom_call_has_an_output_of_its_own_type() -> None:
    custom = {"type": "custom_tool_call", "call_id": "call_c", "name": "sql", "input": "select 1"}
    sent = sent_after(custom, function_call())
    assert sent[:2] == [custom, function_call()]
    assert [(item["type"], item["call_id"]) for item in sent[2:]] == [
        ("custom_tool_call_output", "call_c"),
        ("function_call_output", "call_a"),
    ]
    INPUT.validate_python(sent)


UNANSWERABLE: list[Item] = [
    {"type": "computer_call", "call_id": "c"},
    {"type": "local_shell_call", "call_id": "c"},
    {"type": "shell_call", "call_id": "c", "environment": {"type": "local"}},
    {"type": "apply_patch_call", "call_id": "c"},
    {"type": "mcp_approval_request", "id": "m"},
    {"type": "tool_search_call", "call_id": "c", "execution": "client"},
]


@pytest.mark.parametrize("item", UNANSWERABLE, ids=lambda item: str(item["type"]))
def test_a_call_that_cannot_be_answered_does_not_go_back(item: Item) -> None:
    sent = sent_after(item, function_call())
    assert [each["type"] for each in sent] == ["function_call", "function_call_output"]


def test_reasoning_stays_away_with_the_call_that_it_led_to() -> None:
    left_out = UNANSWERABLE[0]
    thought = [reasoning(id=f"rs_{number}") for number in range(3)]
    sent = sent_after(thought[0], left_out, function_call(), thought[1], left_out, thought[2], left_out)
    assert [item.get("id") for item in sent] == ["rs_0", "fc_1", None]


def test_reasoning_that_was_cut_off_behind_a_call_stays_away() -> None:
    sent = sent_after(reasoning(), function_call(), reasoning(id="rs_2"), reasoning(id="rs_3"))
    assert [item["type"] for item in sent] == ["reasoning", "function_call", "function_call_output"]


def test_what_the_endpoint_ran_itself_goes_back_as_it_came() -> None:
    own: list[Item] = [
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "shell_call", "call_id": "s", "environment": {"type": "container_reference"}},
        {"type": "tool_search_call", "call_id": "t", "execution": "server"},
        {"type": "image_generation_call", "id": "ig_1", "result": None},
        {"type": "mcp_call", "id": "mcp_1", "arguments": "{}"},
    ]
    sent = sent_after(*own, function_call())
    assert sent[: len(own)] == own
    assert len(sent) == len(own) + 2


PING = Call("call_a", "ping", {}, "{}", function_call())


def test_calls_that_the_message_does_not_hold_are_sent_after_it() -> None:
    call = Call("call_x", "ping", {}, "{}", {})
    assert written({"output": [message(output_text("Hi"))]}, call)[1:] == [
        {"type": "function_call", "call_id": "call_x", "name": "ping", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_x", "output": "answer 0"},
    ]


def test_calls_that_the_message_alone_holds_are_not_sent() -> None:
    sent = written({"output": [function_call(call_id="call_z"), function_call(call_id="call_y")]}, PING)
    assert [item["call_id"] for item in sent] == ["call_a", "call_a"]


RESPONSE: JsonObject = {"id": "resp_1", "output": [function_call()]}
FIELDS: JsonObject = {"model": "m", "input": [], "tools": []}


def test_where_the_endpoint_stores_responses_only_the_outputs_are_sent() -> None:
    body = RESPONSES.continuation({**FIELDS, "store": True}, RESPONSE, [PING], ["pong"], True)
    assert json.loads(body or b"") == {
        **FIELDS,
        "store": True,
        "previous_response_id": "resp_1",
        "input": [{"type": "function_call_output", "call_id": "call_a", "output": "pong"}],
    }


def test_stored_responses_are_continued_only_if_that_is_wanted() -> None:
    assert RESPONSES.continuation({**FIELDS, "store": True}, RESPONSE, [PING], ["pong"], False) is None


def test_a_conversation_at_the_endpoint_gets_only_the_outputs() -> None:
    body = RESPONSES.continuation({**FIELDS, "conversation": "conv_1"}, RESPONSE, [PING], ["pong"], False)
    sent = json.loads(body or b"")
    assert [item["type"] for item in sent["input"]] == ["function_call_output"]
    assert "previous_response_id" not in sent


@pytest.mark.parametrize("store", [{}, {"store": False}, {"store": None}, {"store": "yes"}])
def test_without_a_stored_response_the_conversation_is_sent_whole(store: JsonObject) -> None:
    assert RESPONSES.continuation({**FIELDS, **store}, RESPONSE, [PING], ["pong"], True) is None


@pytest.mark.parametrize("response_id", [{}, {"id": None}, {"id": ""}, {"id": 7}])
def test_a_response_without_an_id_cannot_be_continued(response_id: JsonObject) -> None:
    response: JsonObject = {"output": [function_call()], **response_id}
    assert RESPONSES.continuation({**FIELDS, "store": True}, response, [PING], ["pong"], True) is None


@pytest.mark.parametrize(
    ("response", "call"),
    [
        (RESPONSE, Call("new_id", "ping", {}, "{}", function_call())),
        ({"id": "resp_1", "output": [*UNANSWERABLE, function_call()]}, PING),
    ],
    ids=["another id", "a call without an output"],
)
def test_a_round_that_the_endpoint_could_not_pair_is_sent_whole(response: JsonObject, call: Call) -> None:
    assert RESPONSES.continuation({**FIELDS, "store": True}, response, [call], ["pong"], True) is None


def test_the_ids_that_a_request_answers_are_those_of_its_outputs() -> None:
    body: JsonObject = {"input": [function_call(call_id="call_z"), *written({"output": []}, PING)[1:]]}
    assert RESPONSES.answered_ids(body) == ["call_a"]
    assert RESPONSES.answered_ids({"input": "Hi"}) == []
