"""Many runs at once, what is left of them, and a program without OpenTelemetry."""

import asyncio
import gc
import json
import subprocess
import sys
import weakref
from pathlib import Path

import httpx2
from openai import AsyncOpenAI
from tests.telemetry.recording import Recording, attributes, id_of

from callagain import LiveRun, ToolLoop, tool

SOURCE = Path(__file__).parents[2] / "src"
RUNS = 150


@tool
async def look_up(number: int) -> str:
    """Look up an order."""
    await asyncio.sleep(0)
    return str(number)


def answer(request: httpx2.Request) -> httpx2.Response:
    messages = json.loads(request.content)["messages"]
    number = messages[0]["content"]
    function = {"name": "look_up", "arguments": json.dumps({"number": int(number)})}
    message: dict[str, object] = {"role": "assistant", "content": f"Order {number} is shipped."}
    if len(messages) == 1:
        message = {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        }
    return httpx2.Response(200, json={"choices": [{"message": message, "finish_reason": "stop"}]})


def test_many_runs_at_once_are_told_apart_and_leave_nothing(recording: Recording) -> None:
    http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    client = AsyncOpenAI(api_key="any", base_url="http://m/v1", http_client=http_client)
    telemetry = recording.telemetry(operations=False, content=True)
    loop = ToolLoop(model="m", tools=[look_up], client=client, observers=[telemetry])
    left: list[weakref.ref[LiveRun]] = []

    async def one(number: int) -> None:
        live = loop.start(str(number))
        left.append(weakref.ref(live))
        assert (await live.arun()).final_response == f"Order {number} is shipped."

    async def all_of_them() -> None:
        await asyncio.gather(*map(one, range(RUNS)))
        await http_client.aclose()

    asyncio.run(all_of_them())
    roots = {id_of(span): span for span in recording.named("invoke_agent")}
    tools = recording.named("execute_tool look_up")
    assert (len(roots), len(tools), len(recording.named("chat m"))) == (RUNS, RUNS, 2 * RUNS)
    for span in tools:
        assert span.parent is not None
        asked = json.loads(attributes(roots[span.parent.span_id])["gen_ai.input.messages"])
        called = json.loads(attributes(span)["gen_ai.tool.call.arguments"])
        assert asked[0]["parts"][0]["content"] == str(called["number"])
    gc.collect()
    assert [each for each in left if each() is not None] == []


ABSENT = """
import sys

# What an import of it finds where it is not installed.
sys.modules["opentelemetry"] = None

from callagain import ConfigurationError, ToolLoop
from callagain.telemetry import Telemetry

ToolLoop(model="m", base_url="http://m/v1").start("Go")
try:
    Telemetry()
except ConfigurationError as error:
    print(error)
print([name for name in sys.modules if name.startswith("opentelemetry.")])
"""


def test_without_opentelemetry_nothing_is_missing_but_telemetry() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ABSENT],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = "telemetry needs opentelemetry-api; install it with pip install 'callagain[otel]'\n[]\n"
    assert (done.stdout, done.stderr) == (told, "")
