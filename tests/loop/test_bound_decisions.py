"""A verdict about one call is refused for every other, also of the same id: ids of providers repeat."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import DecisionError, PendingCall, Result, ToolLoop, Verdict, approve, deny, edit, tool
from callagain.engine.json_text import canonical
from callagain.testing import ModelAnswer, StandIn, call

Serve = Callable[..., StandIn]

REFUND = asks_for(a_refund(id="r1"))
VERDICTS: list[Callable[[PendingCall | str], Verdict]] = [
    approve,
    lambda about: deny("no", about),
    lambda about: edit({"order_id": "1", "amount": 2})(about),
]


def waiting_run(
    stand_in: Serve, shop: Shop, *answers: ModelAnswer, run_id: str = "job-1"
) -> tuple[ToolLoop, Result, PendingCall]:
    """A run that waits, and the call that it waits for, whose id is r1."""
    loop = shop.loop(stand_in([*answers, SORRY]))
    result = loop.run("Go", run_id=run_id)
    (pending,) = result.pending_calls
    assert pending.id == "r1"
    return loop, result, pending


def with_a_second_refund(shop: Shop) -> Shop:
    @tool(requires_approval=True)
    def refund_again(order_id: str, amount: int) -> str:
        """Pay an order back, in whole dollars."""
        shop.refunds.append((order_id, amount))
        return "refunded"

    shop.tools.append(refund_again)
    return shop


def with_another_schema(shop: Shop) -> Shop:
    @tool(requires_approval=True)
    def refund(order_id: str, amount: int) -> str:
        """Pay an order back, in cents."""
        shop.refunds.append((order_id, amount))
        return "refunded"

    shop.tools[1] = refund
    return shop


def the_same(shop: Shop) -> Shop:
    return shop


OTHERS: list[tuple[str, Callable[[Shop], Shop], Sequence[ModelAnswer], str]] = [
    ("run", the_same, [REFUND], "job-2"),
    ("step", the_same, [asks_for(a_look()), REFUND], "job-1"),
    ("position", the_same, [asks_for(a_look(), a_refund(id="r1"))], "job-1"),
    (
        "name",
        with_a_second_refund,
        [asks_for(call("refund_again", {"order_id": "481516", "amount": 40}, id="r1"))],
        "job-1",
    ),
    ("amount", the_same, [asks_for(a_refund(41, id="r1"))], "job-1"),
    ("order", the_same, [asks_for(a_refund(40, "481517", id="r1"))], "job-1"),
    ("schema", with_another_schema, [REFUND], "job-1"),
]


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("by_digest", [False, True])
@pytest.mark.parametrize(
    ("change", "answers", "run_id"), [other[1:] for other in OTHERS], ids=[other[0] for other in OTHERS]
)
def test_a_verdict_is_about_one_call_alone(
    stand_in: Serve,
    change: Callable[[Shop], Shop],
    answers: Sequence[ModelAnswer],
    run_id: str,
    verdict: Callable[[PendingCall | str], Verdict],
    by_digest: bool,
) -> None:
    _, _, seen = waiting_run(stand_in, Shop(), REFUND)
    shop = change(Shop())
    loop, result, pending = waiting_run(stand_in, shop, *answers, run_id=run_id)
    assert pending.digest != seen.digest
    with pytest.raises(DecisionError) as caught:
        loop.resume(result, decisions={"r1": verdict(seen.digest if by_digest else seen)})
    assert str(caught.value) == (
        "the decision about r1 was made about another call: the run, the step, the position, the name, the "
        f"arguments or the schema of {pending.name} differs; look at result.pending_calls, and decide anew"
    )
    assert shop.refunds == []
    right = verdict(pending.digest if by_digest else pending)
    assert loop.resume(result, decisions={"r1": right}).outcome == "completed"
    assert len(shop.refunds) == (right.says != "deny")


def test_the_same_call_is_the_same_whatever_the_order_of_its_keys(stand_in: Serve) -> None:
    _, _, seen = waiting_run(stand_in, Shop(), REFUND)
    turned = asks_for(call("refund", '{"amount": 40,  "order_id": "481516"}', id="r1"))
    shop = Shop()
    loop, result, pending = waiting_run(stand_in, shop, turned)
    assert pending.digest == seen.digest
    assert loop.resume(result, decisions={"r1": approve(seen)}).outcome == "completed"
    assert len(shop.refunds) == 1


def test_a_verdict_about_one_call_is_none_about_another_of_the_same_round(stand_in: Serve) -> None:
    shop = Shop()
    loop = shop.loop(stand_in([asks_for(a_refund(id="r1"), a_refund(id="r2")), SORRY]))
    result = loop.run("Go")
    first, second = result.pending_calls
    crossed: dict[str, Any] = {"r1": approve(second), "r2": approve(first)}
    with pytest.raises(DecisionError, match="^the decision about r1 was made about another call: "):
        loop.resume(result, decisions=crossed)
    assert loop.resume(result, decisions={"r1": approve(first), "r2": deny()}).outcome == "completed"
    assert len(shop.refunds) == 1


def test_an_approved_call_is_asked_about_again_when_it_comes_again(stand_in: Serve) -> None:
    shop = Shop()
    loop, result, first = waiting_run(stand_in, shop, REFUND, REFUND)
    result = loop.resume(result, decisions={"r1": approve(first)})
    (second,) = result.pending_calls
    assert (second.arguments, second.digest != first.digest) == (first.arguments, True)
    with pytest.raises(DecisionError, match="was made about another call"):
        loop.resume(result, decisions={second.id: approve(first)})
    assert len(shop.refunds) == 1


def test_a_changed_argument_in_what_was_kept_is_noticed_by_whoever_saw_the_call(stand_in: Serve) -> None:
    shop = Shop()
    loop, result, seen = waiting_run(stand_in, shop, REFUND)
    changed = _with_another_amount(result.snapshot())
    with pytest.raises(DecisionError, match="was made about another call"):
        loop.resume(changed, decisions={"r1": approve(seen)})
    assert shop.refunds == []
    assert loop.resume(result, decisions={"r1": approve(seen)}).outcome == "completed"
    assert shop.refunds == [("481516", 40)]


def _with_another_amount(snapshot: str) -> str:
    """As somebody would change it who can write where it is kept; a checksum is no signature."""
    content = json.loads(snapshot.replace(r"\\\"amount\\\":40", r"\\\"amount\\\":4000"))
    assert content.pop("checksum")
    assert "4000" in canonical(content)
    content["checksum"] = hashlib.sha256(canonical(content).encode()).hexdigest()
    return json.dumps(content)
