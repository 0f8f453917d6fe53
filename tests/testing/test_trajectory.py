"""Trajectories: which calls are as expected, and how the difference reads where they are not."""

import asyncio
import json
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain import ToolLoop
from callagain.engine.json_text import JsonObject
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolResult
from callagain.testing import ExpectedCall, assert_trajectory, call, called, calls, says, trajectory
from callagain.testing.plugin import StartStandIn
from callagain.testing.trajectory_assertions import Order, trajectory_difference

pytest_plugins = ["pytester"]

ORDERS: tuple[Order, ...] = ("exact", "in_order", "any_order")
ONE: JsonObject = {"order_id": "1"}
TWO: JsonObject = {"order_id": "2"}


def get_order_status(order_id: str) -> str:
    """Look up the status of an order."""
    return f"{order_id} is shipped"


async def refund_order(order_id: str, amount: int) -> str:
    """Pay an order back."""
    await asyncio.sleep(0.01 * amount)
    return f"{amount} for {order_id}"


def loop(base_url: str, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=base_url, tools=[get_order_status, refund_order], **options)


@dataclass
class Ran:
    """What a run came to of which nothing but its calls matters."""

    tool_results: Sequence[ToolResult]
    pending_calls: Sequence[ToolResult] = ()
    outcome: str = "completed"
    error: Problem | None = None


def ran(*made: tuple[str, JsonObject | None]) -> Ran:
    return Ran([ToolResult("", name, arguments, "") for name, arguments in made])


def fits(result: Ran, expected: Sequence[Any], order: Order = "exact") -> bool:
    return trajectory_difference(result, expected, order=order) is None


# Order


@pytest.mark.parametrize(
    ("expected", "fitting"),
    [
        (["a", "b", "a"], {"exact", "in_order", "any_order"}),
        (["a", "a", "b"], {"any_order"}),
        (["a", "b"], {"in_order"}),
        (["b"], {"in_order"}),
        (["a", "a"], {"in_order"}),
        ([], {"in_order"}),
        (["b", "b"], set[str]()),
        (["a", "b", "a", "a"], set[str]()),
        (["a", "b", "c"], set[str]()),
    ],
)
def test_each_order_allows_what_it_says(expected: list[str], fitting: set[str]) -> None:
    result = ran(("a", {}), ("b", {}), ("a", {}))
    assert {order for order in ORDERS if fits(result, expected, order)} == fitting


@pytest.mark.parametrize("order", ORDERS)
def test_a_run_without_calls_is_expected_by_an_empty_list(order: Order) -> None:
    assert_trajectory(ran(), [], order=order)


def test_in_any_order_a_call_is_left_to_the_entry_that_needs_it() -> None:
    result = ran(("a", ONE), ("a", TWO), ("a", {"order_id": "3"}))
    assert fits(result, ["a", "a", called("a", order_id="1")], "any_order")
    assert fits(
        result, ["a", called("a", order_id=lambda number: number < "3"), called("a", ONE)], "any_order"
    )
    assert not fits(result, ["a", called("a", ONE), called("a", ONE)], "any_order")


names = st.lists(st.sampled_from("abc"), max_size=6)


@given(made=names, expected=names)
def test_exact_orders_are_equal_lists_and_the_others_follow_from_their_definitions(
    made: list[str], expected: list[str]
) -> None:
    result = ran(*((name, JsonObject()) for name in made))
    rest = iter(made)
    assert fits(result, expected, "exact") is (made == expected)
    assert fits(result, expected, "in_order") is all(name in rest for name in expected)
    assert fits(result, expected, "any_order") is (sorted(made) == sorted(expected))


# Arguments


@pytest.mark.parametrize(
    "expected",
    [
        "refund_order",
        called("refund_order"),
        called("refund_order", amount=5),
        called("refund_order", amount=5.0),
        called("refund_order", {"order_id": "1", "amount": 5, "items": ["a", {"b": True}]}),
        called("refund_order", order_id=ANY, items=ANY),
        called("refund_order", items=["a", ANY]),
        called("refund_order", items=("a", {"b": operator.truth})),
        called("refund_order", items=["a", {"b": bool}]),
        called("refund_order", order_id=str, amount=lambda amount: 0 < amount <= 5),
        called("refund_order", order_id=str.isdigit),
        ("refund_order", {"order_id": "1", "amount": 5, "items": ["a", {"b": True}]}),
    ],
)
def test_arguments_that_fit(expected: Any) -> None:
    assert fits(
        ran(("refund_order", {"order_id": "1", "amount": 5, "items": ["a", {"b": True}]})), [expected]
    )


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        (called("f", a=2), ["a: expected 2, but called with 1"]),
        (called("f", a=True), ["a: expected True, but called with 1"]),
        (called("f", a="1"), ["a: expected '1', but called with 1"]),
        (called("f", {"a": 1}), ["b: not expected, but called with {'c': [1]}"]),
        (called("f", {"b": ANY}), ["a: not expected, but called with 1"]),
        (called("f", b={"c": [2]}), ["b.c[0]: expected 2, but called with 1"]),
        (called("f", b={"c": [1, 2]}), ["b.c: expected [1, 2], but called with [1]"]),
        (
            called("f", b={"d": 1}),
            ["b.d: expected 1, but it is missing", "b.c: not expected, but called with [1]"],
        ),
        (called("f", x=None), ["x: expected None, but it is missing"]),
        (called("f", x=ANY), ["x: expected <ANY>, but it is missing"]),
        (called("f", a=str), ["a: expected str, but called with 1"]),
        (called("f", a=callable), ["a: expected callable, but called with 1"]),
        (
            called("f", a=len),
            ["a: expected len, but called with 1 (TypeError: object of type 'int' has no len())"],
        ),
    ],
)
def test_every_argument_that_does_not_fit_is_told_by_its_key(expected: ExpectedCall, told: list[str]) -> None:
    assert expected.differences({"a": 1, "b": {"c": [1]}}) == told


def test_an_argument_may_have_the_name_of_any_parameter() -> None:
    assert called("f", name="x", arguments="y").differences({"name": "x", "arguments": "y"}) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
made_calls = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.none() | st.dictionaries(st.text(max_size=2), json_values, max_size=2)
    ),
    max_size=4,
)


@given(made=made_calls, order=st.sampled_from(ORDERS))
def test_the_trajectory_of_a_run_is_what_can_be_expected_of_it(made: Any, order: Order) -> None:
    recorded = trajectory(ran(*made))
    assert recorded == made
    assert fits(ran(*made), recorded, order)
    assert fits(ran(*made), json.loads(json.dumps(recorded)), order)


# What it reads like


def difference(result: Any, expected: Sequence[Any], **options: Any) -> list[str]:
    with pytest.raises(AssertionError) as raised:
        assert_trajectory(result, expected, **options)
    return str(raised.value).splitlines()


def test_expected_and_called_stand_side_by_side_with_the_first_difference_marked() -> None:
    result = ran(
        ("find", {"order": 1}), ("look_up", {}), ("refund", {"order": 2, "amount": 0}), ("find", None)
    )
    refund = called("refund", order=1, amount=lambda amount: amount > 0)
    assert difference(result, ["find", refund, called("find", {}), "send_mail"]) == [
        'the run called other tools than expected (order="exact"):',
        "     expected                             called",
        "  1  find(…)                              find(order=1)",
        "> 2                                       look_up()                  not expected",
        "  3  refund(order=1, amount=<lambda>, …)  refund(order=2, amount=0)  other arguments",
        "         order: expected 1, but called with 2",
        "         amount: expected <lambda>, but called with 0",
        "  4  find()                               find(no JSON object)       other arguments",
        "         arguments: expected {}, but called with None",
        "     send_mail(…)                                                    not called",
    ]


def test_calls_that_may_stand_between_have_no_remark() -> None:
    assert difference(ran(("a", {}), ("b", {}), ("c", {})), ["a", "c", "d"], order="in_order")[2:] == [
        "  1  a(…)      a()",
        "  2            b()",
        "  3  c(…)      c()",
        ">    d(…)              not called",
    ]


def test_in_any_order_the_rows_are_in_the_order_of_the_calls() -> None:
    result = ran(("b", {}), ("a", {"x": 1}), ("a", {"x": 2}))
    assert difference(result, [called("a", x=2), "c", called("a", x=3), "b"], order="any_order")[2:] == [
        "  1  b(…)       b()",
        "> 2  a(x=3, …)  a(x=1)  other arguments",
        "         x: expected 3, but called with 1",
        "  3  a(x=2, …)  a(x=2)",
        "     c(…)               not called",
    ]


def test_long_arguments_are_shortened_and_told_below() -> None:
    (*_, row, told) = difference(ran(("a", {"x": "y" * 1000})), [called("a", x="z")])
    assert row == f"> 1  a(x='z', …)  a(x='{'y' * 54}…  other arguments"
    assert told.startswith("         x: expected 'z', but called with 'yyy")
    assert len(told) == 300


# Runs


def test_calls_of_one_response_count_in_the_order_of_the_calls(stand_in: StartStandIn) -> None:
    slow, fast = ({"order_id": "1", "amount": amount} for amount in (5, 0))
    server = stand_in([calls(("refund_order", slow), ("refund_order", fast)), says("Done.")])
    result = asyncio.run(loop(server.base_url).arun("Go"))
    assert trajectory(result) == [("refund_order", slow), ("refund_order", fast)]
    assert_trajectory(result, [called("refund_order", amount=5), called("refund_order", amount=0)])


def test_calls_that_were_answered_with_an_error_are_told_with_its_code(stand_in: StartStandIn) -> None:
    script = [calls(call("look_up", {}), call("get_order_status", "{broken")), says("Sorry.")]
    result = loop(stand_in(script).base_url).run("Go")
    assert_trajectory(result, ["look_up", "get_order_status"])
    assert difference(result, [])[2:] == [
        "> 1            look_up() → error unknown_tool                              not expected",
        "  2            get_order_status(no JSON object) → error invalid_arguments  not expected",
    ]


def test_why_a_run_ended_and_what_was_not_run_is_told_beside_the_difference(stand_in: StartStandIn) -> None:
    script = [calls(("get_order_status", {"order_id": "1"}))]
    result = loop(stand_in(script, repeat_last=True).base_url, max_iterations=1).run("Go")
    assert_trajectory(result, ["get_order_status"])
    assert_trajectory(result, ["get_order_status", "get_order_status"], pending=True)
    assert trajectory(result, pending=True) == [("get_order_status", ONE)] * 2
    outcome, not_run = difference(result, [])[-2:]
    assert outcome.startswith("outcome: limit (max_iterations): Tool-calling loop reached 1 iterations")
    assert not_run == "not run: get_order_status(order_id='1'); pending=True counts such calls"
    assert difference(result, [], pending=True)[3] == (
        "  2            get_order_status(order_id='1') → not run  not expected"
    )


def test_a_failing_test_shows_its_own_line_and_the_difference(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from types import SimpleNamespace
        from callagain.testing import assert_trajectory

        def test_it():
            result = SimpleNamespace(tool_results=[], pending_calls=[], outcome="completed", error=None)
            assert_trajectory(result, ["refund_order"])
        """
    )
    lines = pytester.runpytest_inprocess("-p", "no:asyncio", "-p", "no:callagain", "--tb=short").stdout.lines
    first = lines.index("test_a_failing_test_shows_its_own_line_and_the_difference.py:6: in test_it")
    assert lines[first + 1 : first + 5] == [
        '    assert_trajectory(result, ["refund_order"])',
        'E   AssertionError: the run called other tools than expected (order="exact"):',
        "E        expected         called",
        "E   >    refund_order(…)          not called",
    ]


# Misuse


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("refund_order", "expected calls are given as a list, not as str"),
        ({"refund_order": {}}, "expected calls are given as a list, not as dict"),
        (called("refund_order"), "expected calls are given as a list, not as ExpectedCall"),
        ([call("f")], "call('f') is an answer of a script; expect called('f')"),
        (
            [7],
            'an expected call is the name of a tool, called("name", …) or ("name", {arguments}), not 7',
        ),
        (
            [("refund_order", "1")],
            'an expected call is the name of a tool, called("name", …) or ("name", {arguments}), '
            "not ('refund_order', '1')",
        ),
    ],
)
def test_what_cannot_be_expected_is_a_type_error(expected: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        assert_trajectory(ran(), expected)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((7,), {}, "called() takes the name of a tool first, not 7"),
        (("f", ["1"]), {}, "called('f') takes arguments as a mapping or by their names, not ['1']"),
        (
            ("f", {"a": 1}),
            {"b": 2},
            "called('f') takes all arguments in a mapping, or some by their names, not both",
        ),
    ],
)
def test_a_call_that_cannot_be_expected_is_a_type_error(arguments: Any, named: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        called(*arguments, **named)
    assert str(raised.value) == message


def test_an_unknown_order_is_a_value_error() -> None:
    wrong: Any = "sorted"
    with pytest.raises(ValueError, match='order must be "exact", "in_order" or "any_order", not \'sorted\''):
        assert_trajectory(ran(), [], order=wrong)


def test_what_is_no_result_is_a_type_error(stand_in: StartStandIn) -> None:
    given: Any = loop(stand_in([]).base_url)
    coroutine = given.arun("Go")
    for no_result, name in ((given, "ToolLoop"), (coroutine, "coroutine")):
        with pytest.raises(TypeError) as raised:
            assert_trajectory(no_result, [])
        assert str(raised.value) == (
            "a trajectory is that of a result, which loop.run(…) and `await loop.arun(…)` return, "
            f"not of {name}"
        )
    coroutine.close()
