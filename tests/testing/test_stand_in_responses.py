"""The Responses API: what is answered, what is remembered, and one script for both APIs."""

from collections.abc import Callable
from typing import Any

import openai
import pytest

from callagain.testing import AnyAnswer, Rule, StandIn, Turn, call, calls, says
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]
Ask = Callable[..., Body]

PATH = "/v1/responses"
TOOL: Any = {"type": "function", "name": "get_weather", "parameters": {"type": "object"}, "strict": False}
ENCRYPTED = {"include": ["reasoning.encrypted_content"], "store": False}


@pytest.fixture
def ask(send: Send) -> Ask:
    """`ask(stand_in, input, **settings)` gives the response, which must be one."""

    def ask(server: StandIn, asked: Any, **settings: Any) -> Body:
        status, answer = send(server, {"model": "m", "input": asked, **settings}, path=PATH)
        assert status == 200, answer
        response: Body = answer
        return response

    return ask


def output_of(call_id: str, output: Any = "21") -> Body:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


@pytest.mark.parametrize("path", [PATH, "/openai/v1/responses"])
def test_answers_with_a_complete_response(stand_in: StartStandIn, send: Send, path: str) -> None:
    body = {"model": "m", "input": "Hi", "instructions": "Be brief.", "tools": [TOOL], "temperature": 0.2}
    status, answer = send(stand_in([says("Hello.")]), body, path=path)
    usage = answer.pop("usage")
    assert status == 200
    assert answer == {
        "id": "resp_stand-in-1",
        "object": "response",
        "created_at": 1_767_225_600,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": "m",
        "output": [
            {
                "id": "msg_stand-in-1",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Hello.", "annotations": [], "logprobs": []}],
            }
        ],
        "background": False,
        "instructions": "Be brief.",
        "max_output_tokens": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": True,
        "temperature": 0.2,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [TOOL],
        "top_p": 1.0,
        "truncation": "disabled",
    }
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
    assert usage["input_tokens_details"] == {"cached_tokens": 0}
    assert usage["output_tokens_details"] == {"reasoning_tokens": 0}


def test_calls_are_items_with_two_ids(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(("get_weather", {"city": "Zürich"}), call("add", '{"a": 1'), text="I look.")])
    message, *made = ask(server, "Hi")["output"]
    assert message["content"][0]["text"] == "I look."
    assert made == [
        {
            "id": "fc_stand-in-1-1",
            "type": "function_call",
            "status": "completed",
            "call_id": "call_1",
            "name": "get_weather",
            "arguments": '{"city":"Zürich"}',
        },
        {
            "id": "fc_stand-in-1-2",
            "type": "function_call",
            "status": "completed",
            "call_id": "call_2",
            "name": "add",
            "arguments": '{"a": 1',
        },
    ]


@pytest.mark.parametrize(
    ("finish_reason", "reason"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
)
def test_a_response_may_be_incomplete(
    stand_in: StartStandIn, ask: Ask, finish_reason: str, reason: str
) -> None:
    answer = ask(stand_in([says("Hel", finish_reason=finish_reason)]), "Hi")
    assert (answer["status"], answer["incomplete_details"]) == ("incomplete", {"reason": reason})
    assert answer["output"][0]["status"] == "incomplete"


def test_usage_is_told_in_the_words_of_the_api(stand_in: StartStandIn, ask: Ask) -> None:
    given = {"prompt_tokens": 1200, "completion_tokens": 30, "completion_tokens_details": {"x": 1}}
    assert ask(stand_in([says("Hi.", usage=given)]), "Hi")["usage"] == {
        "input_tokens": 1200,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 30,
        "output_tokens_details": {"x": 1},
        "total_tokens": 1230,
    }


def test_reasoning_is_an_item_before_the_others(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(("f", {}), reasoning="Let me see.")], repeat_last=True)
    plain, *_ = ask(server, "Hi")["output"]
    assert plain == {"id": "rs_stand-in-1", "type": "reasoning", "summary": []}
    shown, *_ = ask(server, "Hi", reasoning={"summary": "auto"})["output"]
    assert shown["summary"] == [{"type": "summary_text", "text": "Let me see."}]
    encrypted, made = ask(server, "Hi", **ENCRYPTED)["output"]
    assert encrypted["encrypted_content"]
    assert made["type"] == "function_call"


def test_reasoning_reaches_chat_completions_too(stand_in: StartStandIn, send: Send) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
    _, answer = send(stand_in([says("Yes.", reasoning="Why not?")]), body)
    assert answer["choices"][0]["message"]["reasoning_content"] == "Why not?"


def test_the_openai_client_runs_a_round(stand_in: StartStandIn) -> None:
    server = stand_in([calls(("get_weather", {"city": "Rome"}), reasoning="Hm."), says("It is sunny.")])
    with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
        conversation: list[Any] = [{"role": "user", "content": "Weather in Rome?"}]
        first = client.responses.create(
            model="m",
            input=conversation,
            tools=[TOOL],
            store=False,
            include=["reasoning.encrypted_content"],
        )
        made = first.output[1]
        assert made.type == "function_call"
        conversation += [*first.output, output_of(made.call_id)]
        second = client.responses.create(model="m", input=conversation, store=False)
    assert made.arguments == '{"city":"Rome"}'
    assert second.output_text == "It is sunny."
    assert second.usage is not None


# What is remembered


def test_a_previous_response_brings_its_conversation(stand_in: StartStandIn, ask: Ask) -> None:
    seen: list[Turn] = []

    def look(turn: Turn) -> AnyAnswer:
        seen.append(turn)
        return "seen"

    server = stand_in([Rule("weather", [calls(("get_weather", {}), reasoning="Hm."), look])])
    first = ask(server, "The weather?", tools=[TOOL])
    second = ask(server, [output_of("call_1")], previous_response_id=first["id"])
    third = ask(server, "And the weather tomorrow?", previous_response_id=second["id"], tools=[TOOL])
    assert third["output"][1]["call_id"] == "call_2"
    assert (seen[0].question, seen[0].results) == ("The weather?", [21])
    assert third["previous_response_id"] == second["id"]


def test_an_unknown_response_is_refused(stand_in: StartStandIn, send: Send, ask: Ask) -> None:
    server = stand_in(["one"], repeat_last=True)
    unstored = ask(server, "Hi", store=False)["id"]
    for id_ in ("resp_x", unstored):
        status, answer = send(server, {"model": "m", "input": "Hi", "previous_response_id": id_}, path=PATH)
        assert status == 400
        assert answer["error"] == {
            "message": f"Previous response with id '{id_}' not found.",
            "type": "invalid_request_error",
            "param": "previous_response_id",
            "code": "previous_response_not_found",
        }


def test_a_refusal_is_not_remembered_and_an_answer_of_another_server_neither(
    stand_in: StartStandIn, send: Send, ask: Ask
) -> None:
    first = ask(stand_in(["one"]), "Hi")["id"]
    body = {"model": "m", "input": "Hi", "previous_response_id": first}
    assert send(stand_in(["two"]), body, path=PATH)[0] == 400


def test_a_reference_stands_for_its_item(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(("get_weather", {})), says("done")])
    (made,) = ask(server, "Hi")["output"]
    reference = {"type": "item_reference", "id": made["id"]}
    assert ask(server, [reference, output_of("call_1")])["output"][0]["content"][0]["text"] == "done"


# Scripts


def test_one_rule_table_serves_both_apis(stand_in: StartStandIn, send: Send, ask: Ask) -> None:
    rules = [
        Rule(
            r"weather in (\w+)",
            [calls(("get_weather", {"city": "{1}"}), reasoning="{1}?"), "{1} has {result.degrees} degrees."],
        )
    ]
    server = stand_in(rules)
    question = {"role": "user", "content": [{"type": "input_text", "text": "The weather in Rome?"}]}
    first = ask(server, [question], tools=[TOOL])["output"]
    assert first[1]["arguments"] == '{"city":"Rome"}'
    result = output_of("call_1", [{"type": "input_text", "text": '{"degrees": 21}'}])
    second = ask(server, [question, *first, result], instructions="Be brief.")["output"]
    assert second[0]["content"][0]["text"] == "Rome has 21 degrees."
    chat_tool = {"type": "function", "function": {"name": "get_weather"}}
    messages = [{"role": "user", "content": "The weather in Rome?"}]
    _, answer = send(server, {"model": "m", "messages": messages, "tools": [chat_tool]})
    message = answer["choices"][0]["message"]
    assert message["tool_calls"][0]["function"]["arguments"] == '{"city":"Rome"}'
    assert message["reasoning_content"] == "Rome?"


def test_one_response_is_one_step_however_many_items_it_has(stand_in: StartStandIn, ask: Ask) -> None:
    both = calls(("get_weather", {}), ("get_weather", {}), text="I look.", reasoning="Hm.")
    server = stand_in([Rule("go", [both, "{result} and {results.1}"])])
    first = ask(server, "go", tools=[TOOL])["output"]
    asked = [{"role": "user", "content": "go"}, *first, output_of("call_2", "b"), output_of("call_1", "a")]
    assert ask(server, asked)["output"][0]["content"][0]["text"] == "a and b"


def test_an_answer_and_the_next_question_are_two_turns(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([Rule("one", ["first"]), Rule("two", ["second", "third"])])
    asked: list[Any] = [{"role": "user", "content": "one"}]
    asked += ask(server, asked)["output"]
    assert ask(server, [*asked, {"role": "user", "content": "two"}])["output"][0]["content"][0]["text"] == (
        "second"
    )


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "I cannot call get_weather: the request does not offer it (announced tools: none)."),
        ({"tools": [TOOL], "tool_choice": "none"}, "I cannot call get_weather: tool_choice is 'none'."),
        (
            {
                "tools": [TOOL, TOOL | {"name": "add"}],
                "tool_choice": {"type": "function", "name": "add"},
            },
            "I cannot call get_weather: the request does not offer it (announced tools: get_weather, add).",
        ),
        (
            {
                "tools": [TOOL, TOOL | {"name": "add"}],
                "tool_choice": {
                    "type": "allowed_tools",
                    "mode": "auto",
                    "tools": [{"type": "function", "name": "add"}],
                },
            },
            "I cannot call get_weather: the request does not offer it (announced tools: get_weather, add).",
        ),
    ],
)
def test_a_rule_calls_only_what_the_request_offers(
    stand_in: StartStandIn, ask: Ask, settings: Body, reason: str
) -> None:
    server = stand_in([Rule("", [calls(("get_weather", {}))])])
    assert ask(server, "Hi", **settings)["output"][0]["content"][0]["text"] == reason


def test_a_function_and_a_turn_get_the_body_as_it_came(stand_in: StartStandIn, ask: Ask) -> None:
    by_function = stand_in(lambda body: says(body["input"].upper()))
    by_rule = stand_in([Rule("", [lambda turn: says(turn.request["input"].upper())])])
    for server in (by_function, by_rule):
        assert ask(server, "Hi")["output"][0]["content"][0]["text"] == "HI"


def test_call_ids_are_new_to_the_conversation(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(("f", {}))], repeat_last=True)
    made = ask(server, "Hi")["output"]
    again = ask(server, [{"role": "user", "content": "Hi"}, *made, output_of("call_1")])["output"]
    assert [item["call_id"] for item in (*made, *again)] == ["call_1", "call_2"]
