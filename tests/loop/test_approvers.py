"""`approver=`: who is asked at once, however the loop runs; and nothing is lost if no answer comes."""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for, log_into, told

from callagain import (
    CommandDecided,
    CommandEnded,
    CommandHeld,
    CommandStarted,
    LiveRun,
    PendingCall,
    Result,
    RunEnded,
    approve,
    deny,
    edit,
)
from callagain.engine.commands import CallTool
from callagain.testing import SkippingClock, StandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Run = Callable[..., Result]
Serve = Callable[..., StandIn]
Drive = Callable[[LiveRun], Result]
Decide = Callable[[PendingCall], Any]
Make = Callable[[Decide], Callable[[PendingCall], Any]]


def _as_it_is(decide: Decide) -> Decide:
    return decide


def _async_function(decide: Decide) -> Callable[[PendingCall], Any]:
    async def decide_later(pending: PendingCall) -> Any:
        await asyncio.sleep(0)
        return decide(pending)

    return decide_later


class _AsyncObject:
    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    async def __call__(self, pending: PendingCall) -> Any:
        await asyncio.sleep(0)
        return self._decide(pending)


@pytest.fixture(params=[_as_it_is, _async_function, _AsyncObject], ids=["function", "async", "object"])
def make(request: pytest.FixtureRequest) -> Make:
    """make(decide) -> an approver of each kind."""
    chosen: Make = request.param
    return chosen


def test_the_approver_decides_at_once(run: Run, make: Make, stand_in: Serve) -> None:
    seen: list[PendingCall] = []

    def decide(pending: PendingCall) -> Any:
        seen.append(pending)
        answers = {1: approve, 2: deny("not this one"), 3: edit({"order_id": "481516", "amount": 30})}
        return answers[int(pending.id[1:])]

    shop = Shop()
    server = stand_in([asks_for(*(a_refund(n, id=f"r{n}") for n in (1, 2, 3)), a_look()), SORRY])
    result = run(shop.loop(server, approver=make(decide)))
    assert (result.outcome, len(server.requests)) == ("completed", 2)
    assert [(each.id, each.name, each.why) for each in seen] == [
        (f"r{n}", "refund", "approval_required") for n in (1, 2, 3)
    ]
    assert seen[0].arguments == {"order_id": "481516", "amount": 1}
    assert (sorted(shop.refunds), len(shop.looks)) == ([("481516", 1), ("481516", 30)], 1)
    assert told(server, "r2") == {"error": {"code": "denied", "message": "not this one"}}


@pytest.mark.parametrize("answer", [approve, True, deny, False])
def test_a_truth_value_is_a_verdict(run: Run, make: Make, stand_in: Serve, answer: Any) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund()), SORRY])
    result = run(shop.loop(server, approver=make(lambda _: answer)))
    assert result.outcome == "completed"
    assert len(shop.refunds) == (answer in (approve, True))


def fails(_pending: PendingCall) -> Any:
    raise ConnectionError("the chat is down")


NO_VERDICTS: list[tuple[Decide, str]] = [
    (fails, "ConnectionError: the chat is down"),
    (lambda _: None, "DecisionError: the decision about r1 must be approve, deny(reason) or edit(arguments)"),
    (lambda _: 1, "DecisionError: the decision about r1 must be approve, deny(reason) or edit(arguments)"),
    (
        lambda _: "yes",
        "DecisionError: the decision about r1 must be approve, deny(reason) or edit(arguments)",
    ),
    (lambda _: edit({"amount": 1}), "DecisionError: the new arguments of refund do not fit: order_id"),
    (lambda _: approve("0" * 64), "DecisionError: the decision about r1 was made about another call"),
]


@pytest.mark.parametrize(("decide", "words"), NO_VERDICTS)
def test_without_a_verdict_the_run_waits_and_nothing_is_lost(
    run: Run, make: Make, stand_in: Serve, decide: Decide, words: str
) -> None:
    events: list[dict[str, Any]] = []
    asked: list[str] = []

    def counted(pending: PendingCall) -> Any:
        asked.append(pending.id)
        return decide(pending)

    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1"), a_look()), SORRY])
    loop = shop.loop(server, approver=make(counted), logger=log_into(events))
    waiting = run(loop)
    assert (waiting.outcome, shop.refunds, asked) == ("suspended", [], ["r1"])
    (failure,) = [each for each in events if each["event"] == "approver_failed"]
    assert (failure["level"], failure["tool"]) == ("error", "refund")
    assert failure["text"].startswith(words)
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"
    assert (shop.refunds, len(shop.looks), len(server.requests)) == ([("481516", 40)], 1, 2)


def test_one_question_without_an_answer_does_not_stop_the_others(
    run: Run, make: Make, stand_in: Serve
) -> None:
    def decide(pending: PendingCall) -> Any:
        return fails(pending) if pending.id == "r1" else approve

    shop, server = Shop(), stand_in([asks_for(a_refund(1, id="r1"), a_refund(2, id="r2")), SORRY])
    result = run(shop.loop(server, approver=make(decide)))
    assert (result.outcome, shop.refunds) == ("suspended", [("481516", 2)])
    assert [pending.id for pending in result.pending_calls] == ["r1"]


def test_a_run_that_is_resumed_asks_about_what_was_not_decided(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(1, id="r1"), a_refund(2, id="r2")), SORRY])
    waiting = shop.loop(server).run("Go")
    asked: list[str] = []

    def decide(pending: PendingCall) -> Any:
        asked.append(pending.id)
        return deny

    result = shop.loop(server, approver=decide).resume(waiting, decisions={"r1": approve})
    assert (result.outcome, asked, shop.refunds) == ("completed", ["r2"], [("481516", 1)])


CALLER: contextvars.ContextVar[str] = contextvars.ContextVar("caller", default="nobody")


def test_the_approver_sees_the_context_of_the_caller(run: Run, make: Make, stand_in: Serve) -> None:
    seen: list[str] = []

    def decide(_pending: PendingCall) -> Any:
        seen.append(CALLER.get())
        return approve

    server = stand_in([asks_for(a_refund()), SORRY])
    token = CALLER.set("Ada")
    try:
        run(Shop().loop(server, approver=make(decide)))
    finally:
        CALLER.reset(token)
    assert seen == ["Ada"]


@pytest.mark.parametrize("limit", ["deadline", "budget_time"])
def test_no_time_passes_for_the_run_while_somebody_is_asked(
    run: Run, make: Make, stand_in: Serve, limit: str
) -> None:
    clock = SkippingClock()

    def decide(_pending: PendingCall) -> Any:
        clock.advance(3600)
        return approve

    shop, server = Shop(), stand_in([asks_for(a_refund()), SORRY])
    result = run(shop.loop(server, approver=make(decide), clock=clock, **{limit: 60.0}))
    assert (result.outcome, len(shop.refunds)) == ("completed", 1)
    assert result.spent.seconds < 60


def yes(_pending: PendingCall) -> bool:
    return True


def test_time_that_the_run_has_used_before_the_question_counts(run: Run, stand_in: Serve) -> None:
    clock = SkippingClock()

    def slowly(_request: dict[str, Any]) -> Any:
        clock.advance(40)
        return asks_for(a_refund())

    shop = Shop()
    result = run(shop.loop(stand_in(slowly), approver=yes, clock=clock, deadline=60.0))
    assert result.error is not None
    assert (result.outcome, result.error.kind, len(shop.refunds)) == ("limit", "deadline", 1)


def test_the_events_tell_what_was_asked_and_said(stand_in: Serve) -> None:
    events: list[dict[str, Any]] = []
    server = stand_in([asks_for(a_refund(id="r1"), a_look()), SORRY])
    loop = Shop().loop(server, approver=yes, logger=log_into(events))
    told_of: list[tuple[str, str]] = []
    for event in loop.start("Go").events():
        match event:
            case CommandHeld(command=CallTool(name=name), why=why):
                told_of.append((name, f"held: {why}"))
            case CommandDecided(command=CallTool(name=name), verdict=verdict):
                told_of.append((name, f"decided: {verdict}"))
            case CommandStarted(command=CallTool(name=name)):
                told_of.append((name, "started"))
            case CommandEnded(command=CallTool(name=name)):
                told_of.append((name, "ended"))
            case RunEnded(outcome=outcome):
                told_of.append(("run", outcome))
            case _:
                pass
    assert [what for name, what in told_of if name != "look_up_order"] == [
        "held: approval_required",
        "decided: release",
        "started",
        "ended",
        "completed",
    ]
    assert told_of.index(("look_up_order", "ended")) < told_of.index(("refund", "decided: release"))
    lines = [each for each in events if each["event"].startswith("tool_call") and each["tool"] == "refund"]
    assert [(each["event"], each["level"], each["call_id"]) for each in lines] == [
        ("tool_call_held", "warning", "r1"),
        ("tool_call_decided", "info", "r1"),
        ("tool_call", "info", "r1"),
    ]
    assert (lines[0]["why"], lines[1]["verdict"]) == ("approval_required", "release")


def test_a_decision_by_resume_is_in_the_operation_log(stand_in: Serve) -> None:
    events: list[dict[str, Any]] = []
    server = stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = Shop().loop(server, logger=log_into(events))
    loop.resume(loop.run("Go"), decisions={"r1": deny("no")})
    assert [each["verdict"] for each in events if each["event"] == "tool_call_decided"] == ["answer"]
    assert [each["outcome"] for each in events if each["event"] == "run_ended"] == ["suspended", "completed"]


def test_a_streamed_run_asks_too(make: Make, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund()), SORRY])
    with shop.loop(server, approver=make(yes)).stream("Go") as stream:
        kinds = [type(event).__name__ for event in stream]
    assert kinds.count("RunEnded") == kinds.count("CommandDecided") == 1
    assert kinds.count("TextDelta") > 0
    assert stream.result is not None
    assert (stream.result.outcome, len(shop.refunds)) == ("completed", 1)


async def test_a_streamed_run_asks_too_under_a_loop(make: Make, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund()), SORRY])
    async with shop.loop(server, approver=make(yes)).stream("Go") as stream:
        kinds = [type(event).__name__ async for event in stream]
    assert kinds.count("RunEnded") == kinds.count("CommandDecided") == 1
    assert len(shop.refunds) == 1


def test_a_question_that_was_broken_off_is_asked_again(make: Make, stand_in: Serve, drive: Drive) -> None:
    asked: list[str] = []

    def decide(pending: PendingCall) -> Any:
        asked.append(pending.id)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return approve

    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    live = shop.loop(server, approver=make(decide)).start("Go")
    with pytest.raises(KeyboardInterrupt):
        drive(live)
    assert (live.state, shop.refunds) == ("tool_dispatcher", [])
    assert drive(live).outcome == "completed"
    assert (asked, len(shop.refunds), len(server.requests)) == (["r1", "r1"], 1, 2)


def test_whoever_is_asked_for_ever_does_not_hold_up_the_end_of_the_program(stand_in: Serve) -> None:
    answered = threading.Event()

    def decide(_pending: PendingCall) -> Any:
        answered.wait(30)
        return approve

    shop, server = Shop(), stand_in([asks_for(a_refund()), SORRY])
    loop = shop.loop(server, approver=decide)

    async def main() -> None:
        async with asyncio.timeout(0.3):
            await loop.arun("Go")

    began = time.monotonic()
    try:
        with pytest.raises(TimeoutError):
            asyncio.run(main())
        assert time.monotonic() - began < 10
    finally:
        answered.set()
    assert shop.refunds == []
