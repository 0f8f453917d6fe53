"""The limit: at most max_iterations rounds and one request more, and everything kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from callagain import ChainError, OutcomeError, Result, ToolLoop, tool
from callagain.engine.chain import Chain
from callagain.engine.links import Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire.usage import Usage
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Rule, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool
def get_order_status(order_id: str) -> str:
    """Look up an order by its six-digit id."""
    return f"{order_id}: no such order"


AGAIN = calls(("get_order_status", {"order_id": "1"}))


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=[get_order_status], **options)


@pytest.mark.parametrize("limit", [0, 1, 2, 5])
def test_the_limit_is_that_many_rounds_and_one_request_more(run: Run, stand_in: Serve, limit: int) -> None:
    server = stand_in([AGAIN] * 10)
    result = run(loop_with(server, max_iterations=limit))
    assert (result.outcome, result.loop_count, len(server.requests)) == ("limit", limit, limit + 1)
    assert result.final_response is None
    assert len(result.tool_results) == limit
    assert len(result.messages) == 1 + 2 * limit
    assert [call.name for call in result.pending_calls] == ["get_order_status"]
    view = result.variables.as_jitterbit()
    assert (view["call_llm_again"], view["loop_count"], view["final_response"]) == (True, limit, "")
    assert result.pending_calls[0].id in str(view["tools_resp"])


def test_an_answer_at_the_last_request_is_an_answer(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([AGAIN, AGAIN, says("Not found.")]), max_iterations=2))
    assert (result.outcome, result.loop_count, result.final_response) == ("completed", 2, "Not found.")
    assert result.pending_calls == []


def test_the_conversation_of_a_run_at_its_limit_can_go_on(run: Run, stand_in: Serve) -> None:
    server = stand_in([AGAIN, AGAIN, says("Sorry.")])
    loop = loop_with(server, max_iterations=1)
    stopped = run(loop)
    assert run(loop, "Give up.", history=stopped.messages).final_response == "Sorry."


def test_the_diagnosis_names_the_repeated_call_and_the_guides_two_causes(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([AGAIN] * 3), max_iterations=2))
    assert result.error is not None
    assert (result.error.kind, result.error.message) == (
        "max_iterations",
        "Tool-calling loop reached 2 iterations without a final response. Last function: get_order_status. "
        'get_order_status was asked for 3 times with the same arguments {"order_id":"1"}: either the tool '
        "keeps returning an error that the model retries, or its description does not match the request. "
        "Look at the prompt and the tool results before raising max_iterations.",
    )
    with pytest.raises(OutcomeError, match="^limit \\(max_iterations\\): Tool-calling loop reached 2"):
        result.raise_for_outcome()


def test_calls_that_differ_are_no_repetition(run: Run, stand_in: Serve) -> None:
    script = [calls(("get_order_status", {"order_id": str(number)})) for number in range(3)]
    result = run(loop_with(stand_in(script), max_iterations=2))
    assert result.error is not None
    assert "was asked for" not in result.error.message


def test_a_closing_answer_is_asked_for_without_tools(run: Run, stand_in: Serve) -> None:
    server = stand_in([Rule(".", [AGAIN])])
    result = run(loop_with(server, max_iterations=2, on_limit="final_answer"))
    assert (result.outcome, result.loop_count, len(server.requests)) == ("limit", 2, 4)
    assert [request.json["tool_choice"] for request in server.requests] == ["auto", "auto", "auto", "none"]
    assert result.final_response
    assert [call.name for call in result.pending_calls] == ["get_order_status"]
    assert result.messages[-1] == {"role": "assistant", "content": result.final_response}
    assert "ask_for_answer" in [step.operation for step in result.trace]


def test_a_model_that_calls_tools_even_then_ends_at_the_limit(run: Run, stand_in: Serve) -> None:
    def stubborn(_request: dict[str, Any]) -> dict[str, Any]:
        call = {"id": "c", "type": "function", "function": {"name": "get_order_status", "arguments": "{}"}}
        return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}

    server = stand_in(stubborn)
    result = run(loop_with(server, max_iterations=1, on_limit="final_answer"))
    assert (result.outcome, len(server.requests), result.final_response) == ("limit", 3, None)


def test_an_answer_in_time_needs_no_closing_one(run: Run, stand_in: Serve) -> None:
    server = stand_in([AGAIN, says("Not found.")])
    result = run(loop_with(server, on_limit="final_answer"))
    assert (result.outcome, len(server.requests)) == ("completed", 2)


def test_usage_is_that_of_all_responses(run: Run, stand_in: Serve) -> None:
    body = {
        "choices": [{"message": {"role": "assistant", "content": ""}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }
    first = {
        "choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [_call()]}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6},
    }
    result = run(loop_with(stand_in([first, body])))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "empty_response")
    assert result.usage == Usage(12, 3, 15)


def _call() -> dict[str, Any]:
    function = {"name": "get_order_status", "arguments": '{"order_id":"1"}'}
    return {"id": "call_1", "type": "function", "function": function}


class Redo(Script):
    """Sends a request of its own making, as a script of the guide does."""

    title = "Redo the request"

    def run(self, variables: Variables) -> None:
        request = json.loads(variables.InAndOut)
        variables.assign_jitterbit("InAndOut", json.dumps({**request, "user": "nightly"}))


class Nothing(Script):
    title = "Nothing"

    def run(self, variables: Variables) -> None:
        """Nothing to do."""


@pytest.mark.parametrize(
    ("operation", "where"),
    [
        (Redo(), {"before": "llm_call"}),
        (Redo(), {"after": "append_tool_result"}),
        (Nothing(), {"after": "extract_final"}),
        (Nothing(), {"after": "parse_response"}),
    ],
)
def test_a_closing_answer_in_a_chain_with_an_operation_more(
    run: Run, stand_in: Serve, operation: Script, where: dict[str, str]
) -> None:
    chain = TOOL_CALLING_LOOP.insert("inserted", operation, **where)
    server = stand_in([Rule(".", [AGAIN])])
    result = run(loop_with(server, max_iterations=1, on_limit="final_answer", chain=chain))
    assert (result.outcome, result.error and result.error.kind) == ("limit", "max_iterations")
    assert result.final_response
    assert [request.json["tool_choice"] for request in server.requests] == ["auto", "auto", "none"]
    if isinstance(operation, Redo):
        assert server.requests[-1].json["user"] == "nightly"


def test_a_chain_without_a_rebuilt_request_has_no_closing_one(stand_in: Serve) -> None:
    links = tuple(
        Link("tool_dispatcher", "on_success", "limit") if link.source == "tool_dispatcher" else link
        for link in TOOL_CALLING_LOOP.links
        if link.source != "append_tool_result"
    )
    operations = {k: v for k, v in TOOL_CALLING_LOOP.operations.items() if k != "append_tool_result"}
    chain = Chain("short", links, operations, TOOL_CALLING_LOOP.guards)
    with pytest.raises(ChainError, match="chain 'short' has no append_tool_result"):
        loop_with(stand_in([AGAIN]), chain=chain, on_limit="final_answer")
