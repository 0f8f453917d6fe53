"""What went wrong is a status and a kind from a closed list; what went wrong in recording harms no run."""

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.telemetry.recording import Recording, attributes, events, failed

from callagain import RunCancelledError, ToolLoop, tool
from callagain.testing import Answer, ModelAnswer, SkippingClock, StandIn, call, calls, says

Serve = Callable[..., StandIn]

OVERLOADED = Answer(503, {"error": {"message": "overloaded"}})
ASKS = calls(call("work", {"step": 1}))


@tool
def work(step: int) -> str:
    """Work."""
    raise ValueError(f"step {step} cannot be done")


@pytest.mark.parametrize(
    ("answers", "options", "expected"),
    [
        (
            [Answer(401, {"error": {"message": "no such key: sk-1"}})],
            {},
            {
                "invoke_agent": ("auth", "the endpoint did not accept the key (401, 403)"),
                "operation llm_call": ("auth", "the endpoint did not accept the key (401, 403)"),
                "chat m": ("auth", "the endpoint did not accept the key (401, 403)"),
            },
        ),
        (
            [says("")],
            {},
            {
                "invoke_agent": ("empty_response", "the response holds no tool call and no text"),
                "operation parse_response": ("empty_response", "the response holds no tool call and no text"),
            },
        ),
        (
            [ASKS],
            {"max_iterations": 0},
            {"invoke_agent": ("max_iterations", "max_iterations rounds of tools brought no final response")},
        ),
        (
            [ASKS, says("Sorry.")],
            {},
            {"execute_tool work": ("tool_exception", "the tool raised an exception")},
        ),
        (
            [calls(call("work", {"step": "one"})), says("Sorry.")],
            {},
            {"execute_tool work": ("invalid_arguments", "the arguments do not fit the tool's parameters")},
        ),
    ],
    ids=["refused key", "empty response", "limit", "exception of a tool", "arguments that do not fit"],
)
def test_what_went_wrong_is_a_status_and_a_kind(
    stand_in: Serve,
    recording: Recording,
    answers: list[ModelAnswer],
    options: dict[str, Any],
    expected: dict[str, tuple[str, str | None]],
) -> None:
    settings: dict[str, Any] = {"max_retries": 0, "tools": [work], "observers": [recording.telemetry()]}
    settings.update(options)
    ToolLoop(model="m", base_url=stand_in(answers).base_url, **settings).run("Go")
    found = {span.name: failed(span) for span in recording.spans}
    assert {name: each for name, each in found.items() if each[0] == "ERROR"} == {
        name: ("ERROR", *each) for name, each in expected.items()
    }
    durations = [*recording.metrics()["gen_ai.invoke_agent.duration"][1]]
    if "execute_tool work" in expected:
        durations = [*recording.metrics()["gen_ai.execute_tool.duration"][1]]
    (kind,) = {attributes["error.type"] for attributes, _ in durations}
    assert kind == next(iter(expected.values()))[0]


def test_attempts_that_brought_nothing_are_events(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([OVERLOADED, OVERLOADED, says("Hello.")])
    telemetry = recording.telemetry()
    loop = ToolLoop(model="m", base_url=server.base_url, observers=[telemetry], clock=SkippingClock())
    assert loop.run("Go").outcome == "completed"
    chat = recording.only("chat m")
    told = [(name, said["callagain.attempt"], said["error.type"]) for name, said in events(chat)]
    name, kind = "callagain.attempt_discarded", "provider_unavailable"
    assert told == [(name, 1, kind), (name, 2, kind)]
    assert (attributes(chat)["callagain.attempts"], failed(chat)[0]) == (3, "UNSET")


def test_a_request_that_the_throttle_delays_says_so(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([says("Hello.")], repeat_last=True)
    settings: dict[str, Any] = {"requests_per_minute": 1, "clock": SkippingClock()}
    loop = ToolLoop(model="m", base_url=server.base_url, observers=[recording.telemetry()], **settings)
    loop.run("Go")
    loop.run("Go")
    first, second = recording.named("chat m")
    ((name, said),) = events(second)
    assert (events(first), name) == ([], "callagain.request_delayed")
    assert 50 < said["callagain.seconds"] <= 60


def test_a_call_that_runs_out_of_time_ends_then(stand_in: Serve, recording: Recording) -> None:
    release = threading.Event()

    @tool(on_unknown="fail")
    def hang() -> str:
        """Hang."""
        release.wait(20)
        return "late"

    @tool(on_unknown="ask")
    def pay() -> str:
        """Pay."""
        return str(release.wait(20))

    server = stand_in([calls(call("hang"), call("pay"))])
    settings: dict[str, Any] = {"tool_timeout": 0.05, "observers": [recording.telemetry()]}
    try:
        result = ToolLoop(model="m", tools=[hang, pay], base_url=server.base_url, **settings).run("Go")
    finally:
        release.set()
    assert result.outcome == "suspended"
    assert failed(recording.only("execute_tool hang")) == (
        "ERROR",
        "timeout",
        "no result came in time; what the tool did may still take effect",
    )
    assert attributes(recording.only("execute_tool hang"))["callagain.abandoned"] is True
    what = "a tool call was begun, and nobody knows whether it took effect"
    assert failed(recording.only("execute_tool pay")) == ("ERROR", "call_outcome_unknown", what)


def test_a_run_that_is_cancelled_ends_all_its_spans(stand_in: Serve, recording: Recording) -> None:
    begun = threading.Event()

    @tool
    async def wait() -> str:
        """Wait."""
        begun.set()
        await asyncio.sleep(20)
        return "late"

    server = stand_in([calls(call("wait")), calls(call("wait"))])
    settings: dict[str, Any] = {"tools": [wait], "observers": [recording.telemetry()]}
    loop = ToolLoop(model="m", base_url=server.base_url, **settings)

    async def cancelled() -> None:
        task = asyncio.create_task(loop.arun("Go"))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    names = ["invoke_agent", "execute_tool wait"]
    assert [failed(recording.only(name)) for name in names] == [("ERROR", "CancelledError", None)] * 2
    assert len(recording.spans) == 7

    live = loop.start("Go")
    begun.clear()

    def cancel() -> None:
        begun.wait()
        live.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(RunCancelledError):
        live.run()
    assert failed(recording.named("invoke_agent")[-1]) == ("ERROR", "RunCancelledError", None)
    assert len(recording.spans) == 14


def test_a_recording_that_fails_is_logged_and_harms_no_run(
    stand_in: Serve, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    class NotThere(dict[str, str]):
        def pop(self, *_: object) -> Any:
            raise ConnectionError("the store is gone")

    telemetry = recording.telemetry(traceparents=NotThere())
    loop = ToolLoop(model="m", base_url=stand_in([says("Hello.")]).base_url, observers=[telemetry])
    with caplog.at_level(logging.WARNING, "callagain.telemetry"):
        assert loop.run("Go").outcome == "completed"
    told = [record for record in caplog.records if record.name == "callagain.telemetry"]
    assert [record.getMessage() for record in told] == ["part of a run could not be recorded"]
    assert "the store is gone" in (told[0].exc_text or "")
    assert recording.only("invoke_agent")
