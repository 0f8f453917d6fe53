"""Events of a run as JSON: the name and the data of a server-sent event."""

from callagain.engine.commands import CallFunction, CallTool, Command
from callagain.engine.events import (
    AttemptDiscarded,
    CommandDecided,
    CommandDelayed,
    CommandEnded,
    CommandHeld,
    CommandStarted,
    Event,
    OperationEnded,
)
from callagain.engine.json_text import JsonObject
from callagain.engine.wire.deltas import ArgumentsDelta, ReasoningDelta, TextDelta

DELTAS = frozenset({"text_delta", "reasoning_delta", "arguments_delta"})


def event_as_json(event: Event) -> tuple[str, JsonObject]:
    """Its name, and its data. Results of tools are in none: they go to the model, and to nobody else."""
    match event:
        case OperationEnded():
            return "operation_ended", _operation(event)
        case TextDelta():
            return "text_delta", {"text": event.text}
        case ReasoningDelta():
            return "reasoning_delta", {"text": event.text}
        case ArgumentsDelta():
            return "arguments_delta", {
                "index": event.index,
                "call_id": event.call_id,
                "name": event.name,
                "arguments": event.arguments,
            }
        case CommandStarted():
            return "command_started", _command(event.command)
        case CommandDelayed():
            return "command_delayed", {**_command(event.command), "seconds": event.seconds}
        case AttemptDiscarded():
            return "attempt_discarded", {
                **_command(event.command),
                "attempt": event.attempt,
                "kind": event.kind,
                "seconds": event.seconds,
            }
        case CommandEnded():
            return "command_ended", {**_command(event.command), "seconds": event.seconds}
        case CommandHeld():
            return "command_held", {**_command(event.command), "why": event.why}
        case CommandDecided():
            return "command_decided", {**_command(event.command), "verdict": event.verdict}
        case _:
            return "run_ended", {"outcome": event.outcome}


def _operation(event: OperationEnded) -> JsonObject:
    step = event.step
    return {
        "number": step.number,
        "operation": step.operation,
        "event": step.event,
        "next": step.target,
        "loop_count": step.after.loop_count,
        "call_llm_again": step.after.call_llm_again,
        "seconds": event.seconds,
    }


def _command(command: Command) -> JsonObject:
    if isinstance(command, CallTool):
        return {
            "command": "call_tool",
            "name": command.name,
            "call_id": command.call_id,
            "arguments": command.arguments,
        }
    if isinstance(command, CallFunction):
        return {"command": "call_function", "name": command.name}
    return {"command": "send_request"}
