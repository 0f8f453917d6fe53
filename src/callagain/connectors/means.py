"""What a loop performs commands with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.retry import RetryPolicy
from callagain.connectors.throttle import Throttle
from callagain.connectors.tools import Tool
from callagain.engine.drivers import Clock
from callagain.engine.json_text import JsonObject
from callagain.engine.run_inputs import Inputs

# Told of an exception that a tool raised, with its name; the model gets the words, the log the traceback.
ReportException: TypeAlias = Callable[[str, BaseException], None]
# Told what a tool wrote to the operation log, with its name.
ReportLine: TypeAlias = Callable[[str, str], None]
# The words that the model is told, from the exception and the usual words.
FormatError: TypeAlias = Callable[[Exception, str], str]


@dataclass(frozen=True)
class Means:
    """tool_timeout: seconds in all, or None. max_argument_chars: of a string whose schema says nothing.

    approve_effects: every call that may have effects waits for somebody, also of a run that began without
    this. format_error: gives the words that the model is told of an exception, from it and
    from the usual words.
    """

    endpoint: Endpoint
    policy: RetryPolicy
    throttle: Throttle | None
    clock: Clock
    tools: Mapping[str, Tool]
    functions: Mapping[str, Callable[..., object]]
    tool_timeout: float | None
    max_argument_chars: int | None
    approve_effects: bool
    format_error: FormatError | None

    def hold_kind(self, inputs: Inputs, tool: Tool, arguments: JsonObject) -> str | None:
        """The error kind of the run that waits for somebody before it makes this call; None: it need not."""
        if inputs.return_tool_requests:
            return "tool_requests"
        return "approval_required" if self.needs_approval(inputs, tool, arguments) else None

    def needs_approval(self, inputs: Inputs, tool: Tool, arguments: JsonObject) -> bool:
        """Whether somebody is asked: what the run began with, this loop and the tool may want it."""
        approve_effects = inputs.approve_effects or self.approve_effects
        return (approve_effects and tool.has_effects) or tool.wants_approval(arguments)
