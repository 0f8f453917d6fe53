"""The spans of requests, of calls of tools, and of functions of inserted operations."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from opentelemetry.context import Context
from opentelemetry.trace import Span, set_span_in_context, use_span

from callagain.engine.commands import CallTool
from callagain.engine.drivers import Again, Tell
from callagain.engine.json_text import Json
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.deltas import Delta
from callagain.engine.wire.error_answers import ErrorIn, problem_of
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.usage import Usage
from callagain.telemetry import content
from callagain.telemetry import conventions as names
from callagain.telemetry.exchanges import Attribute, Attributes, answered, server
from callagain.telemetry.instruments import Instruments
from callagain.telemetry.quietly import quietly
from callagain.telemetry.recorder import Words, now, seconds


class CommandSpan:
    """The span of one command, from its beginning over all attempts to its receipt; ended once.

    It knows nothing of the run, since a thread that hangs may hold it for ever.
    """

    def __init__(self, span: Span, began: int, words: Words) -> None:
        self.span = span
        self._began = began
        self._words = words
        self._is_ended = False

    def current(self) -> AbstractContextManager[Span]:
        """While it is open, spans that the work begins are children of this one."""
        return use_span(self.span, record_exception=False, set_status_on_exception=False)

    def telling(self, tell: Tell) -> Tell:
        """Who is told of the pieces of a response; made for each attempt."""
        return tell

    @quietly
    def settled(self, receipt: Json) -> None:
        """The command has its receipt."""
        if not self._is_ended:
            try:
                self._take(receipt)
            finally:
                self._end()

    @quietly
    def again(self, again: Again) -> None:
        """An attempt came to nothing, and another one follows."""
        attributes: Attributes = {
            names.ATTEMPT: again.attempt,
            names.ERROR_TYPE: again.kind,
            names.SECONDS: again.seconds,
        }
        self.span.add_event(names.ATTEMPT_DISCARDED, attributes)

    @quietly
    def left(self, error_type: str) -> None:
        """It will have no receipt, as far as this drive is concerned."""
        if not self._is_ended:
            self._fail(error_type)
            self._end()

    def delayed(self, seconds_to_wait: float) -> None:
        """The throttle lets no more requests go out yet."""
        self.span.add_event(names.REQUEST_DELAYED, {names.SECONDS: seconds_to_wait})

    def _take(self, receipt: Json) -> None:
        """Records what came."""
        error = receipt.get("error") if isinstance(receipt, dict) else None
        if isinstance(error, str):
            # Of a function it is a text, and no kind.
            kind = receipt.get("kind") if isinstance(receipt, dict) else None
            self._fail(kind if isinstance(kind, str) else "operation_failed", error)

    def _fail(self, error_type: str, message: str = "") -> None:
        self._words.fail(self.span, error_type, message)

    def _measure(self, seconds_taken: float, context: Context) -> None:
        """Records the metrics; context: that of the span, by which examples are found."""

    def _end(self) -> None:
        self._is_ended = True
        ended = now()
        self._measure(seconds(self._began, ended), set_span_in_context(self.span))
        self.span.end(ended)


class ToolSpan(CommandSpan):
    """execute_tool, with the code of the error that the model is told of."""

    def __init__(
        self,
        span: Span,
        began: int,
        words: Words,
        instruments: Instruments,
        command: CallTool,
        measured: Mapping[str, Attribute],
    ) -> None:
        super().__init__(span, began, words)
        self._instruments = instruments
        self._measured = dict(measured)
        words.record(span, names.TOOL_CALL_ARGUMENTS, command.arguments)

    def _take(self, receipt: Json) -> None:
        said = ToolReceipt.from_json(receipt)
        if said.edited is not None:
            self._words.record(self.span, names.TOOL_CALL_ARGUMENTS, said.edited)
        self._words.record(self.span, names.TOOL_CALL_RESULT, said.content)
        if said.abandoned:
            self.span.set_attribute(names.ABANDONED, True)
        if said.error is not None:
            self._fail(said.error, said.content)

    def _fail(self, error_type: str, message: str = "") -> None:
        self._measured[names.ERROR_TYPE] = error_type
        super()._fail(error_type, message)

    def _measure(self, seconds_taken: float, context: Context) -> None:
        self._instruments.tool_duration.record(seconds_taken, self._measured, context)


class RequestSpan(CommandSpan):
    """chat, whichever API it speaks.

    measured: the attributes of its metrics, as far as they are known. error_in: finds the error in a body of
    this API. streams: whether the response comes in pieces.
    """

    def __init__(
        self,
        span: Span,
        began: int,
        words: Words,
        instruments: Instruments,
        measured: Mapping[str, Attribute],
        error_in: ErrorIn,
        *,
        streams: bool,
    ) -> None:
        super().__init__(span, began, words)
        self._instruments = instruments
        self._measured = dict(measured)
        self._error_in = error_in
        self._streams = streams
        self._usage = Usage()
        self._first_piece: float | None = None

    def telling(self, tell: Tell) -> Tell:
        if not self._streams:
            return tell
        self._first_piece = None
        return _timed(tell, self._note_first_piece)

    def _note_first_piece(self, seconds_waited: float) -> None:
        self._first_piece = seconds_waited

    def _take(self, receipt: Json) -> None:
        answer = HttpAnswer.from_json(receipt)
        said = answered(answer)
        where = server(answer.endpoint)
        self.span.set_attributes({**where, **said.attributes, names.ATTEMPTS: answer.attempts})
        self._measured.update(where)
        if (model := said.attributes.get(names.RESPONSE_MODEL)) is not None:
            self._measured[names.RESPONSE_MODEL] = model
        self._usage = said.usage or Usage()
        problem = problem_of(answer, self._error_in)
        if problem is not None:
            self._fail(problem.kind, problem.message)
        elif said.body:
            self._words.record(self.span, names.OUTPUT_MESSAGES, content.output_messages(said.body))

    def _fail(self, error_type: str, message: str = "") -> None:
        self._measured[names.ERROR_TYPE] = error_type
        super()._fail(error_type, message)

    def _measure(self, seconds_taken: float, context: Context) -> None:
        instruments, measured = self._instruments, self._measured
        instruments.request_duration.record(seconds_taken, measured, context)
        without_error = {name: value for name, value in measured.items() if name != names.ERROR_TYPE}
        if self._first_piece is not None:
            self.span.set_attribute(names.RESPONSE_TIME_TO_FIRST_CHUNK, self._first_piece)
            instruments.time_to_first_chunk.record(self._first_piece, without_error, context)
        sent, received = self._usage.prompt_tokens, self._usage.completion_tokens
        # Endpoints do not say of what kind all their tokens are.
        counted = {**without_error, names.TOKEN_MODALITY: "unknown"}
        instruments.input_tokens.add(sent, counted, context)
        instruments.output_tokens.add(received, counted, context)
        if self._usage != Usage():
            instruments.input_tokens_of_a_request.record(sent, without_error, context)
            instruments.output_tokens_of_a_request.record(received, without_error, context)


def _timed(tell: Tell, note: Callable[[float], None]) -> Tell:
    """Tells `note` of the first piece, how many seconds after this."""
    began, is_first = now(), True

    def told(delta: Delta) -> None:
        nonlocal is_first
        if is_first:
            is_first = False
            note(seconds(began, now()))
        tell(delta)

    return told
