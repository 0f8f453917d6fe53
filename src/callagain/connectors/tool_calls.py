"""Calls of tools: their arguments are validated, somebody is asked if that is wanted, then they are made."""

import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from callagain.connectors.means import Means, ReportException, ReportLine
from callagain.connectors.tools import Tool, ToolContext, ToolProblem, exception_text
from callagain.engine.commands import CallTool, Key
from callagain.engine.drivers import OneAttempt, Tell, Work
from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import Inputs


@dataclass(frozen=True)
class ToolCalls:
    """Makes the calls of one run."""

    means: Means
    report_exception: ReportException
    report_line: ReportLine

    def begin(self, run: Run, key: Key, command: CallTool, *, prefer_async: bool) -> Work | Receipt | Held:
        """The work to do. Arguments come first: nobody is asked about a call that cannot be made."""
        receipts = self.receipts(command.name)
        bound = self.bound(run, key, command)
        try:
            call = bound.bind(prefer_async=prefer_async)
        except Exception as error:
            return Receipt(key, receipts.of_error(error))
        tool, is_decided = bound.tool, key in run.open.released
        if (
            not is_decided
            and (why := self.means.hold_kind(run.inputs, tool, dict(command.arguments))) is not None
        ):
            return Held(key, why)
        edited = command.arguments if key in run.open.edited else None
        timeout = self.means.tool_timeout if tool.timeout is None else tool.timeout
        is_async = tool.is_called_async(prefer_async=prefer_async)
        return _ToolCall(key, bound, call, timeout, replace(receipts, edited=edited), is_async)

    def bound(self, run: Run, key: Key, command: CallTool) -> "BoundCall":
        """The call with its tool and its context, as it would be made."""
        context = ToolContext(
            run_id=run.inputs.run_id,
            call_id=command.call_id,
            name=command.name,
            idempotency_key=f"{run.inputs.run_id}:{key[0]}:{key[1]}",
            write_log=lambda line: self.report_line(command.name, line),
            cancel_event=threading.Event(),
        )
        return BoundCall(self.means.tools[command.name], command, context, self.means, run.inputs)

    def receipts(self, name: str) -> "ToolReceipts":
        """Makes the receipts of the tool of this name."""
        return ToolReceipts(self.means.tools[name], self.means, self.report_exception)


@dataclass(frozen=True)
class BoundCall:
    """One call, ready to be made."""

    tool: Tool
    command: CallTool
    context: ToolContext
    means: Means
    inputs: Inputs

    @property
    def needs_approval(self) -> bool:
        """Whether somebody would be asked before the loop makes it."""
        return self.means.needs_approval(self.inputs, self.tool, self.command.arguments)

    def validated(self) -> Mapping[str, object]:
        """The Python values that the function gets. Raises ToolProblem."""
        return self.tool.validated(self.command.arguments, self.means.max_argument_chars)

    def bind(self, *, prefer_async: bool) -> Callable[[], object]:
        """What makes the call. Raises ToolProblem."""
        limit = self.means.max_argument_chars
        arguments, context = self.command.arguments, self.context
        return self.tool.bind(arguments, context, max_argument_chars=limit, prefer_async=prefer_async)


@dataclass(frozen=True)
class ToolReceipts:
    """The receipts of a tool's calls. The model reads their content, so the loop's key is taken out of it.

    edited: the arguments that somebody put in place of the model's.
    """

    tool: Tool
    means: Means
    report_exception: ReportException
    edited: dict[str, Json] | None = field(default=None)

    def of_value(self, value: object) -> Json:
        """Raises ToolProblem for a value that is no result."""
        return self._hidden(ToolReceipt(self.tool.result_text(value)))

    def of_error(self, error: Exception) -> Json:
        if isinstance(error, ToolProblem):
            return self._hidden(ToolReceipt.of_error(error.code, self._formatted(error, error.message)))
        self.report_exception(self.tool.name, error)
        usual = exception_text(error, self.means.endpoint.hide_secrets)
        return self._hidden(ToolReceipt.of_error("tool_exception", self._formatted(error, usual)))

    def _formatted(self, error: Exception, usual: str) -> str:
        """Whatever the formatter does, the model is told something."""
        if self.means.format_error is None:
            return usual
        try:
            text = cast("object", self.means.format_error(error, usual))
        except Exception as failure:
            self.report_exception(self.tool.name, failure)
            return usual
        return text if isinstance(text, str) and text.strip() else usual

    def _hidden(self, receipt: ToolReceipt) -> Json:
        content = self.means.endpoint.hide_secrets(receipt.content)
        return ToolReceipt(content, receipt.error, self.edited).as_json()


@dataclass(frozen=True)
class _ToolCall(OneAttempt):
    key: Key
    bound: BoundCall
    call: Callable[[], object]
    timeout: float | None
    receipts: ToolReceipts
    is_async: bool

    @property
    def in_caller_thread(self) -> bool:
        return self.bound.tool.in_caller_thread

    def perform(self, tell: Tell) -> Json:  # noqa: ARG002 - a tool has no pieces
        try:
            return self.receipts.of_value(self.call())
        except Exception as error:
            return self.receipts.of_error(error)

    async def perform_async(self, tell: Tell) -> Json:  # noqa: ARG002
        try:
            return self.receipts.of_value(await cast(Awaitable[object], self.call()))
        except Exception as error:
            return self.receipts.of_error(error)

    def late(self) -> Json | Held | None:
        """A tool that asks when its outcome is unknown asks here too."""
        if self.bound.tool.on_unknown != "ask":
            return None
        return Held(self.key, UNKNOWN_OUTCOME, abandoned=not self.is_async)

    def abandon(self) -> None:
        self.bound.context.cancel_event.set()
