"""A run by an id of the caller's own is begun once, however often it is asked for."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import (
    ConfigurationError,
    Result,
    RunExistsError,
    RunInProgressError,
    ToolLoop,
    approve,
    arun_once,
    run_once,
    tool,
)
from callagain.testing import Answer, StandIn, call, calls, says
from callagain.testing.plugin import StartStandIn

QUESTION = "Send it."
Once = Callable[..., Result]


@pytest.fixture(params=["run_once", "arun_once"])
def once(request: pytest.FixtureRequest) -> Once:
    def on_an_event_loop(loop: ToolLoop, message: str, **options: Any) -> Result:
        return asyncio.run(arun_once(loop, message, **options))

    return run_once if request.param == "run_once" else on_an_event_loop


@pytest.fixture
def sent() -> list[str]:
    return []


@pytest.fixture
def loop_at(sent: list[str], tmp_path: Path) -> Callable[..., ToolLoop]:
    @tool
    def send(order_id: str) -> str:
        """Send an order."""
        sent.append(order_id)
        return "sent"

    def loop_at(endpoint: StandIn, **settings: Any) -> ToolLoop:
        chosen: dict[str, Any] = {"journal": tmp_path / "runs.db", "max_retries": 0, **settings}
        return ToolLoop(model="any", base_url=endpoint.base_url, tools=[send], **chosen)

    return loop_at


SENDS = calls(call("send", {"order_id": "7"}))


def test_what_is_asked_twice_is_run_once(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn, sent: list[str]
) -> None:
    endpoint = stand_in([SENDS, says("Sent.")])
    results = [once(loop_at(endpoint), QUESTION, run_id="order-7") for _ in range(2)]
    assert [result.final_response for result in results] == ["Sent.", "Sent."]
    assert (sent, len(endpoint.requests)) == (["7"], 2)


def test_a_run_that_failed_goes_on_from_its_last_step(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn, sent: list[str]
) -> None:
    endpoint = stand_in([SENDS, Answer(503, {"error": {"message": "overloaded"}}), says("Sent.")])
    outcomes = [once(loop_at(endpoint), QUESTION, run_id="order-7").outcome for _ in range(2)]
    assert (outcomes, sent) == (["failed", "completed"], ["7"])


def test_a_run_that_was_left_goes_on(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn, sent: list[str]
) -> None:
    endpoint = stand_in([SENDS, says("Sent.")])
    left = loop_at(endpoint).start(QUESTION, run_id="order-7")
    while not sent:
        left.step()
    del left
    assert once(loop_at(endpoint), QUESTION, run_id="order-7").final_response == "Sent."
    assert sent == ["7"]


def test_what_waits_is_told_until_somebody_has_decided(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn, sent: list[str]
) -> None:
    loop = loop_at(stand_in([SENDS, says("Sent.")]), approve_effects=True)
    once(loop, QUESTION, run_id="order-7")
    (waiting,) = once(loop, QUESTION, run_id="order-7").pending_calls
    assert (waiting.name, sent) == ("send", [])
    assert loop.resume("order-7", decisions={waiting.id: approve}).outcome == "completed"
    assert once(loop, QUESTION, run_id="order-7").final_response == "Sent."


def test_an_id_belongs_to_one_message(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn
) -> None:
    loop = loop_at(stand_in([says("Hello.")]))
    once(loop, "Hello", run_id="order-7")
    with pytest.raises(ConfigurationError, match="the run 'order-7' began with another message"):
        once(loop, "Bye", run_id="order-7")
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi."}]
    with pytest.raises(ConfigurationError, match="the run 'order-7' began with another history"):
        once(loop, "Hello", run_id="order-7", history=history)


def test_an_answer_is_told_by_a_loop_that_has_other_tools_by_now(
    once: Once, stand_in: StartStandIn, loop_at: Callable[..., ToolLoop], tmp_path: Path
) -> None:
    endpoint = stand_in([SENDS, says("Sent.")])
    once(loop_at(endpoint), QUESTION, run_id="order-7")
    later = ToolLoop(model="any", base_url=endpoint.base_url, journal=tmp_path / "runs.db")
    assert once(later, QUESTION, run_id="order-7").final_response == "Sent."


def test_a_loop_without_a_journal_is_refused(
    once: Once, loop_at: Callable[..., ToolLoop], stand_in: StartStandIn
) -> None:
    with pytest.raises(ConfigurationError, match="give the loop its journal="):
        once(loop_at(stand_in([]), journal=None), QUESTION, run_id="order-7")


def test_of_two_at_once_one_begins(
    once: Once, stand_in: StartStandIn, loop_at: Callable[..., ToolLoop], sent: list[str]
) -> None:
    endpoint = stand_in([SENDS, says("Sent.")], delay=0.2)
    loop, came, told = loop_at(endpoint), threading.Barrier(4), list[str | None]()

    def ask() -> None:
        came.wait(10)
        try:
            told.append(once(loop, QUESTION, run_id="order-7").final_response)
        except RunInProgressError:
            told.append("in progress")

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for each in asking:
        each.start()
    for each in asking:
        each.join(20)
    assert (len(told), sent) == (4, ["7"])
    assert set(told) <= {"Sent.", "in progress"}
    assert once(loop, QUESTION, run_id="order-7").final_response == "Sent."


def test_run_itself_refuses_an_id_that_is_there(
    loop_at: Callable[..., ToolLoop], stand_in: StartStandIn
) -> None:
    loop = loop_at(stand_in([says("Hello.")]))
    loop.run("Hello", run_id="order-7")
    with pytest.raises(RunExistsError, match="the journal has a run 'order-7' already"):
        loop.run("Hello", run_id="order-7")
