"""A run is a tree of spans: whose child each is, what it is called, and what it says of itself."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from openai import OpenAI
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from tests.loop.book import DONE, loop_with, page, reads
from tests.telemetry.recording import Recording, attributes, events, failed, id_of

from callagain import Result, Tool, ToolLoop, tool
from callagain.testing import StandIn, call, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

TREE = """\
invoke_agent orders
  operation initialize
  operation llm_call
    chat gpt-4o
  operation parse_response
  operation tool_dispatcher
    execute_tool look_up
      a query
    execute_tool look_up
      a query
  operation append_tool_result
  operation llm_call
    chat gpt-4o
  operation parse_response
  operation extract_final"""
FLAT = """\
invoke_agent
  chat m
  execute_tool look_up
    a query
  chat m"""


def looks(*ids: str) -> Any:
    return calls(*[call("look_up", {"order_id": each}) for each in ids])


def look_up_tool(recording: Recording, **options: Any) -> Tool:
    """It has a span of its own, as whatever it calls may have."""

    @tool(**options)
    def look_up(order_id: str) -> str:
        """Look up an order."""
        with recording.tracer.start_as_current_span("a query"):
            return order_id

    return look_up


def look_up_tool_of_the_caller(recording: Recording) -> Tool:
    return look_up_tool(recording, in_caller_thread=True)


def async_look_up_tool(recording: Recording) -> Tool:
    @tool
    async def look_up(order_id: str) -> str:
        """Look up an order."""
        with recording.tracer.start_as_current_span("a query"):
            await asyncio.sleep(0)
            return order_id

    return look_up


def test_a_run_is_a_tree_of_operations_requests_and_calls(
    run: Run, stand_in: Serve, recording: Recording
) -> None:
    server = stand_in([looks("1", "2"), says("Both are shipped.")])
    telemetry = recording.telemetry(agent_name="orders")
    tools = [look_up_tool(recording)]
    loop = ToolLoop(model="gpt-4o", tools=tools, base_url=server.base_url, observers=[telemetry])
    assert run(loop).outcome == "completed"
    assert recording.tree() == TREE


@pytest.mark.parametrize(
    "make",
    [look_up_tool, async_look_up_tool, look_up_tool_of_the_caller],
    ids=["in a thread", "awaited", "in the caller's thread"],
)
def test_what_a_tool_does_is_below_its_call_wherever_it_runs(
    run: Run, stand_in: Serve, recording: Recording, make: Callable[[Recording], Tool]
) -> None:
    server = stand_in([looks("1"), says("Done.")])
    telemetry = recording.telemetry(operations=False)
    run(ToolLoop(model="m", tools=[make(recording)], base_url=server.base_url, observers=[telemetry]))
    assert recording.tree() == FLAT
    assert not trace.get_current_span().get_span_context().is_valid


def test_each_run_is_below_the_span_of_its_own_caller(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([says("Hello.")], repeat_last=True)
    loop = ToolLoop(model="m", base_url=server.base_url, observers=[recording.telemetry()])

    def in_a_thread(number: int) -> None:
        with recording.tracer.start_as_current_span(f"thread {number}"):
            loop.run("Go", run_id=f"thread {number}")

    async def in_a_task(number: int) -> None:
        with recording.tracer.start_as_current_span(f"task {number}"):
            await loop.arun("Go", run_id=f"task {number}")

    async def tasks() -> None:
        await asyncio.gather(*map(in_a_task, range(3)))

    threads = [threading.Thread(target=in_a_thread, args=(number,)) for number in range(3)]
    for each in threads:
        each.start()
    asyncio.run(tasks())
    for each in threads:
        each.join()
    names = {id_of(span): span.name for span in recording.spans}
    found = {
        attributes(span)["callagain.run.id"]: names[span.parent.span_id]
        for span in recording.named("invoke_agent")
        if span.parent is not None
    }
    assert found == {
        f"{kind} {number}": f"{kind} {number}" for kind in ("thread", "task") for number in range(3)
    }


def test_a_loop_as_a_tool_of_another_is_below_the_call_of_it(stand_in: Serve, recording: Recording) -> None:
    inner_server, outer_server = stand_in([says("Shipped.")]), stand_in([calls(call("ask")), says("Done.")])
    telemetry = recording.telemetry(operations=False)
    inner = ToolLoop(model="inner", base_url=inner_server.base_url, observers=[telemetry])

    @tool
    def ask() -> str:
        """Ask the other loop."""
        return inner.run("Where is it?").final_response or ""

    ToolLoop(model="m", tools=[ask], base_url=outer_server.base_url, observers=[telemetry]).run("Go")
    nested = "    invoke_agent\n      chat inner"
    assert recording.tree() == f"invoke_agent\n  chat m\n  execute_tool ask\n{nested}\n  chat m"


def test_a_request_goes_out_within_its_span_and_without_a_header_of_ours(recording: Recording) -> None:
    seen: list[int] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert "traceparent" not in request.headers
        seen.append(trace.get_current_span().get_span_context().span_id)
        message = {"role": "assistant", "content": "Hello."}
        return httpx2.Response(200, json={"choices": [{"message": message, "finish_reason": "stop"}]})

    http_client = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = OpenAI(api_key="any", base_url="http://model.example/v1", http_client=http_client)
    ToolLoop(model="m", client=client, observers=[recording.telemetry()]).run("Go")
    chat = recording.only("chat m")
    assert (seen, chat.kind) == ([id_of(chat)], SpanKind.CLIENT)
    assert attributes(chat, "server.address", "server.port") == {
        "server.address": "model.example",
        "server.port": 80,
    }


SETTINGS: dict[str, Any] = {
    "temperature": 0.2,
    "top_p": 1,
    "max_tokens": 100,
    "seed": 7,
    "stop": ["END"],
    "response_format": {"type": "json_object"},
}
OF_SETTINGS = {
    "gen_ai.request.temperature": 0.2,
    "gen_ai.request.top_p": 1.0,
    "gen_ai.request.max_tokens": 100,
    "gen_ai.request.seed": 7,
    "gen_ai.request.stop_sequences": ("END",),
    "gen_ai.output.type": "json",
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"request_options": SETTINGS}, {**OF_SETTINGS, "gen_ai.response.finish_reasons": ("stop",)}),
        ({"stream": True}, {"gen_ai.request.stream": True, "gen_ai.response.finish_reasons": ("stop",)}),
        (
            {
                "api": "responses",
                "request_options": {"max_output_tokens": 50, "reasoning": {"effort": "low"}},
            },
            {
                "gen_ai.request.max_tokens": 50,
                "gen_ai.request.reasoning.level": "low",
                "gen_ai.usage.cache_read.input_tokens": 0,
                "gen_ai.usage.reasoning.output_tokens": 0,
                "gen_ai.response.finish_reasons": ("completed",),
            },
        ),
    ],
    ids=["settings", "streamed", "Responses API"],
)
def test_a_request_says_what_it_asks_for_and_what_came(
    stand_in: Serve, recording: Recording, options: dict[str, Any], expected: dict[str, Any]
) -> None:
    server = stand_in([says("{}")])
    ToolLoop(model="m", base_url=server.base_url, observers=[recording.telemetry()], **options).run("Go")
    found = dict(attributes(recording.only("chat m")))
    counts = {found.pop(f"gen_ai.usage.{each}_tokens") > 0 for each in ("input", "output")}
    assert counts == {True}
    assert found.pop("gen_ai.response.id")
    assert (found.pop("gen_ai.response.time_to_first_chunk", None) is None) is ("stream" not in options)
    assert found == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m",
        "server.address": "127.0.0.1",
        "server.port": int(server.base_url.rsplit(":", 1)[1].split("/")[0]),
        "callagain.attempts": 1,
        **expected,
    }


def test_cached_and_reasoning_tokens_are_told_apart(recording: Recording) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 15},
    }
    message = {"role": "assistant", "content": "Hello."}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(200, json=body))
    client = OpenAI(api_key="any", base_url="http://m/v1", http_client=httpx2.Client(transport=transport))
    ToolLoop(model="m", client=client, observers=[recording.telemetry()]).run("Go")
    found = attributes(recording.only("chat m"))
    assert {name: value for name, value in found.items() if name.startswith("gen_ai.usage.")} == {
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.reasoning.output_tokens": 15,
    }


def test_run_operation_and_call_say_what_they_are(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([looks("1"), says("Done.")])
    telemetry = recording.telemetry(agent_name="orders")
    tools = [look_up_tool(recording)]
    options: dict[str, Any] = {"base_url": server.base_url, "profile": "azure"}
    result = ToolLoop(model="m", tools=tools, observers=[telemetry], **options).run("Go", run_id="r1")
    assert attributes(recording.only("invoke_agent orders")) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "orders",
        "gen_ai.provider.name": "azure.ai.openai",
        "gen_ai.request.model": "m",
        "gen_ai.usage.input_tokens": result.usage.prompt_tokens,
        "gen_ai.usage.output_tokens": result.usage.completion_tokens,
        "callagain.run.id": "r1",
        "callagain.chain": "tool_calling_loop",
        "callagain.outcome": "completed",
        "callagain.loop_count": 1,
    }
    assert attributes(recording.only("operation tool_dispatcher")) == {
        "callagain.operation": "tool_dispatcher",
        "callagain.operation.event": "on_success",
        "callagain.operation.next": "append_tool_result",
        "callagain.loop_count": 1,
    }
    assert attributes(recording.only("execute_tool look_up")) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look_up",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.description": "Look up an order.",
    }


def test_a_function_of_an_operation_has_a_span(stand_in: Serve, recording: Recording) -> None:
    def summary(result: str, **_: object) -> str:
        with recording.tracer.start_as_current_span("a query"):
            if result == page(2):
                raise ValueError("page 2 is too short")
            return "summary"

    server = stand_in([reads(1), reads(2), reads(3), DONE])
    loop_with(server, summarizer=summary, observers=[recording.telemetry()]).run("Go")
    lines = recording.tree().splitlines()
    place = lines.index("    function callagain.summarizer")
    assert lines[place - 1 : place + 2] == [
        "  operation compact_context",
        "    function callagain.summarizer",
        "      a query",
    ]
    first, second = recording.named("function callagain.summarizer")
    assert attributes(first) == {"callagain.function": "callagain.summarizer"}
    assert failed(second)[:2] == ("ERROR", "operation_failed")


def test_a_warning_is_an_event_of_its_operation(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([says("Hello.")])
    settings: dict[str, Any] = {"repair_history": True, "observers": [recording.telemetry()]}
    broken: list[Any] = [{"role": "tool", "tool_call_id": "x", "content": "an answer to nothing"}]
    ToolLoop(model="m", base_url=server.base_url, **settings).run("Go", history=broken)
    told = events(recording.only("operation initialize"))
    assert told == [("callagain.warning", {"callagain.warning.code": "history_repaired"})]
