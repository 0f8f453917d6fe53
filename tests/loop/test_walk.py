"""A run as a walk: what each operation asked for, what came of it, and where it led."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import LiveRun, Result, RunCancelledError, ToolLoop, approve, replay_file, tool
from callagain.diagrams.walk import SentRequest, Walk, walk
from callagain.engine.commands import CallTool
from callagain.engine.log_entries import Intent, Receipt
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool
def look_up(name: str) -> str:
    """Looks somebody up."""
    return f"{name}: C-12"


@tool(requires_approval=True)
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


def loop_with(server: StandIn, **settings: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=[look_up, pay], **settings)


def test_has_the_commands_of_each_operation_with_what_came_of_them(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada"}), ("look_up", {"name": "Bob"})), says("Both.")])
    result = run(loop_with(server))
    walked = result.walk
    assert [each.step.operation for each in walked.steps] == [step.operation for step in result.trace]
    asked = [each for each in walked.steps if each.step.operation == "llm_call"]
    bodies = [each.performed[0].command for each in asked]
    assert [body.body for body in bodies if isinstance(body, SentRequest)] == [
        request.body for request in server.requests
    ]
    (dispatched,) = [each for each in walked.steps if each.step.operation == "tool_dispatcher"]
    assert [
        each.command.arguments for each in dispatched.performed if isinstance(each.command, CallTool)
    ] == [
        {"name": "Ada"},
        {"name": "Bob"},
    ]
    assert [each.content for each in dispatched.results] == ["Ada: C-12", "Bob: C-12"]
    assert all(each.seconds is not None and each.seconds >= 0 for each in (*asked, dispatched))
    assert (walked.outcome, walked.state, walked.waiting) == ("completed", "completed", ())


def test_counts_how_often_each_link_was_gone(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("look_up", {"name": name})) for name in "abc"])
    walked = run(loop_with(server, max_iterations=2)).walk
    gone = {str(link): count for link, count in walked.visits.items()}
    assert gone["llm_call --on_success--> parse_response"] == 3
    assert gone["append_tool_result --on_success--> llm_call"] == 2
    assert gone["parse_response --on_success--> limit when call_llm_again and not iterations_left"] == 1
    assert set(walked.visits) <= set(TOOL_CALLING_LOOP.links)
    assert walked.problem is not None
    assert walked.problem.kind == "max_iterations"


def test_tells_what_a_run_waits_for_and_what_was_decided(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("pay", {"amount": 5})), says("Paid.")])
    loop = loop_with(server)
    held = run(loop)
    (waiting,) = held.walk.waiting
    assert held.walk.state == "tool_dispatcher"
    assert isinstance(waiting.command, CallTool)
    assert (waiting.command.name, waiting.receipt) == ("pay", None)
    assert waiting.held is not None
    assert waiting.held.why == "approval_required"
    (call,) = held.pending_calls
    done = loop.resume(held, decisions={call.id: approve}).walk
    (dispatched,) = [each for each in done.steps if each.step.operation == "tool_dispatcher"]
    assert dispatched.performed[0].decision is not None
    assert dispatched.performed[0].decision.verdict == "release"
    assert done.waiting == ()


def test_tells_what_was_begun_again(drive: Callable[[LiveRun], Result], stand_in: Serve) -> None:
    times: list[int] = []

    @tool(read_only=True)
    def look() -> str:
        """Looks."""
        times.append(1)
        if len(times) == 1:
            live.cancel()
        return "seen"

    server = stand_in([calls(("look", {})), says("Done.")])
    live = ToolLoop(model="m", base_url=server.base_url, tools=[look]).start("Go")
    with pytest.raises(RunCancelledError):
        drive(live)
    walked = drive(live).walk
    assert [done.begun for each in walked.steps for done in each.performed] == [1, 2, 1]


def test_is_the_same_from_a_file(run: Run, stand_in: Serve, tmp_path: Path) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada"})), says("Done.")])
    result = run(loop_with(server))
    path = tmp_path / "run.json"
    path.write_text(result.export())
    assert _told(replay_file(path).walk) == _told(result.walk)


def test_goes_as_far_as_the_log_fits(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada"})), says("Done.")])
    result = run(loop_with(server))
    log = result.log
    short = walk(TOOL_CALLING_LOOP, result.variables.inputs, log[:3])
    assert (short.outcome, short.state) == (None, "tool_dispatcher")
    assert [type(each.command) for each in short.waiting] == [CallTool]
    assert short.misfit is None
    misfit = walk(TOOL_CALLING_LOOP, result.variables.inputs, [*log[:2], log[-1]])
    assert misfit.misfit is not None
    assert misfit.misfit.startswith("entry 3 of the log, in tool_dispatcher: EntryError: receipt for ")
    assert [each.step.operation for each in misfit.steps] == ["initialize", "llm_call", "parse_response"]


def _told(walked: Walk) -> list[object]:
    return [
        (each.step.operation, str(each.link), each.performed, each.results, each.changes)
        for each in walked.steps
    ]


@pytest.mark.parametrize(
    "receipt", [None, {"status": 200}, {"status": 0, "content_type": "", "body": "", "error": "x"}]
)
def test_goes_no_further_than_a_receipt_that_is_none(run: Run, stand_in: Serve, receipt: Any) -> None:
    result = run(loop_with(stand_in([says("Done.")])))
    intent = result.log[0]
    assert isinstance(intent, Intent)
    damaged = walk(TOOL_CALLING_LOOP, result.variables.inputs, [intent, Receipt(intent.key, receipt)])
    assert (damaged.state, damaged.waiting) == ("llm_call", ())
    assert damaged.misfit is not None
