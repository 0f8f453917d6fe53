"""A tool_choice that forces a call: for the first request, or for every one."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from callagain import Result, ToolLoop, tool
from callagain.testing import StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool
def ping() -> str:
    """Answers."""
    return "pong"


NAMED = {"type": "function", "function": {"name": "ping"}}
NAMED_IN_RESPONSES = {"type": "function", "name": "ping"}


@pytest.mark.parametrize("every_round", [False, True])
@pytest.mark.parametrize(
    ("api", "given", "sent"),
    [
        ("chat_completions", "required", "required"),
        ("chat_completions", NAMED, NAMED),
        ("responses", "required", "required"),
        ("responses", NAMED, NAMED_IN_RESPONSES),
        ("responses", NAMED_IN_RESPONSES, NAMED_IN_RESPONSES),
    ],
)
def test_a_forced_call_holds_for_the_first_request_or_for_every_one(
    run: Run, stand_in: Serve, api: Any, given: Any, sent: Any, every_round: bool
) -> None:
    server = stand_in([calls(("ping", {})), calls(("ping", {})), says("Done.")])
    options = {"tool_choice": given, "temperature": 0.2}
    before = copy.deepcopy(options)
    loop = ToolLoop(
        model="m",
        base_url=server.base_url,
        tools=[ping],
        api=api,
        request_options=options,
        tool_choice_every_round=every_round,
    )
    result = run(loop)
    assert (result.outcome, result.loop_count) == ("completed", 2)
    assert [request.json["tool_choice"] for request in server.requests] == (
        [sent] * 3 if every_round else [sent, "auto", "auto"]
    )
    assert options == before


@pytest.mark.parametrize("every_round", [False, True])
@pytest.mark.parametrize("choice", ["auto", "none"])
def test_a_choice_that_forces_nothing_stays(
    run: Run, stand_in: Serve, choice: str, every_round: bool
) -> None:
    server = stand_in([calls(("ping", {})), says("Done.")] if choice == "auto" else [says("Done.")])
    loop = ToolLoop(
        model="m",
        base_url=server.base_url,
        tools=[ping],
        request_options={"tool_choice": choice},
        tool_choice_every_round=every_round,
    )
    run(loop)
    assert {request.json["tool_choice"] for request in server.requests} == {choice}


def test_every_run_begins_with_the_forced_call(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("ping", {})), says("Done.")] * 2)
    loop = ToolLoop(
        model="m", base_url=server.base_url, tools=[ping], request_options={"tool_choice": "required"}
    )
    for _ in range(2):
        run(loop)
    choices = [request.json["tool_choice"] for request in server.requests]
    assert choices == ["required", "auto", "required", "auto"]


@pytest.mark.parametrize("profile", ["gemini", "generic"])
def test_an_option_that_the_endpoint_refuses_is_not_sent_and_told(
    run: Run, stand_in: Serve, profile: str
) -> None:
    server = stand_in([says("Hello.")])
    loop = ToolLoop(
        model="m", base_url=server.base_url, tools=[ping], profile=profile, parallel_tool_calls=False
    )
    result = run(loop)
    told = [(warning.code, warning.message) for warning in result.warnings]
    if profile == "gemini":
        assert told == [("option_not_sent", "parallel_tool_calls is not sent: gemini refuses it")]
        assert "parallel_tool_calls" not in server.requests[0].json
    else:
        assert told == []
        assert server.requests[0].json["parallel_tool_calls"] is False


@pytest.mark.parametrize("forced", ["required", NAMED])
def test_a_forced_call_is_not_asked_of_an_endpoint_that_takes_none(
    run: Run, stand_in: Serve, forced: Any
) -> None:
    server = stand_in([says("Hello.")])
    options = {"tool_choice": forced}
    loop = ToolLoop(
        model="m", base_url=server.base_url, tools=[ping], profile="deepseek", request_options=options
    )
    result = run(loop)
    assert server.requests[0].json["tool_choice"] == "auto"
    (warning,) = result.warnings
    assert warning.code == "option_not_sent"
    assert warning.message == "tool_choice is sent as auto: deepseek takes none that forces a call"


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_of_several_tools_one_must_be_called_in_the_first_request_only(
    run: Run, stand_in: Serve, api: Any
) -> None:
    allowed = {"mode": "required", "tools": [{"type": "function", "function": {"name": "ping"}}]}
    options = {"tool_choice": {"type": "allowed_tools", "allowed_tools": allowed}}
    server = stand_in([calls(("ping", {})), says("Done.")])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[ping], api=api, request_options=options)
    assert run(loop).outcome == "completed"
    first, second = (request.body.decode() for request in server.requests)
    assert ('"mode":"required"' in first, '"mode":"auto"' in second) == (True, True)
