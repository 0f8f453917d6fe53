"""What is measured: by which names, in which units, and by which attributes it can be told apart."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.telemetry.recording import Recording, attributes

from callagain import ToolLoop, tool
from callagain.testing import StandIn, call, calls, says

Serve = Callable[..., StandIn]


@tool
def look_up(order_id: str) -> str:
    """Look up an order."""
    return order_id


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_run_is_measured(stand_in: Serve, recording: Recording, stream: bool) -> None:
    server = stand_in([calls(call("look_up", {"order_id": "1"})), says("Shipped.")])
    options: dict[str, Any] = {"observers": [recording.telemetry(agent_name="orders")], "stream": stream}
    result = ToolLoop(model="m", tools=[look_up], base_url=server.base_url, **options).run("Go")
    port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
    provider = {"gen_ai.provider.name": "openai", "gen_ai.request.model": "m"}
    request = {
        "gen_ai.operation.name": "chat",
        **provider,
        "gen_ai.response.model": "m",
        "server.address": "127.0.0.1",
        "server.port": port,
    }
    whole = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "orders", **provider}
    called = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.agent.name": "orders",
        "gen_ai.tool.name": "look_up",
        "gen_ai.tool.type": "function",
    }
    counted = {**request, "gen_ai.token.modality": "unknown"}
    expected = {
        "gen_ai.client.inference.duration": ("s", request),
        "gen_ai.client.inference.time_to_first_chunk": ("s", request),
        "gen_ai.client.inference.usage.input_tokens": ("{token}", counted),
        "gen_ai.client.inference.usage.output_tokens": ("{token}", counted),
        "gen_ai.client.inference.operation.input_tokens": ("{token}", request),
        "gen_ai.client.inference.operation.output_tokens": ("{token}", request),
        "gen_ai.invoke_agent.duration": ("s", whole),
        "gen_ai.invoke_agent.inference_calls": ("{inference_call}", whole),
        "gen_ai.invoke_agent.tool_calls": ("{tool_call}", whole),
        "gen_ai.execute_tool.duration": ("s", called),
    }
    if not stream:
        del expected["gen_ai.client.inference.time_to_first_chunk"]
    found = recording.metrics()
    assert {name: (unit, of) for name, (unit, [(of, _)]) in found.items()} == expected
    values = {name: value for name, (_, [(_, value)]) in found.items()}
    usage = result.usage
    for kind in ("usage", "operation"):
        assert values[f"gen_ai.client.inference.{kind}.input_tokens"] == usage.prompt_tokens
        assert values[f"gen_ai.client.inference.{kind}.output_tokens"] == usage.completion_tokens
    assert values["gen_ai.invoke_agent.inference_calls"] == 2
    assert values["gen_ai.invoke_agent.tool_calls"] == 1
    # A duration is that of its span, to the nanosecond.
    for metric, name in (
        ("gen_ai.invoke_agent.duration", "invoke_agent orders"),
        ("gen_ai.execute_tool.duration", "execute_tool look_up"),
    ):
        span = recording.only(name)
        assert values[metric] == ((span.end_time or 0) - (span.start_time or 0)) / 1e9
    chats = recording.named("chat m")
    if stream:
        first = [attributes(chat)["gen_ai.response.time_to_first_chunk"] for chat in chats]
        assert values["gen_ai.client.inference.time_to_first_chunk"] == pytest.approx(sum(first))
        assert 0 < sum(first) < values["gen_ai.client.inference.duration"]
