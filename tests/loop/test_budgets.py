"""Budgets: what a run may use, checked before every request; at the end of one, everything is kept."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from callagain import ConfigurationError, Prices, Result, ToolLoop, tool
from callagain.engine.wire.profile import ModelFacts, Profile
from callagain.engine.wire.usage import Usage
from callagain.testing import Answer, SkippingClock, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

# The document's own example: six calls of 3,000 and 200 tokens, 0.25 and 1.00 dollars for a million.
PRICES = Prices(input=0.25, output=1.00)


@tool(read_only=True)
def look_up(number: int) -> str:
    """Look up a number."""
    return f"{number} is there"


def answer(number: int | None, usage: dict[str, int] | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "Done."}
    if number is not None:
        function = {"name": "look_up", "arguments": f'{{"number":{number}}}'}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return body if usage is None else {**body, "usage": usage}


def six_answers(usage: dict[str, int] | None) -> list[dict[str, Any]]:
    return [*(answer(number, usage) for number in range(5)), answer(None, usage)]


USAGE = {"prompt_tokens": 3000, "completion_tokens": 200, "total_tokens": 3200}


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(model="uncensored", base_url=server.base_url, tools=[look_up], **options)


def kind_of(result: Result) -> str | None:
    return None if result.error is None else result.error.kind


def test_six_calls_cost_what_the_document_says(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in(six_answers(USAGE)), prices=PRICES))
    assert (result.outcome, result.usage.prompt_tokens, result.usage.completion_tokens) == (
        "completed",
        18_000,
        1_200,
    )
    assert result.spent.money == pytest.approx(0.0045 + 0.0012, abs=1e-12)
    assert (result.spent.requests, result.spent.tool_calls, result.spent.estimated) == (6, 5, False)


def test_a_budget_of_exactly_what_the_run_costs_lets_it_complete(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in(six_answers(USAGE)), prices=PRICES, budget_money=0.0057))
    assert (result.outcome, result.final_response) == ("completed", "Done.")


def test_a_budget_of_money_ends_the_run_before_the_request_that_would_pass_it(
    run: Run, stand_in: Serve
) -> None:
    server = stand_in(six_answers(USAGE))
    result = run(loop_with(server, prices={"uncensored": PRICES}, budget_money=0.002))
    assert (result.outcome, kind_of(result)) == ("limit", "budget_money")
    assert result.error is not None
    assert result.error.message == (
        "the run has used $0.002850 of budget_money=0.002, and makes no further request; shorten what is "
        "sent, take a cheaper model, or resume with a larger budget_money"
    )
    assert result.error.operation == "check_budget"
    assert (len(server.requests), result.loop_count, len(result.tool_results)) == (3, 3, 3)
    assert len(result.messages) == 1 + 2 * 3
    assert result.pending_calls == []


@pytest.mark.parametrize(
    ("budget", "requests"),
    [
        ({"budget_tokens": 6_400}, 2),
        ({"budget_tokens": 6_401}, 3),
        ({"budget_requests": 4}, 4),
        ({"budget_tool_calls": 2}, 3),
    ],
)
def test_each_budget_ends_the_run_by_its_own_kind(
    run: Run, stand_in: Serve, budget: dict[str, int], requests: int
) -> None:
    server = stand_in(six_answers(USAGE))
    result = run(loop_with(server, **budget))
    assert (result.outcome, kind_of(result)) == ("limit", *budget)
    assert len(server.requests) == requests


def test_calls_past_the_budget_are_not_run_and_wait(run: Run, stand_in: Serve) -> None:
    both = calls(("look_up", {"number": 1}), ("look_up", {"number": 2}))
    result = run(loop_with(stand_in([both, both]), budget_tool_calls=3))
    assert kind_of(result) == "budget_tool_calls"
    assert (len(result.tool_results), len(result.pending_calls)) == (2, 2)


def test_no_tool_call_at_all_may_be_the_budget(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in(six_answers(USAGE)), budget_tool_calls=0))
    assert (kind_of(result), result.tool_results, len(result.pending_calls)) == ("budget_tool_calls", [], 1)


def test_a_run_goes_on_with_a_larger_budget_where_it_stood(run: Run, stand_in: Serve) -> None:
    server = stand_in(six_answers(USAGE))
    loop = loop_with(server, budget_tokens=6_400)
    stopped = run(loop)
    done = loop.resume(stopped.snapshot(), changes={"budget_tokens": 100_000})
    assert (done.outcome, done.final_response, len(server.requests)) == ("completed", "Done.", 6)
    assert [result.arguments for result in done.tool_results] == [{"number": n} for n in range(5)]
    assert [request.status for request in server.requests] == [200] * 6


def test_retries_are_requests_too(run: Run, stand_in: Serve) -> None:
    failed = Answer(503, {"error": {"message": "busy"}})
    server = stand_in([failed, failed, answer(0, USAGE), answer(None, USAGE)])
    result = run(loop_with(server, budget_requests=3, clock=SkippingClock()))
    assert (kind_of(result), result.spent.requests) == ("budget_requests", 3)


def test_missing_usage_is_estimated_and_marked(run: Run, stand_in: Serve) -> None:
    server = stand_in(six_answers(None))
    result = run(loop_with(server, budget_tokens=100, prices=PRICES))
    assert kind_of(result) == "budget_tokens"
    assert (result.usage, result.spent.estimated) == (Usage(), True)
    sent = -(-len(server.requests[0].body) // 4)
    assert sent < result.spent.tokens < sent + 100
    assert [warning.code for warning in result.warnings] == ["usage_estimated"]


def test_usage_that_came_is_not_marked(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in(six_answers(USAGE)), budget_tokens=100_000))
    assert not result.spent.estimated
    assert result.warnings == []


def test_a_budget_of_time_counts_the_work_on_the_run(run: Run, stand_in: Serve) -> None:
    clock = SkippingClock()
    failed = Answer(429, {"error": {"message": "slow down"}}, {"retry-after": "7"})
    server = stand_in([failed, answer(0, USAGE), failed, answer(1, USAGE), answer(None, USAGE)])
    result = run(loop_with(server, budget_time=10, clock=clock))
    assert (result.outcome, kind_of(result)) == ("limit", "budget_time")
    assert 14 <= result.spent.seconds < 22
    assert len(server.requests) == 4


def test_time_goes_on_counting_in_a_resumed_run(stand_in: Serve) -> None:
    clock = SkippingClock()
    failed = Answer(429, {"error": {"message": "slow down"}}, {"retry-after": "7"})
    server = stand_in(
        [failed, answer(0, USAGE), failed, answer(1, USAGE), failed, answer(2, USAGE), answer(None, USAGE)]
    )
    loop = loop_with(server, budget_time=6, clock=clock)
    first = loop.run("Go")
    assert 7 <= first.spent.seconds < 11
    second = loop.resume(first, changes={"budget_time": 13})
    assert 14 <= second.spent.seconds < 22
    third = loop.resume(second, changes={"budget_time": 100})
    assert (third.outcome, third.final_response) == ("completed", "Done.")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget_tokens": 3_200}, "budget_tokens=3200 is below the 6400 that the run has used already"),
        ({"budget_tokens": "many"}, "budget_tokens must be a whole number, 1 or more, or None, not many"),
        (
            {"max_iterations": 9},
            "the run is at its limit (budget_tokens); give it a larger one: changes={'budget_tokens': …}",
        ),
        (
            {"budget_tokens": 10_000, "colour": 1},
            "colour is no limit; limits are max_iterations, max_repairs",
        ),
        (
            {"budget_tokens": 10_000, "compact_at": 9},
            "compact_at was not set when the run began, so its chain does not check it",
        ),
    ],
)
def test_a_change_that_does_not_help_is_refused_and_nothing_is_lost(
    stand_in: Serve, changes: dict[str, Any], message: str
) -> None:
    server = stand_in(six_answers(USAGE))
    loop = loop_with(server, budget_tokens=6_400)
    stopped = loop.run("Go")
    with pytest.raises(ConfigurationError) as caught:
        loop.resume(stopped, changes=changes)
    assert str(caught.value).startswith(message)
    assert len(server.requests) == 2
    assert loop.resume(stopped, changes={"budget_tokens": 90_000}).outcome == "completed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget_money": 1.0}, "budget_money needs the prices of uncensored: pass prices=Prices("),
        ({"budget_money": 1.0, "prices": {"other": PRICES}}, "budget_money needs the prices of uncensored"),
        ({"prices": 0.25}, "prices must be Prices, or a mapping of the names of models to Prices"),
        ({"prices": {"uncensored": 0.25}}, "the prices of uncensored must be Prices, not float"),
        ({"prices": Prices(-1, 1)}, "the prices of uncensored must be numbers, 0 or more"),
        ({"budget_tokens": 0}, "budget_tokens must be a whole number, 1 or more, or None, not 0"),
        ({"budget_time": 0}, "budget_time must be more than 0 seconds and at most 1e9, or None, not 0"),
        (
            {"budget_money": -1.0, "prices": PRICES},
            "budget_money must be more than 0 dollars",
        ),
        ({"budget_requests": True}, "budget_requests must be a whole number, 1 or more, or None"),
        ({"compact_context": True}, "compact_context=True is half of the context window, which the profile"),
        (
            {"compact_context": 9, "api": "responses", "use_previous_response_id": True},
            "compact_context shortens what is sent, and with use_previous_response_id the endpoint keeps",
        ),
        ({"compact_context": 0}, "compact_context must be True, False, or the number of tokens"),
    ],
)
def test_a_budget_that_is_none_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(model="uncensored", base_url="http://127.0.0.1:9/v1", **options)
    assert str(caught.value).startswith(message)


def test_context_is_compacted_from_half_of_the_window_on() -> None:
    profile = Profile("mine", model=ModelFacts(context_window=100_000))
    loop = ToolLoop(
        model="m", base_url="http://127.0.0.1:9/v1", profile=profile, compact_context=True, tools=[look_up]
    )
    assert "compact_context" in loop.chain.operations


def test_a_closing_answer_keeps_to_the_budget(run: Run, stand_in: Serve) -> None:
    server = stand_in(six_answers(USAGE))
    result = run(loop_with(server, max_iterations=1, on_limit="final_answer", budget_requests=2))
    assert (result.outcome, kind_of(result), len(server.requests)) == ("limit", "budget_requests", 2)
    assert [call.name for call in result.pending_calls] == ["look_up"]


def test_a_deadline_during_a_run_with_a_budget_of_time_is_a_deadline(run: Run, stand_in: Serve) -> None:
    hold = threading.Event()

    @tool(read_only=True)
    def wait() -> str:
        """Wait."""
        hold.wait(10)
        return "late"

    loop = ToolLoop(
        model="m",
        base_url=stand_in([calls(("wait", {})), says("Never.")]).base_url,
        tools=[wait],
        budget_time=100,
        deadline=0.3,
    )
    try:
        result = run(loop)
    finally:
        hold.set()
    assert (result.outcome, kind_of(result)) == ("limit", "deadline")


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
@pytest.mark.parametrize(
    ("said", "counted"),
    [
        ({"prompt_tokens": 30, "completion_tokens": 2}, Usage(30, 2, 32)),
        ({"prompt_tokens": 30, "completion_tokens": 2, "total_tokens": 1}, Usage(30, 2, 32)),
        ({"total_tokens": 100}, Usage(100, 0, 100)),
        ({"completion_tokens": 40, "total_tokens": 100}, Usage(60, 40, 100)),
        ({"prompt_tokens": 30.0, "completion_tokens": "2"}, Usage(30, 2, 32)),
        ({"prompt_tokens": -5000, "completion_tokens": 2, "total_tokens": 3}, Usage()),
        ({"prompt_tokens": 3000.5, "completion_tokens": 2, "total_tokens": 3}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": 2}, Usage()),
    ],
)
def test_what_an_endpoint_says_of_its_tokens_is_not_taken_for_less_than_it_is(
    stand_in: Serve, api: Any, said: dict[str, Any], counted: Usage
) -> None:
    body = answer(None, None)
    if api == "responses":
        names = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}
        said = {names.get(name, name): value for name, value in said.items()}
        text: dict[str, Any] = {"type": "output_text", "text": "Done.", "annotations": []}
        message: dict[str, Any] = {"type": "message", "role": "assistant", "content": [text]}
        body = {"object": "response", "status": "completed", "output": [message]}
    result = loop_with(stand_in([{**body, "usage": said}]), api=api, budget_tokens=10_000).run("Go")
    assert (result.outcome, result.usage) == ("completed", counted)
    assert result.spent.estimated is (counted == Usage())
    assert result.spent.tokens > 0


def test_retries_do_not_go_past_the_budget_of_requests(run: Run, stand_in: Serve) -> None:
    failed = Answer(503, {"error": {"message": "busy"}})
    server = stand_in([answer(0, USAGE), failed, failed, answer(None, USAGE)])
    result = run(loop_with(server, budget_requests=2, clock=SkippingClock()))
    assert (result.outcome, kind_of(result), len(server.requests)) == ("failed", "provider_unavailable", 2)
