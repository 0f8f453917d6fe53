"""The bytes of one HTTP answer become its receipt, whether the answer is plain or a stream of events."""

from contextlib import suppress

from callagain.engine.error_kinds import advised
from callagain.engine.json_text import JsonError, JsonObject, decode, encode
from callagain.engine.wire.deltas import ArgumentsDelta, Delta
from callagain.engine.wire.http_answer import QUOTED_CHARS, HttpAnswer
from callagain.engine.wire.server_sent_events import ServerSentEvents
from callagain.engine.wire.wire_format import Assembly

MAX_ANSWER_BYTES = 32 * 1024 * 1024
# More than any error has to say; the rest of it is left out.
MAX_ERROR_BYTES = 1024 * 1024

_END_MARK = "[DONE]"
_FIRST_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
_NO_EVENT = (b"{", b"[", b"<")
_BLANK_OR_BYTE_ORDER_MARK = b" \t\r\n\xef\xbb\xbf"


class AnswerReader:
    """Reads one answer of an endpoint that was asked for a stream, or was not.

    The answer is a stream if it is a success and its content type says so, unless the body is JSON or HTML
    all the same; and whatever the content type, if the body begins as events do. Everything else is plain.

    status, content_type: of the HTTP answer. assembly: puts the events of a stream together.
    """

    def __init__(self, status: int, content_type: str, assembly: Assembly) -> None:
        self._status = status
        self._content_type = content_type
        self._stream = _Stream(status, assembly)
        # None as long as too little has come to tell.
        self._is_stream: bool | None = None if 200 <= status < 300 else False
        self._is_too_large = False
        self._size = 0
        self._beginning = b""
        self._kept: list[bytes] = []

    def take(self, data: bytes) -> list[Delta]:
        """The pieces of the response that these bytes complete; none if the answer is plain or over."""
        if self.is_over:
            return []
        self._size += len(data)
        if self._size > MAX_ANSWER_BYTES:
            self._is_too_large = True
            self._kept = []
            return []
        self._kept.append(data)
        if self._is_stream is None:
            self._is_stream = self._decide(data)
        if not self._is_stream:
            return []
        kept, self._kept = b"".join(self._kept), []
        return self._stream.take(kept)

    @property
    def is_over(self) -> bool:
        """Nothing more is needed: the end mark came, or what makes the answer useless."""
        return self._is_too_large or self._stream.is_over or self._is_long_error

    @property
    def _is_long_error(self) -> bool:
        return self._size > MAX_ERROR_BYTES and not 200 <= self._status < 300

    @property
    def is_complete(self) -> bool:
        """The response can be used as it stands, even if the connection never ends."""
        return not self._is_too_large and self._stream.is_complete

    def answer(self, broke: str | None = None) -> HttpAnswer:
        """The receipt. broke: why the connection ended early; None if it ended by itself, or may stay open.

        The kinds of an answer that cannot be used: provider_unavailable (a plain answer that broke),
        stream_interrupted, malformed_response.
        """
        if self._is_too_large:
            return HttpAnswer.missing(
                "malformed_response",
                advised("malformed_response", f"the answer is larger than {MAX_ANSWER_BYTES // 1024**2} MiB"),
            )
        if self._is_stream or (self._is_stream is None and self._is_called_a_stream):
            return self._stream.answer(broke)
        if broke is not None:
            return HttpAnswer.missing("provider_unavailable", broke)
        body = b"".join(self._kept).decode("utf-8", "replace").removeprefix("\ufeff")
        return HttpAnswer(self._status, self._content_type, body)

    @property
    def _is_called_a_stream(self) -> bool:
        return self._content_type.partition(";")[0].strip().lower() == "text/event-stream"

    def _decide(self, data: bytes) -> bool | None:
        beginning = self._beginning = (self._beginning + data).lstrip(_BLANK_OR_BYTE_ORDER_MARK)
        if not beginning:
            return None
        if self._is_called_a_stream:
            return not beginning.startswith(_NO_EVENT)
        if beginning.startswith(_FIRST_FIELDS):
            return True
        may_become_a_field = any(field.startswith(beginning) for field in _FIRST_FIELDS)
        return None if may_become_a_field else False


class _Stream:
    """An answer that is a stream of events, each with a JSON object."""

    def __init__(self, status: int, assembly: Assembly) -> None:
        self._status = status
        self._assembly = assembly
        self._events = ServerSentEvents()
        self._is_ended = False
        self._malformed: str | None = None
        self._chars = 0

    def take(self, data: bytes) -> list[Delta]:
        deltas: list[Delta] = []
        for event in self._events.take(data):
            if self.is_over:
                break
            try:
                deltas += self._take_event(event.name, event.data)
            except JsonError as error:
                begins = " ".join(event.data[:QUOTED_CHARS].split())
                what = f"the stream holds data that is no JSON object ({error}), it begins: {begins}"
                self._malformed = advised("malformed_response", what)
        return deltas

    @property
    def is_over(self) -> bool:
        return self._is_ended or self._malformed is not None or self._assembly.failure is not None

    @property
    def is_complete(self) -> bool:
        is_usable = self._malformed is None and self._assembly.failure is None
        is_ended = self._is_ended and self._assembly.is_ended_by_mark
        return is_usable and (is_ended or self._assembly.is_complete)

    def answer(self, broke: str | None) -> HttpAnswer:
        if not self.is_over:
            self._take_rest()
        if self._malformed is not None:
            return HttpAnswer.missing("malformed_response", self._malformed)
        if self._assembly.failure is not None:
            return self._json(self._assembly.failure)
        if self.is_complete:
            return self._json(self._assembly.body())
        why = f" ({broke})" if broke else ""
        what = f"the stream ended before the response was whole, after {self._chars} characters of it{why}"
        return HttpAnswer.missing("stream_interrupted", advised("stream_interrupted", what))

    def _take_rest(self) -> None:
        """Takes the last event. Where it was cut off, it counts as far as its lines are whole."""
        for event in self._events.end():
            whole_lines, _, _ = event.data.rpartition("\n")
            for data in (event.data, whole_lines):
                with suppress(JsonError):
                    self._take_event(event.name, data)
                    break

    def _take_event(self, name: str, data: str) -> list[Delta]:
        """Raises JsonError, before anything of it has been taken."""
        deltas: list[Delta] = []
        for value in _values_in(data):
            if value is None:
                self._is_ended = True
            if self.is_over or value is None:
                break
            deltas += self._assembly.take(name, value)
        self._chars += sum(map(_size_of, deltas))
        return deltas

    def _json(self, body: JsonObject) -> HttpAnswer:
        return HttpAnswer(self._status, "application/json", encode(body).decode())


def _values_in(data: str) -> list[JsonObject | None]:
    """The JSON object in the data of an event, or None for the end mark.

    Several, where a server forgot the blank lines between its events.
    """
    try:
        return [_value_of(data)]
    except JsonError:
        with suppress(JsonError):
            return [_value_of(line) for line in data.split("\n") if line.strip()]
        raise


def _value_of(data: str) -> JsonObject | None:
    if data.strip() == _END_MARK:
        return None
    value = decode(data)
    # Gemini puts its errors into a list.
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        raise JsonError("another JSON value")
    return value


def _size_of(delta: Delta) -> int:
    return len(delta.arguments if isinstance(delta, ArgumentsDelta) else delta.text)
