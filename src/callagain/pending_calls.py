"""Tool calls that were not run: they wait for somebody, or a limit came first."""

import copy
import hashlib
import inspect
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from callagain.connectors.tool_calls import BoundCall, ToolCalls
from callagain.engine.commands import CallTool, Key
from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
from callagain.engine.errors import DecisionError
from callagain.engine.json_text import JsonObject, canonical, encode
from callagain.engine.run import Run


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A tool call that was not run.

    id: what decisions and results name it by; Genkit's `ref`. arguments: the JSON object, None if it is none;
    arguments_text: as the model wrote them. why: the error kind of the suspended run that it waits in; None
    at a limit, and for a call of a run that was left which has not begun. digest: stands for this call of
    this run alone: run id, step, position, name, arguments and schema.
    Source of the names: Genkit's tool requests (name, ref, input).
    """

    id: str
    name: str
    arguments: JsonObject | None
    arguments_text: str = ""
    why: str | None = None
    digest: str = ""
    _bound: BoundCall | None = field(default=None, repr=False, compare=False)

    @property
    def needs_approval(self) -> bool:
        """Whether its tool, or the loop, wants somebody to be asked; whoever executes it takes that on."""
        return self.why == "approval_required" or (self._bound is not None and self._bound.needs_approval)

    @property
    def ref(self) -> str:
        """The id, by Genkit's name."""
        return self.id

    def validated(self) -> Mapping[str, object]:
        """The arguments as the function gets them: dates, enums, models. Raises ToolProblem."""
        return self._call().validated()

    def execute(self) -> Any:
        """Calls the function here and now, and gives what it returns.

        Nobody is asked, nothing is logged, and no timeout counts. Raises what the function raises,
        ToolProblem for arguments that do not fit, and DecisionError for an async tool.
        """
        value = self._call().bind(prefer_async=False)()
        if inspect.iscoroutine(value):
            value.close()
            raise DecisionError(f"{self.name} is an async tool; run it by `await call.aexecute()`")
        return value

    async def aexecute(self) -> Any:
        """The same for a tool of either kind."""
        value = self._call().bind(prefer_async=True)()
        return await cast("Awaitable[object]", value) if inspect.isawaitable(value) else value

    def as_json(self) -> JsonObject:
        return {
            "id": self.id,
            "name": self.name,
            "arguments": self.arguments,
            "arguments_text": self.arguments_text,
            "why": self.why,
            "digest": self.digest,
            "needs_approval": self.needs_approval,
        }

    def _call(self) -> BoundCall:
        if self._bound is None:
            raise RuntimeError(f"{self.name} does not wait for a result: the run ended before it was called")
        return self._bound


def call_binding(run: Run, key: Key, command: CallTool) -> str:
    """The digest of one call of one run, as it would be performed now."""
    tool = run.inputs.tool(command.name)
    parts = [run.inputs.run_id, *key, command.digest, tool.entry if tool is not None else None]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def held_call(run: Run, key: Key, command: CallTool, tool_calls: ToolCalls | None) -> PendingCall:
    """A call that waits for a decision."""
    held = run.open.held.get(key)
    bound = None if tool_calls is None else tool_calls.bound(run, key, command)
    asked = next((call for call in run.variables.tool_calls if call.id == command.call_id), None)
    return PendingCall(
        id=command.call_id,
        name=command.name,
        # Whoever changes them does not change the call: that is what edit(arguments) is for.
        arguments=copy.deepcopy(command.arguments),
        arguments_text=encode(command.arguments).decode() if asked is None else asked.arguments_text,
        why=UNKNOWN_OUTCOME if key in dict(run.open.unanswered()) else None if held is None else held.why,
        digest=call_binding(run, key, command),
        _bound=bound,
    )


def pending_calls(run: Run, tool_calls: ToolCalls | None) -> list[PendingCall]:
    """The calls of the last response that were not run: those that wait, or all that a limit has stopped."""
    if run.open.commands:
        is_suspended = run.outcome == "suspended"
        calls = [each for each in run.open.without_receipt() if not is_suspended or each[0] in run.open.held]
        return [held_call(run, key, call, tool_calls) for key, call in calls if isinstance(call, CallTool)]
    return [
        PendingCall(call.id, call.name, copy.deepcopy(call.arguments), call.arguments_text)
        for call in run.variables.open_calls
    ]
