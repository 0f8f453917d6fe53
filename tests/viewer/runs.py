"""Runs that the tests of the viewer look at."""

import json
from typing import Any

from callagain import TOOL_CALLING_LOOP, ToolLoop, tool
from callagain.diagrams.walk import Walk
from callagain.engine.json_text import JsonObject
from callagain.engine.log_entries import Intent, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.testing import StandIn, calls
from callagain.testing.answers import AnyAnswer
from callagain.testing.plugin import StartStandIn

TWO_ROUNDS: list[AnyAnswer] = [
    calls(("look_up", {"order_id": "7"})),
    calls(("look_up", {"order_id": "8"})),
    "Both are shipped.",
]


@tool
def look_up(order_id: str) -> str:
    """Look up an order."""
    return f"{order_id} is shipped"


def two_rounds(stand_in: StartStandIn, **settings: Any) -> tuple[Walk, StandIn]:
    """Initialize, twice (LLM Call, Parse Response, Tool Dispatcher, Append), LLM Call, Parse, Extract."""
    server = stand_in(TWO_ROUNDS)
    loop = ToolLoop(model="any", base_url=server.base_url, tools=[look_up], **settings)
    return loop.run("Where are orders 7 and 8?").walk, server


def long_run(rounds: int, result: str = "shipped ", *, begun: int = 1) -> Walk:
    """A run of so many rounds of one call, without an endpoint and a driver: four steps each.

    begun: how often each request and each call is begun before it has a receipt.
    """
    entry: JsonObject = {
        "type": "function",
        "function": {"name": "look_up", "parameters": {"type": "object"}},
    }
    tools = (AnnouncedTool("look_up", entry),)
    run = Run(TOOL_CALLING_LOOP, Inputs("long", "any", "Go on", tools=tools, max_iterations=rounds))
    number = 0
    while run.outcome is None:
        for _ in run.walk():
            pass
        for key, command in run.open.ready():
            for _ in range(begun):
                run.apply(Intent(key, command.digest))
            if key[1] == 0 and run.state == "llm_call":
                number += 1
                value = HttpAnswer(200, "application/json", _response(number)).as_json()
            else:
                value = ToolReceipt(f"{result}{number}").as_json()
            run.apply(Receipt(key, {**value, "seconds": 0.01}))
    return Walk.of(run)


def _response(number: int) -> str:
    function = {"name": "look_up", "arguments": json.dumps({"order_id": str(number)})}
    message = {
        "role": "assistant",
        "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}],
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": usage})
