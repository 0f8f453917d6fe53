from __future__ import annotations

import datetime
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel, model_validator

from callagain.connectors.tools import Tool, ToolContext, ToolProblem
from callagain.engine.errors import ToolSchemaError

CONTEXT = ToolContext("run-1", "call_a1", "book", "key-1")


class Booking(BaseModel):
    """Book a room.

    One room at a time.
    """

    room: str = Field(description="number of the room", alias="roomNumber")
    day: datetime.date
    guests: int = 1

    @model_validator(mode="after")
    def not_too_many(self) -> Booking:
        if self.guests > 4:
            raise ValueError("a room holds four guests")
        return self


class Tree(BaseModel):
    """A tree."""

    value: int
    children: list[Tree] = []


class Open(BaseModel):
    """Open."""

    model_config = ConfigDict(extra="allow")


def first(tree: Tree) -> int:
    return tree.children[0].value


def extras(given: Open) -> object:
    return given.model_extra


def book(booking: Booking, context: ToolContext) -> str:
    return f"{booking.room} on {booking.day:%d.%m.} for {booking.guests} ({context.name})"


def refusal(made: Tool, arguments: dict[str, Any]) -> str:
    with pytest.raises(ToolProblem) as caught:
        made.bind(arguments, CONTEXT)
    assert caught.value.code == "invalid_arguments"
    return caught.value.message


def test_the_model_is_the_announcement_and_arrives_whole() -> None:
    made = Tool.from_model(Booking, book, idempotent=True)
    assert made.idempotent
    assert made.announced() == {
        "type": "function",
        "function": {
            "name": "book",
            "description": "Book a room.\n\nOne room at a time.",
            "parameters": {
                "type": "object",
                "properties": {
                    "roomNumber": {"type": "string", "description": "number of the room"},
                    "day": {"type": "string", "format": "date"},
                    "guests": {"type": "integer", "default": 1},
                },
                "required": ["roomNumber", "day"],
                "additionalProperties": False,
            },
        },
    }
    call = made.bind({"roomNumber": "12", "day": "2026-01-02"}, CONTEXT)
    assert call() == "12 on 02.01. for 1 (book)"


def test_faults_are_told_in_the_announced_names() -> None:
    made = Tool.from_model(Booking, book)
    day = "2026-01-02"
    assert refusal(made, {"day": day}) == "roomNumber: required, but missing"
    assert refusal(made, {"roomNumber": "1", "day": day, "room": "1"}) == (
        "room: unknown key; known are: roomNumber, day, guests"
    )
    assert refusal(made, {"roomNumber": 1, "day": day, "room": "1"}) == (
        "roomNumber: should be a valid string, got number 1; "
        "room: unknown key; known are: roomNumber, day, guests"
    )
    assert refusal(made, {"roomNumber": "1", "day": day, "guests": 5}).startswith(
        "arguments: a room holds four guests, got object {"
    )


def test_the_functions_docstring_describes_before_the_models() -> None:
    def book(booking: Booking) -> str:
        """Book at once."""
        return booking.room

    assert Tool.from_model(Booking, book).description == "Book at once."


def test_a_model_that_contains_itself_has_an_object_at_the_root() -> None:
    made = Tool.from_model(Tree, first)
    assert made.parameters["type"] == "object"
    assert made.bind({"value": 1, "children": [{"value": 2}]}, CONTEXT)() == 2
    assert refusal(made, {"value": 1, "children": [{"value": "2"}]}) == (
        'children[0].value: should be a valid integer, got string "2"'
    )


def test_a_models_own_setting_for_extra_keys_holds() -> None:
    made = Tool.from_model(Open, extras)
    assert made.bind({"anything": 1}, CONTEXT)() == {"anything": 1}


def test_refuses_what_does_not_fit_together() -> None:
    def two(a: Booking, b: Booking) -> None:
        """Two."""

    with pytest.raises(ToolSchemaError, match=r"tool two: a function for a model has one parameter.* has 2"):
        Tool.from_model(Booking, two)
    with pytest.raises(ToolSchemaError, match="is not a pydantic model; the function comes second"):
        Tool.from_model(book, Booking)  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(ToolSchemaError, match=r"tool book: the model .*: the root must be"):
        Tool.from_model(RootModel[list[int]], book)
