"""Events are read by the rules of the specification, wherever the bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.wire.server_sent_events import ServerEvent, ServerSentEvents

PIECES_OF_STREAMS = [
    b"data: a", b"data:b", b"data", b"event: e", b"id: 1", b": ping", b":", b" ",
    b"\n", b"\r", b"\r\n", b"\n\n", b"\xef\xbb\xbf", "é€😀".encode(), b"\xe2\x82", b"\xff", b"\x00",
]  # fmt: skip

streams = st.lists(st.sampled_from(PIECES_OF_STREAMS) | st.binary(max_size=4), max_size=30).map(b"".join)


def events_in(*pieces: bytes) -> list[ServerEvent]:
    events = ServerSentEvents()
    return [*(event for piece in pieces for event in events.take(piece)), *events.end()]


def data_in(*pieces: bytes) -> list[str]:
    return [event.data for event in events_in(*pieces)]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_a_line_ends_in_three_ways(line_end: bytes) -> None:
    stream = line_end.join([b"event: e", b"data: a", b"data: b", b"", b"data: c", b"", b""])
    assert events_in(stream) == [ServerEvent("e", "a\nb"), ServerEvent("", "c")]


def test_an_event_is_there_as_soon_as_its_blank_line_is() -> None:
    events = ServerSentEvents()
    assert events.take(b"data: a\n") == []
    assert events.take(b"\n") == [ServerEvent("", "a")]


def test_a_carriage_return_ends_a_line_at_once() -> None:
    events = ServerSentEvents()
    assert events.take(b"data: a\r\r") == [ServerEvent("", "a")]
    assert events.take(b"\ndata: b\r") == []
    assert events.take(b"\n\r") == [ServerEvent("", "b")]


def test_a_character_between_the_halves_of_a_line_end_does_not_join_them() -> None:
    assert data_in(b"data: a\r", b"data: b\n", b"\n") == ["a\nb"]


def test_bytes_that_are_no_character_yet_are_not_lost() -> None:
    euro = "€".encode()
    assert data_in(b"data: a\r", b"", b"\ndata: ", euro[:1], euro[1:2], euro[2:], b"\n\n") == ["a\n€"]


def test_one_space_after_the_colon_belongs_to_the_field() -> None:
    assert data_in(b"data:a\n\ndata: a\n\ndata:  a\n\n") == ["a", "a", " a"]


def test_only_the_first_colon_ends_the_name() -> None:
    assert data_in(b'data: {"a":1}\n\n') == ['{"a":1}']


def test_a_byte_order_mark_at_the_start_is_left_out() -> None:
    assert data_in(b"\xef", b"\xbb\xbfdata: a\n\n") == ["a"]


def test_a_byte_order_mark_elsewhere_is_a_character() -> None:
    assert data_in(b"data: a\n\n\xef\xbb\xbfdata: b\n\n") == ["a"]


def test_comments_and_unknown_fields_are_passed_over() -> None:
    assert data_in(b": OPENROUTER PROCESSING\n\nid: 1\nretry: 3\nother: x\ndatas: y\ndata: a\n\n") == ["a"]


@pytest.mark.parametrize(
    "quiet", [b"data:", b"data", b"data: ", b"data:  ", b"event: ping\ndata: ", b"event: e"]
)
def test_events_without_data_are_left_out(quiet: bytes) -> None:
    assert data_in(quiet + b"\n\ndata: a\n\n") == ["a"]


@pytest.mark.parametrize("comment", [b"data: : ping", b"data:: ping", b"data:   : ping"])
def test_a_data_line_that_is_a_comment_is_left_out(comment: bytes) -> None:
    assert data_in(comment + b"\n\ndata: a\n" + comment + b"\ndata: b\n\n") == ["a\nb"]


def test_the_name_counts_for_one_event() -> None:
    stream = b"event: a\nevent: b\ndata: 1\n\ndata: 2\n\nevent: c\n\ndata: 3\n\n"
    assert events_in(stream) == [ServerEvent("b", "1"), ServerEvent("", "2"), ServerEvent("", "3")]


def test_invalid_bytes_become_replacement_characters() -> None:
    assert data_in(b"data: a\xffb\n\ndata: \xe2\x82\n\n") == ["a\ufffdb", "\ufffd"]


@pytest.mark.parametrize("rest", [b"", b"\n", b"\r", b"\r\n", b"\n\n"])
def test_the_end_gives_the_event_that_stands_there(rest: bytes) -> None:
    assert data_in(b"data: a\n\ndata: b" + rest) == ["a", "b"]


def test_the_end_shows_a_character_that_was_cut() -> None:
    assert data_in(b"data: a\xe2\x82") == ["a\ufffd"]


def test_after_the_end_nothing_is_left() -> None:
    events = ServerSentEvents()
    events.take(b"event: e\ndata: a")
    assert events.end() == [ServerEvent("e", "a")]
    assert events.end() == []


@given(streams, st.data())
def test_where_the_bytes_are_cut_makes_no_difference(stream: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[start:end] for start, end in pairwise([0, *cuts, len(stream)])]
    whole = events_in(stream)
    assert events_in(*pieces) == whole
    assert events_in(*(bytes([byte]) for byte in stream)) == whole


@given(st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1)))
def test_what_a_server_sends_is_what_is_read(lines: list[str]) -> None:
    sent = [line for line in lines if line.strip() and not line.lstrip().startswith(":")]
    assert data_in("".join(f"data: {line}\n\n" for line in sent).encode()) == sent


@pytest.mark.timeout(20)
def test_a_line_without_an_end_is_gone_through_once() -> None:
    events = ServerSentEvents()
    events.take(b"data: ")
    for _ in range(100_000):
        assert events.take(b"x" * 64) == []
    assert events.end() == [ServerEvent("", "x" * 6_400_000)]


def test_json_without_a_field_is_an_event_of_its_own() -> None:
    error = '{\n  "error": {\n    "code": 429\n  }\n}'
    for stream in (f"{error}\n\ndata: b\n\n", f"{error}\ndata: b\n\n", f"data: a\n{error}\ndata: b"):
        *_, bare, last = data_in(stream.encode())
        assert (bare, last) == (error, "b")
    assert data_in(f"data: a\n{error}".encode()) == ["a", error]
    assert events_in(b'event: error\n[{"a": 1}]\n\n') == [ServerEvent("error", '[{"a": 1}]')]


def test_a_line_of_another_field_is_no_json() -> None:
    assert data_in(b"error: {}\n\n<html>\n\n upstream died\n\n") == []
