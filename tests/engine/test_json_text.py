"""What is accepted can be written again and read by anyone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.json_text import MAX_DEPTH, Json, JsonError, canonical, decode, encode

values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_what_is_written_is_read_again(value: Json) -> None:
    assert decode(encode(value).decode()) == value


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = decode(text, unique_keys=True)
    except JsonError:
        return
    assert json.loads(text) == value


@given(st.text(st.characters(categories=["Cs", "L"])))
def test_a_lone_surrogate_becomes_the_replacement_character(text: str) -> None:
    written = encode(text).decode()
    assert json.loads(written) == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value at position 0"),
        ('{"a": 1', "Expecting ',' delimiter at position 7"),
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "the number 1e999 is too large"),
        ("9" * 5000, "an integer has too many digits"),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
        ('[{"b": {"a": 1, "a": 1}}]', "the key 'a' stands twice in one object"),
        ("[" * 65 + "]" * 65, "nested deeper than 64 levels at position 64"),
        ('{"a":' * 100_000, "nested deeper than 64 levels at position 320"),
    ],
)
def test_what_is_refused_and_why(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        decode(text, unique_keys=True)
    assert str(caught.value) == message


@pytest.mark.timeout(20)
@pytest.mark.parametrize("end", ["", "\\", '"', '\\"'])
def test_a_text_that_is_cut_off_in_a_string_is_gone_through_once(end: str) -> None:
    text = '{"content":"' + '[{\\"a\\":1}]' * 100_000 + end
    with pytest.raises(JsonError):
        decode(text, unique_keys=True)


def test_brackets_in_strings_are_no_nesting() -> None:
    for value in (["[{" * 100, '\\"[' * 100], "[{" * 100):
        assert decode(json.dumps(value)) == value


def test_the_deepest_nesting_that_is_accepted() -> None:
    assert decode("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None


def test_a_key_that_stands_twice_counts_once_where_that_is_allowed() -> None:
    assert decode('{"a": 1, "a": 2}') == {"a": 2}


def test_control_characters_in_a_string_have_to_be_escaped() -> None:
    with pytest.raises(JsonError, match="^Invalid control character at position 10$"):
        decode('{"a": "one\n\ttwo\0"}')


@pytest.mark.parametrize("value", [float("nan"), {"a": object()}, {"a": {1, 2}}])
def test_what_is_no_json_is_not_written(value: object) -> None:
    with pytest.raises(JsonError, match="^cannot be written as JSON: "):
        encode(value)


def test_the_order_of_keys_is_kept_in_writing_and_of_no_matter_in_the_canonical_form() -> None:
    one, other = {"b": 1, "a": {"d": 1, "c": 2}}, {"a": {"c": 2, "d": 1}, "b": 1}
    assert encode(one) == b'{"b":1,"a":{"d":1,"c":2}}'
    assert canonical(one) == canonical(other)
