"""How long a string of a call may be where the schema does not say."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field

from callagain.connectors.tools import Tool, ToolContext, ToolProblem, tool, tool_from_schema
from callagain.connectors.tools.argument_lengths import over_long
from callagain.engine.json_text import Json, JsonObject

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")
LONG = "x" * 11


class Node(BaseModel):
    name: str
    short: Annotated[str, Field(max_length=20)] = ""
    children: list["Node"] = []


@tool
def send(to: str, body: str = "", headers: dict[str, str] | None = None) -> str:
    """Send."""
    return f"{to} {body} {headers}"


@tool
def save(root: Node) -> str:
    """Save."""
    return root.name


def refusal(made: Tool, arguments: dict[str, Any], limit: int | None = 10) -> str:
    with pytest.raises(ToolProblem) as caught:
        made.validated(arguments, limit)
    assert caught.value.code == "invalid_arguments"
    return caught.value.message


def in_a(schema: Any, value: Json, limit: int = 10, **more: Any) -> str:
    """The faults of a value that stands at `a`, where this schema holds."""
    return over_long({"a": value}, {"type": "object", "properties": {"a": schema}, **more}, limit)


def test_tells_the_place_the_limit_and_the_length() -> None:
    assert refusal(send, {"to": "Bo", "body": "x" * 31_000}, 20_000) == (
        "body: should have at most 20000 characters, got 31000"
    )


def test_tells_every_place_at_any_depth() -> None:
    arguments: JsonObject = {"to": LONG, "headers": {"from": LONG, LONG: "", "x": "x" * 10}}
    assert refusal(send, arguments) == (
        "to: should have at most 10 characters, got 11; "
        "headers.from: should have at most 10 characters, got 11; "
        "headers: should have keys of at most 10 characters, got one of 11"
    )
    deep: JsonObject = {"root": {"name": "", "children": [{"name": "", "children": [{"name": LONG}]}]}}
    assert refusal(save, deep) == (
        "root.children[0].children[0].name: should have at most 10 characters, got 11"
    )


def test_a_length_is_counted_in_characters() -> None:
    assert send.validated({"to": "é🙂" * 5}, 10) == {"to": "é🙂" * 5}


def test_without_a_limit_any_length_is_taken() -> None:
    assert send.validated({"to": "x" * 100_000}) == {"to": "x" * 100_000}
    assert send.bind({"to": "x" * 100_000}, CONTEXT)() == f"{'x' * 100_000}  None"


def test_the_tools_own_limit_wins_over_the_loops() -> None:
    narrow = Tool.from_function(send.function, max_argument_chars=3)
    wide = Tool.from_function(send.function, max_argument_chars=30)
    assert refusal(narrow, {"to": "four"}, 20) == "to: should have at most 3 characters, got 4"
    assert refusal(narrow, {"to": "four"}, None) == "to: should have at most 3 characters, got 4"
    assert wide.validated({"to": LONG}, 5) == {"to": LONG}


def test_a_call_is_bound_within_the_limit() -> None:
    assert send.bind({"to": "Bo"}, CONTEXT, max_argument_chars=2)() == "Bo  None"
    with pytest.raises(ToolProblem, match=r"^to: should have at most 2 characters, got 3$"):
        send.bind({"to": "Bob"}, CONTEXT, max_argument_chars=2)


def test_values_are_those_that_the_function_gets() -> None:
    assert save.validated({"root": {"name": "a"}}, 10) == {"root": Node(name="a")}

    def whole(arguments: dict[str, object], context: ToolContext) -> object:
        return [arguments, context]

    made = tool_from_schema({"type": "object"}, whole, description="Any.")
    assert made.validated({"b": 1}) == {"arguments": {"b": 1}}


def test_a_string_that_is_too_long_reaches_no_validator() -> None:
    def never(value: str) -> str:
        raise AssertionError(value)

    def call(value: Annotated[str, AfterValidator(never)]) -> str:
        """Call."""
        return value

    assert refusal(Tool.from_function(call), {"value": LONG}).startswith("value: should have at most 10")


def test_a_declared_length_counts_instead() -> None:
    assert save.validated({"root": {"name": "a", "short": LONG}}, 10) == {"root": Node(name="a", short=LONG)}
    assert refusal(save, {"root": {"name": "a", "short": "x" * 21}}) == (
        f'root.short: String should have at most 20 characters, got string "{"x" * 21}"'
    )


DECLARED: list[tuple[Any, Json]] = [
    ({"type": "string", "maxLength": 20}, LONG),
    ({"properties": {"b": {"maxLength": 20}}}, {"b": LONG}),
    ({"additionalProperties": {"maxLength": 20}}, {"b": LONG}),
    ({"patternProperties": {"^b": {"maxLength": 20}}, "additionalProperties": {}}, {"b": LONG}),
    ({"patternProperties": {r"^\p{L}": {"maxLength": 20}}}, {"b": LONG}),
    ({"unevaluatedProperties": {"maxLength": 20}}, {"b": LONG}),
    ({"items": {"maxLength": 20}}, [LONG]),
    ({"prefixItems": [{}, {"maxLength": 20}]}, ["", LONG]),
    ({"prefixItems": [{}], "items": {"maxLength": 20}}, ["", LONG]),
    ({"items": [{}, {"maxLength": 20}]}, ["", LONG]),
    ({"items": [{}], "additionalItems": {"maxLength": 20}}, ["", LONG]),
    ({"prefixItems": [{}], "unevaluatedItems": {"maxLength": 20}}, ["", LONG]),
    ({"$ref": "#/$defs/short"}, LONG),
    ({"$ref": "#/$defs/a~1b%20c"}, LONG),
    ({"$ref": "#/allOf/0/items"}, LONG),
    ({"$ref": "#tag"}, LONG),
    ({"allOf": [{}, {"maxLength": 20}]}, LONG),
    ({"anyOf": [{"type": "null"}, {"maxLength": 20}]}, LONG),
    ({"oneOf": [{"anyOf": [{"$ref": "#/$defs/short"}]}, {"type": "string"}]}, LONG),
    ({"if": {}, "then": {"maxLength": 20}}, LONG),
    ({"dependentSchemas": {"c": {"properties": {"b": {"maxLength": 20}}}}}, {"b": LONG}),
    ({"enum": [LONG]}, LONG),
    ({"const": LONG}, LONG),
    ({"properties": {LONG: {}}}, {LONG: 1}),
    ({"required": [LONG]}, {LONG: 1}),
    ({"propertyNames": {"maxLength": 20}}, {LONG: 1}),
    ({"propertyNames": {"enum": [LONG]}}, {LONG: 1}),
]
DEFINITIONS: Any = {
    "short": {"maxLength": 20},
    "a/b c": {"maxLength": 20},
    "tagged": {"$anchor": "tag", "maxLength": 20},
    "loop": {"anyOf": [{"$ref": "#/$defs/loop"}, {"allOf": [{"$ref": "#/$defs/loop"}]}]},
}


@pytest.mark.parametrize(("schema", "value"), DECLARED)
def test_a_length_is_found_wherever_the_schema_declares_it(schema: Any, value: Json) -> None:
    more: Any = {"$defs": DEFINITIONS, "allOf": [{"items": {"maxLength": 20}}]}
    assert in_a(schema, value, **more) == ""


UNDECLARED: list[tuple[Any, Json, str]] = [
    (True, LONG, "a"),
    ({"minLength": 20, "pattern": "^x"}, LONG, "a"),
    ({"enum": ["y"]}, LONG, "a"),
    ({"not": {"maxLength": 20}}, LONG, "a"),
    ({"if": {"maxLength": 20}}, LONG, "a"),
    ({"contains": {"maxLength": 20}}, [LONG], "a[0]"),
    ({"maxLength": 20}, [LONG], "a[0]"),
    ({"items": {"maxLength": 20}}, {"b": LONG}, "a.b"),
    ({"properties": {"c": {"maxLength": 20}}}, {"b": LONG}, "a.b"),
    ({"properties": {"b": {}}, "additionalProperties": {"maxLength": 20}}, {"b": LONG}, "a.b"),
    ({"properties": {"b": {}}, "unevaluatedProperties": {"maxLength": 20}}, {"b": LONG}, "a.b"),
    ({"prefixItems": [{}], "items": {"maxLength": 20}}, [LONG], "a[0]"),
    ({"$ref": "#/$defs/loop"}, LONG, "a"),
    ({"$ref": "#/$defs/nowhere/9"}, LONG, "a"),
    ({"$ref": "#nowhere"}, LONG, "a"),
]


@pytest.mark.parametrize(("schema", "value", "place"), UNDECLARED)
def test_anything_else_is_no_declared_length(schema: Any, value: Json, place: str) -> None:
    assert in_a(schema, value, **{"$defs": DEFINITIONS}) == (
        f"{place}: should have at most 10 characters, got 11"
    )


def test_a_key_that_nobody_announced_may_not_be_longer_either() -> None:
    assert in_a({"propertyNames": {"pattern": "x"}}, {LONG: LONG}) == (
        "a: should have keys of at most 10 characters, got one of 11; "
        f"a.{LONG}: should have at most 10 characters, got 11"
    )


def test_a_choice_of_a_literal_is_not_too_long() -> None:
    def paint(colour: Literal["light blue", "red"]) -> str:
        """Paint."""
        return colour

    assert Tool.from_function(paint, max_argument_chars=3).validated({"colour": "light blue"})


def test_tells_at_most_twenty_places_in_one_line() -> None:
    lines: list[Json] = ["b\n" * 10] * 1000
    said = over_long({"a": lines}, {"type": "object"}, 10)
    assert said.count("should have at most") == 20
    assert said.endswith("; and 980 more")
    assert "\n" not in said


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def longest(value: Json) -> int:
    match value:
        case str():
            return len(value)
        case list():
            return max(map(longest, value), default=0)
        case dict():
            return max([*map(len, value), *map(longest, value.values())], default=0)
        case _:
            return 0


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.integers(1, 6))
def test_there_is_a_fault_exactly_when_something_is_too_long(arguments: JsonObject, limit: int) -> None:
    assert (over_long(arguments, {"type": "object"}, limit) != "") == (longest(arguments) > limit)
