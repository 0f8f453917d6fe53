"""A run that stops and goes on has a span for each time it was driven, each linked with the one before."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from tests.telemetry.recording import Recording, attributes, events, id_of

from callagain import PendingCall, ToolLoop, Verdict, approve, deny, edit, tool
from callagain.telemetry import Telemetry
from callagain.telemetry.traceparents import MOST, RecentTraceparents
from callagain.testing import StandIn, call, calls, says

Serve = Callable[..., StandIn]

ASKS_AND_ENDS = [calls(call("refund", {"amount": 40})), says("Done.")]
CALL = {"gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "call_1"}
HELD = ("callagain.call_held", {**CALL, "callagain.waits_for": "approval_required"})


@tool(requires_approval=True)
def refund(amount: int) -> str:
    """Pay an order back."""
    return f"{amount} refunded"


def loop_for(server: StandIn, telemetry: Telemetry, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", tools=[refund], base_url=server.base_url, observers=[telemetry], **options)


def linked(span: ReadableSpan) -> list[int]:
    return [link.context.span_id for link in span.links]


@pytest.mark.parametrize("kept", ["in memory", "in a journal"])
def test_a_resumed_run_is_linked_with_the_span_that_it_was_suspended_in(
    stand_in: Serve, recording: Recording, tmp_path: Path, kept: str
) -> None:
    options: dict[str, Any] = {"journal": tmp_path / "runs.db"} if kept == "in a journal" else {}
    traceparents: dict[str, str] = {}
    loop = loop_for(stand_in(ASKS_AND_ENDS), recording.telemetry(traceparents=traceparents), **options)
    result = loop.run("Go", run_id="r1")
    first = recording.only("invoke_agent")
    assert attributes(first, "callagain.outcome", "callagain.waits_for", "error.type") == {
        "callagain.outcome": "suspended",
        "callagain.waits_for": "approval_required",
    }
    assert events(first) == [HELD]
    assert list(traceparents) == ["r1"]

    resumed = loop.resume(result, decisions={"call_1": approve})
    second = recording.named("invoke_agent")[1]
    assert (linked(second), attributes(second)["callagain.outcome"]) == ([id_of(first)], "completed")
    assert events(second) == [("callagain.call_decided", {**CALL, "callagain.verdict": "approve"})]
    assert recording.only("execute_tool refund")
    # Nothing is kept of a run that is over.
    assert traceparents == {}
    used = sum(attributes(span)["gen_ai.usage.input_tokens"] for span in (first, second))
    assert used == resumed.usage.prompt_tokens


def test_another_process_links_its_spans_by_a_mapping_that_both_see(
    stand_in: Serve, recording: Recording
) -> None:
    server, shared = stand_in(ASKS_AND_ENDS), dict[str, str]()
    snapshot = loop_for(server, recording.telemetry(traceparents=shared)).run("Go", run_id="r1").snapshot()
    (known,) = shared.values()
    first = recording.only("invoke_agent").context
    assert first is not None
    assert known.startswith(f"00-{first.trace_id:032x}-{first.span_id:016x}-0")
    loop_for(server, recording.telemetry(traceparents=shared)).resume(snapshot, decisions={"call_1": approve})
    assert linked(recording.named("invoke_agent")[1]) == [first.span_id]
    assert shared == {}


class NotThere(dict[str, Any]):
    def get(self, *_: object) -> Any:
        raise ConnectionError("the store is gone")


@pytest.mark.parametrize(
    "shared", [{"r1": ""}, {"r1": "nonsense"}, {"r1": "00-0-0-00"}, {"r1": 5}, NotThere()]
)
def test_what_is_no_traceparent_is_no_link(
    stand_in: Serve, recording: Recording, shared: dict[str, Any]
) -> None:
    telemetry = recording.telemetry(traceparents=shared)
    loop_for(stand_in([says("Hello.")]), telemetry).run("Go", run_id="r1")
    assert linked(recording.only("invoke_agent")) == []


def test_a_run_that_is_stepped_has_a_linked_span_for_each_step(stand_in: Serve, recording: Recording) -> None:
    live = loop_for(stand_in([says("Hello.")]), recording.telemetry()).start("Go")
    while live.step() is not None:
        pass
    spans = recording.named("invoke_agent")
    outcomes = [attributes(span)["callagain.outcome"] for span in spans]
    assert outcomes[-1] == "completed"
    assert set(outcomes[:-1]) == {"left"}
    assert [linked(span) for span in spans] == [[], *([id_of(span)] for span in spans[:-1])]
    assert [span.status.status_code.name for span in spans] == ["UNSET"] * len(spans)


@pytest.mark.parametrize(
    ("said", "verdict"), [(approve, "approve"), (deny("too much"), "deny"), (edit({"amount": 4}), "edit")]
)
def test_an_approver_is_asked_within_the_span_of_the_run(
    stand_in: Serve, recording: Recording, said: Verdict, verdict: str
) -> None:
    def approver(_: PendingCall) -> Verdict:
        return said

    loop_for(stand_in(ASKS_AND_ENDS), recording.telemetry(), approver=approver).run("Go")
    decided = ("callagain.call_decided", {**CALL, "callagain.verdict": verdict})
    assert events(recording.only("invoke_agent")) == [HELD, decided]
    assert len(recording.named("execute_tool refund")) == (verdict != "deny")


def test_a_result_that_somebody_gives_is_told_as_one(stand_in: Serve, recording: Recording) -> None:
    loop = loop_for(stand_in(ASKS_AND_ENDS), recording.telemetry())
    loop.resume(loop.run("Go"), results={"call_1": "40 refunded"})
    decided = ("callagain.call_decided", {**CALL, "callagain.verdict": "result"})
    assert events(recording.named("invoke_agent")[1]) == [decided]


def test_the_oldest_traceparents_are_forgotten() -> None:
    recent = RecentTraceparents()
    for number in range(MOST + 5):
        recent[str(number)] = "00"
    assert (len(recent), next(iter(recent))) == (MOST, "5")
