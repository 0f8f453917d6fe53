"""The operation log: what the guide has people read in Jitterbit's, as structured events.

One event for each operation, each request, each response and each tool call, and one for every line that an
operation or a tool writes. The application decides by its own configuration of structlog, or of logging,
what becomes of them; nothing is configured here.
"""

import logging
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import structlog

from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.events import CommandEnded, CommandHeld, CommandStarted, Event, OperationEnded, RunEnded
from callagain.engine.json_text import Json, encode
from callagain.engine.run import Run

LogPayloads: TypeAlias = Literal["none", "cut", "full"]

LOGGER_NAME = "callagain"
CUT_CHARS = 500

logging.getLogger(LOGGER_NAME).addHandler(logging.NullHandler())


def default_logger() -> Any:
    """The application's structlog, if it has configured one; else the logger "callagain" of logging."""
    if structlog.is_configured():
        return structlog.get_logger(LOGGER_NAME)
    return structlog.wrap_logger(
        logging.getLogger(LOGGER_NAME),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=["event", "run_id"], bool_as_flag=False),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
    )


class OperationLog:
    """Writes the events of one run.

    payloads: whether InAndOut, arguments and results are left out ("none"), cut to 500 characters ("cut") or
    written whole ("full"). hide: takes the secrets out of a text; every payload goes through it.
    """

    def __init__(self, run: Run, logger: Any, payloads: LogPayloads, hide: Callable[[str], str]) -> None:
        self._run = run
        self._log = logger.bind(run_id=run.inputs.run_id)
        self._payloads = payloads
        self._hide = hide

    def write(self, event: Event) -> None:
        """Writes what there is to say about the event."""
        match event:
            case OperationEnded():
                self._operation_ended(event)
            case CommandStarted(command=SendRequest(body=body)):
                self._log.info("llm_request", loop_count=self._loop_count, **self._payload(InAndOut=body))
            case CommandEnded(command=CallTool() as call):
                self._tool_called(event, call)
            case CommandHeld(command=CallTool() as call):
                self._log.warning("tool_call_held", why=event.why, tool=call.name, call_id=call.call_id)
            case RunEnded():
                self._run_ended(event)
            case _:
                pass

    def tool_line(self, tool: str, message: str) -> None:
        """A line that a tool wrote: the guide's WriteToOperationLog."""
        self._log.info("write_to_operation_log", tool=tool, message=self._hide(message))

    def tool_exception(self, tool: str, error: BaseException) -> None:
        """The whole traceback, of which the model is told only the last line."""
        self._log.error("tool_exception", tool=tool, exc_info=error)

    @property
    def _loop_count(self) -> int:
        return self._run.variables.loop_count

    def _operation_ended(self, event: OperationEnded) -> None:
        step = event.step
        for note in step.notes:
            level = logging.INFO if note.code is None else logging.WARNING
            name = note.code or "write_to_operation_log"
            self._log.log(level, name, operation=step.operation, message=self._hide(note.message))
        details: dict[str, Any] = {}
        if step.problem is not None:
            details = {"kind": step.problem.kind, "message": self._hide(step.problem.message)}
        elif step.after.usage != step.before.usage:
            reply = step.after.reply
            usage = reply.usage if reply is not None else step.after.usage
            details = {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens}
        self._log.info(
            "operation",
            operation=step.operation,
            loop_count=step.after.loop_count,
            call_llm_again=step.after.call_llm_again,
            seconds=round(event.seconds, 6),
            outcome=step.event,
            next=step.target,
            **details,
        )

    def _tool_called(self, event: CommandEnded, call: CallTool) -> None:
        receipt = event.receipt if isinstance(event.receipt, dict) else {}
        self._log.info(
            "tool_call",
            tool=call.name,
            call_id=call.call_id,
            loop_count=self._loop_count,
            seconds=round(event.seconds, 6),
            error=receipt.get("error"),
            **self._payload(arguments=call.arguments, result=receipt.get("content")),
        )

    def _run_ended(self, event: RunEnded) -> None:
        problem = self._run.problem
        ended: dict[str, Any] = {"outcome": event.outcome, "loop_count": self._loop_count}
        if problem is None or event.outcome == "completed":
            self._log.info("run_ended", **ended)
        else:
            self._log.warning("run_ended", **ended, kind=problem.kind, message=self._hide(problem.message))

    def _payload(self, **values: Json | bytes) -> dict[str, str]:
        if self._payloads == "none":
            return {}
        return {name: self._text(value) for name, value in values.items()}

    def _text(self, value: Json | bytes) -> str:
        if isinstance(value, bytes):
            text = value.decode()
        else:
            text = value if isinstance(value, str) else encode(value).decode()
        text = self._hide(text)
        if self._payloads == "full" or len(text) <= CUT_CHARS:
            return text
        return f"{text[:CUT_CHARS]}… ({len(text)} characters)"
