"""Single-round function routing: another table over the same operations."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from callagain import Result, ToolLoop, tool
from callagain.chains import FUNCTION_ROUTING
from callagain.testing import Answer, StandIn, calls, says

Serve = Callable[..., StandIn]


@tool
def notify_hr(subject: str) -> str:
    """Send a message to human resources."""
    return f"HR knows about {subject}"


def routed(server: StandIn, message: str, by_async: bool) -> Result:
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[notify_hr], chain=FUNCTION_ROUTING)
    return asyncio.run(loop.arun(message)) if by_async else loop.run(message)


@pytest.mark.parametrize("by_async", [False, True])
def test_the_function_runs_and_the_interaction_ends(stand_in: Serve, by_async: bool) -> None:
    server = stand_in([calls(("notify_hr", {"subject": "my paycheck"}))])
    result = routed(server, "My paycheck is missing.", by_async)
    assert (result.outcome, len(server.requests), result.loop_count) == ("completed", 1, 1)
    assert result.variables.function_resp == "HR knows about my paycheck"
    assert result.final_response is None
    assert [step.operation for step in result.trace] == [
        "initialize",
        "llm_call",
        "parse_response",
        "tool_dispatcher",
    ]
    assert result.pending_calls == []


@pytest.mark.parametrize("by_async", [False, True])
def test_a_text_ends_it_too(stand_in: Serve, by_async: bool) -> None:
    result = routed(stand_in([says("I only route.")]), "Hello?", by_async)
    assert (result.outcome, result.final_response, result.variables.function_resp) == (
        "completed",
        "I only route.",
        "",
    )


@pytest.mark.parametrize("by_async", [False, True])
def test_a_failure_is_a_failure(stand_in: Serve, by_async: bool) -> None:
    broken: Any = Answer(500, {"error": {"message": "down"}})
    assert routed(stand_in([broken]), "Hello?", by_async).outcome == "failed"
