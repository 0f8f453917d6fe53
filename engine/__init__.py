"""The machine: chain and table, variables, the run and its log, and the drivers.

Read in this order: `table` (where a run goes), `operation` and the six files of `callagain.operations`,
`run` (what a run is), `drivers.synchronous` (what makes it move).
"""

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction, CallTool, Command, SendRequest
from callagain.engine.errors import Failure
from callagain.engine.links import Link
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed
from callagain.engine.operation import Activity, Operation, Script
from callagain.engine.problem import Problem
from callagain.engine.receipts import FunctionReceipt, ToolReceipt, ToolResult
from callagain.engine.run import Outcome, Run, Step
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables

__all__ = [
    "Activity",
    "CallFunction",
    "CallTool",
    "Chain",
    "Command",
    "Decision",
    "Entry",
    "Failure",
    "FunctionReceipt",
    "Held",
    "Inputs",
    "Intent",
    "Link",
    "Operation",
    "Outcome",
    "Problem",
    "Receipt",
    "Resumed",
    "Run",
    "Script",
    "SendRequest",
    "Step",
    "ToolReceipt",
    "ToolResult",
    "Variables",
]
