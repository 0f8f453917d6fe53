"""Performs the commands of a run: sends requests, calls tools and functions."""

import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from callagain.connectors.chat_completions import ChatCompletions
from callagain.connectors.tools import Tool, ToolContext, ToolProblem, exception_text
from callagain.connectors.tools.results import json_value
from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.drivers import Work
from callagain.engine.json_text import Json, decode, encode
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import FunctionReceipt, ToolReceipt
from callagain.engine.run import Run

# Told of an exception that a tool raised, with its name; the model gets the words, the log the traceback.
ReportException: TypeAlias = Callable[[str, BaseException], None]
# Told what a tool wrote to the operation log, with its name.
ReportLine: TypeAlias = Callable[[str, str], None]
# Takes the secrets out of a text.
Hide: TypeAlias = Callable[[str], str]


@dataclass(frozen=True)
class LoopPerformer:
    """What one run's commands are performed with. A timeout is seconds in all, or None."""

    endpoint: ChatCompletions
    tools: Mapping[str, Tool]
    functions: Mapping[str, Callable[..., object]]
    timeout: float | None
    tool_timeout: float | None
    report_exception: ReportException
    report_line: ReportLine

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        match command:
            case SendRequest():
                is_async = self.endpoint.is_async(prefer_async=prefer_async)
                return _Request(self.endpoint, command.body, self.timeout, is_async)
            case CallTool():
                return self._tool_work(run, key, command)
            case CallFunction():
                function = self.functions.get(command.name)
                if function is None:
                    error = f"there is no function {command.name!r}; give it to the loop by functions="
                    return Receipt(key, FunctionReceipt(error=error).as_json())
                return _FunctionCall(command, function, self.tool_timeout, self.endpoint.hide_secrets)

    def _tool_work(self, run: Run, key: Key, command: CallTool) -> Work | Receipt:
        tool = self.tools[command.name]
        cancelled = threading.Event()
        context = ToolContext(
            run_id=run.inputs.run_id,
            call_id=command.call_id,
            name=command.name,
            idempotency_key=f"{run.inputs.run_id}:{key[0]}:{key[1]}",
            write_log=lambda line: self.report_line(command.name, line),
            cancel_event=cancelled,
        )
        timeout = self.tool_timeout if tool.timeout is None else tool.timeout
        receipts = _ToolReceipts(tool, self.endpoint.hide_secrets, self.report_exception)
        try:
            call = tool.bind(command.arguments, context)
        except Exception as error:
            return Receipt(key, receipts.of_error(error))
        return _ToolCall(tool, call, timeout, cancelled, receipts)


@dataclass(frozen=True)
class _Request:
    endpoint: ChatCompletions
    body: bytes = field(repr=False)
    timeout: float | None
    is_async: bool
    in_caller_thread: bool = False

    def perform(self) -> Json:
        return self.endpoint.send(self.body).as_json()

    async def perform_async(self) -> Json:
        return (await self.endpoint.send_async(self.body)).as_json()

    def abandon(self) -> None:
        """A request that nobody waits for ends with its connection."""


@dataclass(frozen=True)
class _ToolReceipts:
    """The receipts of a tool's calls. The model reads their content, so the loop's key is taken out of it."""

    tool: Tool
    hide: Hide
    report_exception: ReportException

    def of_value(self, value: object) -> Json:
        return self._hidden(ToolReceipt(self.tool.result_text(value)))

    def of_error(self, error: Exception) -> Json:
        if isinstance(error, ToolProblem):
            return self._hidden(ToolReceipt.of_error(error.code, error.message))
        self.report_exception(self.tool.name, error)
        return self._hidden(ToolReceipt.of_error("tool_exception", exception_text(error, self.hide)))

    def _hidden(self, receipt: ToolReceipt) -> Json:
        return ToolReceipt(self.hide(receipt.content), receipt.error).as_json()


@dataclass(frozen=True)
class _ToolCall:
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

    def perform(self) -> Json:
        try:
            return self.receipts.of_value(self.call())
        except Exception as error:
            return self.receipts.of_error(error)

    async def perform_async(self) -> Json:
        try:
            return self.receipts.of_value(await cast(Awaitable[object], self.call()))
        except Exception as error:
            return self.receipts.of_error(error)

    def abandon(self) -> None:
        self.cancelled.set()


@dataclass(frozen=True)
class _FunctionCall:
    command: CallFunction
    function: Callable[..., object]
    timeout: float | None
    hide: Hide
    in_caller_thread: bool = False

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    def perform(self) -> Json:
        try:
            return self._receipt_of_value(self.function(**self.command.arguments))
        except Exception as error:
            return self._receipt_of_error(error)

    async def perform_async(self) -> Json:
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
