"""callagain: an LLM tool-calling loop as an explicit state machine.

```python
from callagain import ToolLoop

def get_order_status(order_id: str) -> dict[str, str]:
    '''Look up an order by its six-digit id.'''
    return {"order_id": order_id, "status": "shipped"}

loop = ToolLoop(model="gpt-4o", tools=[get_order_status])
print(loop.run("Where is order 481516?").final_response)
```
"""

from callagain.connectors.profiles import PROFILES, profile_named
from callagain.connectors.throttle import Throttle
from callagain.connectors.tools import (
    Tool,
    ToolContext,
    ToolDescriptionWarning,
    ToolProblem,
    foreign_tool,
    tool,
    tool_from_schema,
    tools_from_json,
)
from callagain.conversation import Conversation
from callagain.decisions import Verdict, approve, deny, edit
from callagain.engine.errors import (
    CallAgainError,
    ChainError,
    ConfigurationError,
    DatabaseError,
    DecisionError,
    DuplicateToolError,
    EntryError,
    Failure,
    IllegalEventError,
    JournalError,
    OutcomeError,
    ReplayError,
    RunCancelledError,
    RunExistsError,
    RunInProgressError,
    RunNotFoundError,
    SnapshotError,
    ToolSchemaError,
)
from callagain.engine.events import (
    AttemptDiscarded,
    CommandDecided,
    CommandDelayed,
    CommandEnded,
    CommandHeld,
    CommandStarted,
    Event,
    OperationEnded,
    RunEnded,
)
from callagain.engine.journal.store import JournalFile, open_journal
from callagain.engine.problem import Problem
from callagain.engine.spending import Spent
from callagain.engine.wire.deltas import ArgumentsDelta, ReasoningDelta, TextDelta
from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports
from callagain.live_run import LiveRun
from callagain.loop import ToolLoop
from callagain.loop_as_tool import loop_tool
from callagain.operations import TOOL_CALLING_LOOP
from callagain.pending_calls import PendingCall
from callagain.replaying import ReplayedRun, replay_file
from callagain.result import Result
from callagain.run_once import arun_once, run_once
from callagain.run_stream import RunStream

__all__ = [
    "PROFILES",
    "TOOL_CALLING_LOOP",
    "ArgumentsDelta",
    "AttemptDiscarded",
    "CallAgainError",
    "ChainError",
    "CommandDecided",
    "CommandDelayed",
    "CommandEnded",
    "CommandHeld",
    "CommandStarted",
    "ConfigurationError",
    "Conversation",
    "DatabaseError",
    "DecisionError",
    "DuplicateToolError",
    "EntryError",
    "Event",
    "Failure",
    "IllegalEventError",
    "JournalError",
    "JournalFile",
    "LiveRun",
    "ModelFacts",
    "OperationEnded",
    "OutcomeError",
    "PendingCall",
    "Prices",
    "Problem",
    "Profile",
    "ReasoningDelta",
    "ReplayError",
    "ReplayedRun",
    "Result",
    "RunCancelledError",
    "RunEnded",
    "RunExistsError",
    "RunInProgressError",
    "RunNotFoundError",
    "RunStream",
    "SnapshotError",
    "Spent",
    "Supports",
    "TextDelta",
    "Throttle",
    "Tool",
    "ToolContext",
    "ToolDescriptionWarning",
    "ToolLoop",
    "ToolProblem",
    "ToolSchemaError",
    "Verdict",
    "approve",
    "arun_once",
    "deny",
    "edit",
    "foreign_tool",
    "loop_tool",
    "open_journal",
    "profile_named",
    "replay_file",
    "run_once",
    "tool",
    "tool_from_schema",
    "tools_from_json",
]
