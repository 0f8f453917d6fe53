"""The tools that the model may call: announced by tools.json, answered by operations."""

import json
from pathlib import Path

from callagain import Tool
from callagain.porting.ported import Variables

from orders_assistant.project import PROJECT

SCHEMAS = {
    entry["function"]["name"]: entry["function"]
    for entry in json.loads((Path(__file__).parent / "tools.json").read_text("utf-8"))
}


def make_tools(variables: Variables) -> list[Tool]:
    """The tools of one conversation, whose calls share its variables."""
    return [
        PROJECT.tool(SCHEMAS["get_order_status"], "Tool - Order Status", variables),
        PROJECT.tool(SCHEMAS["get_delivery_date"], "Tool - Delivery Date", variables),
        PROJECT.tool(SCHEMAS["cancel_order"], "Tool - Cancel Order", variables),
    ]
