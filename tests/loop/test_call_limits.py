"""Calls that are not run any more: the same again and again, or wrong again and again; and unknown tools."""

import json
from collections.abc import Callable
from typing import Any

from callagain import Result, Tool, ToolLoop, tool
from callagain.testing import StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool(read_only=True)
def get_order_status(order_id: str, detail: bool = False) -> str:
    """Look up an order by its six-digit id."""
    return f"{order_id} {detail}: in the warehouse"


@tool(read_only=True, polling=True)
def poll_job(job: str) -> str:
    """See how far a job is."""
    return f"{job} goes on"


SAME = calls(("get_order_status", {"order_id": "1", "detail": True}))
SAME_IN_OTHER_ORDER = calls(("get_order_status", {"detail": True, "order_id": "1"}))
OTHER = calls(("get_order_status", {"order_id": "2"}))
WRONG = calls(("get_order_status", {"order_id": 1}))


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    options.setdefault("max_iterations", 9)
    tools: list[Tool] = [get_order_status, poll_job]
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, **options)


def kind_of(result: Result) -> str | None:
    return None if result.error is None else result.error.kind


def codes(result: Result) -> list[str | None]:
    return [warning.code for warning in result.warnings]


def test_the_last_allowed_repetition_says_so_and_the_next_one_is_not_run(run: Run, stand_in: Serve) -> None:
    server = stand_in([SAME, OTHER, SAME_IN_OTHER_ORDER, SAME, says("Never.")])
    result = run(loop_with(server, repeat_limit=3))
    assert (result.outcome, kind_of(result), result.loop_count) == ("limit", "repeated_call", 3)
    assert len(server.requests) == 4
    assert [call.name for call in result.pending_calls] == ["get_order_status"]
    told = server.requests[3].json["messages"][-1]["content"]
    assert told == (
        "1 True: in the warehouse\n\n[This is the result of call 2 of get_order_status with the same "
        "arguments. It is not run again: use the results that are there.]"
    )
    assert [one.said for one in result.tool_results][-1] == "1 True: in the warehouse"
    assert result.error is not None
    assert result.error.message == (
        'get_order_status was asked for 3 times with the same arguments {"detail":true,"order_id":"1"}, and '
        "was not run again (repeat_limit=3); look at what the tool returns and at its description, make it "
        "polling=True, or raise repeat_limit"
    )


def test_a_repetition_among_parallel_calls_counts(run: Run, stand_in: Serve) -> None:
    both = calls(*[("get_order_status", {"order_id": "1"})] * 2)
    result = run(loop_with(stand_in([both]), repeat_limit=2))
    assert (kind_of(result), result.loop_count, len(result.pending_calls)) == ("repeated_call", 0, 2)


def test_polling_is_exempt(run: Run, stand_in: Serve) -> None:
    script = [calls(("poll_job", {"job": "a"}))] * 6
    result = run(loop_with(stand_in([*script, says("Done.")]), repeat_limit=2))
    assert (result.outcome, result.loop_count, codes(result)) == ("completed", 6, [])


def test_without_a_limit_the_third_repetition_is_a_warning_once(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([*[SAME] * 5, says("Done.")])))
    assert (result.outcome, codes(result)) == ("completed", ["repeated_call"])


def test_a_closing_answer_after_a_repeated_call(run: Run, stand_in: Serve) -> None:
    server = stand_in([SAME, SAME, says("It is in the warehouse.")])
    result = run(loop_with(server, repeat_limit=2, on_limit="final_answer"))
    assert (result.outcome, kind_of(result)) == ("limit", "repeated_call")
    assert result.final_response == "It is in the warehouse."
    assert server.requests[-1].json["tool_choice"] == "none"


def test_with_a_larger_limit_the_repeated_call_is_run_first(run: Run, stand_in: Serve) -> None:
    server = stand_in([SAME, SAME, says("Done.")])
    loop = loop_with(server, repeat_limit=2)
    result = loop.resume(run(loop), changes={"repeat_limit": 5})
    assert (result.outcome, len(result.tool_results), len(server.requests)) == ("completed", 2, 3)


def test_after_max_repairs_failed_attempts_the_next_one_is_not_run(run: Run, stand_in: Serve) -> None:
    server = stand_in([WRONG], repeat_last=True)
    result = run(loop_with(server))
    assert (result.outcome, kind_of(result), result.loop_count) == ("limit", "max_repairs", 3)
    assert [one.error for one in result.tool_results] == ["invalid_arguments"] * 3
    told = [json.loads(one.content)["error"]["message"] for one in result.tool_results]
    assert told[0] == "order_id: should be a valid string, got number 1"
    assert told[2] == f"{told[0]}. This was the last attempt; do without get_order_status"
    assert result.error is not None
    assert result.error.message == (
        "the arguments of get_order_status did not fit its schema 3 times in a row; rewrite the description "
        "of the tool, or raise max_repairs"
    )


def test_a_model_may_go_on_without_the_tool(run: Run, stand_in: Serve) -> None:
    result = run(
        loop_with(stand_in([WRONG, WRONG, calls(("poll_job", {"job": "a"})), says("Done.")]), max_repairs=2)
    )
    assert (result.outcome, result.final_response) == ("completed", "Done.")


def test_a_call_that_fits_begins_the_count_anew(run: Run, stand_in: Serve) -> None:
    script = [WRONG, WRONG, SAME, WRONG, WRONG, OTHER, says("Done.")]
    result = run(loop_with(stand_in(script)))
    assert result.outcome == "completed"


def test_calls_that_are_wrong_in_one_response_are_one_attempt(run: Run, stand_in: Serve) -> None:
    wrong = calls(*[("get_order_status", {"order_id": n}) for n in range(5)])
    result = run(loop_with(stand_in([wrong, SAME, says("Done.")])))
    assert result.outcome == "completed"


def test_no_limit_of_repairs(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([*[WRONG] * 7, says("Done.")]), max_repairs=None))
    assert (result.outcome, result.loop_count) == ("completed", 7)


def test_the_same_mistake_twice_points_at_the_description(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([WRONG, WRONG, SAME, says("Done.")])))
    (warning,) = result.warnings
    assert (warning.code, warning.message) == (
        "description_unclear",
        "the arguments of get_order_status were wrong twice in the same way; rewrite its description, not "
        "the loop",
    )


def test_two_different_mistakes_do_not(run: Run, stand_in: Serve) -> None:
    script = [WRONG, calls(("get_order_status", {})), SAME, says("Done.")]
    assert run(loop_with(stand_in(script))).warnings == []


def test_an_unknown_tool_is_told_with_the_nearest_names(run: Run, stand_in: Serve) -> None:
    result = run(loop_with(stand_in([calls(("get_orders_status", {})), says("Sorry.")])))
    (told,) = result.tool_results
    assert result.outcome == "completed"
    assert json.loads(told.content)["error"] == {
        "code": "unknown_tool",
        "message": "there is no tool 'get_orders_status'. Available tools: get_order_status, poll_job. Did "
        "you mean 'get_order_status'?",
    }


def test_an_unknown_tool_may_end_the_run(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("get_orders_status", {}), ("poll_job", {"job": "a"}))])
    result = run(loop_with(server, on_unknown_tool="fail"))
    assert (result.outcome, kind_of(result), result.tool_results) == ("failed", "unknown_tool", [])
    assert result.error is not None
    assert result.error.operation == "parse_response"
    assert "Did you mean 'get_order_status'?; announce the tool" in result.error.message


def test_a_call_in_another_spelling_is_the_same_call(run: Run, stand_in: Serve) -> None:
    spelled_out = calls(("get_order_status", {"order_id": "2", "detail": False}))
    result = run(loop_with(stand_in([OTHER, spelled_out]), repeat_limit=2))
    assert (kind_of(result), result.loop_count) == ("repeated_call", 1)
