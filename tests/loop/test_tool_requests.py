"""`return_tool_requests=True`: each round's calls are handed to the caller, who brings their results."""

import asyncio
import datetime
import enum
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for, told

from callagain import DecisionError, LiveRun, Result, ToolLoop, ToolProblem, approve, deny, edit, tool
from callagain.testing import StandIn, call

Run = Callable[..., Result]
Serve = Callable[..., StandIn]
Drive = Callable[[LiveRun], Result]

SOURCE = Path(__file__).parents[2] / "src"


class Meal(enum.Enum):
    BREAKFAST = "breakfast"
    DINNER = "dinner"


@tool(read_only=True)
def todays_special(meal: Meal, day: datetime.date) -> str:
    """The special of a day."""
    return f"{meal.name} on {day:%d.%m.}"


@tool
async def reserve(seats: int) -> dict[str, int]:
    """Reserve seats."""
    await asyncio.sleep(0)
    return {"reserved": seats}


def loop_with(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(
        model="m", base_url=server.base_url, tools=tools, max_retries=0, return_tool_requests=True, **options
    )


SPECIAL = call("todays_special", '{"meal": "dinner",\n "day": "2024-05-09"}', id="s1")


def test_a_round_is_handed_over(run: Run, stand_in: Serve) -> None:
    server = stand_in([asks_for(SPECIAL, call("reserve", {"seats": 2}, id="s2")), SORRY])
    result = run(loop_with(server, todays_special, reserve))
    assert (result.outcome, result.loop_count, len(server.requests)) == ("suspended", 1, 1)
    assert result.error is not None
    assert (result.error.kind, result.error.message) == (
        "tool_requests",
        "waiting for somebody: todays_special (s1), reserve (s2); run them, and resume with results=",
    )
    special, seats = result.tool_requests
    assert (special.name, special.id, special.ref, special.why) == (
        "todays_special",
        "s1",
        "s1",
        "tool_requests",
    )
    assert special.arguments_text == '{"meal": "dinner",\n "day": "2024-05-09"}'
    assert special.arguments == {"meal": "dinner", "day": "2024-05-09"}
    assert special.validated() == {"meal": Meal.DINNER, "day": datetime.date(2024, 5, 9)}
    assert special.execute() == "DINNER on 09.05."
    assert asyncio.run(special.aexecute()) == "DINNER on 09.05."
    assert asyncio.run(seats.aexecute()) == {"reserved": 2}
    with pytest.raises(DecisionError, match=r"^reserve is an async tool; run it by "):
        seats.execute()
    assert list(result.pending_calls) == list(result.tool_requests)


def test_the_whole_loop_is_the_callers(stand_in: Serve) -> None:
    shop = Shop()
    server = stand_in([asks_for(a_look("1"), a_look("2")), asks_for(a_look("3")), SORRY])
    loop = loop_with(server, *shop.tools)
    result, rounds = loop.run("Go"), 0
    while requests := result.tool_requests:
        rounds += 1
        result = loop.resume(result, results={request.ref: request.execute() for request in requests})
    assert (result.outcome, result.final_response, rounds, result.loop_count) == (
        "completed",
        SORRY.text,
        2,
        2,
    )
    assert shop.looks == ["1", "2", "3"]
    assert [each.content for each in result.tool_results] == [f"order {n}: delivered" for n in (1, 2, 3)]


async def test_the_whole_loop_is_the_callers_under_a_loop_too(stand_in: Serve) -> None:
    server = stand_in([asks_for(call("reserve", {"seats": 2}), SPECIAL), SORRY])
    loop = loop_with(server, todays_special, reserve)
    result = await loop.arun("Go")
    values = await asyncio.gather(*(request.aexecute() for request in result.tool_requests))
    pairs = zip([request.ref for request in result.tool_requests], values, strict=True)
    result = await loop.aresume(result, results=pairs)
    assert (result.outcome, [each.content for each in result.tool_results]) == (
        "completed",
        ['{"reserved":2}', "DINNER on 09.05."],
    )


@dataclass
class Order:
    number: int
    sent: datetime.date


VALUES: list[tuple[object, object]] = [
    (None, None),
    ("", ""),
    ("plain words", "plain words"),
    (0, 0),
    (False, False),
    ([], []),
    ({"a": [1, None]}, {"a": [1, None]}),
    (Order(7, datetime.date(2024, 5, 9)), {"number": 7, "sent": "2024-05-09"}),
    (Meal.DINNER, "dinner"),
    (b"bytes", "bytes"),
    (ValueError("sold out"), {"error": {"code": "tool_exception", "message": "ValueError: sold out"}}),
    (ToolProblem("no_table", "ask later"), {"error": {"code": "no_table", "message": "ask later"}}),
]


@pytest.mark.parametrize(("value", "said"), VALUES)
def test_a_result_is_any_value(stand_in: Serve, value: object, said: object) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = loop_with(server, *shop.tools)
    result = loop.resume(loop.run("Go"), results={"r1": value})
    assert (result.outcome, told(server, "r1"), shop.refunds) == ("completed", said, [])
    assert [each.ok for each in result.tool_results] == [not isinstance(value, Exception)]


def test_caller_and_loop_share_a_round(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    asked = asks_for(*(a_refund(n, id=f"r{n}") for n in (1, 2, 3, 4)), a_look())
    server = stand_in([asked, SORRY])
    loop = loop_with(server, *shop.tools)
    result = run(loop)
    look = result.tool_requests[-1]
    result = loop.resume(
        result,
        results=[("r1", "paid by hand"), (look.id, look.execute())],
        decisions={"r2": approve, "r3": deny("no"), "r4": edit({"order_id": "7", "amount": 70})},
    )
    assert (result.outcome, sorted(shop.refunds)) == ("completed", [("481516", 2), ("7", 70)])
    assert [told(server, f"r{n}") for n in (1, 2, 3, 4)] == [
        "paid by hand",
        {"refunded": 2},
        {"error": {"code": "denied", "message": "no"}},
        {"refunded": 70},
    ]
    assert [each.name for each in result.tool_results] == [*["refund"] * 4, "look_up_order"]


def _coroutine() -> Any:
    async def result() -> str:
        return "late"

    return result()


def test_results_that_do_not_fit_are_refused_and_the_round_still_waits(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1"), a_look()), SORRY])
    loop = loop_with(server, *shop.tools)
    waiting = loop.run("Go", run_id="job-7")
    look = waiting.tool_requests[1].id
    missing = f"no result for {look}; give one for every call that waits, in results={{id: value}} or, to let"
    refusals: list[tuple[dict[str, Any], str]] = [
        ({}, f"no result for r1, {look}; give one for every call that waits"),
        ({"results": {}}, f"no result for r1, {look}; give one for every call that waits"),
        ({"results": {"r1": 1}}, missing),
        ({"results": [("r1", 1)]}, missing),
        ({"decisions": {"r1": approve}}, missing),
        ({"results": {"r1": 1, look: 2, "r9": 3}}, f"the run job-7 has no call r9; waiting: r1, {look}"),
        ({"results": [("r1", 1), (look, 2), ("r9", 3)]}, "the run job-7 has no call r9; waiting: r1"),
        ({"results": [("r1", 1), (look, 2), ("r1", 3)]}, "r1 was decided twice; say one thing about each"),
        ({"results": [("r1", 1), ("r1", 1)]}, "r1 was decided twice; say one thing about each call"),
        ({"results": {"r1": 1, look: 2}, "decisions": {look: approve}}, f"{look} was decided twice; say"),
        ({"results": ["r1", look]}, "results must map the ids of calls to values, or be pairs of both"),
        ({"results": [("r1", 1, 2)]}, "results must map the ids of calls to values, or be pairs of both"),
        ({"results": 7}, "results must map the ids of calls to values, or be pairs of both"),
        ({"results": "r1"}, "results must map the ids of calls to values, or be pairs of both"),
        ({"results": [(["r1"], 1)]}, "results must map the ids of calls to values, or be pairs of both"),
        ({"results": {"r1": object(), look: 2}}, "the result of refund (r1) cannot be used: object at the"),
        ({"results": {"r1": _coroutine(), look: 2}}, "the result of refund (r1) cannot be used: coroutine"),
        ({"results": {"r1": lambda: 1, look: 2}}, "the result of refund (r1) cannot be used: function at"),
        ({"decisions": {"r1": "refunded", look: approve}}, "the decision about r1 must be approve, deny("),
    ]
    for given, message in refusals:
        with pytest.raises(DecisionError) as caught:
            loop.resume(waiting, **given)
        assert str(caught.value).startswith(message)
    assert (shop.refunds, shop.looks, len(server.requests)) == ([], [], 1)
    assert loop.resume(waiting, results={look: 2, "r1": 1}).outcome == "completed"


def test_a_result_that_comes_late_is_refused(stand_in: Serve) -> None:
    server = stand_in([asks_for(a_refund(id="r1")), asks_for(a_refund(id="r2")), SORRY])
    loop = loop_with(server, *Shop().tools)
    result = loop.resume(loop.run("Go"), results={"r1": "paid"})
    with pytest.raises(DecisionError, match="^the call r1 does not wait for a decision any more: it was"):
        loop.resume(result, results={"r1": "paid", "r2": "paid"})
    result = loop.resume(result, results={"r2": "paid"})
    with pytest.raises(DecisionError, match="^no call waits for a decision: the run is completed$"):
        loop.resume(result, results={"r2": "paid"})


def test_a_result_is_held_against_the_output_schema(stand_in: Serve) -> None:
    @tool(output_schema=True)
    def count() -> int:
        """Count."""
        return 1

    server = stand_in([asks_for(call("count", id="c1")), SORRY])
    loop = loop_with(server, count)
    waiting = loop.run("Go")
    with pytest.raises(DecisionError, match=r"^the result of count \(c1\) cannot be used: "):
        loop.resume(waiting, results={"c1": "many"})
    assert loop.resume(waiting, results={"c1": 3}).outcome == "completed"


def test_calls_that_cannot_be_run_are_answered_and_not_handed_over(run: Run, stand_in: Serve) -> None:
    shop = Shop()
    wrong = asks_for(a_refund("all", id="r1"), call("ghost", id="r2"), call("refund", "{", id="r3"))
    server = stand_in([wrong, asks_for(a_refund("all"), a_refund(id="r5")), SORRY])
    result = run(loop_with(server, *shop.tools))
    assert (result.outcome, len(server.requests)) == ("suspended", 2)
    assert [request.id for request in result.tool_requests] == ["r5"]
    codes = [told(server, f"r{n}")["error"]["code"] for n in (1, 2, 3)]
    assert codes == ["invalid_arguments", "unknown_tool", "invalid_arguments"]


def test_an_approver_is_not_asked_about_what_is_handed_over(run: Run, stand_in: Serve) -> None:
    asked: list[str] = []

    def approver(pending: Any) -> bool:
        asked.append(pending.id)
        return True

    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    result = run(loop_with(server, *shop.tools, approver=approver))
    assert (result.outcome, asked, shop.refunds) == ("suspended", [], [])


def test_execute_raises_what_the_function_raises(stand_in: Serve) -> None:
    @tool
    def fail() -> str:
        """Fail."""
        raise LookupError("gone")

    server = stand_in([asks_for(call("fail", id="f1")), SORRY])
    loop = loop_with(server, fail)
    waiting = loop.run("Go")
    (request,) = waiting.tool_requests
    with pytest.raises(LookupError, match="gone") as caught:
        request.execute()
    assert loop.resume(waiting, results={"f1": caught.value}).tool_results[0].error == "tool_exception"


def test_what_is_left_open_at_a_limit_cannot_be_executed(stand_in: Serve) -> None:
    shop = Shop()
    stopped = shop.loop(stand_in([asks_for(a_look())]), max_iterations=0).run("Go")
    (pending,) = stopped.pending_calls
    assert (pending.why, stopped.tool_requests) == (None, [])
    with pytest.raises(RuntimeError, match="^look_up_order does not wait for a result"):
        pending.execute()


def test_a_round_is_handed_to_another_process_by_a_snapshot(stand_in: Serve, tmp_path: Path) -> None:
    server = stand_in(
        [asks_for(call("reserve", {"seats": 2}, id="s1"), call("reserve", {"seats": 1}, id="s2")), SORRY]
    )
    waiting = loop_with(server, reserve).run("Go")
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-W", "error", "program.py", server.base_url],
        cwd=tmp_path,
        env={"PYTHONPATH": str(SOURCE), "OPENAI_API_KEY": "any"},
        input=waiting.snapshot(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stderr, json.loads(done.stdout)) == ("", [["s1", 2], ["s2", 1]])
    assert [told(server, each) for each in ("s1", "s2")] == [{"reserved": 2}, {"reserved": 1}]


PROGRAM = '''\
import json
import sys

from callagain import ToolLoop, tool


@tool
async def reserve(seats: int) -> dict[str, int]:
    """Reserve seats."""
    raise AssertionError("the caller brings the results")


loop = ToolLoop(model="m", base_url=sys.argv[1], tools=[reserve], return_tool_requests=True)
live = loop.reopen(
    sys.stdin.read(), results={"s1": {"reserved": 2}, "s2": {"reserved": 1}}
)
print(json.dumps([[each.id, each.arguments["seats"]] for each in live.run().tool_results]))
'''
