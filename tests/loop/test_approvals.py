"""A call that needs approval waits, whatever else runs; and what is decided about it happens once."""

import json
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import StringConstraints
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for, told

from callagain import (
    ConfigurationError,
    DecisionError,
    PendingCall,
    Result,
    Tool,
    ToolLoop,
    Verdict,
    approve,
    deny,
    edit,
    tool,
)
from callagain.engine.json_text import JsonObject
from callagain.testing import StandIn, call

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


def suspended(run: Run, loop: ToolLoop) -> tuple[Result, str]:
    """A run that waits for one decision, and the id of the call."""
    result = run(loop)
    assert result.outcome == "suspended"
    (pending,) = result.pending_calls
    return result, pending.id


def test_a_call_that_needs_approval_suspends_the_run(run: Run, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    result = run(shop.loop(server))
    assert (result.outcome, result.final_response, result.loop_count) == ("suspended", None, 1)
    assert (shop.refunds, len(server.requests)) == ([], 1)
    assert result.error is not None
    assert (result.error.kind, result.error.operation) == ("approval_required", "tool_dispatcher")
    assert result.error.message == (
        "waiting for somebody: refund (r1); show result.pending_calls to somebody, and resume with decisions="
    )
    (pending,) = result.pending_calls
    assert (pending.id, pending.ref, pending.name, pending.why) == ("r1", "r1", "refund", "approval_required")
    assert pending.arguments == {"order_id": "481516", "amount": 40}
    assert pending.validated() == pending.arguments
    assert json.loads(pending.arguments_text) == pending.arguments
    assert pending.as_json()["digest"] == pending.digest != ""
    assert (result.tool_results, result.tool_requests) == ([], [])


@pytest.mark.parametrize("verdict", [approve, approve(), True])
def test_an_approved_call_runs_once(run: Run, stand_in: Serve, verdict: Verdict | bool) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    result = loop.resume(run(loop), decisions={"r1": verdict})
    assert (result.outcome, result.final_response) == ("completed", SORRY.text)
    assert shop.refunds == [("481516", 40)]
    assert told(server, "r1") == {"refunded": 40}
    assert [(each.id, each.ok) for each in result.tool_results] == [("r1", True)]
    assert (result.pending_calls, len(server.requests)) == ([], 2)


async def test_a_suspended_run_is_resumed_under_a_loop_too(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    result = await loop.aresume(await loop.arun("Go"), decisions={"r1": approve})
    assert (result.outcome, shop.refunds) == ("completed", [("481516", 40)])


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (deny("over the limit of the month"), "over the limit of the month"),
        (deny(), "the call was denied"),
        (deny(""), "the call was denied"),
        (deny, "the call was denied"),
        (False, "the call was denied"),
    ],
)
def test_a_denial_is_told_to_the_model(run: Run, stand_in: Serve, verdict: Any, reason: str) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    result = loop.resume(run(loop), decisions={"r1": verdict})
    assert (result.outcome, shop.refunds) == ("completed", [])
    assert told(server, "r1") == {"error": {"code": "denied", "message": reason}}
    assert [(each.error, each.ok) for each in result.tool_results] == [("denied", False)]


def test_edited_arguments_run_once_and_in_place_of_the_models(run: Run, stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(4000, id="r1")), SORRY])
    loop = shop.loop(server)
    result = loop.resume(run(loop), decisions={"r1": edit({"order_id": "481516", "amount": 4})})
    assert (result.outcome, shop.refunds) == ("completed", [("481516", 4)])
    assert [each.arguments for each in result.tool_results] == [{"order_id": "481516", "amount": 4}]
    assert told(server, "r1") == {"refunded": 4}
    (asked,) = server.requests[-1].json["messages"][-2]["tool_calls"]
    assert json.loads(asked["function"]["arguments"])["amount"] == 4000


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (
            edit({"order_id": "481516", "amount": "all"}),
            "the new arguments of refund do not fit: amount: should be a valid integer, got string",
        ),
        (edit({"order_id": "481516"}), "the new arguments of refund do not fit: amount"),
        (edit({"order_id": "1", "amount": 1, "to": "me"}), "the new arguments of refund do not fit: "),
        (edit({"order_id": "x" * 20_001, "amount": 1}), "the new arguments of refund do not fit: order_id"),
        (edit({"order_id": "1", "amount": float("nan")}), "the new arguments of refund are no JSON: "),
        (edit({"order_id": {1, 2}, "amount": 1}), "the new arguments of refund are no JSON: "),  # type: ignore[dict-item]
        (edit("all"), "the new arguments of refund must be a JSON object, as in edit({…})"),  # type: ignore[arg-type]
        (edit(None), "the new arguments of refund must be a JSON object, as in edit({…})"),  # type: ignore[arg-type]
        (deny(5), "the reason for denying r1 must be a text, not int"),  # type: ignore[arg-type]
        ("yes", "the decision about r1 must be approve, deny(reason) or edit(arguments), not str; a result"),
        (None, "the decision about r1 must be approve, deny(reason) or edit(arguments), not NoneType"),
        (edit, "the decision about r1 must be approve, deny(reason) or edit(arguments), not function"),
    ],
)
def test_what_is_no_decision_is_refused_and_the_run_still_waits(
    stand_in: Serve, verdict: Any, message: str
) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    waiting = loop.run("Go")
    with pytest.raises(DecisionError) as caught:
        loop.resume(waiting, decisions={"r1": verdict})
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert (waiting.outcome, shop.refunds, len(server.requests)) == ("suspended", [], 1)
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"


WHO_WAITS: list[tuple[Callable[[dict[str, Any]], object] | bool, bool]] = [
    (lambda arguments: arguments["amount"] > 100, False),
    (lambda arguments: arguments["amount"] > 10, True),
    (lambda arguments: arguments["currency"] == "EUR", True),
    (lambda arguments: arguments.pop("amount") == 0, False),
    (lambda _: None, True),
    (lambda _: 0, True),
    (lambda _: "no", True),
    (False, False),
]


@pytest.mark.parametrize(("asks", "waits"), WHO_WAITS)
def test_a_function_of_the_arguments_says_which_calls_wait(
    run: Run, stand_in: Serve, asks: Any, waits: bool
) -> None:
    shop, server = Shop(requires_approval=asks), stand_in([asks_for(a_refund(40)), SORRY])
    result = run(shop.loop(server))
    assert result.outcome == ("suspended" if waits else "completed")
    assert shop.refunds == ([] if waits else [("481516", 40)])


def test_a_function_of_the_arguments_sees_what_the_tool_would_get(run: Run, stand_in: Serve) -> None:
    seen: list[JsonObject] = []
    ran: list[str] = []

    def is_large_customer(arguments: JsonObject) -> bool:
        seen.append(arguments)
        return arguments["account"] == "ACME"

    @tool(requires_approval=is_large_customer)
    def pay(account: Annotated[str, StringConstraints(to_upper=True)], times: int = 1) -> str:
        """Pay the account."""
        ran.append(account * times)
        return "paid"

    server = stand_in([asks_for(call("pay", {"account": "acme"})), SORRY])
    result = run(ToolLoop(model="m", base_url=server.base_url, tools=[pay]))
    assert seen == [{"account": "ACME", "times": 1}]
    assert (result.outcome, ran) == ("suspended", [])


def an_effect(name: str, **options: Any) -> Tool:
    @tool(name=name, **options)
    def effect() -> str:
        """Do it."""
        return "done"

    return effect


EFFECTS: list[tuple[dict[str, bool], bool]] = [
    ({"read_only": True}, False),
    ({"read_only": True, "idempotent": True}, False),
    ({"read_only": True, "requires_approval": True}, True),
    ({"idempotent": True}, True),
    ({}, True),
    ({"requires_approval": False}, True),
]


@pytest.mark.parametrize(("options", "waits"), EFFECTS)
def test_approve_effects_asks_for_all_but_what_only_reads(
    run: Run, stand_in: Serve, options: dict[str, Any], waits: bool
) -> None:
    server = stand_in([asks_for(call("act")), SORRY])
    loop = ToolLoop(
        model="m", base_url=server.base_url, tools=[an_effect("act", **options)], approve_effects=True
    )
    assert run(loop).outcome == ("suspended" if waits else "completed")


def test_nobody_is_asked_about_arguments_that_do_not_fit(run: Run, stand_in: Serve) -> None:
    asked: list[object] = []

    def wants_approval(arguments: JsonObject) -> bool:
        asked.append(arguments["amount"])
        return True

    def approver(pending: PendingCall) -> bool:
        asked.append(pending.id)
        return True

    shop = Shop(requires_approval=wants_approval)
    server = stand_in([asks_for(a_refund("all of it", id="r1"), a_refund(id="r2")), SORRY])
    result = run(shop.loop(server, approver=approver))
    assert (result.outcome, asked) == ("completed", [40, "r2"])
    assert shop.refunds == [("481516", 40)]
    assert told(server, "r1")["error"]["code"] == "invalid_arguments"


def test_the_other_calls_of_the_response_run_at_once_and_once(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    asked = asks_for(a_look("1"), a_refund(id="r1"), a_look("2"), a_refund("much", id="r2"), call("ghost"))
    server = stand_in([asked, SORRY])
    loop = shop.loop(server)
    result, call_id = suspended(run, loop)
    assert (sorted(shop.looks), shop.refunds) == (["1", "2"], [])
    result = loop.resume(result, decisions={call_id: approve})
    assert (sorted(shop.looks), shop.refunds) == (["1", "2"], [("481516", 40)])
    assert [each.error for each in result.tool_results] == [
        None,
        None,
        None,
        "invalid_arguments",
        "unknown_tool",
    ]
    assert [each.name for each in result.tool_results[:3]] == ["look_up_order", "refund", "look_up_order"]


def test_several_calls_are_decided_one_by_one(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    server = stand_in([asks_for(*(a_refund(n, id=f"r{n}") for n in (1, 2, 3))), SORRY])
    loop = shop.loop(server)
    result = run(loop)
    assert [pending.id for pending in result.pending_calls] == ["r1", "r2", "r3"]
    result = loop.resume(result, decisions={"r2": approve})
    assert (result.outcome, shop.refunds) == ("suspended", [("481516", 2)])
    assert [pending.id for pending in result.pending_calls] == ["r1", "r3"]
    result = loop.resume(result, decisions={"r3": deny("no"), "r1": approve})
    assert (result.outcome, shop.refunds) == ("completed", [("481516", 2), ("481516", 1)])
    assert [(each.id, each.error) for each in result.tool_results] == [
        ("r1", None),
        ("r2", None),
        ("r3", "denied"),
    ]
    assert len(server.requests) == 2


def test_what_comes_behind_an_ordering_point_waits_with_it(run: Run, stand_in: Serve) -> None:
    shop = Shop(sequential=True)
    server = stand_in([asks_for(a_look("1"), a_refund(id="r1"), a_look("2")), SORRY])
    loop = shop.loop(server)
    result = run(loop)
    assert shop.looks == ["1"]
    assert [(call.name, call.why) for call in result.pending_calls] == [
        ("refund", "approval_required"),
    ]
    assert [one.name for one in result.tool_results] == ["look_up_order"]
    assert loop.resume(result, decisions={"r1": deny()}).outcome == "completed"
    assert (shop.looks, shop.refunds) == (["1", "2"], [])


def test_a_call_that_waits_is_not_changed_through_its_arguments(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    waiting = loop.run("Go")
    (pending,) = waiting.pending_calls
    assert pending.arguments is not None
    pending.arguments["amount"] = 1
    assert loop.resume(waiting, decisions={"r1": approve(pending)}).outcome == "completed"
    assert shop.refunds == [("481516", 40)]


def test_each_round_is_asked_about_anew(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    server = stand_in([asks_for(a_refund(id="r1")), asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    result, first = suspended(run, loop)
    result = loop.resume(result, decisions={first: approve})
    assert (result.outcome, shop.refunds) == ("suspended", [("481516", 40)])
    (pending,) = result.pending_calls
    assert pending.id != first
    with pytest.raises(DecisionError, match="^the call r1 does not wait for a decision any more: it was"):
        loop.resume(result, decisions={first: approve})
    assert loop.resume(result, decisions={pending.id: deny()}).outcome == "completed"
    assert shop.refunds == [("481516", 40)]


def test_all_that_wait_in_order_are_decided_at_once(run: Run, stand_in: Serve) -> None:
    shop = Shop(sequential=True)
    loop = shop.loop(stand_in([asks_for(a_refund(id="r1"), a_refund(id="r2")), SORRY]))
    result = run(loop)
    assert [call.id for call in result.pending_calls] == ["r1", "r2"]
    assert loop.resume(result, decisions={"r1": approve, "r2": approve}).outcome == "completed"
    assert len(shop.refunds) == 2


def test_what_ran_before_the_run_was_suspended_is_in_its_result(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    loop = shop.loop(stand_in([asks_for(a_look("1"), a_refund(id="r1")), SORRY]))
    result = run(loop)
    assert [(one.name, one.ok) for one in result.tool_results] == [("look_up_order", True)]
    assert result.spent.tool_calls == 1
    done = loop.resume(result, decisions={"r1": approve})
    assert [one.name for one in done.tool_results] == ["look_up_order", "refund"]


def test_a_client_that_cannot_be_made_is_told_before_a_call_is_run(
    stand_in: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop()
    server = stand_in([asks_for(a_refund(id="r1")), SORRY])
    snapshot = shop.loop(server).run("Go").snapshot()
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent.pem")
    with pytest.raises(ConfigurationError):
        shop.loop(server).resume(snapshot, decisions={"r1": approve})
    assert shop.refunds == []
    monkeypatch.delenv("SSL_CERT_FILE")
    assert shop.loop(server).resume(snapshot, decisions={"r1": approve}).outcome == "completed"
    assert len(shop.refunds) == 1
