"""Responses that the output limit cuts off: asked for again with a larger limit, or told to the model."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from callagain import ChainError, ConfigurationError, Result, ToolLoop, tool
from callagain.chains import FUNCTION_ROUTING
from callagain.diagrams import flowchart_mermaid, transition_table_markdown
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.extensions import with_larger_output_limit
from callagain.operations import TOOL_CALLING_LOOP, Initialize
from callagain.testing import ModelAnswer, StandIn, call, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

saved: list[str] = []


@pytest.fixture(autouse=True)
def nothing_saved() -> None:
    saved.clear()


@tool
def save_note(title: str) -> dict[str, bool]:
    """Save a note."""
    saved.append(title)
    return {"saved": True}


def cut(*titles: str, tokens: int | None = None) -> ModelAnswer:
    """Whole calls, and one that ends in the middle."""
    usage = None if tokens is None else {"completion_tokens": tokens}
    wanted = [call("save_note", {"title": title}) for title in titles]
    return calls(*wanted, call("save_note", '{"title": "Quar'), finish_reason="length", usage=usage)


SAVE = calls(("save_note", {"title": "Q3"}))
DONE = says("Saved.")


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=[save_note], **options)


def limits(server: StandIn, name: str = "max_tokens") -> list[Any]:
    return [request.json.get(name) for request in server.requests]


def warnings(result: Result) -> list[tuple[str | None, str]]:
    return [(note.code, note.message) for note in result.warnings]


def raised(name: str, sent: int, then: int) -> tuple[str, str]:
    told = f"the output limit cut calls off, at {name} {sent}; they are asked for again with {name} {then}"
    return "output_limit_raised", told


def errors(result: Result) -> list[str | None]:
    return [each.error for each in result.tool_results]


# Without the option: the model is told.


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_no_call_of_a_response_that_is_cut_off_runs_and_the_model_is_told(
    run: Run, stand_in: Serve, api: Any
) -> None:
    server = stand_in([cut("whole"), SAVE, DONE])
    result = run(loop_with(server, api=api))
    assert (result.outcome, result.loop_count, len(server.requests)) == ("completed", 2, 3)
    assert saved == ["Q3"]
    assert errors(result) == ["truncated_arguments"] * 2 + [None]
    told = json.loads(result.tool_results[0].content)["error"]["message"]
    assert told.startswith("The output limit cut this response off, so nothing of it was executed.")
    assert "{}" in server.requests[1].body.decode()
    assert result.warnings == []


@pytest.mark.parametrize(
    ("api", "name"),
    [
        ("chat_completions", "max_tokens"),
        ("chat_completions", "max_completion_tokens"),
        ("responses", "max_output_tokens"),
    ],
)
@pytest.mark.parametrize(("tokens", "is_hinted_at"), [(40, True), (39, False)])
def test_bad_arguments_may_come_of_the_limit_if_the_response_is_exactly_as_long(
    run: Run, stand_in: Serve, api: Any, name: str, tokens: int, is_hinted_at: bool
) -> None:
    broken = call("save_note", '{"title": "Quar')
    first = calls(broken, ("save_note", {"title": "a"}), usage={"completion_tokens": tokens})
    result = run(loop_with(stand_in([first, DONE]), api=api, request_options={name: 40}))
    assert errors(result) == ["invalid_arguments", None]
    assert saved == ["a"]
    told = json.loads(result.tool_results[0].content)["error"]["message"]
    assert told.startswith("arguments are not valid JSON: Unterminated string")
    assert ("exactly as long as the output limit" in told) is is_hinted_at
    assert "cut" not in told


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_an_answer_that_is_cut_off_completes_only_if_that_is_asked_for(
    run: Run, stand_in: Serve, api: Any
) -> None:
    half = says("The order was placed on Mon", finish_reason="length")
    result = run(loop_with(stand_in([half]), api=api, accept_truncated=True))
    assert (result.outcome, result.final_response) == ("completed", "The order was placed on Mon")
    assert warnings(result) == [("truncated", "the output limit cut the answer off; what came was accepted")]
    refused = run(loop_with(stand_in([half]), api=api))
    assert refused.error is not None
    assert (refused.outcome, refused.error.kind) == ("failed", "truncated")
    assert refused.final_response is None
    assert refused.error.partial_text == "The order was placed on Mon"


def test_there_is_nothing_to_accept_in_an_answer_that_was_cut_off_before_it_began(
    run: Run, stand_in: Serve
) -> None:
    result = run(loop_with(stand_in([says("", finish_reason="length")]), accept_truncated=True))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "truncated")


# With max_tokens_ceiling: asked for again.


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("api", "given", "name"),
    [
        ("chat_completions", "max_tokens", "max_tokens"),
        ("chat_completions", "max_completion_tokens", "max_completion_tokens"),
        ("responses", "max_output_tokens", "max_output_tokens"),
        ("responses", "max_tokens", "max_output_tokens"),
    ],
)
def test_cut_calls_are_asked_for_again_with_twice_the_limit_up_to_the_ceiling(
    run: Run, stand_in: Serve, api: Any, given: str, name: str, stream: bool
) -> None:
    server = stand_in([cut("whole"), cut("whole"), SAVE, DONE])
    options = {"api": api, "stream": stream, "max_tokens_ceiling": 90, "request_options": {given: 40}}
    result = run(loop_with(server, **options))
    assert (result.outcome, result.final_response) == ("completed", "Saved.")
    assert limits(server, name) == [40, 80, 90, 90]
    assert (result.loop_count, saved, errors(result)) == (1, ["Q3"], [None])
    assert warnings(result) == [raised(name, 40, 80), raised(name, 80, 90)]
    first, second = server.requests[0].json, server.requests[1].json
    assert {**first, name: None} == {**second, name: None}
    ways = [step.target for step in result.trace if step.operation == "parse_response"]
    assert ways == ["raise_output_limit", "raise_output_limit", "tool_dispatcher", "extract_final"]


def test_at_the_ceiling_the_model_is_told_and_a_round_counts(run: Run, stand_in: Serve) -> None:
    server = stand_in([cut(), cut("whole"), SAVE, DONE])
    result = run(loop_with(server, max_tokens_ceiling=80, request_options={"max_tokens": 40}))
    assert limits(server) == [40, 80, 80, 80]
    assert (result.outcome, result.loop_count) == ("completed", 2)
    assert errors(result) == ["truncated_arguments"] * 2 + [None]
    assert saved == ["Q3"]


@pytest.mark.parametrize("sent", [80, 81, 1000])
def test_a_limit_at_or_above_the_ceiling_is_not_raised(run: Run, stand_in: Serve, sent: int) -> None:
    server = stand_in([cut(), DONE])
    result = run(loop_with(server, max_tokens_ceiling=80, request_options={"max_tokens": sent}))
    assert (limits(server), errors(result), result.warnings) == ([sent] * 2, ["truncated_arguments"], [])


@pytest.mark.parametrize(
    ("profile", "name"), [("generic", "max_tokens"), ("openai", "max_completion_tokens")]
)
def test_without_a_limit_in_the_request_what_came_is_doubled_in_the_field_of_the_profile(
    run: Run, stand_in: Serve, profile: str, name: str
) -> None:
    server = stand_in([cut(tokens=30), SAVE, DONE])
    result = run(loop_with(server, profile=profile, max_tokens_ceiling=100))
    assert limits(server, name) == [None, 60, 60]
    told = f"although no {name} was sent; they are asked for again with {name} 60"
    assert warnings(result) == [("output_limit_raised", f"the output limit cut calls off, {told}")]


def test_without_a_limit_and_without_usage_the_ceiling_is_tried_once(run: Run, stand_in: Serve) -> None:
    def without_usage(request: dict[str, Any]) -> dict[str, Any]:
        function = {"name": "save_note", "arguments": '{"title"'}
        message = {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": function}]}
        if request["messages"][-1]["role"] == "tool":
            return {"choices": [{"message": {"role": "assistant", "content": "No."}}]}
        return {"choices": [{"message": message, "finish_reason": "length"}]}

    server = stand_in(without_usage)
    result = run(loop_with(server, max_tokens_ceiling=100))
    assert (limits(server), errors(result)) == ([None, 100, 100], ["truncated_arguments"])


def test_a_response_that_had_more_tokens_than_the_ceiling_is_not_asked_for_again(
    run: Run, stand_in: Serve
) -> None:
    server = stand_in([cut(tokens=100), DONE])
    result = run(loop_with(server, max_tokens_ceiling=100))
    assert (limits(server), errors(result)) == ([None, None], ["truncated_arguments"])


def test_an_answer_that_is_cut_off_is_no_call_and_not_asked_for_again(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("The order", finish_reason="length")])
    result = run(loop_with(server, max_tokens_ceiling=100, request_options={"max_tokens": 40}))
    assert result.error is not None
    assert (result.error.kind, len(server.requests)) == ("truncated", 1)


def test_the_usage_is_that_of_the_responses_that_were_cut_off_too(run: Run, stand_in: Serve) -> None:
    used = {"prompt_tokens": 10, "completion_tokens": 40}
    first = calls(call("save_note", "{"), finish_reason="length", usage=used)
    server = stand_in([first, calls(("save_note", {"title": "Q3"}), usage=used), says("Saved.", usage=used)])
    result = run(loop_with(server, max_tokens_ceiling=80, request_options={"max_tokens": 40}))
    assert (result.usage.prompt_tokens, result.usage.completion_tokens) == (30, 120)


def test_the_forced_choice_of_the_first_request_is_that_of_the_same_request_again(
    run: Run, stand_in: Serve
) -> None:
    server = stand_in([cut(), SAVE, DONE])
    options = {"max_tokens": 40, "tool_choice": "required"}
    run(loop_with(server, max_tokens_ceiling=80, request_options=options))
    assert limits(server, "tool_choice") == ["required", "required", "auto"]


def test_a_conversation_that_the_endpoint_keeps_goes_on_from_the_same_response(
    run: Run, stand_in: Serve
) -> None:
    server = stand_in([SAVE, cut(), SAVE, DONE])
    options = {"api": "responses", "use_previous_response_id": True, "request_options": {"max_tokens": 40}}
    result = run(loop_with(server, max_tokens_ceiling=80, **options))
    assert result.outcome == "completed"
    bodies = [request.json for request in server.requests]
    assert bodies[2] == {**bodies[1], "max_output_tokens": 80}
    assert "previous_response_id" in bodies[1]


# Together with what else changes the path.


def test_with_a_closing_answer_and_a_deadline(run: Run, stand_in: Serve) -> None:
    server = stand_in([cut(), SAVE, cut(), says("That is all.")])
    options = {"max_iterations": 1, "on_limit": "final_answer", "deadline": 60, "max_tokens_ceiling": 160}
    result = run(loop_with(server, request_options={"max_tokens": 40}, **options))
    assert (result.outcome, result.loop_count, result.final_response) == ("limit", 1, "That is all.")
    # At the limit no round is left for cut calls, so they are not asked for again.
    assert limits(server) == [40, 80, 80, 80]
    assert limits(server, "tool_choice") == ["auto", "auto", "auto", "none"]
    assert saved == ["Q3"]


class Stamp(Script):
    """Sends every request with a mark of its own."""

    def run(self, variables: Variables) -> None:
        request = json.loads(variables.InAndOut)
        variables.assign_jitterbit("InAndOut", json.dumps({**request, "user": "nightly"}))


class Nothing(Script):
    def run(self, variables: Variables) -> None:
        """Nothing to do."""


@pytest.mark.parametrize(
    ("operation", "where"),
    [
        (Stamp(), {"before": "llm_call"}),
        (Nothing(), {"after": "parse_response"}),
        (Nothing(), {"before": "tool_dispatcher"}),
        (Nothing(), {"after": "append_tool_result"}),
    ],
)
def test_in_a_chain_with_an_operation_more(
    run: Run, stand_in: Serve, operation: Script, where: dict[str, str]
) -> None:
    chain = TOOL_CALLING_LOOP.insert("inserted", operation, **where)
    server = stand_in([cut(), SAVE, DONE])
    options = {"max_tokens_ceiling": 80, "request_options": {"max_tokens": 40}}
    result = run(loop_with(server, chain=chain, **options))
    assert (result.outcome, result.loop_count, limits(server)) == ("completed", 1, [40, 80, 80])
    if isinstance(operation, Stamp):
        assert limits(server, "user") == ["nightly"] * 3


def test_in_a_chain_that_asks_only_once(run: Run, stand_in: Serve) -> None:
    server = stand_in([cut(), SAVE])
    options = {"max_tokens_ceiling": 80, "request_options": {"max_tokens": 40}}
    result = run(loop_with(server, chain=FUNCTION_ROUTING, **options))
    assert (result.outcome, saved, limits(server)) == ("completed", ["Q3"], [40, 80])


def test_the_diagrams_show_the_way_back(stand_in: Serve) -> None:
    chain = loop_with(stand_in([]), max_tokens_ceiling=80, on_limit="final_answer", deadline=60).chain
    table = transition_table_markdown(chain)
    assert "raise_output_limit" in table
    assert "not cut_below_ceiling" in table
    assert "Ask again with a larger output limit" in flowchart_mermaid(chain).replace("<br/>", " ")
    assert "raise_output_limit" not in transition_table_markdown(TOOL_CALLING_LOOP)


def test_a_chain_without_calls_has_no_use_for_it() -> None:
    ends = (Link("initialize", ON_SUCCESS, COMPLETED), Link(ANY_OPERATION, ON_FAIL, FAILED))
    chain = Chain("short", ends, {"initialize": Initialize()}, {})
    with pytest.raises(ChainError, match="^chain 'short' has no tool_dispatcher, so max_tokens_ceiling"):
        with_larger_output_limit(chain)


@pytest.mark.parametrize("ceiling", [0, -1, 1.5, "80", True])
def test_a_ceiling_is_a_number_of_tokens(stand_in: Serve, ceiling: Any) -> None:
    with pytest.raises(
        ConfigurationError, match="^max_tokens_ceiling must be a whole number, 1 or more, or None"
    ):
        loop_with(stand_in([]), max_tokens_ceiling=ceiling)
