"""What was seen of a run: also of one that raised, or was never built."""

import json
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.tools import Invocation

from callagain import LiveRun, PendingCall, Result, ToolLoop
from callagain.engine.receipts import ToolResult
from callagain.engine.variables import Variables


@dataclass(slots=True)
class Observed:
    """requests: the bodies that the server got. written: the log, and what was printed. seconds: wall time.

    loop, live and result are missing as far as the run did not come; then `raised` says why.
    """

    streams: bool = False
    loop: ToolLoop | None = None
    live: LiveRun | None = None
    result: Result | None = None
    raised: BaseException | None = None
    requests: list[Any] = field(default_factory=list[Any])
    invocations: list[Invocation] = field(default_factory=list[Invocation])
    seconds: float = 0.0
    written: str = ""

    @property
    def outcome(self) -> str:
        return "raises" if self.result is None else self.result.outcome

    @property
    def error_kind(self) -> str | None:
        return None if self.result is None or self.result.error is None else self.result.error.kind

    @property
    def error_message(self) -> str:
        if self.raised is not None:
            return str(self.raised)
        return "" if self.result is None or self.result.error is None else self.result.error.message

    @property
    def error_value(self) -> object:
        """The error as the caller gets it: a problem of the run, or an exception."""
        return self.raised if self.result is None else self.result.error

    @property
    def variables(self) -> Variables | None:
        return None if self.live is None else self.live.variables

    @property
    def loop_count(self) -> int:
        return 0 if self.variables is None else self.variables.loop_count

    @property
    def tool_results(self) -> Sequence[ToolResult]:
        return [] if self.variables is None else list(self.variables.tool_results)

    @property
    def pending_calls(self) -> Sequence[PendingCall]:
        return [] if self.result is None else self.result.pending_calls

    def texts(self) -> Iterator[tuple[str, str]]:
        """All that anybody may read of the run, each with the name of its place."""
        yield "the log", self.written
        yield "the message of the error", self.error_message
        yield "the repr of the error", repr(self.error_value)
        if self.raised is not None:
            yield "the traceback", "".join(traceback.format_exception(self.raised))
        for name, value in (("loop", self.loop), ("run", self.live), ("result", self.result)):
            yield f"the repr of the {name}", repr(value)
        if self.live is not None:
            yield "the snapshot", json.dumps(self.live.variables.as_jitterbit(), ensure_ascii=False)
            yield "the trace", repr(self.live.trace)
        if self.result is not None:
            yield "the entries of the run", repr(self.result.log)
            yield "the messages", json.dumps(self.result.messages, ensure_ascii=False)
        for number, body in enumerate(self.requests, start=1):
            yield f"request {number}", json.dumps(body, ensure_ascii=False)
