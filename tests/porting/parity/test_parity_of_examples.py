"""The example designs and their packages do the same; and where they are known not to, a trap says so."""

from pathlib import Path

import pytest

from callagain.porting.parity import Case, Parity, Status, parity
from callagain.porting.report import TRAPS
from callagain.testing import Answer, AnyAnswer, calls

STATUS = calls(("get_order_status", {"order_id": "481516"}))
BALANCE = calls(("get_time_off_balance", {"employee_id": "E-1007"}))


def test_the_orders_assistant_does_what_its_design_does(orders: Path) -> None:
    found = parity(orders)
    assert found.differences == found.explained == ()
    assert [case.name for case in found] == [
        "no tool",
        "tool get_order_status",
        "tool get_delivery_date",
        "tool cancel_order",
        "get_order_status then get_delivery_date",
        "limit",
        "operation Tool - Order Status",
        "operation Tool - Delivery Date",
        "operation Tool - Cancel Order",
    ]
    assert found.holds


def test_the_hr_assistant_does_what_its_design_does(hr_assistant: Path) -> None:
    found = parity(hr_assistant)
    assert found.differences == found.explained == ()
    assert found.holds


def test_real_arguments_and_variables_of_a_case_reach_both_sides(orders: Path) -> None:
    answers: list[AnyAnswer] = [
        STATUS,
        calls(("get_delivery_date", {"order_id": "234299", "express": True})),
        calls(("cancel_order", {"order_id": "108815", "reason": "too late"})),
        "That is all.",
    ]
    case = Case("three", "Cancel order 108815", answers, {"customerName": "Ada", "toolsJson": "[]"})
    found = parity(orders, cases=[case])
    assert [(each.after, each.variable) for each in found.differences] == [("request 1", "request: tools")]
    whole = Case("three", "Cancel order 108815", answers, {"customerName": "Ada"})
    assert parity(orders, cases=[whole]).holds


def explained(found: Parity) -> list[tuple[str, str, str | None]]:
    assert found.differences == ()
    assert [case.status for case in found] == [Status.SAME]
    return [(each.after, each.variable, each.trap) for each in found.explained]


@pytest.mark.parametrize(
    ("answers", "message", "variables", "expected"),
    [
        (
            [STATUS, calls(("cancel_order", {"order_id": "234299", "reason": ""})), "Done."],
            "Hello",
            {},
            [("tool_dispatcher 2", "function_resp", "failed operation unseen")],
        ),
        (
            [STATUS, calls(("get_invoice", {})), "Done."],
            "Hello",
            {},
            [("tool_dispatcher 2", "function_resp", "dispatcher without default")],
        ),
        (
            [calls(("get_order_status", {"order_id": "1"}), ("get_order_status", {"order_id": "2"})), "No."],
            "Hello",
            {},
            [("tool_dispatcher 1", "tool_calls", "first call only")],
        ),
        (
            ["Never said."],
            "two\nlines",
            {},
            [("request 1", "request", "quotes escaped only")],
        ),
        (
            ['"Quoted"'],
            "Hello",
            {},
            [
                ("extract_final", "final_response", "quotes trimmed from text"),
                ("the end", "chat_reply", "quotes trimmed from text"),
            ],
        ),
        (
            [STATUS] * 6,
            "Hello",
            {"final_response": "Of an earlier run."},
            [
                ("the end", "final_response", "stale final_response at the limit"),
                ("the end", "chat_reply", "stale final_response at the limit"),
            ],
        ),
        (
            [STATUS, Answer(500, {"error": {"message": "overloaded"}})],
            "Hello",
            {},
            [("the end", "outcome", "failed operation unseen")],
        ),
    ],
    ids=[
        "a tool fails",
        "an unknown tool",
        "two calls in a response",
        "a line break in the question",
        "quotes around the answer",
        "the limit after an earlier run",
        "the endpoint fails in the loop",
    ],
)
def test_what_is_known_to_differ_is_explained_by_its_trap(
    orders: Path,
    answers: list[AnyAnswer],
    message: str,
    variables: dict[str, str],
    expected: list[tuple[str, str, str]],
) -> None:
    found = parity(orders, cases=[Case("trap", message, answers, dict(variables))])
    assert explained(found) == expected
    assert {trap for _, _, trap in expected} <= {trap.name for trap in TRAPS}


def test_a_conversation_that_fails_on_both_sides_is_compared_to_its_end(hr_assistant: Path) -> None:
    overloaded = Answer(503, {"error": {"message": "overloaded"}})
    found = parity(hr_assistant, cases=[Case("fails", "May I?", [overloaded])])
    assert explained(found) == [("the end", "hr.error", "raised error")]
    lost = parity(hr_assistant, cases=[Case("lost", "May I?", [BALANCE, overloaded])])
    assert explained(lost) == [("the end", "outcome", "failed operation unseen")]
    assert lost.cases[0].notes == (
        "nothing is compared behind the end, where the two part: failed operation unseen",
    )
