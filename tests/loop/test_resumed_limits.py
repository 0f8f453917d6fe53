"""A run that ended at a limit, failed, or was left goes on where it stood: nothing is done twice."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import (
    ConfigurationError,
    DecisionError,
    LiveRun,
    Prices,
    Result,
    RunCancelledError,
    ToolContext,
    ToolLoop,
    ToolSchemaError,
    approve,
    tool,
)
from callagain.testing import Answer, ModelAnswer, SkippingClock, StandIn, call, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]
Drive = Callable[[LiveRun], Result]

USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
DOWN = Answer(500, {"error": {"message": "down"}})
DONE = says("Done.", usage=USAGE)


def looks(*order_ids: str) -> ModelAnswer:
    return calls(*map(a_look, order_ids), usage=USAGE)


ROUNDS = [looks("1"), looks("1", "2"), looks("3", "1"), looks("1")]
# The same limit, met early and then raised; and the answers after which it stops the run at first.
LIMITS: list[tuple[dict[str, Any], dict[str, Any], int]] = [
    ({"max_iterations": 0}, {"max_iterations": 9}, 1),
    ({"max_iterations": 1}, {"max_iterations": 9}, 2),
    ({"max_iterations": 3}, {"max_iterations": 9}, 4),
    ({"budget_tokens": 12}, {"budget_tokens": 999}, 1),
    ({"budget_tokens": 25}, {"budget_tokens": None}, 3),
    ({"budget_money": 0.00002, "prices": Prices(1, 1)}, {"budget_money": 1.0}, 2),
    ({"budget_requests": 1}, {"budget_requests": 9}, 1),
    ({"budget_requests": 3}, {"budget_requests": 9}, 3),
    ({"budget_tool_calls": 0}, {"budget_tool_calls": 9}, 1),
    ({"budget_tool_calls": 3}, {"budget_tool_calls": None}, 3),
]


@pytest.mark.parametrize("by_snapshot", [False, True])
@pytest.mark.parametrize(("limit", "larger", "requests"), LIMITS)
def test_with_a_larger_limit_a_run_is_as_if_it_had_never_stopped(
    run: Run,
    stand_in: Serve,
    limit: dict[str, Any],
    larger: dict[str, Any],
    requests: int,
    by_snapshot: bool,
) -> None:
    shop, server = Shop(), stand_in([*ROUNDS, DONE])
    stopped = run(shop.loop(server, **limit))
    (kind,) = [name for name in limit if name != "prices"]
    assert stopped.error is not None
    assert (stopped.outcome, stopped.error.kind, len(server.requests)) == ("limit", kind, requests)
    given = stopped.snapshot() if by_snapshot else stopped
    resumed = shop.loop(server).resume(given, changes=larger)

    straight_shop, straight_server = Shop(), stand_in([*ROUNDS, DONE])
    straight = run(straight_shop.loop(straight_server, max_iterations=9))
    assert (resumed.outcome, resumed.final_response) == ("completed", "Done.")
    assert [request.json for request in server.requests] == [each.json for each in straight_server.requests]
    assert (resumed.messages, resumed.tool_results) == (straight.messages, straight.tool_results)
    assert (resumed.usage, resumed.loop_count) == (straight.usage, straight.loop_count)
    assert (resumed.spent.requests, resumed.spent.tool_calls) == (5, 6)
    assert sorted(shop.looks) == sorted(straight_shop.looks) == ["1", "1", "1", "1", "2", "3"]


def test_open_calls_run_before_anything_is_asked(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), DONE])
    loop = shop.loop(server, max_iterations=0)
    stopped = loop.run("Go")
    assert ([pending.name for pending in stopped.pending_calls], shop.looks) == (["look_up_order"], [])
    live = loop.reopen(stopped, changes={"max_iterations": 1})
    while live.state != "append_tool_result":
        assert live.step() is not None
    assert (shop.looks, len(server.requests)) == (["1"], 1)
    assert live.run().final_response == "Done."


def test_open_calls_of_a_limit_ask_for_approval_too(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server, max_iterations=0)
    waiting = loop.resume(loop.run("Go"), changes={"max_iterations": 1})
    assert (waiting.outcome, shop.refunds) == ("suspended", [])
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"
    assert (len(shop.refunds), len(server.requests)) == (1, 2)


@pytest.mark.parametrize("larger", [9, None])
def test_a_call_that_came_too_often_can_be_allowed(run: Run, stand_in: Serve, larger: int | None) -> None:
    shop, server = Shop(), stand_in([*ROUNDS, DONE])
    stopped = run(shop.loop(server, repeat_limit=2))
    assert stopped.error is not None
    assert (stopped.error.kind, shop.looks, len(server.requests)) == ("repeated_call", ["1"], 2)
    resumed = shop.loop(server).resume(stopped, changes={"repeat_limit": larger})
    assert (resumed.outcome, len(shop.looks), len(server.requests)) == ("completed", 6, 5)


def test_calls_wrong_too_often_can_be_tried_once_more(run: Run, stand_in: Serve) -> None:
    wrong = asks_for(call("look_up_order", {"order": 1}))
    server = stand_in([wrong, wrong, wrong, looks("1"), DONE])
    shop = Shop()
    stopped = run(shop.loop(server, max_repairs=2))
    assert stopped.error is not None
    assert (stopped.error.kind, len(server.requests)) == ("max_repairs", 3)
    resumed = shop.loop(server).resume(stopped, changes={"max_repairs": 5})
    assert (resumed.outcome, shop.looks) == ("completed", ["1"])


def test_a_run_goes_on_after_its_closing_answer_too(run: Run, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), looks("2"), says("So far.", usage=USAGE), DONE])
    stopped = run(shop.loop(server, max_iterations=1, on_limit="final_answer"))
    assert (stopped.outcome, stopped.final_response, shop.looks) == ("limit", "So far.", ["1"])
    resumed = shop.loop(server).resume(stopped, changes={"max_iterations": 9})
    assert (resumed.outcome, resumed.final_response, shop.looks) == ("completed", "Done.", ["1", "2"])
    assert "So far." not in str(server.requests[-1].json["messages"])
    assert resumed.spent.requests == len(server.requests) == 4
    assert resumed.usage.total_tokens == 48


@pytest.mark.parametrize("by_snapshot", [False, True])
def test_after_a_failed_request_only_that_is_repeated(run: Run, stand_in: Serve, by_snapshot: bool) -> None:
    shop, server = Shop(requires_approval=False), stand_in([asks_for(a_refund(), a_look()), DOWN, DONE])
    failed = run(shop.loop(server))
    assert (failed.outcome, len(shop.refunds), len(server.requests)) == ("failed", 1, 2)
    resumed = shop.loop(server).resume(failed.snapshot() if by_snapshot else failed)
    assert (resumed.outcome, resumed.final_response) == ("completed", "Done.")
    assert (shop.refunds, shop.looks) == ([("481516", 40)], ["481516"])
    assert server.requests[1].body == server.requests[2].body


def test_what_failed_attempts_have_used_counts_in_a_resumed_run(run: Run, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), DOWN, DOWN, looks("2"), DONE])
    loop = shop.loop(server, budget_requests=4)
    result = run(loop)
    assert (result.outcome, result.spent.requests) == ("failed", 2)
    result = loop.resume(result)
    assert (result.outcome, result.spent.requests) == ("failed", 3)
    result = loop.resume(result)
    assert result.error is not None
    assert (result.error.kind, result.spent.requests, len(server.requests)) == ("budget_requests", 4, 4)


def test_a_run_that_fails_can_be_resumed_again_and_again(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), DOWN, DOWN, DOWN, DONE])
    loop = shop.loop(server)
    result = loop.run("Go")
    for _ in range(3):
        assert result.outcome == "failed"
        result = loop.resume(result)
    assert (result.outcome, shop.looks, len(server.requests)) == ("completed", ["1"], 5)


def test_past_its_deadline_a_run_gets_a_new_one(stand_in: Serve) -> None:
    clock = SkippingClock()

    def slowly(request: dict[str, Any]) -> Any:
        clock.advance(40)
        return DONE if len(request["messages"]) > 4 else looks(str(len(request["messages"])))

    shop, server = Shop(), stand_in(slowly)
    loop = shop.loop(server, deadline=60.0, clock=clock)
    stopped = loop.run("Go")
    assert stopped.error is not None
    assert (stopped.outcome, stopped.error.kind) == ("limit", "deadline")
    resumed = loop.resume(stopped, changes={"deadline": 600.0})
    assert (resumed.outcome, resumed.final_response) == ("completed", "Done.")
    assert resumed.spent.requests == len(server.requests)


def test_a_run_that_was_left_goes_on_from_a_snapshot(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), DONE])
    live = shop.loop(server).start("Go")
    while live.state != "append_tool_result":
        live.step()
    resumed = shop.loop(server).resume(live.snapshot())
    assert (resumed.outcome, shop.looks, len(server.requests)) == ("completed", ["1"], 2)


@pytest.mark.parametrize(
    ("options", "then", "ran"),
    [
        ({"read_only": True}, "completed", 2),
        ({"idempotent": True}, "completed", 2),
        ({}, "suspended", 1),
        ({"read_only": True, "on_unknown": "ask"}, "suspended", 1),
        ({"on_unknown": "fail"}, "completed", 1),
    ],
)
def test_a_call_that_was_under_way_when_a_run_was_left(
    stand_in: Serve, options: dict[str, Any], then: str, ran: int
) -> None:
    keys: list[str] = []
    released = threading.Event()

    @tool(**options)
    def act(context: ToolContext) -> str:
        """Do it."""
        keys.append(context.idempotency_key)
        if len(keys) == 1:
            live.cancel()
            released.wait(30)
        return "done"

    server = stand_in([asks_for(call("act", id="a1")), DONE])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[act])
    live = loop.start("Go")
    with pytest.raises(RunCancelledError):
        live.run()
    result = loop.resume(live.snapshot())
    released.set()
    assert (result.outcome, len(keys), len(set(keys))) == (then, ran, 1)
    if then == "suspended":
        assert result.error is not None
        assert (result.error.kind, result.pending_calls[0].id) == ("call_outcome_unknown", "a1")
        assert loop.resume(result, results={"a1": "it was done"}).outcome == "completed"
        assert len(keys) == 1


AT_ITS_LIMIT = "the run is at its limit (max_iterations); give it a larger one: changes={'max_iterations': …}"
WRONG_CHANGES: list[tuple[Any, str]] = [
    (None, AT_ITS_LIMIT),
    ({}, AT_ITS_LIMIT),
    ({"max_repairs": 9}, AT_ITS_LIMIT),
    ({"max_iterations": 1}, "max_iterations=1 would stop the run where it stands; give it more than 1"),
    ({"max_iterations": 0}, "max_iterations=0 would stop the run where it stands; give it more than 1"),
    ({"max_iterations": -1}, "max_iterations=-1 would stop the run where it stands; give it more than 1"),
    ({"max_iterations": True}, "max_iterations must be a whole number, 0 or more, not True"),
    ({"max_iterations": 2.5}, "max_iterations must be a whole number, 0 or more, not 2.5"),
    ({"max_iterations": "9"}, "max_iterations must be a whole number, 0 or more, not '9'"),
    ({"max_iterations": None}, "max_iterations must be a whole number, 0 or more, not None"),
    ({"max_iterations": 9, "model": "x"}, "model is no limit; limits are max_iterations, max_repairs"),
    (
        {"max_iterations": 9, "max_repairs": 0},
        "max_repairs must be a whole number, 1 or more, or None, not 0",
    ),
    (
        {"max_iterations": 9, "budget_tokens": 99},
        "budget_tokens was not set when the run began, so its chain",
    ),
    ({"max_iterations": 9, "budget_tool_calls": 0}, "budget_tool_calls=0 is below the 1 that the run has"),
    ({"max_iterations": 9, "deadline": 9}, "deadline was not set when the run began, so its chain does not"),
    ([("max_iterations", 9)], "changes must map the names of limits to numbers"),
    ("max_iterations", "changes must map the names of limits to numbers"),
]


def test_what_is_said_to_a_run_that_needs_something_else_is_refused(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([looks("1"), DOWN, looks("1"), looks("2"), DONE])
    loop = shop.loop(server, max_iterations=1)
    failed = loop.run("Go")
    with pytest.raises(DecisionError, match="^no call waits for a decision: the run is failed$"):
        loop.resume(failed, decisions={"r1": approve})
    with pytest.raises(ConfigurationError, match="^max_tokens is no limit; limits are max_iterations, max"):
        loop.resume(failed, changes={"max_tokens": 9})
    stopped = loop.run("Go")
    for changes, message in WRONG_CHANGES:
        with pytest.raises(ConfigurationError) as caught:
            loop.resume(stopped, changes=changes)
        assert str(caught.value).startswith(message)
    with pytest.raises(DecisionError, match="^no call waits for a decision: the run is limit$"):
        loop.resume(stopped, results={"r1": 1}, changes={"max_iterations": 9})
    left = loop.start("Go")
    left.step()
    with pytest.raises(DecisionError, match="^no call waits for a decision: the run has not come to its"):
        loop.resume(left.snapshot(), decisions={"r1": approve})
    with pytest.raises(ConfigurationError, match="^changes= is for a run that has ended; this one only"):
        loop.resume(left.snapshot(), changes={"max_iterations": 9})
    assert loop.resume(stopped, changes={"max_iterations": 2}).outcome == "completed"


SAME_LIMITS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"repeat_limit": 2}, {"repeat_limit": 2}, "repeat_limit=2 would stop the run where it stands"),
    ({"budget_requests": 2}, {"budget_requests": 2}, "budget_requests=2 would stop the run where it stands"),
    (
        {"budget_requests": 2},
        {"budget_requests": 1},
        "budget_requests=1 is below the 2 that the run has used",
    ),
    ({"budget_tokens": 13}, {"budget_tokens": 24}, "budget_tokens=24 would stop the run where it stands"),
    ({"budget_tokens": 13}, {"budget_tokens": 23}, "budget_tokens=23 is below the 24 that the run has used"),
    ({"budget_tool_calls": 1}, {"budget_tool_calls": 1}, "budget_tool_calls=1 would stop the run where it"),
]


@pytest.mark.parametrize(("limit", "changes", "message"), SAME_LIMITS)
def test_a_limit_that_would_stop_the_run_where_it_stands_is_refused(
    stand_in: Serve, limit: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    shop, server = Shop(), stand_in([*ROUNDS, DONE])
    loop = shop.loop(server, **limit)
    stopped = loop.run("Go")
    asked = len(server.requests)
    with pytest.raises(ConfigurationError, match=f"^{message}"):
        loop.resume(stopped, changes=changes)
    assert len(server.requests) == asked


@pytest.mark.parametrize("name", ["timeout", "tool_timeout", "deadline", "budget_time"])
@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1"])
def test_a_time_of_zero_is_refused_when_the_loop_is_made(name: str, seconds: object) -> None:
    with pytest.raises(ConfigurationError, match=f"^{name} must be more than 0 seconds and at most 1e9, or "):
        ToolLoop(model="m", base_url="http://127.0.0.1:9/v1", **{name: seconds})  # type: ignore[arg-type]


def test_a_tools_timeout_of_zero_is_refused_when_the_tool_is_made() -> None:
    with pytest.raises(ToolSchemaError, match="timeout=0 must be a number of seconds above 0"):

        @tool(timeout=0)
        def act() -> str:
            """Do it."""
            return "done"


def test_time_between_two_drives_is_not_the_runs(stand_in: Serve, drive: Drive) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    clock = SkippingClock()
    live = shop.loop(server, clock=clock, budget_time=60.0).start("Go")
    clock.advance(3600)
    assert drive(live).outcome == "suspended"
    clock.advance(3600)
    live.resume(decisions={"r1": approve})
    result = drive(live)
    assert (result.outcome, len(shop.refunds)) == ("completed", 1)
    assert result.spent.seconds < 60
