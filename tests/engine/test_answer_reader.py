"""The bytes of an answer become its receipt, plain or streamed."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.error_kinds import ERROR_KINDS
from callagain.engine.json_text import JsonObject
from callagain.engine.wire import answer_reader
from callagain.engine.wire.answer_reader import MAX_ANSWER_BYTES, AnswerReader
from callagain.engine.wire.chat_completions.reply import read
from callagain.engine.wire.chat_completions.stream import ChatAssembly
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, TextDelta
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC
from callagain.engine.wire.reply import Reply

EVENT_STREAM = "text/event-stream"


def chunk(finish_reason: str | None = None, **delta: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return json.dumps({"id": "chatcmpl-s", "model": "demo-model", "choices": [choice]}, ensure_ascii=False)


def call_chunk(arguments: str, **entry: Any) -> str:
    return chunk(tool_calls=[{**entry, "function": {"name": "get_order_status", "arguments": arguments}}])


def events(*data: str) -> bytes:
    return "".join(f"data: {each}\n\n" for each in data).encode()


HELLO = [chunk(role="assistant", content="Hel"), chunk(content="lo"), chunk("stop")]


class Received:
    """What came of one answer: the deltas, the receipt, and the reader itself."""

    def __init__(
        self, *pieces: bytes, status: int = 200, content_type: str = EVENT_STREAM, broke: str | None = None
    ) -> None:
        self.reader = AnswerReader(status, content_type, ChatAssembly())
        self.deltas = [delta for piece in pieces for delta in self.reader.take(piece)]
        self.was_complete, self.was_over = self.reader.is_complete, self.reader.is_over
        self.answer = self.reader.answer(broke)

    @property
    def reply(self) -> Reply:
        return read(self.answer, GENERIC, "seed")

    @property
    def is_stream(self) -> bool:
        return self.answer.content_type == "application/json" and "chat.completion" in self.answer.body


def test_a_stream_becomes_the_answer_that_would_have_come_without() -> None:
    received = Received(events(*HELLO, "[DONE]"))
    assert received.deltas == [TextDelta("Hel"), TextDelta("lo")]
    assert (received.answer.status, received.answer.content_type) == (200, "application/json")
    assert (received.answer.error, received.reply.text) == (None, "Hello")
    assert received.was_complete
    assert received.was_over


def test_the_status_of_a_stream_is_kept() -> None:
    assert Received(events(*HELLO), status=206).answer.status == 206


@pytest.mark.parametrize("first_index", [{}, {"index": 0}, {"index": 1}])
def test_the_calls_of_a_stream_are_calls(first_index: dict[str, int]) -> None:
    stream = events(
        call_chunk('{"order_id":"1"}', id="call_a1", type="function", **first_index),
        call_chunk('{"order_id":"2"}', id="call_a2", type="function", **first_index),
        chunk("stop"),
        "[DONE]",
    )
    received = Received(stream)
    assert [(call.id, call.arguments) for call in received.reply.calls] == [
        ("call_a1", {"order_id": "1"}),
        ("call_a2", {"order_id": "2"}),
    ]
    assert [delta.index for delta in received.deltas if isinstance(delta, ArgumentsDelta)] == [0, 1]


def test_what_keeps_a_connection_alive_is_passed_over() -> None:
    quiet = [": OPENROUTER PROCESSING", ": ping", "data:", "event: ping\ndata: ", "data: : ping", "id: 1"]
    hello = [f"data: {each}" for each in HELLO]
    lines = [line for pair in zip(quiet, [*hello, "data: [DONE]", "", ""], strict=True) for line in pair]
    assert Received("\n\n".join(lines).encode()).reply.text == "Hello"


# Plain or streamed


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/html; charset=utf-8", "", "text/event-streams"]
)
def test_a_plain_answer_is_kept_as_it_came(content_type: str) -> None:
    body = '{"choices": [{"message": {"content": "Grüße 😀"}}]}\n'
    received = Received(body.encode(), content_type=content_type)
    assert received.answer == HttpAnswer(200, content_type, body)
    assert (received.deltas, received.was_complete, received.was_over) == ([], False, False)


def test_plain_text_that_is_no_unicode_is_mended_and_its_byte_order_mark_dropped() -> None:
    assert Received(b"\xef\xbb\xbf{}\xff", content_type="").answer.body == "{}\ufffd"


@pytest.mark.parametrize(
    "body", [b'{"a": 1}', b"[1]", b"<html>", b"\r\n \t{}", b"\xef\xbb\xbf{}", b"\xef\xbb\xbf <p>"]
)
def test_a_body_that_is_called_a_stream_and_is_none_is_plain(body: bytes) -> None:
    for pieces in ([body], [bytes([byte]) for byte in body]):
        answer = Received(*pieces).answer
        assert answer == HttpAnswer(200, EVENT_STREAM, body.decode("utf-8-sig"))


@pytest.mark.parametrize("first", ["data:", "event: e\ndata:", "id: 1\ndata:", "retry: 1\ndata:", ":\ndata:"])
@pytest.mark.parametrize("before", ["", "\n", "\r\n\r\n", "\ufeff"])
@pytest.mark.parametrize("content_type", ["application/json", "", "Text/Event-Stream ; charset=utf-8"])
def test_a_body_that_begins_as_events_do_is_a_stream(content_type: str, before: str, first: str) -> None:
    body = (before + first).encode() + events(*HELLO).removeprefix(b"data:")
    for pieces in ([body], [bytes([byte]) for byte in body]):
        received = Received(*pieces, content_type=content_type)
        assert received.reply.text == "Hello"
        assert received.deltas == [TextDelta("Hel"), TextDelta("lo")]


@pytest.mark.parametrize("body", ["", " \n", "dat", "eve", "i", "retry", "date:", "ids: 1", "x", " x"])
def test_a_body_that_does_not_begin_as_events_do_is_plain(body: str) -> None:
    for pieces in ([body.encode()], [character.encode() for character in body]):
        assert Received(*pieces, content_type="text/plain").answer == HttpAnswer(200, "text/plain", body)


@pytest.mark.parametrize("status", [199, 300, 400, 429, 503])
def test_an_answer_that_is_no_success_is_plain(status: int) -> None:
    body = events(*HELLO, "[DONE]")
    received = Received(body, status=status)
    assert received.answer == HttpAnswer(status, EVENT_STREAM, body.decode())
    assert (received.deltas, received.was_over) == ([], False)


@pytest.mark.parametrize("status", [200, 500])
def test_a_plain_answer_that_broke_is_none(status: int) -> None:
    answer = Received(b'{"choices": [', status=status, content_type="", broke="connection reset").answer
    assert answer == HttpAnswer.missing("provider_unavailable", "connection reset")


# Whole or cut


@pytest.mark.parametrize("broke", [None, "connection reset"])
@pytest.mark.parametrize("end", [[], [chunk("stop")], ["[DONE]"], [" [DONE] "], [chunk("stop"), "[DONE]"]])
def test_a_stream_is_whole_with_a_finish_reason_or_the_end_mark(end: list[str], broke: str | None) -> None:
    received = Received(events(*HELLO[:2], *end), broke=broke)
    assert received.was_complete is bool(end)
    assert (received.answer.error is None) is bool(end)
    assert received.was_over is any("DONE" in data for data in end)
    assert received.deltas == [TextDelta("Hel"), TextDelta("lo")]


def test_a_stream_that_ends_early_says_how_far_it_came() -> None:
    stream = events(chunk(content="Hello"), call_chunk('{"order'))
    what = "the stream ended before the response was whole, after 12 characters of it"
    advice = ERROR_KINDS["stream_interrupted"].advice
    assert Received(stream).answer == HttpAnswer.missing("stream_interrupted", f"{what}; {advice}")
    assert Received(stream, broke="connection reset").answer == HttpAnswer.missing(
        "stream_interrupted", f"{what} (connection reset); {advice}"
    )


@pytest.mark.parametrize("stream", [b"", b"\n\n", b": ping\n\n", b"\xef\xbb"])
def test_a_stream_without_events_is_cut(stream: bytes) -> None:
    assert Received(stream).answer.error == "stream_interrupted"


def test_the_end_mark_alone_is_a_response_without_choices() -> None:
    answer = Received(events("[DONE]")).answer
    assert answer.error is None
    assert json.loads(answer.body)["choices"] == []


def test_nothing_counts_after_the_end_mark() -> None:
    received = Received(events(*HELLO, "[DONE]", chunk(content="x")), events("garbage", chunk(content="y")))
    assert received.reply.text == "Hello"
    assert received.deltas == [TextDelta("Hel"), TextDelta("lo")]


def test_the_usage_may_come_after_the_finish_reason() -> None:
    usage = json.dumps({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}})
    assert Received(events(*HELLO), events(usage)).reply.usage.prompt_tokens == 9


@pytest.mark.parametrize("line_end", ["", "\n"])
def test_the_last_event_counts_without_its_blank_line(line_end: str) -> None:
    stream = events(*HELLO).decode().rstrip("\n") + line_end
    received = Received(stream.encode())
    assert not received.was_complete
    assert received.reply.text == "Hello"


@pytest.mark.parametrize("cut", ['{"choices": [{"ind', "[DO", "{", '"'])
def test_a_last_event_that_is_cut_is_no_malformed_one(cut: str) -> None:
    for line_end in ("", "\n"):
        rest = f"data: {cut}{line_end}".encode()
        assert Received(events(*HELLO[:2]) + rest).answer.error == "stream_interrupted"
        assert Received(events(*HELLO) + rest).reply.text == "Hello"


def test_an_answer_can_be_asked_for_while_the_connection_is_open() -> None:
    reader = AnswerReader(200, EVENT_STREAM, ChatAssembly())
    reader.take(events(*HELLO))
    assert reader.is_complete
    assert not reader.is_over
    assert reader.answer() == reader.answer()
    assert reader.answer().error is None


# Events and lines


def test_an_object_may_be_spread_over_several_lines() -> None:
    pretty = json.dumps(json.loads(HELLO[0]), indent=1).replace("\n", "\ndata: ")
    assert Received(events(pretty, *HELLO[1:])).reply.text == "Hello"


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
@pytest.mark.parametrize("last", ["[DONE]", ": ping", "", HELLO[2]])
def test_lines_without_blank_lines_between_them_are_events(last: str, end: str) -> None:
    stream = "\n".join(f"data: {line}" for line in [*HELLO, last]) + end
    assert Received(stream.encode()).reply.text == "Hello"


def test_the_last_of_such_lines_may_be_cut() -> None:
    lines = "\n".join(f"data: {line}" for line in HELLO)
    assert Received(f"{lines}\ndata: [DO".encode()).reply.text == "Hello"
    assert Received(lines.encode()[:-2]).answer.error == "stream_interrupted"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("garbage", "Expecting value at position 0"),
        ('"text"', "another JSON value"),
        ("[1]", "another JSON value"),
        ("null", "another JSON value"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ("{'a': 1}", "Expecting property name enclosed in double quotes at position 1"),
        ("x" * 300, "Expecting value at position 0"),
        ("{}\ndata: garbage", "Extra data at position 3"),
    ],
)
def test_data_that_is_no_object_makes_the_stream_malformed(data: str, why: str) -> None:
    received = Received(events(HELLO[0], data, *HELLO[1:], "[DONE]"))
    assert received.deltas == [TextDelta("Hel")]
    assert (received.was_over, received.was_complete) == (True, False)
    quoted = " ".join(data.replace("data: ", "")[:200].split())
    assert received.answer == HttpAnswer.missing(
        "malformed_response",
        f"the stream holds data that is no JSON object ({why}), it begins: {quoted}; "
        f"{ERROR_KINDS['malformed_response'].advice}",
    )


# Errors in the stream


def test_an_error_in_the_stream_ends_it_and_is_the_answer() -> None:
    error = {"error": {"message": "overloaded", "code": 503}}
    received = Received(events(*HELLO, json.dumps(error), chunk(content="x")), broke="connection reset")
    assert received.answer == HttpAnswer(200, "application/json", json.dumps(error, separators=(",", ":")))
    assert (received.was_over, received.was_complete) == (True, False)
    assert received.deltas == [TextDelta("Hel"), TextDelta("lo")]


def test_an_error_in_the_last_event_counts_without_its_blank_line() -> None:
    received = Received(events(*HELLO) + b'data: {"error":"overloaded"}')
    assert received.answer.body == '{"error":"overloaded"}'


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("prefix", ["", "data: "])
def test_an_error_in_a_list_counts_with_and_without_its_field(prefix: str, indent: int | None) -> None:
    error = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}
    lines = json.dumps([error], indent=indent).split("\n")
    told = "\n".join(f"{prefix}{line}" for line in lines).encode()
    received = Received(events(*HELLO[:2]) + told + b"\n\n" + events("[DONE]"))
    assert json.loads(received.answer.body) == error


class Listening:
    """An assembly that keeps what it is given."""

    is_complete = False
    failure: JsonObject | None = None

    is_ended_by_mark = True

    def __init__(self) -> None:
        self.taken: list[tuple[str, JsonObject]] = []

    def take(self, event: str, data: JsonObject) -> list[Delta]:
        self.taken.append((event, data))
        return []

    def body(self) -> JsonObject:
        return {"taken": len(self.taken)}


def test_an_assembly_gets_the_names_of_events_and_their_data_as_they_are() -> None:
    listening = Listening()
    reader = AnswerReader(200, EVENT_STREAM, listening)
    reader.take(b'event: response.created\ndata: {"a": 1}\n\nevent: error\ndata: {"message": "m"}\n\n')
    reader.take(b'data: {"b": 2}\ndata: {"c": 3}\n\n')
    assert listening.taken == [
        ("response.created", {"a": 1}),
        ("error", {"message": "m"}),
        ("", {"b": 2}),
        ("", {"c": 3}),
    ]
    reader.take(events("[DONE]"))
    assert reader.answer() == HttpAnswer(200, "application/json", '{"taken":4}')


# Size


def test_an_answer_may_be_as_large_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_reader, "MAX_ANSWER_BYTES", 1024**2)
    assert len(Received(b"x" * 1024**2, content_type="").answer.body) == 1024**2


@pytest.mark.parametrize("content_type", ["application/json", EVENT_STREAM])
@pytest.mark.parametrize("beginning", [b"{", b":"])
def test_an_answer_that_is_too_large_is_malformed(content_type: str, beginning: bytes) -> None:
    comment = b"x" * 1024**2
    received = Received(beginning, *[comment] * 32, events(*HELLO), content_type=content_type)
    assert MAX_ANSWER_BYTES == 32 * 1024**2
    assert (received.was_over, received.was_complete, received.deltas) == (True, False, [])
    assert received.answer == HttpAnswer.missing(
        "malformed_response",
        f"the answer is larger than 32 MiB; {ERROR_KINDS['malformed_response'].advice}",
    )


# Any bytes, cut anywhere

LINES = [
    *[f"data: {data}" for data in (*HELLO, call_chunk('{"a"', id="a"), call_chunk(":1}"), "[DONE]")],
    "data: " + chunk(content="Grüße 😀"), 'data: {"error": {"message": "m"}}', "data: garbage", "data: [1]",
    "data:", ": ping", "event: e", "event: error", "{", "<", "", "",
]  # fmt: skip
streams = st.lists(
    st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\n\n", "\r\n", "\r", ""])), max_size=12
).map(lambda lines: "".join(line + end for line, end in lines).encode())


@given(streams | st.binary(max_size=30), st.sampled_from([EVENT_STREAM, "application/json"]), st.data())
def test_where_the_bytes_are_cut_makes_no_difference(
    stream: bytes, content_type: str, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[start:end] for start, end in pairwise([0, *cuts, len(stream)])]
    whole, cut = Received(stream, content_type=content_type), Received(*pieces, content_type=content_type)
    one_by_one = Received(*(bytes([byte]) for byte in stream), content_type=content_type)
    for other in (cut, one_by_one):
        assert (other.answer, other.deltas) == (whole.answer, whole.deltas)
        assert (other.was_over, other.was_complete) == (whole.was_over, whole.was_complete)


@given(st.binary(), st.sampled_from([200, 500]), st.sampled_from([EVENT_STREAM, ""]), st.none() | st.text())
def test_any_bytes_are_an_answer(body: bytes, status: int, content_type: str, broke: str | None) -> None:
    for beginning in (b"", b"data: ", b"data: {}\n\n"):
        answer = Received(beginning, body, status=status, content_type=content_type, broke=broke).answer
        assert answer.error in (None, "provider_unavailable", "stream_interrupted", "malformed_response")
        assert HttpAnswer.from_json(answer.as_json()) == answer


@pytest.mark.timeout(20)
def test_a_beginning_without_an_end_is_gone_through_once() -> None:
    reader = AnswerReader(200, EVENT_STREAM, ChatAssembly())
    for _ in range(100_000):
        reader.take(b" " * 64)
    reader.take(b"\n" + events(*HELLO))
    assert reader.is_complete
