"""Performs the commands of a run: sends requests, calls tools and functions."""

import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.llm_request import LLMRequest
from callagain.connectors.retry import RetryPolicy
from callagain.connectors.throttle import Throttle, estimated_tokens
from callagain.connectors.tools import Tool, ToolContext, ToolProblem, exception_text
from callagain.connectors.tools.results import json_value
from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.drivers import Clock, OneAttempt, Tell, Work
from callagain.engine.json_text import Json, decode, encode
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import FunctionReceipt, ToolReceipt
from callagain.engine.run import Run
from callagain.engine.wire.output_limit import output_limit

# Told of an exception that a tool raised, with its name; the model gets the words, the log the traceback.
ReportException: TypeAlias = Callable[[str, BaseException], None]
# Told what a tool wrote to the operation log, with its name.
ReportLine: TypeAlias = Callable[[str, str], None]
# The words that the model is told, from the exception and the usual words.
FormatError: TypeAlias = Callable[[Exception, str], str]
# Takes the secrets out of a text.
Hide: TypeAlias = Callable[[str], str]


@dataclass(frozen=True)
class Means:
    """What a loop performs commands with. tool_timeout: seconds in all, or None.

    format_error: gives the words that the model is told of an exception, from it and from the usual words.
    """

    endpoint: Endpoint
    policy: RetryPolicy
    throttle: Throttle | None
    clock: Clock
    tools: Mapping[str, Tool]
    functions: Mapping[str, Callable[..., object]]
    tool_timeout: float | None
    format_error: FormatError | None


@dataclass(frozen=True)
class LoopPerformer:
    """Performs the commands of one run."""

    means: Means
    report_exception: ReportException
    report_line: ReportLine

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        means = self.means
        match command:
            case SendRequest():
                return self._request(run, key, command, prefer_async=prefer_async)
            case CallTool():
                return self._tool_work(run, key, command)
            case CallFunction():
                function = means.functions.get(command.name)
                if function is None:
                    error = f"there is no function {command.name!r}; give it to the loop by functions="
                    return Receipt(key, FunctionReceipt(error=error).as_json())
                return _FunctionCall(command, function, means.tool_timeout, means.endpoint.hide_secrets)

    def _request(self, run: Run, key: Key, command: SendRequest, *, prefer_async: bool) -> Work:
        means, wire = self.means, run.inputs.wire
        limit = output_limit(run.variables.request.fields, wire.output_limit_fields)
        return LLMRequest(
            means.endpoint,
            command.body,
            is_async=means.endpoint.is_async(prefer_async=prefer_async),
            policy=means.policy,
            throttle=means.throttle,
            clock=means.clock,
            tokens=estimated_tokens(command.body, limit),
            name=f"{run.inputs.run_id}:{key[0]}:{key[1]}",
        )

    def _tool_work(self, run: Run, key: Key, command: CallTool) -> Work | Receipt:
        tool = self.means.tools[command.name]
        cancelled = threading.Event()
        context = ToolContext(
            run_id=run.inputs.run_id,
            call_id=command.call_id,
            name=command.name,
            idempotency_key=f"{run.inputs.run_id}:{key[0]}:{key[1]}",
            write_log=lambda line: self.report_line(command.name, line),
            cancel_event=cancelled,
        )
        timeout = self.means.tool_timeout if tool.timeout is None else tool.timeout
        hide = self.means.endpoint.hide_secrets
        receipts = _ToolReceipts(tool, hide, self.report_exception, self.means.format_error)
        try:
            call = tool.bind(command.arguments, context)
        except Exception as error:
            return Receipt(key, receipts.of_error(error))
        return _ToolCall(tool, call, timeout, cancelled, receipts)


@dataclass(frozen=True)
class _ToolReceipts:
    """The receipts of a tool's calls. The model reads their content, so the loop's key is taken out of it."""

    tool: Tool
    hide: Hide
    report_exception: ReportException
    format_error: FormatError | None

    def of_value(self, value: object) -> Json:
        return self._hidden(ToolReceipt(self.tool.result_text(value)))

    def of_error(self, error: Exception) -> Json:
        if isinstance(error, ToolProblem):
            return self._hidden(ToolReceipt.of_error(error.code, self._formatted(error, error.message)))
        self.report_exception(self.tool.name, error)
        usual = exception_text(error, self.hide)
        return self._hidden(ToolReceipt.of_error("tool_exception", self._formatted(error, usual)))

    def _formatted(self, error: Exception, usual: str) -> str:
        """Whatever the formatter does, the model is told something."""
        if self.format_error is None:
            return usual
        try:
            text = cast("object", self.format_error(error, usual))
        except Exception as failure:
            self.report_exception(self.tool.name, failure)
            return usual
        return text if isinstance(text, str) and text.strip() else usual

    def _hidden(self, receipt: ToolReceipt) -> Json:
        return ToolReceipt(self.hide(receipt.content), receipt.error).as_json()


@dataclass(frozen=True)
class _ToolCall(OneAttempt):
    tool: Tool
    call: Callable[[], object]
    timeout: float | None
    cancelled: threading.Event
    receipts: _ToolReceipts

    @property
    def is_async(self) -> bool:
        return self.tool.is_async

    @property
    def in_caller_thread(self) -> bool:
        return self.tool.in_caller_thread

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

    def abandon(self) -> None:
        self.cancelled.set()


@dataclass(frozen=True)
class _FunctionCall(OneAttempt):
    command: CallFunction
    function: Callable[..., object]
    timeout: float | None
    hide: Hide
    in_caller_thread: bool = False

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    def perform(self, tell: Tell) -> Json:  # noqa: ARG002 - a tool has no pieces
        try:
            return self._receipt_of_value(self.function(**self.command.arguments))
        except Exception as error:
            return self._receipt_of_error(error)

    async def perform_async(self, tell: Tell) -> Json:  # noqa: ARG002
        try:
            value = await cast(Awaitable[object], self.function(**self.command.arguments))
            return self._receipt_of_value(value)
        except Exception as error:
            return self._receipt_of_error(error)

    def abandon(self) -> None:
        """A function is not told."""

    def _receipt_of_value(self, value: object) -> Json:
        hidden = self.hide(encode(json_value(value)).decode())
        return FunctionReceipt(decode(hidden)).as_json()

    def _receipt_of_error(self, error: Exception) -> Json:
        return FunctionReceipt(error=exception_text(error, self.hide)).as_json()
