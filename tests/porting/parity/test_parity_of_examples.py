"""The example designs and their packages do the same; and where they are known not to, a trap says so."""

from dataclasses import replace
from pathlib import Path

from callagain.porting.parity import Case, CaseResult, Status, parity
from callagain.porting.parity.circumstances import EXPLAINING
from callagain.porting.report import TRAPS
from callagain.testing import Answer, AnyAnswer, calls

STATUS = calls(("get_order_status", {"order_id": "481516"}))
OVERLOADED = Answer(503, {"error": {"message": "overloaded"}})
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


def test_arguments_and_variables_of_a_case_reach_both_sides(orders: Path) -> None:
    answers: list[AnyAnswer] = [
        STATUS,
        calls(("get_delivery_date", {"order_id": "234299", "express": True})),
        calls(("cancel_order", {"order_id": "108815", "reason": "too late"})),
        "That is all.",
    ]
    cases = [
        Case("all three tools", "Cancel order 108815", answers, {"systemPrompt": "Be brief."}),
        # The tools of the package do not come from the variable.
        Case("no tools", "Cancel order 108815", answers, {"toolsJson": "[]"}),
        # The request of the design is no JSON, and not by a text that it does not escape.
        Case("no JSON", "Cancel order 108815", answers, {"toolsJson": ""}),
    ]
    with_prompt, without_tools, without_json = parity(orders, cases=cases)
    assert with_prompt.status is Status.SAME
    assert {each.after for each in without_tools.differences} == {"request 1", "the end"}
    assert without_json.differences[0].after == "request 1"
    assert without_json.explained == ()


TRAPS_MET: dict[str, tuple[Case, list[tuple[str, str, str]]]] = {
    "a tool fails": (
        Case("", "Hello", [STATUS, calls(("cancel_order", {"order_id": "234299", "reason": ""})), "Done."]),
        [("tool_dispatcher 2", "function_resp", "failed operation unseen")],
    ),
    "an unknown tool": (
        Case("", "Hello", [STATUS, calls(("get_invoice", {})), "Done."]),
        [("tool_dispatcher 2", "function_resp", "dispatcher without default")],
    ),
    "two calls in a response": (
        Case("", "Hello", [calls(("get_order_status", {"order_id": "1"}), ("cancel_order", {})), "No."]),
        [("tool_dispatcher 1", "tool_calls", "first call only")],
    ),
    "a line break in the question": (
        Case("", "two\nlines", ["Never said."]),
        [("request 1", "request", "quotes escaped only")],
    ),
    "quotes around the answer": (
        Case("", "Hello", ['"Quoted"']),
        [("extract_final", "final_response", "quotes trimmed from text")],
    ),
    "the limit after an earlier run": (
        Case("", "Hello", [STATUS] * 6, {"final_response": "Of an earlier run."}),
        [
            ("the end", "final_response", "stale final_response at the limit"),
            ("the end", "chat_reply", "stale final_response at the limit"),
        ],
    ),
    "the endpoint fails in the loop": (
        Case("", "Hello", [STATUS, OVERLOADED]),
        [("the end", "outcome", "failed operation unseen")],
    ),
}


def told(case: CaseResult) -> list[tuple[str, str, str | None]]:
    assert (case.status, case.differences) == (Status.SAME, ())
    return [(each.after, each.variable, each.trap) for each in case.explained]


def test_what_is_known_to_differ_is_explained_by_its_trap(orders: Path) -> None:
    cases = [replace(case, name=name) for name, (case, _) in TRAPS_MET.items()]
    expected = {name: differences for name, (_, differences) in TRAPS_MET.items()}
    assert {case.name: told(case) for case in parity(orders, cases=cases)} == expected


def test_differences_are_explained_by_traps_that_the_report_names() -> None:
    assert {trap.name for trap in TRAPS} >= EXPLAINING
    assert {trap for _, differences in TRAPS_MET.values() for _, _, trap in differences} <= EXPLAINING


def test_a_conversation_that_fails_is_compared_to_its_end(hr_assistant: Path) -> None:
    cases = [Case("at once", "May I?", [OVERLOADED]), Case("in the loop", "May I?", [BALANCE, OVERLOADED])]
    at_once, in_the_loop = parity(hr_assistant, cases=cases)
    assert told(at_once) == [("the end", "hr.error", "raised error")]
    assert told(in_the_loop) == [("the end", "outcome", "failed operation unseen")]
    assert in_the_loop.notes == (
        "nothing is compared behind the end, where the two part: failed operation unseen",
    )
