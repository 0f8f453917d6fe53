"""The operation log: what the guide has people read in Jitterbit's, as structured events.

One event for each operation, each request, each response and each tool call, and one for every line that an
operation or a tool writes. The application decides by its own configuration of structlog, or of logging,
what becomes of them; nothing is configured here.
"""

import logging
import traceback
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import structlog

from callagain.engine.commands import CallTool, SendRequest
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
from callagain.engine.json_text import Json, encode
from callagain.engine.run import Run

LogPayloads: TypeAlias = Literal["none", "cut", "full"]

# What may be a warning.
_ALWAYS_SAID = (AttemptDiscarded, CommandHeld, RunEnded)

# A method of what structlog.make_filtering_bound_logger makes.
_OF_FILTERING_LOGGERS = "is_enabled_for"

LOGGER_NAME = "callagain"
CUT_CHARS = 500
CUT_TRACEBACK_CHARS = 2_000

logging.getLogger(LOGGER_NAME).addHandler(logging.NullHandler())


class _DefaultLogger(structlog.stdlib.BoundLogger):
    """Of logging's logger "callagain", which passes by what is below its level."""


def _level_of(log: object) -> Callable[[int], bool] | None:
    """Tells whether events of a level come to anything. None if nobody can know: an application's processors
    may do something with an event whatever its level is."""
    if isinstance(log, _DefaultLogger):
        return logging.getLogger(LOGGER_NAME).isEnabledFor
    # Other loggers answer to every name, or ask what they wrap.
    if isinstance(log, structlog.stdlib.BoundLogger) or not hasattr(type(log), _OF_FILTERING_LOGGERS):
        return None
    is_enabled: Callable[[int], bool] = getattr(log, _OF_FILTERING_LOGGERS)
    return is_enabled


def default_logger() -> Any:
    """The application's structlog, if it has configured one; else the logger "callagain" of logging."""
    if structlog.is_configured():
        return structlog.get_logger(LOGGER_NAME)
    return structlog.wrap_logger(
        logging.getLogger(LOGGER_NAME),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.LogfmtRenderer(key_order=["event", "run_id"], bool_as_flag=False),
        ],
        wrapper_class=_DefaultLogger,
    )


class OperationLog:
    """Writes the events of one run.

    payloads: what it holds of InAndOut, arguments, results and the texts of errors: nothing ("none"), the
    first and last 250 characters ("cut"), or all ("full"). What an operation or a tool writes on purpose is
    there in any case. hide: takes the secrets out of a text; every text goes through it.

    No key is an attribute of logging.LogRecord, so that events may be passed on as its `extra`.

    Guide: operation logs, logging of InAndOut.
    Departs from the guide in logging of InAndOut: the guide has people add a line for it while they look for
    a fault. Here every request is logged, its middle left out unless log_payloads="full", since it may be
    long.
    """

    def __init__(self, run: Run, logger: Any, payloads: LogPayloads, hide: Callable[[str], str]) -> None:
        self._run = run
        self._log = logger.bind(run_id=run.inputs.run_id)
        self._is_enabled = _level_of(self._log)
        self._payloads: LogPayloads = payloads
        self._hide = hide
        self.tools = ToolLog(self._log, payloads, hide)

    def write(self, event: Event) -> None:
        """Writes what there is to say about the event."""
        if self._says_nothing_of(event):
            return
        match event:
            case OperationEnded():
                self._operation_ended(event)
            case CommandStarted(command=SendRequest(body=body)):
                self._log.info("llm_request", loop_count=self._loop_count, **self._payload(InAndOut=body))
            case CommandDelayed():
                self._log.info("llm_request_delayed", seconds=round(event.seconds, 6))
            case AttemptDiscarded():
                self._log.warning(
                    "attempt_discarded",
                    attempt=event.attempt,
                    kind=event.kind,
                    seconds=round(event.seconds, 6),
                    **self._payload(text=event.why),
                )
            case CommandEnded(command=CallTool() as call):
                self._tool_called(event, call)
            case CommandHeld(command=CallTool() as call):
                self._log.warning("tool_call_held", why=event.why, tool=call.name, call_id=call.call_id)
            case CommandDecided(command=CallTool() as call):
                self._log.info(
                    "tool_call_decided", verdict=event.verdict, tool=call.name, call_id=call.call_id
                )
            case RunEnded():
                self._run_ended(event)
            case _:
                pass

    def _says_nothing_of(self, event: Event) -> bool:
        """Where the level of the log is above INFO, nearly all events pass without being put into words."""
        if isinstance(event, _ALWAYS_SAID):
            return False
        if isinstance(event, OperationEnded) and event.step.notes:
            return False
        return self._is_enabled is not None and not self._is_enabled(logging.INFO)

    def approver_failed(self, tool: str, error: BaseException) -> None:
        """The approver raised, or said what is no verdict; the call waits."""
        text = f"{type(error).__name__}: {error}"
        self._log.error("approver_failed", tool=tool, **self._payload(text=text))

    def not_recorded(self, file: str, error: Exception) -> None:
        """A failed run could not be written to this file."""
        self._log.warning(
            "failure_not_recorded", file=file, **self._payload(text=f"{type(error).__name__}: {error}")
        )

    @property
    def _loop_count(self) -> int:
        return self._run.variables.loop_count

    def _operation_ended(self, event: OperationEnded) -> None:
        step = event.step
        for note in step.notes:
            level = logging.INFO if note.code is None else logging.WARNING
            name = note.code or "write_to_operation_log"
            text = self._payload(text=note.message) if note.code else {"text": self._hide(note.message)}
            self._log.log(level, name, operation=step.operation, **text)
        details: dict[str, Any] = {}
        if step.problem is not None:
            details = {"kind": step.problem.kind, **self._payload(text=step.problem.message)}
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
            **({"abandoned": True} if receipt.get("abandoned") else {}),
            **self._payload(arguments=call.arguments, result=receipt.get("content")),
        )

    def _run_ended(self, event: RunEnded) -> None:
        problem = self._run.problem
        ended: dict[str, Any] = {"outcome": event.outcome, "loop_count": self._loop_count}
        if problem is None or event.outcome == "completed":
            self._log.info("run_ended", **ended)
        else:
            self._log.warning("run_ended", **ended, kind=problem.kind, **self._payload(text=problem.message))

    def _payload(self, **values: Json | bytes) -> dict[str, str]:
        if self._payloads == "none":
            return {}
        return {name: self._shown(_as_text(value)) for name, value in values.items()}

    def _shown(self, text: str) -> str:
        return _cut(self._hide(text), CUT_CHARS, self._payloads)


class ToolLog:
    """What tools have to say. It holds nothing of the run, since a tool that hangs may hold it for ever."""

    def __init__(self, log: Any, payloads: LogPayloads, hide: Callable[[str], str]) -> None:
        self._log = log
        self._payloads: LogPayloads = payloads
        self._hide = hide

    def line(self, tool: str, line: str) -> None:
        """A line that a tool wrote."""
        self._log.info("write_to_operation_log", tool=tool, text=self._hide(line))

    def exception(self, tool: str, error: BaseException) -> None:
        """The traceback, of which the model is told only the last line.

        As a text, and not as exc_info: renderers add the values of local variables, and nobody can know what
        is in them.
        """
        shown = type(error).__name__
        if self._payloads != "none":
            text = self._hide("".join(traceback.format_exception(error)))
            shown = _cut(text, CUT_TRACEBACK_CHARS, self._payloads)
        self._log.error("tool_exception", tool=tool, exception=shown)


def _cut(text: str, most: int, payloads: LogPayloads) -> str:
    """Its beginning and its end, where the newest messages of InAndOut are."""
    if payloads == "full" or len(text) <= most:
        return text
    return f"{text[: most // 2]} … ({len(text)} characters) … {text[-most // 2 :]}"


def _as_text(value: Json | bytes) -> str:
    if isinstance(value, bytes):
        return value.decode()
    return value if isinstance(value, str) else encode(value).decode()
