"""Schemas of every shape are read: references, unions, objects within objects; none makes the check fail."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import BaseModel, Field

from callagain.connectors.tools import Tool
from callagain.engine.json_text import Json, JsonObject
from callagain.tool_check import Finding, check_tools

Announce = Callable[..., JsonObject]

UNDESCRIBED = {"type": "string"}


def places(found: list[Finding]) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in found]


def test_a_property_within_an_object_is_named_by_its_path(announce: Announce) -> None:
    line = {"type": "object", "properties": {"count": UNDESCRIBED}}
    lines = {"type": "array", "description": "Lines of the order", "items": line}
    order = {"type": "object", "description": "The order", "properties": {"lines": lines}}
    assert places(check_tools([announce(properties={"order": order})])) == [
        ("order", "parameters-nested"),
        ("order.lines[].count", "property-description"),
    ]


def test_references_and_unions_are_followed(announce: Announce) -> None:
    properties = {"to": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}], "description": "Where to"}}
    definitions = {
        "Address": {"type": "object", "properties": {"zip": {"$ref": "#/$defs/Zip"}}},
        "Zip": UNDESCRIBED,
    }
    found = check_tools([announce(properties=properties, **{"$defs": definitions})])
    assert places(found) == [("to", "parameters-nested"), ("to.zip", "property-description")]


def test_what_stands_beside_a_union_holds_for_each_of_its_forms(announce: Announce) -> None:
    day = {"type": "string", "description": "Day", "anyOf": [{"format": "date"}, {"pattern": "^today$"}]}
    assert check_tools([announce(properties={"day": day})]) == []


@pytest.mark.parametrize("reference", ["#", "#anchor", "#/$defs/None", "https://example.com/schema.json", 7])
def test_a_reference_that_cannot_be_followed_is_passed_over(announce: Announce, reference: Any) -> None:
    found = check_tools([announce(properties={"order": {"$ref": reference, "description": "Order 7"}})])
    assert {code for _, code in places(found)} <= {"parameters-nested"}


class Employee(BaseModel):
    """Look up an employee; returns the salary. Not for managers."""

    name: str = Field(description="Full name")
    chief: "Employee | None" = Field(None, description="Whom the employee reports to")
    reports: list["Employee"] = Field([], description="Who reports to the employee")


def look_up_salary(employee: Employee) -> str:
    return employee.name


def test_a_schema_that_contains_itself_is_read_once() -> None:
    assert places(check_tools([Tool.from_model(Employee, look_up_salary)])) == [
        ("chief", "parameters-nested"),
        ("reports", "parameters-list-of-objects"),
    ]


def test_a_tool_without_parameters_is_clean(announce: Announce) -> None:
    entry = announce("list_orders", "List all orders of today, and no others.")
    assert isinstance(entry["function"], dict)
    del entry["function"]["parameters"]
    assert check_tools([entry]) == []


def test_a_loop_of_references_ends(announce: Announce) -> None:
    both: Json = [{"$ref": "#/$defs/Loop"}, {"$ref": "#/$defs/Loop"}]
    found = check_tools(
        [announce(properties={"x": {"$ref": "#/$defs/Loop"}}, **{"$defs": {"Loop": {"anyOf": both}}})]
    )
    assert {path for path, _ in places(found)} == {"x"}


KEYWORDS = ["type", "properties", "items", "enum", "anyOf", "$ref", "description", "const", "order", "status"]
TEXTS = some.text(max_size=9) | some.sampled_from(["object", "array", "string", "#", "#/properties/order"])
JSON_VALUES = some.recursive(
    some.none() | some.integers() | TEXTS,
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(KEYWORDS), inner, max_size=3)
    ),
    max_leaves=12,
)
OBJECTS = some.dictionaries(some.sampled_from(KEYWORDS), JSON_VALUES, max_size=4)


@given(some.text(max_size=9), JSON_VALUES, OBJECTS | JSON_VALUES)
def test_whatever_an_entry_holds_the_check_ends_with_findings(
    name: str, description: Any, properties: Any
) -> None:
    parameters = {"type": "object", "properties": properties}
    function = {"name": name, "description": description, "parameters": parameters}
    found = check_tools([{"type": "function", "function": function}])
    assert all(each.message and each.tool == name for each in found)
