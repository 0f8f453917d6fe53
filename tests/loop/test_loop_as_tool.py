"""A loop as a tool of another one: asked, resumed after a crash, and given up with its caller."""

import json
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.loop.conftest import RunLoop

from callagain import (
    ConfigurationError,
    RunCancelledError,
    ToolContext,
    ToolLoop,
    ToolProblem,
    loop_tool,
    tool,
)
from callagain.testing import StandIn, call, calls, says
from callagain.testing.plugin import StartStandIn


def loop_at(endpoint: StandIn, **settings: Any) -> ToolLoop:
    return ToolLoop(model="any", base_url=endpoint.base_url, api_key="none", **settings)


def context(key: str = "run-1:3:0") -> ToolContext:
    return ToolContext("run-1", "call_1", "ask", key)


def test_a_loop_asks_another_one(run: RunLoop, stand_in: StartStandIn) -> None:
    inner = loop_at(stand_in([calls(call("price")), says("It is 7.")]), tools=[tool(price)])
    endpoint = stand_in([calls(call("ask", {"message": "How much?"})), says("Seven.")])
    outer = loop_at(endpoint, tools=[loop_tool("ask", inner, description="Ask the shop.")])
    result = run(outer)
    assert (result.final_response, result.tool_results[0].content) == ("Seven.", "It is 7.")
    announced = endpoint.requests[0].json["tools"][0]["function"]
    assert (announced["name"], announced["description"]) == ("ask", "Ask the shop.")
    assert announced["parameters"]["required"] == ["message"]


def price() -> str:
    """The price."""
    return "7"


def test_a_run_that_did_not_complete_is_told_with_its_reason(stand_in: StartStandIn) -> None:
    endpoint = stand_in([calls(call("nothing"))])
    loop = loop_at(endpoint, max_iterations=0)
    asks = loop_tool("ask", loop, description="Ask.", message=json.dumps)
    with pytest.raises(ToolProblem, match="ask ended as limit: "):
        asks.bind({"message": "Hi"}, context())()
    assert endpoint.requests[0].json["messages"][-1]["content"] == '{"message": "Hi"}'


def test_an_idempotent_call_that_is_made_again_goes_on_with_its_run(
    stand_in: StartStandIn, tmp_path: Path
) -> None:
    endpoint = stand_in([calls(call("price")), says("It is 7."), says("Another."), says("A new one.")])
    loop = loop_at(endpoint, tools=[tool(price)], journal=tmp_path / "runs.db")
    left = loop.start("How much?", run_id=context().idempotency_key)
    assert [left.step(), left.step()] != [None, None]
    asks = loop_tool("ask", loop, description="Ask.", options={"idempotent": True})
    for _ in range(2):
        assert asks.bind({"message": "How much?"}, context())() == "It is 7."
    assert len(endpoint.requests) == 2
    # An id that another question has taken is left to it.
    assert asks.bind({"message": "How many?"}, context())() == "Another."
    # What may not be done twice is asked anew, and not answered from what was once.
    asks = loop_tool("ask", loop, description="Ask.")
    assert asks.bind({"message": "How much?"}, context())() == "A new one."


def test_a_call_that_is_being_made_already_is_told_in_words_for_the_model(
    stand_in: StartStandIn, tmp_path: Path
) -> None:
    endpoint = stand_in([calls(call("price")), says("Mine.")])
    loop = loop_at(endpoint, tools=[tool(price)], journal=tmp_path / "runs.db")
    driving = loop.start("How much?", run_id=context().idempotency_key).events()
    with closing(driving):
        next(driving)
        asks = loop_tool("ask", loop, description="Ask.", options={"idempotent": True})
        with pytest.raises(ToolProblem) as raised:
            asks.bind({"message": "How much?"}, context())()
        assert raised.value.message == (
            "ask is at work on this very call already; its answer is not there yet"
        )
        asks = loop_tool("ask", loop, description="Ask.")
        assert asks.bind({"message": "How much?"}, context())() == "Mine."


def test_an_inner_run_that_waits_for_somebody_is_told_by_its_id(
    stand_in: StartStandIn, tmp_path: Path
) -> None:
    endpoint = stand_in([calls(call("price"))] * 2)
    for journal, told in (
        (None, "ask cannot go on without somebody who decides about price, and nobody is asked"),
        (
            tmp_path / "runs.db",
            "ask waits for somebody who decides about price; whoever runs this program finds it as the run ",
        ),
    ):
        loop = loop_at(endpoint, tools=[tool(requires_approval=True)(price)], journal=journal)
        with pytest.raises(ToolProblem) as raised:
            loop_tool("ask", loop, description="Ask.").bind({"message": "Hi"}, context())()
        assert raised.value.message.startswith(told)
    assert loop.load(raised.value.message.removeprefix(told)).outcome == "suspended"


def test_what_is_no_loop_is_refused() -> None:
    no_loop: Any = "loop"
    with pytest.raises(ConfigurationError, match="loop_tool makes a tool of a ToolLoop, not of str"):
        loop_tool("ask", no_loop, description="Ask.")


def test_an_inner_run_goes_no_further_when_its_caller_gives_up(stand_in: StartStandIn) -> None:
    entered, opened, ended = threading.Event(), threading.Event(), threading.Event()

    @tool
    def wait() -> str:
        """Wait."""
        entered.set()
        opened.wait(20)
        return "open"

    endpoint = stand_in([calls(call("wait")), says("Never.")])
    asks = loop_tool("ask", loop_at(endpoint, tools=[wait]), description="Ask.")
    outer = loop_at(stand_in([calls(call("ask", {"message": "Hi"}))]), tools=[asks])
    live = outer.start("Go")

    def drive() -> None:
        with pytest.raises(RunCancelledError):
            live.run()
        ended.set()

    driving = threading.Thread(target=drive)
    driving.start()
    assert entered.wait(10)
    live.cancel()
    assert ended.wait(10)
    opened.set()
    driving.join(10)
    given_up = context()
    given_up.cancel_event.set()
    with pytest.raises(ToolProblem, match="nobody waits for this call any more"):
        asks.bind({"message": "Hi"}, given_up)()
    assert len(endpoint.requests) == 1
