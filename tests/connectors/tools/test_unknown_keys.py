"""A raw schema is held as fully as a function's type hints, keys that nobody announced included."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import BaseModel, ConfigDict, Field

from callagain.connectors.tools import Tool, ToolContext, ToolProblem, tool_from_schema
from callagain.engine.json_text import Json, JsonObject

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    article: Annotated[str, Field(min_length=2, max_length=5)]
    count: Annotated[int, Field(ge=1, le=9)]


def order(
    number: int,
    lines: Annotated[list[Line], Field(min_length=1, max_length=3)],
    prices: dict[str, float],
    kind: Literal["a", "b"] = "a",
    express: bool = False,
) -> str:
    """Order."""
    return f"{number} {lines} {kind} {express} {prices}"


def anything(**values: object) -> object:
    return values


def without_closings(schema: Any) -> Any:
    """The schema as most people write theirs, without additionalProperties: false."""
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    return {
        key: without_closings(value)
        for key, value in members.items()
        if not (key == "additionalProperties" and value is False)
    }


BY_HINTS = Tool.from_function(order)
BY_SCHEMA = tool_from_schema(
    without_closings(BY_HINTS.parameters), anything, name="order", description="Order."
)
BAD: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["number", "lines", "prices"]),
    ({"number": "1"}, ["number"]),
    ({"number": 1.5}, ["number"]),
    ({"number": True}, ["number"]),
    ({"number": None}, ["number"]),
    ({"lines": []}, ["lines"]),
    ({"lines": [{"article": "ab", "count": 1}] * 4}, ["lines"]),
    ({"lines": {"article": "ab", "count": 1}}, ["lines"]),
    ({"lines": ["ab"]}, ["lines[0]"]),
    ({"lines": [{"article": "a", "count": 0}]}, ["lines[0].article", "lines[0].count"]),
    ({"lines": [{"article": "abcdef", "count": 10}]}, ["lines[0].article", "lines[0].count"]),
    ({"lines": [{"count": 1}, {"article": 3, "count": 1}]}, ["lines[0].article", "lines[1].article"]),
    ({"lines": [{"article": "ab", "count": 1, "gift": 1}]}, ["lines[0].gift"]),
    ({"kind": "c"}, ["kind"]),
    ({"express": 1}, ["express"]),
    ({"prices": {"ab": "1"}}, ["prices.ab"]),
    ({"colour": "red"}, ["colour"]),
]
GOOD: JsonObject = {"number": 1, "lines": [{"article": "ab", "count": 1}], "prices": {}}


def places(made: Tool, arguments: JsonObject) -> set[str]:
    with pytest.raises(ToolProblem) as caught:
        made.validated(arguments)
    assert caught.value.code == "invalid_arguments"
    clauses = caught.value.message.replace("unknown key; known are", "unknown key, known are").split("; ")
    return {clause.partition(": ")[0] for clause in clauses}


@pytest.mark.parametrize(("changes", "expected"), BAD)
def test_a_raw_schema_refuses_what_type_hints_refuse(changes: dict[str, Any], expected: list[str]) -> None:
    arguments = {**GOOD, **changes} if changes else {}
    assert places(BY_HINTS, arguments) == set(expected)
    assert places(BY_SCHEMA, arguments) == set(expected)


def test_a_raw_schema_takes_what_type_hints_take() -> None:
    full: JsonObject = {**GOOD, "number": 2.0, "kind": "b", "express": True, "prices": {"ab": 1}}
    for arguments in (GOOD, full):
        BY_HINTS.validated(arguments)
        assert BY_SCHEMA.validated(arguments) == arguments


def faults(schema: Any, value: Json, function: Callable[..., object] = anything, **more: Any) -> str:
    """What is said of a value that stands at `a`, where this schema holds."""
    made = tool_from_schema(
        {"type": "object", "properties": {"a": schema}, **more}, function, description="Any."
    )
    try:
        made.validated({"a": value})
    except ToolProblem as problem:
        return problem.message
    return ""


LISTED: Any = {"properties": {"b": {}}}
NULL = {"type": "null"}
CLOSED: list[tuple[Any, Json, str]] = [
    (LISTED, {"x": 1}, "a.x: unknown key; known are: b"),
    ({**LISTED, "required": ["c"]}, {"c": 1, "x": 1}, "a.x: unknown key; known are: b, c"),
    ({"items": LISTED}, [{"b": 1}, {"x": 1}], "a[1].x: unknown key; known are: b"),
    ({"additionalProperties": LISTED}, {"k": {"x": 1}}, "a.k.x: unknown key; known are: b"),
    ({"properties": {"b": LISTED}}, {"b": {"x": 1}}, "a.b.x: unknown key; known are: b"),
    ({"$ref": "#/$defs/listed"}, {"x": 1}, "a.x: unknown key; known are: b"),
    ({"$ref": "#/$defs/tree"}, {"next": {"next": {"x": 1}}}, "a.next.next.x: unknown key; known are: next"),
    (
        {"allOf": [LISTED, {"properties": {"c": {}}}, {"required": ["b"]}]},
        {"b": 1, "c": 1, "x": 1},
        "a.x: unknown key; known are: b, c",
    ),
    ({"anyOf": [LISTED, NULL]}, {"x": 1}, "a.x: unknown key; known are: b"),
    (
        {"oneOf": [{**LISTED, "required": ["b"]}, {"properties": {"c": {}}, "required": ["c"]}]},
        {"c": 1, "x": 1},
        "a.x: unknown key; known are: b, c",
    ),
    (
        {**LISTED, "anyOf": [{"required": ["b"]}, {"required": ["c"]}]},
        {"b": 1, "x": 1},
        "a.x: unknown key; known are: b, c",
    ),
    (
        {**LISTED, "dependentSchemas": {"b": {"properties": {"c": {}}}}},
        {"b": 1, "c": 1, "x": 1},
        "a.x: unknown key; known are: b, c",
    ),
    ({**LISTED, "additionalProperties": False}, {"x": 1}, "a.x: unknown key; known are: b"),
]
OPEN: list[tuple[Any, Json]] = [
    (True, {"x": 1}),
    ({"type": "object"}, {"x": 1}),
    ({"type": "object", "properties": {}}, {"x": 1}),
    ({**LISTED, "additionalProperties": True}, {"x": 1}),
    ({**LISTED, "additionalProperties": {"type": "integer"}}, {"x": 1}),
    ({**LISTED, "unevaluatedProperties": True}, {"x": 1}),
    ({**LISTED, "patternProperties": {"^x": {}}}, {"x": 1}),
    ({**LISTED, "propertyNames": {"maxLength": 1}}, {"x": 1}),
    ({"anyOf": [LISTED, {"type": "object"}]}, {"x": 1}),
    ({"anyOf": [{**LISTED, "required": ["b"]}, {**LISTED, "additionalProperties": {}}]}, {"x": 1}),
    ({"allOf": [LISTED, {"additionalProperties": True}]}, {"x": 1}),
    ({"not": {**LISTED, "required": ["b"]}}, {"x": 1}),
    ({"properties": {"b": True}}, {"b": {"x": 1}}),
]
DEFINITIONS: Any = {
    "listed": LISTED,
    "tree": {"properties": {"next": {"$ref": "#/$defs/tree"}}},
}


@pytest.mark.parametrize(("schema", "value", "expected"), CLOSED)
def test_where_properties_are_listed_other_keys_are_refused(schema: Any, value: Json, expected: str) -> None:
    assert faults(schema, value, **{"$defs": DEFINITIONS}) == expected


@pytest.mark.parametrize(("schema", "value"), OPEN)
def test_other_keys_are_taken_where_none_are_listed_or_the_schema_lets_them_in(
    schema: Any, value: Json
) -> None:
    assert faults(schema, value, **{"$defs": DEFINITIONS}) == ""


SECOND_ALTERNATIVES: list[tuple[Any, str]] = [
    ({"type": "object"}, ""),
    ({"properties": {"b": {"type": "object"}}}, ""),
    ({"properties": {"b": {"type": "string"}}}, "a.b.x: unknown key; known are: b"),
    ({"properties": {"c": {}}}, "a.b.x: unknown key; known are: b"),
    (NULL, "a.b.x: unknown key; known are: b"),
]


@pytest.mark.parametrize(("second", "expected"), SECOND_ALTERNATIVES)
def test_what_one_alternative_lists_counts_unless_another_one_leaves_it_open(
    second: Any, expected: str
) -> None:
    assert faults({"anyOf": [{"properties": {"b": LISTED}}, second]}, {"b": {"x": 1}}) == expected


def test_an_array_may_fit_the_alternative_that_leaves_its_items_open() -> None:
    assert faults({"anyOf": [{"items": LISTED}, {"type": "array"}]}, [{"x": 1}]) == ""
    assert faults({"anyOf": [{"items": LISTED}, NULL]}, [{"x": 1}]) == "a[0].x: unknown key; known are: b"


def test_all_faults_are_told_together() -> None:
    schema: Any = {"properties": {"b": {"type": "string", "minLength": 2, "maxLength": 3}}, "required": ["c"]}
    assert faults(schema, {"b": "1", "x": 1}) == (
        'a.b: should have at least 2 characters, got string "1"; '
        "a.c: required, but missing; "
        "a.x: unknown key; known are: b, c"
    )
    assert faults(schema, {"b": "1234", "c": 1}) == 'a.b: should have at most 3 characters, got string "1234"'


def test_what_the_function_does_not_take_is_unknown_whatever_the_schema_lists() -> None:
    def find(term: str = "", debug: bool = False) -> object:
        return [term, debug]

    made = tool_from_schema(
        {
            "type": "object",
            "properties": {"term": {"type": "string"}},
            "anyOf": [{"properties": {"depth": {}}}, {}],
        },
        find,
        description="Find.",
    )
    for key in ("depth", "debug"):
        with pytest.raises(ToolProblem) as caught:
            made.validated({key: 1})
        assert caught.value.message == f"{key}: unknown key; known are: term"
