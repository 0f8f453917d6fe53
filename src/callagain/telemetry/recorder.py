"""What all spans of one Telemetry are made with."""

import time
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

from opentelemetry.trace import Span, Status, StatusCode, Tracer

from callagain.engine.error_kinds import ERROR_KINDS
from callagain.engine.json_text import Json, encode
from callagain.telemetry import conventions as names
from callagain.telemetry.instruments import Instruments

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Recorder:
    """agent_name: of the loop, if it has one. content: whether what was said is recorded. operations: whether
    operations have spans. traceparents: of runs that may go on, by their ids."""

    tracer: Tracer
    instruments: Instruments
    agent_name: str | None
    content: bool
    operations: bool
    traceparents: MutableMapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """What may be said of a run. hide_secrets: every text goes through it."""

    content: bool
    hide_secrets: Callable[[str], str]

    def record(self, span: Span, attribute: str, value: Json) -> None:
        """What was said, as JSON, where that is recorded; nothing for an empty list."""
        if self.content and value != [] and span.is_recording():
            text = value if isinstance(value, str) else encode(value).decode()
            span.set_attribute(attribute, self.hide_secrets(text))

    def fail(self, span: Span, error_type: str, message: str = "") -> None:
        """The status of an error. Its message may quote what was said; where that is not recorded, the
        meaning of its kind stands in its place."""
        known = ERROR_KINDS.get(error_type)
        meaning = names.TOOL_ERRORS.get(error_type, "") if known is None else known.meaning
        description = self.hide_secrets(message) if self.content and message else meaning
        span.set_attribute(names.ERROR_TYPE, error_type)
        span.set_status(Status(StatusCode.ERROR, description or None))


def now() -> int:
    """In nanoseconds, as spans count time."""
    return time.time_ns()


def seconds(began: int, ended: int) -> float:
    """Never less than none, although the machine's clock may be set back."""
    return max(0, ended - began) / _NANOSECONDS
