"""What is sent: the guide's first InAndOut, the options, the history, and what follows from the rounds."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

from callagain import Result, ToolLoop, tool
from callagain.engine.json_text import JsonObject
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Reply
from callagain.operations import AppendToolResult
from callagain.testing import StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up an order by its six-digit id."""
    return {"order_id": order_id, "status": "shipped"}


def loop_with(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(model="demo-model", base_url=server.base_url, tools=tools, **options)


ASKED = calls(("get_order_status", {"order_id": "481516"}))


def test_the_first_request_is_the_guides(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Hello.")])
    run(loop_with(server, get_order_status, system_prompt='Say "please".'), "Hi\n\\o/")
    assert list(server.requests[0].json) == ["model", "messages", "tools", "tool_choice"]
    assert server.requests[0].json == {
        "model": "demo-model",
        "messages": [
            {"role": "system", "content": 'Say "please".'},
            {"role": "user", "content": "Hi\n\\o/"},
        ],
        "tools": [get_order_status.announced()],
        "tool_choice": "auto",
    }


def test_what_is_sent_is_in_and_out_to_the_letter(run: Run, stand_in: Serve) -> None:
    server = stand_in([ASKED, says("Shipped.")])
    result = run(loop_with(server, get_order_status))
    sent = [request.body for request in server.requests]
    calls_made = [step.before.InAndOut for step in result.trace if step.operation == "llm_call"]
    assert sent == calls_made


def test_there_may_be_no_system_prompt_and_no_tools(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Hello.")])
    options = {"tool_choice": "auto", "parallel_tool_calls": False, "temperature": 0.2}
    assert run(loop_with(server, request_options=options)).final_response == "Hello."
    assert server.requests[0].json == {
        "model": "demo-model",
        "messages": [{"role": "user", "content": "Go"}],
        "temperature": 0.2,
    }


def test_request_options_stand_in_every_request(run: Run, stand_in: Serve) -> None:
    server = stand_in([ASKED, says("Shipped.")])
    options = {"temperature": 0.2, "max_tokens": 400, "metadata": {"job": "nightly"}}
    run(loop_with(server, get_order_status, request_options=options, parallel_tool_calls=False))
    for request in server.requests:
        assert list(request.json)[4:] == ["temperature", "max_tokens", "metadata", "parallel_tool_calls"]
        assert request.json["metadata"] == {"job": "nightly"}
        assert request.json["parallel_tool_calls"] is False


def test_a_forced_tool_choice_holds_for_the_first_request(run: Run, stand_in: Serve) -> None:
    server = stand_in([ASKED, says("Shipped.")])
    forced = {"type": "function", "function": {"name": "get_order_status"}}
    run(loop_with(server, get_order_status, request_options={"tool_choice": forced}))
    assert [request.json["tool_choice"] for request in server.requests] == [forced, "auto"]


def test_a_restriction_of_the_tools_is_no_forced_choice() -> None:
    allowed: JsonObject = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}
    for given, then in ((allowed, allowed), ("none", "none"), ("required", "auto")):
        variables = Variables.of(Inputs("r", "m", "Go"))
        variables.request = variables.request.changed("tool_choice", given)
        variables.reply = Reply(message={})
        AppendToolResult().run(variables)
        assert variables.request.fields["tool_choice"] == then


def test_a_round_is_one_assistant_message_and_the_results_of_all_its_calls(run: Run, stand_in: Serve) -> None:
    three = calls(*[("get_order_status", {"order_id": str(number)}) for number in (1, 2, 3)])
    server = stand_in([three, says("All shipped.")])
    result = run(loop_with(server, get_order_status))
    messages = server.requests[1].json["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "tool"]
    assert [json.loads(message["content"])["order_id"] for message in messages[2:]] == ["1", "2", "3"]
    assert result.loop_count == 1
    assert len(result.variables.tool_calls) == 3
    view = result.variables.as_jitterbit()
    assert view["tool_call_id"] == messages[1]["tool_calls"][0]["id"]
    assert view["function_arguments"] == '{"order_id":"1"}'
    assert view["function_resp"] == messages[2]["content"]


def test_one_call_at_a_time_is_a_round_each(run: Run, stand_in: Serve) -> None:
    one, two = (calls(("get_order_status", {"order_id": number})) for number in "12")
    server = stand_in([one, two, says("Both shipped.")])
    result = run(loop_with(server, get_order_status, parallel_tool_calls=False))
    assert (result.loop_count, len(server.requests)) == (2, 3)
    roles = [message["role"] for message in server.requests[2].json["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]


def test_the_history_of_earlier_turns_goes_on(run: Run, stand_in: Serve) -> None:
    server = stand_in([ASKED, says("Shipped."), says("Yesterday.")])
    loop = loop_with(server, get_order_status, system_prompt="Be brief.")
    first = run(loop, "Where is order 481516?")
    kept = json.dumps(first.messages)
    second = run(loop, "Since when?", history=first.messages)
    assert json.dumps(first.messages) == kept
    roles = [message["role"] for message in server.requests[2].json["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert second.final_response == "Yesterday."
    assert (second.loop_count, second.variables.as_jitterbit()["tools_messages"]) == (0, "")


def test_the_loops_system_prompt_takes_the_place_of_the_historys(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Hello."), says("Hello.")])
    history = [{"role": "system", "content": "old"}, {"role": "user", "content": "a"}]
    history.append({"role": "assistant", "content": "b"})
    run(loop_with(server, system_prompt="new"), history=history)
    run(loop_with(server), history=history)
    assert [request.json["messages"][0]["content"] for request in server.requests] == ["new", "old"]


CALL = {"id": "call_a", "type": "function", "function": {"name": "ping", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (
            [{"role": "user", "content": "Hi"}, {"role": "tool", "tool_call_id": "call_zz", "content": "42"}],
            "message 1 of the history answers tool call 'call_zz', which is not open there",
        ),
        (
            [{"role": "assistant", "content": None, "tool_calls": [CALL]}],
            "message 0 of the history ends the history before the answer to tool call 'call_a'",
        ),
        (
            [
                {"role": "assistant", "content": None, "tool_calls": [CALL]},
                {"role": "user", "content": "Well?"},
            ],
            "message 1 of the history comes before the answer to tool call 'call_a'",
        ),
        (
            [{"role": "assistant", "content": None, "tool_calls": [{"type": "function"}]}],
            "message 0 of the history has a tool call None without a function",
        ),
        ([{"role": "robot", "content": "Hi"}], "message 0 of the history is no message with a role of"),
        (
            [{"role": "user", "content": {1, 2}}],
            "message 0 of the history cannot be written as JSON: Object of type set",
        ),
        (["Hi"], "message 0 of the history is no message with a role of"),
    ],
)
def test_a_broken_history_is_refused_before_anything_is_sent(
    run: Run, stand_in: Serve, history: list[Any], message: str
) -> None:
    server = stand_in([says("never")])
    result = run(loop_with(server), history=history)
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "invalid_history")
    assert result.error.message.startswith(message)
    assert server.requests == []


def test_empty_tool_calls_of_the_history_are_left_out(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Fine.")])
    mine: dict[str, object] = {"role": "assistant", "content": "Hello.", "tool_calls": []}
    run(loop_with(server), history=[{"role": "user", "content": "Hi"}, mine])
    assert server.requests[0].json["messages"][1] == {"role": "assistant", "content": "Hello."}
    assert mine["tool_calls"] == []


def test_a_message_may_be_a_list_of_parts(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("A cat.")])
    parts = [{"type": "text", "text": "What is this?"}]
    assert run(loop_with(server), parts).final_response == "A cat."
    assert server.requests[0].json["messages"][0]["content"] == parts


async def test_sync_and_async_give_the_same_run(stand_in: Serve) -> None:
    one, other = (stand_in([ASKED, says("Shipped.")]) for _ in range(2))
    by_sync = await asyncio.to_thread(loop_with(one, get_order_status).run, "Where?", run_id="r")
    by_async = await loop_with(other, get_order_status).arun("Where?", run_id="r")
    for part in ("log", "trace"):
        of_sync, of_async = (repr(list(getattr(result, part))) for result in (by_sync, by_async))
        of_sync, of_async = of_sync.replace(one.origin, ""), of_async.replace(other.origin, "")
        of_sync, of_async = (re.sub(r"'seconds': [0-9.]+", "", text) for text in (of_sync, of_async))
        seeds = [result.variables.inputs.seed for result in (by_sync, by_async)]
        assert of_sync.replace(seeds[0], "") == of_async.replace(seeds[1], "")


def test_what_is_sent_fits_the_types_of_the_openai_package(run: Run, stand_in: Serve) -> None:
    server = stand_in([ASKED, ASKED, says("Shipped.")])
    options = {"temperature": 0.2, "max_tokens": 400, "tool_choice": "required"}
    run(loop_with(server, get_order_status, system_prompt="Be brief.", request_options=options))
    fitting = TypeAdapter[object](CompletionCreateParamsNonStreaming)
    for request in server.requests:
        fitting.validate_python(request.json)
    assert len(server.requests) == 3
