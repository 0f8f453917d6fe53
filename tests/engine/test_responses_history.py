"""The conversation that a run begins with, from items of this API or messages of Chat Completions."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import ResponseInputParam
from pydantic import TypeAdapter

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.engine.wire.responses import RESPONSES

INPUT: TypeAdapter[Any] = TypeAdapter(ResponseInputParam)

HELLO: JsonObject = {"role": "user", "content": "Hi"}
NOT_EXECUTED = '{"error":{"code":"not_executed","message":"this call was never executed"}}'


def call(call_id: Json = "call_a", **more: Json) -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": "ping", "arguments": "{}", **more}


def output(call_id: Json = "call_a", text: str = "pong") -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def chat_call(call_id: Json = "call_a", arguments: Json = "{}") -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": "ping", "arguments": arguments}}


def chat_calls(*calls: JsonObject, content: Json = None) -> JsonObject:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def chat_answer(call_id: str = "call_a", content: Json = "pong") -> JsonObject:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def sent(*earlier: Json, system_prompt: str | None = None, profile: Profile = GENERIC) -> list[JsonObject]:
    """The items before the user message."""
    items, notes = RESPONSES.base_messages(system_prompt, earlier, "Hi", profile, repair=False)
    assert items[-1] == HELLO
    assert {note.code for note in notes} <= {"call_id_replaced"}
    INPUT.validate_python(items)
    return items[:-1]


def repaired(*earlier: Json) -> tuple[list[JsonObject], list[str]]:
    items, notes = RESPONSES.base_messages(None, earlier, "Hi", GENERIC, repair=True)
    assert {note.code for note in notes} <= {"history_repaired", "call_id_replaced"}
    return items[:-1], [note.message for note in notes]


def refusal(*earlier: Json, repair: bool = False) -> str:
    with pytest.raises(Failure) as caught:
        RESPONSES.base_messages(None, earlier, "Hi", GENERIC, repair=repair)
    assert caught.value.problem.kind == "invalid_history"
    return caught.value.problem.message


def test_the_system_prompt_comes_first() -> None:
    prompt: JsonObject = {"role": "system", "content": "Be brief."}
    assert sent(system_prompt="Be brief.") == [prompt]
    assert sent(HELLO, system_prompt="Be brief.") == [prompt, HELLO]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_the_system_prompt_takes_the_place_of_one_in_the_history(role: str) -> None:
    old: JsonObject = {"role": role, "content": "Be long."}
    assert sent(old, HELLO, system_prompt="Be brief.") == [{"role": "system", "content": "Be brief."}, HELLO]
    assert sent(old, HELLO) == [old, HELLO]


def test_items_of_this_api_stay_as_they_are() -> None:
    earlier: list[Json] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is it?"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b64=="},
        call("call_a", id="fc_1", status="completed"),
        {"type": "custom_tool_call", "call_id": "call_b", "name": "sql", "input": "select 1"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
            "phase": "commentary",
        },
        output("call_a"),
        {"type": "custom_tool_call_output", "call_id": "call_b", "output": "1"},
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "q"},
        },
        {"role": "assistant", "content": "It has shipped."},
        {"type": "item_reference", "id": "msg_0"},
    ]
    assert sent(*earlier) == earlier


def test_messages_of_chat_completions_become_items() -> None:
    assert sent(
        {"role": "user", "content": "Where is it?", "name": "Ada"},
        {
            **chat_calls(chat_call("call_a", '{"n": 1}'), chat_call("call_b"), content="I look."),
            "refusal": None,
        },
        chat_answer("call_b"),
        chat_answer("call_a", [{"type": "text", "text": "shipped"}]),
        {"role": "assistant", "content": "It has shipped.", "reasoning_content": "Hm."},
    ) == [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "I look."},
        call("call_a", arguments='{"n": 1}'),
        call("call_b"),
        output("call_b"),
        {
            "type": "function_call_output",
            "call_id": "call_a",
            "output": [{"type": "input_text", "text": "shipped"}],
        },
        {"role": "assistant", "content": "It has shipped."},
    ]


def test_a_type_of_null_is_none() -> None:
    assert sent({**HELLO, "type": None, "name": "Ada"}) == [HELLO]


def test_calls_without_words_are_no_message() -> None:
    assert sent(chat_calls(chat_call()), chat_answer()) == [call(), output()]
    assert sent(chat_calls(chat_call(), content=""), chat_answer()) == [call(), output()]


def test_an_empty_list_of_calls_is_none() -> None:
    assert sent(chat_calls(content="Hello.")) == [{"role": "assistant", "content": "Hello."}]


def test_a_custom_call_of_chat_completions_is_answered_by_an_output_of_its_own_type() -> None:
    custom: JsonObject = {"id": "call_c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    assert sent(chat_calls(custom), chat_answer("call_c", "1")) == [
        {"type": "custom_tool_call", "call_id": "call_c", "name": "sql", "input": "select 1"},
        {"type": "custom_tool_call_output", "call_id": "call_c", "output": "1"},
    ]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ({"content": [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]}, "Hello."),
        (
            {"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hello."}]},
            "Hello.",
        ),
        (
            {"content": [{"type": "output_text", "text": "Hello. "}, {"type": "refusal", "refusal": "No."}]},
            "Hello. No.",
        ),
        ({"content": None, "refusal": "No."}, "No."),
    ],
)
def test_what_a_model_said_in_a_message_without_a_type_is_one_text(said: JsonObject, content: str) -> None:
    assert sent({"role": "assistant", **said}) == [{"role": "assistant", "content": content}]


@pytest.mark.parametrize(
    ("part", "translated"),
    [
        ({"type": "text", "text": "Hi"}, {"type": "input_text", "text": "Hi"}),
        (
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "auto"},
        ),
        (
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
            {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "low"},
        ),
        ({"type": "file", "file": {"file_id": "file_1"}}, {"type": "input_file", "file_id": "file_1"}),
        ({"type": "input_text", "text": "Hi"}, {"type": "input_text", "text": "Hi"}),
        ({"type": "hologram"}, {"type": "hologram"}),
    ],
)
def test_parts_of_a_user_message_take_the_form_of_this_api(part: JsonObject, translated: JsonObject) -> None:
    items, _ = RESPONSES.base_messages(
        None, [{"role": "user", "content": [part]}], [part], GENERIC, repair=False
    )
    assert items == [{"role": "user", "content": [translated]}] * 2


def test_messages_of_the_caller_are_neither_changed_nor_shared() -> None:
    reasoning: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": []}
    earlier: list[Json] = [chat_calls(chat_call(arguments="")), chat_answer(), reasoning]
    before = copy.deepcopy(earlier)
    items, _ = RESPONSES.base_messages(None, earlier, "Hi", GENERIC, repair=False)
    items[2]["summary"] = items[2]["id"] = None
    assert earlier == before


def test_arguments_that_no_server_can_read_are_sent_as_an_empty_object_with_a_warning() -> None:
    earlier = [call(arguments='{"a": '), output()]
    items, notes = RESPONSES.base_messages(None, earlier, "Hi", GENERIC, repair=False)
    assert items[0] == call(arguments="{}")
    assert [(note.message, note.code) for note in notes] == [
        ("the arguments of call 'call_a' in message 0 of the history were sent as {}", "arguments_repaired")
    ]


@pytest.mark.parametrize("call_id", ["x" * 65, "call-with-hyphens"])
def test_an_id_that_the_endpoint_refuses_is_replaced_in_call_and_output(call_id: str) -> None:
    profile = Profile("strict", call_id_pattern="[a-z0-9A-Z_]+")
    sent_call, sent_output = sent(call(call_id), output(call_id), profile=profile)
    assert sent_call["call_id"] == sent_output["call_id"] != call_id


@pytest.mark.parametrize(
    ("earlier", "told"),
    [
        ([7], "message 0 of the history is no item with a type, and no message with a role of system, "),
        ([HELLO, {"role": "function", "content": "1"}], "message 1 of the history is no item with a type"),
        ([{"type": "message", "role": "robot", "content": "Hi"}], "message 0 of the history is no item with"),
        ([{"id": "msg_1"}], "message 0 of the history is no item with a type"),
        ([{"role": "user", "content": float("nan")}], "message 0 of the history cannot be written as JSON"),
        ([output()], "message 0 of the history answers tool call 'call_a', which is not open there"),
        ([chat_answer()], "message 0 of the history answers tool call 'call_a', which is not open there"),
        ([call(), output(), output()], "message 2 of the history answers tool call 'call_a', which is not"),
        ([call(), output(None)], "message 1 of the history answers tool call None, which is not open there"),
        ([call()], "message 0 of the history ends the history before the answer to tool call 'call_a'"),
        ([call(), HELLO, output()], "message 1 of the history comes before the answer to tool call 'call_a'"),
        ([chat_calls(chat_call()), HELLO], "message 1 of the history comes before the answer to tool call"),
        ([call(None), output()], "message 0 of the history has a tool call without an id"),
        ([{"role": "assistant", "tool_calls": "junk"}], "message 0 of the history has a tool call without"),
        ([call(), call()], "message 1 of the history has a second tool call 'call_a'"),
        ([{**HELLO, "tool_calls": [1]}], "message 0 of the history has tool_calls, which a message of"),
        ([{"role": "assistant", "content": None}], "message 0 of the history says nothing: it has neither"),
    ],
)  # fmt: skip
def test_a_history_that_cannot_be_sent_is_refused_with_index_and_id(earlier: list[Json], told: str) -> None:
    message = refusal(*earlier)
    assert message.startswith(told)
    assert message.endswith(
        (
            "; pass result.messages of an earlier run, or repair_history=True",
            "; mend it, or pass result.messages of an earlier run",
        )
    )


def test_an_id_that_comes_again_after_its_answer_is_replaced_in_call_and_output() -> None:
    first_call, first_output, second_call, second_output = sent(call(), output(), call(), output())
    assert (first_call["call_id"], first_output["call_id"]) == ("call_a", "call_a")
    assert second_call["call_id"] == second_output["call_id"] != "call_a"


def test_repair_leaves_out_what_answers_no_call() -> None:
    assert repaired(output("call_z"), call(), output(), output()) == (
        [call(), output()],
        [
            "message 0 of the history answers tool call 'call_z', which is not open there; it was left out",
            "message 3 of the history answers tool call 'call_a', which is not open there; it was left out",
        ],
    )


def test_repair_answers_the_calls_that_have_no_answer() -> None:
    items, told = repaired(
        call("call_a"), call("call_b"), output("call_b"), HELLO, chat_calls(chat_call("call_c"))
    )
    assert items[:3] == [call("call_a"), call("call_b"), output("call_b")]
    assert items[3:5] == [output("call_a", NOT_EXECUTED), HELLO]
    assert items[5:] == [call("call_c"), output("call_c", NOT_EXECUTED)]
    assert told == [
        "message 3 of the history comes before the answer to tool call 'call_a'; "
        "call 'call_a' was answered with not_executed",
        "message 4 of the history ends the history before the answer to tool call 'call_c'; "
        "call 'call_c' was answered with not_executed",
    ]


def test_repair_leaves_out_calls_that_cannot_be_answered_and_messages_that_say_nothing() -> None:
    items, told = repaired(call(None), call(), call(), output(), {"role": "assistant", "content": None})
    assert items == [call(), output()]
    assert len(told) == 3


@pytest.mark.parametrize("message", [7, {"role": "robot"}, {"role": "user", "content": float("inf")}])
def test_repair_does_not_guess_what_a_message_was_meant_to_be(message: Json) -> None:
    assert refusal(message, repair=True).startswith("message 0 of the history ")


entries: st.SearchStrategy[Any] = st.sampled_from(
    [call("a"), call("b"), call(None), output("a"), output("b"), chat_answer("a")]
) | st.sampled_from(
    [
        HELLO,
        chat_calls(chat_call("a"), chat_call("b")),
        chat_calls(content="Hi"),
        {"type": "reasoning", "id": "r"},
    ]
)


@given(earlier=st.lists(entries, max_size=8))
def test_a_repaired_history_needs_no_repair(earlier: list[Json]) -> None:
    items, _ = repaired(*earlier)
    again, notes = RESPONSES.base_messages(None, items, "Hi", GENERIC, repair=False)
    assert (again[:-1], notes) == (items, [])
    open_ids: list[str] = []
    for item in json.loads(json.dumps(items)):
        if item.get("type") == "function_call":
            open_ids.append(item["call_id"])
        elif item.get("type") == "function_call_output":
            open_ids.remove(item["call_id"])
        else:
            assert not open_ids or item.get("role") != "user"
    assert not open_ids
