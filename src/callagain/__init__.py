"""callagain: an LLM tool-calling loop as an explicit state machine.

from callagain import ToolLoop

def get_order_status(order_id: str) -> dict[str, str]:
    '''Look up an order by its six-digit id.'''
    return {"order_id": order_id, "status": "shipped"}

loop = ToolLoop(model="gpt-4o", tools=[get_order_status])
print(loop.run("Where is order 481516?").final_response)
"""

from callagain.connectors.tools import (
    Tool,
    ToolContext,
    ToolDescriptionWarning,
    ToolProblem,
    tool,
    tool_from_schema,
    tools_from_json,
)
from callagain.engine.errors import (
    CallAgainError,
    ChainError,
    ConfigurationError,
    DuplicateToolError,
    EntryError,
    Failure,
    IllegalEventError,
    OutcomeError,
    RunCancelledError,
    RunInProgressError,
    ToolSchemaError,
)
from callagain.engine.problem import Problem
from callagain.live_run import LiveRun
from callagain.loop import ToolLoop
from callagain.operations import TOOL_CALLING_LOOP
from callagain.result import PendingCall, Result

__all__ = [
    "TOOL_CALLING_LOOP",
    "CallAgainError",
    "ChainError",
    "ConfigurationError",
    "DuplicateToolError",
    "EntryError",
    "Failure",
    "IllegalEventError",
    "LiveRun",
    "OutcomeError",
    "PendingCall",
    "Problem",
    "Result",
    "RunCancelledError",
    "RunInProgressError",
    "Tool",
    "ToolContext",
    "ToolDescriptionWarning",
    "ToolLoop",
    "ToolProblem",
    "ToolSchemaError",
    "tool",
    "tool_from_schema",
    "tools_from_json",
]
