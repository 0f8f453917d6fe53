"""What a model is told about arguments that do not fit."""

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field

from callagain.connectors.tools import Tool, ToolContext, ToolProblem, tool
from callagain.engine.json_text import Json

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")


class Item(BaseModel):
    title: str
    count: int = Field(ge=1)


def even(value: int) -> int:
    if value % 2:
        raise ValueError("must be even")
    return value


def broken(value: int) -> int:
    raise KeyError(f"bug {value}")


@tool
def order(
    number: int, items: list[Item], note: str | None = None, pair: Annotated[int, AfterValidator(even)] = 0
) -> int:
    """Order."""
    return number + len(items) + pair + len(note or "")


@tool
def union(value: int | list[str]) -> object:
    """Union."""
    return value


@tool
def weight(value: float) -> float:
    """Weight."""
    return value


def refusal(made: Tool, arguments: dict[str, Any]) -> str:
    with pytest.raises(ToolProblem) as caught:
        made.bind(arguments, CONTEXT)
    assert caught.value.code == "invalid_arguments"
    return caught.value.message


def test_names_every_fault_with_its_place_what_is_expected_and_what_was_got() -> None:
    arguments = {
        "number": "3",
        "items": [{"title": "a", "count": 1}, {"count": 0}],
        "pair": 3,
        "colour": 1,
    }
    assert refusal(order, arguments) == (
        'number: should be a valid integer, got string "3"; '
        "items[1].title: required, but missing; "
        "items[1].count: should be greater than or equal to 1, got number 0; "
        "pair: must be even, got number 3; "
        "colour: unknown key; known are: number, items, note, pair"
    )


def test_says_all_forms_that_a_union_allows() -> None:
    assert refusal(union, {"value": None}) == (
        "value: should be a valid integer or should be a valid array, got null"
    )


def test_cuts_long_values() -> None:
    message = refusal(order, {"number": "9" * 5000, "items": []})
    assert len(message) < 200
    assert message.endswith("…")


def test_cuts_long_names_and_keeps_to_one_line() -> None:
    message = refusal(order, {"number": 1, "items": [], "a\nb": 1, "x" * 5000: 2})
    known = "unknown key; known are: number, items, note, pair"
    assert message == f"a b: {known}; {'x' * 79}…: {known}"


def test_tells_at_most_twenty_faults() -> None:
    message = refusal(order, {"number": 1, "items": [1] * 1000})
    assert message.count("items[") == 20
    assert message.endswith("; and 980 more")


@pytest.mark.parametrize("value", ["3", 3.5, True, None, [3]])
def test_refuses_what_contradicts_the_announced_integer(value: object) -> None:
    assert refusal(order, {"number": value, "items": []}).startswith("number: should be a valid integer")


def test_takes_a_whole_float_for_an_integer_as_json_schema_does() -> None:
    call = order.bind({"number": 3.0, "items": [{"title": "a", "count": 2.0}]}, CONTEXT)
    assert call() == 4


def test_a_number_too_large_for_a_float_is_refused_not_infinite() -> None:
    assert refusal(weight, {"value": 10**400}).startswith("value: should be a finite number")


def test_a_bug_in_a_users_validator_is_not_blamed_on_the_arguments() -> None:
    def call(value: Annotated[int, AfterValidator(broken)]) -> int:
        """Call."""
        return value

    with pytest.raises(ToolProblem) as caught:
        Tool.from_function(call).bind({"value": 1}, CONTEXT)
    assert (caught.value.code, caught.value.message) == ("tool_exception", "KeyError: 'bug 1'")


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def answer(arguments: dict[str, Json]) -> str:
    try:
        order.bind(arguments, CONTEXT)
    except ToolProblem as problem:
        return f"{problem.code}: {problem.message}"
    return "accepted"


@given(st.dictionaries(st.sampled_from(["number", "items", "note", "pair", "x"]), JSON))
def test_any_json_object_is_accepted_or_refused_in_one_line(arguments: dict[str, Json]) -> None:
    said = answer(arguments)
    assert said == "accepted" or said.startswith("invalid_arguments: ")
    assert "\n" not in said


@tool
def echo(value: int | float) -> object:
    """Echo."""
    return value


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive(value: float) -> None:
    received = echo.bind({"value": value}, CONTEXT)()
    assert received == value
    assert type(received) is type(value)
