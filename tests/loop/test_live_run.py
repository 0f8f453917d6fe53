"""A run step by step, and event by event."""

import json
from collections.abc import Callable

import pytest

from callagain import LiveRun, Result, ToolLoop, tool
from callagain.engine.events import CommandEnded, CommandStarted, OperationEnded, RunEnded
from callagain.testing import StandIn, calls, says

Serve = Callable[..., StandIn]

OPERATIONS = [
    "initialize",
    "llm_call",
    "parse_response",
    "tool_dispatcher",
    "append_tool_result",
    "llm_call",
    "parse_response",
    "extract_final",
]


@tool
def ping() -> str:
    """Answers pong."""
    return "pong"


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([calls(("ping", {})), says("Pong.")])


@pytest.fixture
def live(server: StandIn) -> LiveRun:
    return ToolLoop(model="m", base_url=server.base_url, tools=[ping]).start("Ping!", run_id="r")


def test_nothing_happens_before_the_first_step(live: LiveRun, server: StandIn) -> None:
    assert (live.state, live.result, live.trace, server.requests) == ("initialize", None, [], [])


def test_a_step_is_one_operation(live: LiveRun, server: StandIn) -> None:
    seen: list[tuple[str, int]] = []
    while (step := live.step()) is not None:
        seen.append((step.operation, len(server.requests)))
        assert live.state == step.target
    assert seen == list(zip(OPERATIONS, [0, 1, 1, 1, 1, 2, 2, 2], strict=True))
    assert live.result is not None
    assert live.result.final_response == "Pong."
    assert live.step() is None


async def test_a_step_is_one_operation_under_a_loop_too(live: LiveRun) -> None:
    seen: list[str] = []
    while (step := await live.astep()) is not None:
        seen.append(step.operation)
    assert seen == OPERATIONS


def test_a_step_shows_the_variables_before_and_after(live: LiveRun) -> None:
    changes: list[tuple[str, set[str]]] = []
    while (step := live.step()) is not None:
        before, after = step.before.as_jitterbit(), step.after.as_jitterbit()
        changes.append((step.operation, {name for name in after if after[name] != before[name]}))
    assert changes[:5] == [
        ("initialize", {"InAndOut", "non_tool_messages_json"}),
        ("llm_call", set()),
        (
            "parse_response",
            {"call_llm_again", "tool_call_id", "function_name", "function_arguments", "tools_resp"},
        ),
        ("tool_dispatcher", {"loop_count", "function_resp"}),
        ("append_tool_result", {"tools_messages", "InAndOut"}),
    ]
    assert changes[-1] == ("extract_final", {"final_response"})


def test_the_base_messages_are_constant_and_tools_messages_grows_by_whole_rounds(live: LiveRun) -> None:
    live.run()
    views = [step.after.as_jitterbit() for step in live.trace]
    assert len({view["non_tool_messages_json"] for view in views}) == 1
    sizes = [len(json.loads(str(view["tools_messages"]) or "[]")) for view in views]
    assert sizes == [0, 0, 0, 0, 2, 2, 2, 2]
    responses = [view["tools_resp"] for view in views]
    assert responses[:2] == ["", ""]
    assert len(set(responses[2:])) == 1


def test_a_stepped_run_can_be_driven_to_its_end(live: LiveRun, drive: Callable[[LiveRun], Result]) -> None:
    live.step()
    live.step()
    assert drive(live).final_response == "Pong."
    assert [step.operation for step in live.trace] == OPERATIONS


def test_the_events_tell_all_that_happens(live: LiveRun) -> None:
    told: list[str] = []
    for event in live.events():
        match event:
            case OperationEnded(step=step):
                told.append(step.operation)
            case CommandStarted(command=command):
                told.append(f"+{type(command).__name__}")
            case CommandEnded(command=command):
                told.append(f"-{type(command).__name__}")
            case RunEnded(outcome=outcome):
                told.append(outcome)
            case _:
                raise AssertionError(event)
    sent = ["+SendRequest", "-SendRequest"]
    called = ["+CallTool", "-CallTool"]
    assert told == [
        *["initialize", *sent, "llm_call", "parse_response", *called, "tool_dispatcher"],
        *["append_tool_result", *sent, "llm_call", "parse_response", "extract_final", "completed"],
    ]


def test_closing_the_events_leaves_the_run_where_it_is(
    live: LiveRun, drive: Callable[[LiveRun], Result], server: StandIn
) -> None:
    events = live.events()
    for event in events:
        if isinstance(event, OperationEnded) and event.step.operation == "tool_dispatcher":
            break
    events.close()
    assert (live.state, len(server.requests)) == ("append_tool_result", 1)
    assert drive(live).final_response == "Pong."
    assert len(server.requests) == 2


def test_a_run_that_has_ended_stays_as_it_is(
    live: LiveRun, drive: Callable[[LiveRun], Result], server: StandIn
) -> None:
    first = drive(live)
    again = drive(live)
    assert (again.final_response, len(server.requests), again.log) == ("Pong.", 2, first.log)
