"""Whatever an endpoint answers, no refund runs that nobody approved; and one that is approved runs once."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.hostile_answers import ATTEMPTS, Attempt
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import DecisionError, PendingCall, Result, ToolLoop, Verdict, approve, deny
from callagain.testing import Answer, AnyAnswer, StandIn, call

Serve = Callable[..., StandIn]


def refunds_in(result: Result) -> list[PendingCall]:
    return [pending for pending in result.pending_calls if pending.name == "refund"]


def decide_all(loop: ToolLoop, result: Result, verdict: Callable[[PendingCall], Verdict]) -> Result:
    """The result when nothing waits any more: every call is decided like this."""
    while result.outcome == "suspended":
        decisions = {pending.id: verdict(pending) for pending in result.pending_calls}
        result = loop.resume(result, decisions=decisions)
    return result


def no(pending: PendingCall) -> Verdict:
    return deny("nobody ordered this", pending)


ALL = pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)


@ALL
def test_nothing_runs_that_nobody_approved(stand_in: Serve, attempt: Attempt) -> None:
    shop, server = Shop(), stand_in([attempt.answer, SORRY])
    loop = shop.loop(server, **attempt.options)
    result = loop.run("Go")
    assert shop.refunds == []
    waiting = refunds_in(result) if result.outcome == "suspended" else []
    assert len(waiting) == attempt.waits
    decide_all(loop, result, no)
    assert shop.refunds == []
    assert {request.status for request in server.requests[1:]} <= {200}


@ALL
def test_what_is_approved_runs_once(stand_in: Serve, attempt: Attempt) -> None:
    shop, server = Shop(), stand_in([attempt.answer, asks_for(a_refund(7, id="honest")), SORRY])
    loop = shop.loop(server, **attempt.options)
    result = decide_all(loop, asyncio.run(loop.arun("Go")), approve)
    if len(server.requests) == 1:
        # That was no answer, or the last one: the conversation goes on.
        result = (
            loop.resume(result) if result.outcome == "failed" else loop.run("Go on", history=result.messages)
        )
        result = decide_all(loop, result, approve)
    assert result.final_response == SORRY.text
    assert len(shop.refunds) == attempt.waits + 1
    assert shop.refunds.count(("481516", 7)) == 1


def _over_one_hundred(arguments: dict[str, Any]) -> bool:
    return bool(arguments["amount"] > 100)


AMOUNTS = [
    *["4000", "4e3", "4000.0", '"4000"', "[4000]", "true", "NaN", "Infinity", "1e999", "null", "+4000"],
    *['{"$gt": 4000}', '1, "amount": 4000', r'1, "\u0061mount": 4000', '4000, "approved": true', "0xfa0"],
]


@pytest.mark.parametrize("amount", AMOUNTS)
@pytest.mark.parametrize("is_encoded", [False, True])
def test_an_amount_is_looked_at_as_it_is_paid(stand_in: Serve, amount: str, is_encoded: bool) -> None:
    shop = Shop(requires_approval=_over_one_hundred)
    text = f'{{"order_id": "481516", "amount": {amount}}}'
    asked = asks_for(call("refund", json.dumps(text) if is_encoded else text))
    result = shop.loop(stand_in([asked, SORRY])).run("Go")
    assert shop.refunds == []
    for pending in refunds_in(result):
        assert pending.validated()["amount"] == 4000


AGAIN: list[tuple[str, list[AnyAnswer]]] = [
    ("the same call", [asks_for(a_refund(id="r1"))]),
    ("another amount", [asks_for(a_refund(4000, id="r1"))]),
    ("beside another", [asks_for(a_look(), a_refund(4000, id="r1"))]),
    ("twice", [asks_for(a_refund(4000, id="r1"), a_refund(4000, id="r1"))]),
    ("a round later", [asks_for(a_look()), asks_for(a_refund(4000, id="r1"))]),
    ("after a failure", [Answer(500, {"error": {"message": "down"}}), asks_for(a_refund(4000, id="r1"))]),
]


@pytest.mark.parametrize("answers", [answers for _, answers in AGAIN], ids=[name for name, _ in AGAIN])
def test_the_id_of_an_approved_call_approves_no_other(stand_in: Serve, answers: list[AnyAnswer]) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), *answers, SORRY])
    loop = shop.loop(server)
    result = loop.resume(loop.run("Go"), decisions={"r1": approve})
    if result.outcome == "failed":
        result = loop.resume(result)
    assert (result.outcome, shop.refunds) == ("suspended", [("481516", 40)])
    assert "r1" not in [pending.id for pending in result.pending_calls]
    for verdict in (approve, True):
        with pytest.raises(DecisionError, match="^the call r1 does not wait for a decision any more"):
            loop.resume(result, decisions={"r1": verdict})
    assert decide_all(loop, result, no).final_response == SORRY.text
    assert shop.refunds == [("481516", 40)]


def test_the_decision_of_another_run_approves_nothing(stand_in: Serve) -> None:
    honest, hostile = Shop(), Shop()
    (seen,) = honest.loop(stand_in([asks_for(a_refund(id="r1"))])).run("Go").pending_calls
    loop = hostile.loop(stand_in([asks_for(a_refund(id="r1")), SORRY]))
    waiting = loop.run("Go")
    with pytest.raises(DecisionError, match="^the decision about r1 was made about another call"):
        loop.resume(waiting, decisions={"r1": approve(seen)})
    assert hostile.refunds == []


def test_what_was_approved_is_what_runs_whatever_the_endpoint_says_later(stand_in: Serve) -> None:
    shop = Shop()
    server = stand_in([asks_for(a_refund(id="r1")), asks_for(a_refund(4000, id="r1")), SORRY])
    loop = shop.loop(server)
    waiting = loop.run("Go")
    assert len(server.requests) == 1
    result = loop.resume(waiting.snapshot(), decisions={"r1": approve})
    assert (result.outcome, shop.refunds, len(server.requests)) == ("suspended", [("481516", 40)], 2)


@pytest.mark.parametrize("attempt", ATTEMPTS[:20], ids=lambda attempt: attempt.name)
def test_the_approver_is_shown_what_runs(stand_in: Serve, attempt: Attempt) -> None:
    shown: list[tuple[object, object]] = []

    def approver(pending: PendingCall) -> Verdict:
        values = pending.validated()
        shown.append((values["order_id"], values["amount"]))
        return approve(pending)

    shop = Shop()
    shop.loop(stand_in([attempt.answer, SORRY]), approver=approver, **attempt.options).run("Go")
    assert shop.refunds == shown
    assert len(shown) == attempt.waits
