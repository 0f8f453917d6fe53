"""What is cut stays within the limit, says so, and stays what it was: text with two ends, or JSON."""

import json
import re
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.engine.json_text import Json, encode
from callagain.engine.result_cutting import cut_result

MARKER = re.compile(r"\n\[… truncated: (\d+) characters in full, (\d+) left out …]\n")

# Each is one character to its reader, and several code points.
CHARACTERS = (
    "a", "\r\n", "e\u0301", "a\u0323\u0302", "\u0928\u093f", "\u0915\u094d\u0937\u093f",
    "\u1112\u1161\u11ab", "\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f44d\U0001f3fd",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f1e7\U0001f1f7", "\U0001f1e9\U0001f1ea", "\U0001f3f4\U000e0067\U000e0062\U000e007f",
)  # fmt: skip
texts_of_characters = st.lists(st.sampled_from(CHARACTERS), min_size=60, max_size=300)

plain = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters='"\\'), max_size=60
)
short = st.text("abcdef", max_size=5)
empty: list[Json] = [None, True, [], {}]
leaves = st.sampled_from(empty) | st.integers(-(10**9), 10**9) | st.floats(-1, 1) | plain
values: st.SearchStrategy[Json] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, min_size=1) | st.dictionaries(short, inner, min_size=1),
    max_leaves=5,
)


def tree(depth: int) -> Json:
    return {"op": "+", "left": tree(depth - 1), "right": tree(depth - 1)} if depth else {"op": "x"}


@given(st.text(max_size=50), st.integers(50, 100))
def test_what_fits_is_not_touched(text: str, limit: int) -> None:
    assert cut_result(text, limit) == text


@pytest.mark.parametrize("text", ["x" * 20, " [1, 2, 3, 4, 5, 6]\n", '{"a": 1, "b": [] }  '])
def test_a_text_just_as_long_as_the_limit_is_not_touched(text: str) -> None:
    assert cut_result(text, 20) == text


@given(st.text(max_size=400) | values.map(json.dumps), st.integers(-1, 300))
def test_the_limit_holds_for_any_text_and_marker_included(text: str, limit: int) -> None:
    assert len(cut_result(text, limit)) <= max(limit, 0)


@given(st.text("ab\n[]{}\u0301\u200d\U0001f1e9", min_size=200), st.integers(80, 199))
def test_the_marker_tells_how_long_the_text_was_and_how_much_is_left_out(text: str, limit: int) -> None:
    head, full, left_out, tail = MARKER.split(cut_result(text, limit))
    assert text.startswith(head)
    assert text.endswith(tail)
    assert int(full) == len(text)
    assert int(left_out) == len(text) - len(head) - len(tail)


def test_a_text_keeps_two_thirds_of_head_and_one_third_of_tail() -> None:
    cut = cut_result("A" * 3000 + "Z" * 3000, 1000)
    head, marker, tail = cut.split("\n")
    assert marker == "[… truncated: 6000 characters in full, 5057 left out …]"
    assert (head, tail) == ("A" * 629, "Z" * 314)


@given(texts_of_characters, st.integers(0, 59))
def test_a_character_of_several_code_points_is_kept_whole_or_left_out(
    characters: list[str], limit: int
) -> None:
    text = "".join(characters)
    begins = {0, *accumulate(map(len, characters))}
    assert len(cut_result(text, min(limit, 50))) in begins
    if (marker := MARKER.search(cut := cut_result(text, limit + 70))) is not None:
        assert marker.start() in begins
        assert len(text) - (len(cut) - marker.end()) in begins


def test_a_limit_without_room_for_a_marker_leaves_the_head() -> None:
    assert cut_result("abcdefghij" * 10, 12) == "abcdefghijab"
    assert cut_result('{"a": "' + "x" * 100 + '"}', 12) == '{"a": "xxxxx'
    assert cut_result("abc", 0) == ""


@settings(max_examples=30)
@given(st.lists(values, min_size=1, max_size=4), st.integers(5000, 5500), st.booleans())
def test_json_stays_json_of_the_same_kind(members: list[Json], limit: int, as_object: bool) -> None:
    many = members * (3000 // len(members) + 1)
    value: Json = {f"key {n}": each for n, each in enumerate(many)} if as_object else many
    text = json.dumps(value)
    result = cut_result(text, limit)
    assert len(result) <= limit
    cut = json.loads(result)
    assert result == encode(cut).decode()
    assert isinstance(cut, dict) == as_object
    note = cut["truncated"] if as_object else cut[-1]
    assert note.removeprefix("[… truncated: ").startswith(f"{len(text)} characters in full")


def test_an_array_keeps_its_first_elements_and_counts_the_others() -> None:
    text = json.dumps(list(range(10_000)))
    *kept, note = json.loads(cut_result(text, 2000))
    assert kept == list(range(len(kept)))
    assert note == (
        f"[… truncated: {len(text)} characters in full, {10_000 - len(kept)} more elements left out …]"
    )


def test_an_object_keeps_its_first_keys_and_counts_the_others() -> None:
    value = {f"key {n}": n for n in range(10_000)}
    text = json.dumps(value)
    cut = json.loads(cut_result(text, 2000))
    note = cut.pop("truncated")
    assert list(cut.items()) == list(value.items())[: len(cut)]
    assert note == f"{len(text)} characters in full, {10_000 - len(cut)} more keys left out"


def test_a_long_string_keeps_its_beginning_and_everything_beside_it_stays() -> None:
    value = {"status": 200, "body": "<p>" + "é" * 10_000, "links": [{"rel": "next"}], "more": None}
    text = json.dumps(value, ensure_ascii=False)
    cut = json.loads(cut_result(text, 1000))
    assert cut.pop("truncated") == f"{len(text)} characters in full"
    body = cut.pop("body")
    assert body == "<p>" + "é" * (len(body) - 4) + "…"
    assert cut == {"status": 200, "links": [{"rel": "next"}], "more": None}


def test_what_a_container_inside_loses_is_counted_there() -> None:
    rows = [{"id": n, **{f"field {m}": "value" for m in range(100)}} for n in range(100)]
    cut = json.loads(cut_result(json.dumps({"page": 1, "rows": rows}), 1000))
    first, *others, last = cut["rows"]
    assert last == f"[… truncated: {99 - len(others)} more elements left out …]"
    assert first.pop("truncated") == f"{101 - len(first)} more keys left out"
    assert first.items() <= rows[0].items()


def test_one_member_that_is_left_out_is_not_several() -> None:
    text = json.dumps(["x" * 100, "x" * 100])
    assert json.loads(cut_result(text, 110))[1:] == [
        "[… truncated: 208 characters in full, 1 more element left out …]"
    ]


def test_a_key_that_is_there_already_is_not_overwritten() -> None:
    text = json.dumps({"truncated": True, "truncated…": 1, "body": "x" * 1000})
    cut = json.loads(cut_result(text, 300))
    assert list(cut) == ["truncated", "truncated…", "body", "truncated……"]
    assert (cut["truncated"], cut["truncated……"]) == (True, f"{len(text)} characters in full")


def test_a_string_in_json_is_cut_between_characters() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    cut = json.loads(cut_result(json.dumps([family * 1000], ensure_ascii=False), 1000))
    assert re.fullmatch(f"({family})+…", cut[0])


def test_json_that_fits_without_its_spaces_loses_nothing() -> None:
    value = {"rows": [{"id": n, "name": "é"} for n in range(50)]}
    for text in (json.dumps(value, indent=4), json.dumps(value, ensure_ascii=False) + " " * 2000):
        assert json.loads(cut_result(text, 2000)) == value


@pytest.mark.parametrize(
    "value",
    [
        {"status": 200, "body": "x" * 100_000},
        list(range(100_000)),
        [{"id": n, "name": f"name {n}", "tags": ["a", "b"]} for n in range(5000)],
        {"data": {"items": [{"id": n, "text": "word " * 200} for n in range(1000)]}},
        {f"https://example.com/{n}": {"status": n} for n in range(5000)},
    ],
)
def test_json_takes_what_room_there_is(value: Json) -> None:
    assert 9500 <= len(cut_result(json.dumps(value), 10_000)) <= 10_000


@pytest.mark.parametrize("limit", [1000, 10_000, 100_000])
def test_a_tree_loses_what_lies_deepest(limit: int) -> None:
    cut: Any = json.loads(cut_result(json.dumps(tree(14)), limit))
    assert len(encode(cut)) > limit / 3
    levels = 0
    while "left" in cut:
        assert (cut["op"], list(cut)[:3]) == ("+", ["op", "left", "right"])
        cut, levels = cut["right"], levels + 1
    assert 2 <= levels < 14


def test_the_deepest_json_is_cut_too() -> None:
    text = '{"a":' * 63 + '["' + "x" * 5000 + '"]' + "}" * 63
    cut = json.loads(cut_result(text, 1000))
    assert cut["truncated"] == f"{len(text)} characters in full"
    assert cut["a"]["a"]["a"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps("x" * 1000),
        "1" * 1000,
        '{"a": "' + "x" * 1000,
        "[INFO] started\n" * 100 + "[INFO] done []",
        "[" * 500 + "]" * 500,
        '{"a": 1}' * 100,
        json.dumps({"key" * 500: 1}),
    ],
)
def test_what_is_no_json_or_cannot_be_kept_as_json_is_cut_as_a_text(text: str) -> None:
    head, full, _, tail = MARKER.split(cut_result(text, 400))
    assert (text[: len(head)], text[-len(tail) :], full) == (head, tail, str(len(text)))


def test_json_that_is_not_readable_within_a_tiny_limit_is_cut_as_a_text() -> None:
    text = json.dumps([{"number": n, "name": f"name {n}"} for n in range(100)])
    assert json.loads(cut_result(text, 150))[0] == {"number": 0, "name": "name 0"}
    assert MARKER.search(cut_result(text, 90))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "one line of a log\n" * 500_000,
        "[one] {line} of a log\n" * 500_000,
        json.dumps([{"id": n, "name": f"name {n}", "text": "word " * 20} for n in range(70_000)]),
        json.dumps({f"key {n}": n for n in range(400_000)}),
        json.dumps({"a": '\\"' * 2_000_000}),
        "\U0001f1e9" * 8_000_000,
        "a" + "\u0301" * 8_000_000,
        json.dumps(["a" + "\u0301" * 1000] * 5000, ensure_ascii=False),
    ],
    ids=["text", "brackets", "array", "object", "string", "flags", "marks", "strings of marks"],
)
def test_what_is_huge_is_gone_through_once(text: str) -> None:
    assert len(cut_result(text, 50_000)) <= 50_000


@given(values.map(lambda value: json.dumps([value] * 200)) | st.text(min_size=200), st.integers(0, 300))
def test_what_was_cut_is_not_cut_again(text: str, limit: int) -> None:
    once = cut_result(text, limit)
    assert cut_result(once, limit) == once
