"""The tools that the model may call: announced by tools.json, answered by operations."""

import json
from pathlib import Path

from callagain import Tool
from callagain.porting.ported import Variables

from hr_assistant.project import PROJECT

SCHEMAS = {
    entry["function"]["name"]: entry["function"]
    for entry in json.loads((Path(__file__).parent / "tools.json").read_text("utf-8"))
}


def make_tools(variables: Variables) -> list[Tool]:
    """The tools of one conversation, whose calls share its variables."""
    return [
        PROJECT.tool(SCHEMAS["find_employee"], "Tool - Find Employee", variables),
        PROJECT.tool(SCHEMAS["get_time_off_balance"], "Tool - Time Off Balance", variables),
        PROJECT.tool(SCHEMAS["request_time_off"], "Tool - Request Time Off", variables),
    ]
