"""The receipts of commands that ran out of time. What a late effect did is unknown, and the text says so."""

from dataclasses import replace

from callagain.engine.commands import CallFunction, CallTool, Command
from callagain.engine.drivers.performer import Again, Work
from callagain.engine.json_text import Json
from callagain.engine.receipts import FunctionReceipt, ToolReceipt
from callagain.engine.wire.http_answer import HttpAnswer

DEADLINE = "deadline"


def receipt_when_late(command: Command, work: Work, *, at_deadline: bool) -> Json:
    """For a command that was under way when its timeout, or the run's deadline, was reached."""
    limit = "before the run's deadline" if at_deadline else f"within {work.timeout:g} s"
    if isinstance(command, CallTool):
        state = "it was told to stop" if work.is_async else "it may still be running"
        message = f"no result {limit}; {state}. Do not repeat the call: check first what it did"
        receipt = ToolReceipt.of_error("timeout", message)
        return replace(receipt, abandoned=not work.is_async).as_json()
    if isinstance(command, CallFunction):
        kind = DEADLINE if at_deadline else None
        return FunctionReceipt(error=f"{command.name} gave no result {limit}", kind=kind).as_json()
    kind = DEADLINE if at_deadline else "provider_unavailable"
    return HttpAnswer.missing(kind, f"the endpoint gave no whole answer {limit}").as_json()


def receipt_when_unknown(command: Command) -> Json:
    """For a command that was under way when its run was left, and that nobody is to be asked about."""
    message = "the run was interrupted during the call, and nobody knows what it did; check that first"
    if isinstance(command, CallTool):
        return ToolReceipt.of_error("tool_cancelled", message).as_json()
    return FunctionReceipt(error=message).as_json()


def receipt_when_cancelled(command: Command) -> Json:
    """For a command that ended by a cancellation which nobody outside had asked for."""
    if isinstance(command, CallTool):
        return ToolReceipt.of_error("tool_cancelled", f"{command.name} was cancelled").as_json()
    if isinstance(command, CallFunction):
        return FunctionReceipt(error=f"{command.name} was cancelled").as_json()
    return HttpAnswer.missing("provider_unavailable", "the request was cancelled").as_json()


def receipt_when_not_started(command: Command, message: str = "the run's deadline has passed") -> Json:
    """For a command that was not started, since the deadline had passed."""
    if isinstance(command, CallTool):
        return ToolReceipt.of_error("not_executed", f"not executed: {message}").as_json()
    if isinstance(command, CallFunction):
        return FunctionReceipt(error=f"{command.name} was not called: {message}", kind=DEADLINE).as_json()
    return replace(HttpAnswer.missing(DEADLINE, message), attempts=0).as_json()


def receipt_when_no_thread(command: Command) -> Json:
    """For a command that was not started, since no thread could be started for it."""
    message = "the system gives this program no more threads; calls that hang may hold them"
    if isinstance(command, CallTool):
        return ToolReceipt.of_error("not_executed", f"not executed: {message}").as_json()
    if isinstance(command, CallFunction):
        return FunctionReceipt(error=f"{command.name} was not called: {message}").as_json()
    return HttpAnswer.missing("provider_unavailable", f"the request was not sent: {message}").as_json()


def receipt_when_not_in_time(command: Command, again: Again | None) -> Json:
    """For a command whose next attempt may start only past the deadline. again: what came of the last one."""
    message = "the run's deadline comes before the request may be sent"
    if again is None:
        return receipt_when_not_started(command, message)
    message = f"{message} again, after {again.kind}: {again.why}"
    return replace(HttpAnswer.missing(DEADLINE, message), attempts=again.attempt).as_json()
