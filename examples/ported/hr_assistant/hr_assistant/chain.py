"""The chain of the design: its links are the table of callagain, and its settings are below."""

from collections.abc import Mapping
from typing import Any

from callagain import TOOL_CALLING_LOOP, ToolLoop
from callagain.porting.jitterbit import text
from callagain.porting.ported import Answer, Variables
from callagain.porting.script import Value

from hr_assistant.project import PROJECT
from hr_assistant.tools import make_tools

CHAIN = TOOL_CALLING_LOOP
MODEL = "gpt-4o-mini"
MAX_ITERATIONS = 4


def make_loop(variables: Variables, **settings: Any) -> ToolLoop:
    """The loop of one conversation. settings: of ToolLoop, such as base_url and journal."""
    chosen: dict[str, Any] = {
        "model": MODEL,
        "system_prompt": text(variables.get("hr.systemPrompt")) or None,
        "parallel_tool_calls": False,
        "request_options": {"temperature": 0.2},
        "tools": make_tools(variables),
        "max_iterations": MAX_ITERATIONS,
        "chain": CHAIN,
    }
    return ToolLoop(**{**chosen, **settings})


def ask(user_message: str, *, inputs: Mapping[str, Value] | None = None, **settings: Any) -> Answer:
    """The operation 'HR - Logic'. inputs: other variables to begin with. settings: of ToolLoop."""
    variables = PROJECT.variables(user_message, inputs)
    result = make_loop(variables, **settings).run(user_message)
    PROJECT.take_result(result, variables)
    if result.outcome == "failed":
        PROJECT.run("HR - Sorry", variables)
    return Answer(result, variables)
