"""ChatOpenAI and OpenAILike, the single-round chain, and the loop: one tool, one endpoint, one result."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from callagain import ToolLoop
from callagain.chains import FUNCTION_ROUTING
from callagain.testing import Rule, StandIn, calls, says

QUESTION = "Where is order 481516?"
ARGUMENTS = {"order_id": "481516", "days": 3}
RESULT = {"order_id": "481516", "status": "shipped", "days": 3}


def get_order_status(order_id: str, days: int = 7) -> dict[str, object]:
    """Look up the status of an order."""
    return {"order_id": order_id, "status": "shipped", "days": days}


@pytest.fixture
def endpoint() -> Iterator[StandIn]:
    answers = [calls(("get_order_status", ARGUMENTS)), says("It is shipped.")]
    with StandIn([Rule(asked="order", then=answers)]) as server:
        yield server


def routed(endpoint: StandIn, tool: Any) -> Any:
    """By the single-round chain."""
    loop = ToolLoop(model="m", base_url=endpoint.base_url, tools=[tool], chain=FUNCTION_ROUTING)
    return json.loads(loop.run(QUESTION).raise_for_outcome().variables.function_resp)


def looped(endpoint: StandIn, tool: Any) -> Any:
    result = ToolLoop(model="m", base_url=endpoint.base_url, tools=[tool]).run(QUESTION)
    assert result.final_response == "It is shipped."
    return json.loads(result.tool_results[0].content)


def assert_announced_alike(endpoint: StandIn) -> None:
    """By them, by the chain and by the loop."""
    told = [request.json["tools"][0]["function"] for request in endpoint.requests]
    assert {each["name"] for each in told} == {"get_order_status"}
    assert {tuple(each["parameters"]["properties"]) for each in told} == {("order_id", "days")}
    assert {tuple(each["parameters"]["required"]) for each in told} == {("order_id",)}


def test_chat_openai_with_bound_tools(endpoint: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    order_status = tool(get_order_status)
    model: Any = ChatOpenAI(model="m", base_url=endpoint.base_url, api_key=SecretStr("any"))
    said = model.bind_tools([order_status]).invoke(QUESTION)
    assert [call["args"] for call in said.tool_calls] == [ARGUMENTS]
    message = order_status.invoke(said.tool_calls[0])

    results = json.loads(message.content), routed(endpoint, order_status), looped(endpoint, order_status)
    assert results == (RESULT, RESULT, RESULT)
    assert_announced_alike(endpoint)


def test_open_ai_like_with_predict_and_call(endpoint: StandIn) -> None:
    from llama_index.core.tools import FunctionTool

    open_ai_like: Any = import_module("llama_index.llms.openai_like")
    order_status = FunctionTool.from_defaults(get_order_status)
    model = open_ai_like.OpenAILike(
        model="m",
        api_base=endpoint.base_url,
        api_key="any",
        is_chat_model=True,
        is_function_calling_model=True,
        context_window=8_000,
    )
    response = model.predict_and_call([order_status], user_msg=QUESTION)

    results = response.sources[0].raw_output, routed(endpoint, order_status), looped(endpoint, order_status)
    assert results == (RESULT, RESULT, RESULT)
    assert_announced_alike(endpoint)
