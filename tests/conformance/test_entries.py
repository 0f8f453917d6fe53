"""What a table of requests and responses cannot say: runs at once, after a crash, by the thousand."""

import asyncio
import gc
import subprocess
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import openai
import pytest

from callagain import LiveRun, Result, RunInProgressError, ToolLoop, tool
from callagain.testing import Answer, Rule, StandIn, calls, says
from callagain.testing.rules import Step

Serve = Callable[..., StandIn]

SOURCE = Path(__file__).parents[2] / "src"


@tool
def look_up(order_id: str) -> str:
    """Looks up an order."""
    return f"status of {order_id}"


def is_its_own(result: Result, number: int) -> bool:
    rounds = str(result.variables.as_jitterbit()["tools_messages"])
    others = [other for other in range(101, 171) if other != number and str(other) in rounds]
    said = f"Order {number}: status of {number}."
    return (result.final_response, result.loop_count, others) == (said, 1, []) and str(number) in rounds


def test_runs_at_once_are_not_mixed(stand_in: Serve) -> None:
    steps: list[Step] = [calls(("look_up", {"order_id": "{1}"})), "Order {1}: {result}."]
    loop = ToolLoop(model="m", base_url=stand_in([Rule(r"order (\d+)", steps)]).base_url, tools=[look_up])
    asked = {number: f"Where is order {number}?" for number in range(101, 171)}

    async def ask_fifty() -> list[Result]:
        return await asyncio.gather(*(loop.arun(asked[number]) for number in range(101, 151)))

    with ThreadPoolExecutor(20) as pool:
        others = [pool.submit(loop.run, asked[number]) for number in range(151, 171)]
        results = [*asyncio.run(ask_fifty()), *(each.result() for each in others)]
    assert [
        number for number, result in zip(asked, results, strict=True) if not is_its_own(result, number)
    ] == []


def test_a_run_is_driven_from_one_place(stand_in: Serve) -> None:
    entered, leave = threading.Event(), threading.Event()

    @tool
    def wait() -> str:
        """Waits."""
        entered.set()
        assert leave.wait(10)
        return "waited"

    server = stand_in([calls(("wait", {})), says("Done.")])
    live = ToolLoop(model="m", base_url=server.base_url, tools=[wait]).start("Go")
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(live.run)
        try:
            assert entered.wait(10)
            for drive in (live.run, live.step, lambda: asyncio.run(live.arun())):
                with pytest.raises(RunInProgressError):
                    drive()
        finally:
            leave.set()
        result = first.result(10)
    assert (result.final_response, result.loop_count, len(server.requests)) == ("Done.", 1, 2)


def test_a_run_that_fails_does_not_touch_another(stand_in: Serve) -> None:
    refused = Answer(400, {"error": {"message": "nope"}})
    rules = [
        Rule("bad", [calls(("look_up", {"order_id": "1"})), lambda _turn: refused]),
        Rule("good", [calls(("look_up", {"order_id": "2"})), says("Good.")]),
    ]
    loop = ToolLoop(model="m", base_url=stand_in(rules).base_url, tools=[look_up], max_retries=0)
    bad, good = loop.start("bad"), loop.start("good")
    while any([bad.step(), good.step()]):
        pass
    assert bad.result is not None
    assert bad.result.outcome == "failed"
    assert good.result is not None
    assert good.result.final_response == "Good."


def test_thousands_of_runs_leave_nothing_behind() -> None:
    message = {"role": "assistant", "content": "Hello."}
    answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    # Answered in memory: a server in this process would take part in what is counted.
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(200, json=answer))
    http_client = httpx2.Client(transport=transport)
    client = openai.OpenAI(api_key="any", base_url="http://127.0.0.1:9/v1", http_client=http_client)
    loop = ToolLoop(model="m", client=client)

    def finished() -> weakref.ref[LiveRun]:
        live = loop.start("Hello")
        assert live.run().outcome == "completed"
        return weakref.ref(live)

    finished()
    gc.collect()
    gc.disable()
    try:
        alive = sum(finished()() is not None for _ in range(1_800))
        # Counting takes three times as long as the runs, so a tenth of them is counted.
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        alive += sum(finished()() is not None for _ in range(200))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
        client.close()
    assert alive == 0
    assert after - before < 100_000


WALK = """
import json, sys
import callagain, callagain.engine, callagain.operations
from callagain.engine.commands import SendRequest
from callagain.engine.log_entries import Intent, Receipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs

call = {"id": "call_1", "type": "function", "function": {"name": "ping", "arguments": "{}"}}
messages = iter([{"content": None, "tool_calls": [call]}, {"content": "Done."}])
function = {"name": "ping", "parameters": {"type": "object"}}
tool = AnnouncedTool("ping", {"type": "function", "function": function})
run = Run(callagain.TOOL_CALLING_LOOP, Inputs(run_id="r", model="m", user_message="Go", tools=(tool,)))
while run.outcome is None:
    for _ in run.walk():
        pass
    for key, command in run.open.ready():
        if isinstance(command, SendRequest):
            body = json.dumps({"choices": [{"message": next(messages)}]})
            receipt = {"status": 200, "content_type": "application/json", "body": body}
        else:
            receipt = {"content": "pong", "error": None}
        run.apply(Intent(key, command.digest))
        run.apply(Receipt(key, receipt))
assert (run.variables.final_response, run.variables.loop_count) == ("Done.", 1), run.problem
sys.exit("openai" in sys.modules)
"""


def test_a_run_is_built_and_walked_without_the_openai_package() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WALK],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_after_a_crash_no_tool_runs_twice(stand_in: Serve) -> None:
    ran: list[str] = []

    def step(name: str) -> str:
        ran.append(name)
        if ran == ["A", "B"]:
            raise SystemExit
        return f"{name} is done"

    @tool(sequential=True)
    def a() -> str:
        """The first."""
        return step("A")

    @tool(sequential=True)
    def b() -> str:
        """The second: the process ends in it."""
        return step("B")

    @tool(sequential=True)
    def c() -> str:
        """The third."""
        return step("C")

    server = stand_in([calls(("a", {}), ("b", {}), ("c", {})), says("Done.")])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[a, b, c])
    crashed = loop.start("Go")
    with pytest.raises(SystemExit):
        crashed.run()

    suspended = loop.resume(crashed.snapshot())
    assert suspended.error is not None
    assert (suspended.outcome, suspended.error.kind) == ("suspended", "call_outcome_unknown")
    (pending,) = suspended.pending_calls
    assert pending.name == "b"
    assert ran == ["A", "B"]

    result = loop.resume(suspended.snapshot(), results={pending.id: "sent"})
    assert result.final_response == "Done."
    assert ran == ["A", "B", "C"]
    messages = server.requests[1].json["messages"]
    assert [message["content"] for message in messages[-3:]] == ["A is done", "sent", "C is done"]
