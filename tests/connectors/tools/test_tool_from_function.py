from __future__ import annotations

import asyncio
import datetime
import decimal
import enum
import functools
import uuid
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from callagain.connectors.tools import Tool, ToolContext, ToolDescriptionWarning, tool
from callagain.engine.errors import ToolSchemaError

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Item(BaseModel):
    title: str
    count: int = Field(ge=1)


@dataclass
class Point:
    x: int


class Size(TypedDict):
    width: int


def parameters(function: Callable[..., object], **options: Any) -> dict[str, Any]:
    return Tool.from_function(function, **options).parameters


def test_announces_types_descriptions_and_what_is_required() -> None:
    def add(a: int, b: int | None = None) -> int:
        """Adds two numbers.

        The second may be left out.

        Args:
            a: first number
            b: second number

        Returns:
            Their sum.
        """
        return a + (b or 0)

    assert Tool.from_function(add).announced() == {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds two numbers.\n\nThe second may be left out.",
            "parameters": {
                "type": "object",
                "properties": {
                    "a": {"type": "integer", "description": "first number"},
                    "b": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "second number"},
                },
                "required": ["a"],
                "additionalProperties": False,
            },
        },
    }


def test_what_annotated_says_wins_over_the_docstring() -> None:
    def find(term: Annotated[str, Field(description="from Field", max_length=5)]) -> str:
        """Find.

        Args:
            term: from the docstring
        """
        return term

    announced = parameters(find)["properties"]["term"]
    assert announced == {"type": "string", "description": "from Field", "maxLength": 5}


@pytest.mark.parametrize(
    ("hint", "schema", "given", "received"),
    [
        (int, {"type": "integer"}, 10**30, 10**30),
        (float, {"type": "number"}, 3, 3.0),
        (bool, {"type": "boolean"}, True, True),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, "b", "b"),
        (Colour, {"$ref": "#/$defs/Colour"}, "red", Colour.RED),
        (list[int], {"type": "array", "items": {"type": "integer"}}, [1], [1]),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, {"k": 1}, {"k": 1}),
        (set[int], {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}, [1, 1], {1}),
        (
            tuple[int, str],
            {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
            },
            [1, "x"],
            (1, "x"),
        ),
        (datetime.date, {"type": "string", "format": "date"}, "2026-01-02", datetime.date(2026, 1, 2)),
        (
            datetime.datetime,
            {"type": "string", "format": "date-time"},
            "2026-01-02T03:04:05",
            datetime.datetime(2026, 1, 2, 3, 4, 5),
        ),
        (uuid.UUID, {"type": "string", "format": "uuid"}, str(uuid.UUID(int=1)), uuid.UUID(int=1)),
        (Item, {"$ref": "#/$defs/Item"}, {"title": "t", "count": 1}, Item(title="t", count=1)),
        (Point, {"$ref": "#/$defs/Point"}, {"x": 1}, Point(1)),
        (Size, {"$ref": "#/$defs/Size"}, {"width": 1}, {"width": 1}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "3", "3"),
    ],
)
def test_types_become_schemas_and_arguments_become_values(
    hint: Any, schema: dict[str, Any], given: Any, received: object
) -> None:
    def echo(value: Any) -> object:
        """Echo."""
        return value

    echo.__annotations__["value"] = hint
    made = Tool.from_function(echo)
    assert made.parameters["properties"] == {"value": schema}
    value = made.bind({"value": given}, CONTEXT)()
    assert value == received
    assert type(value) is type(received)


def test_a_decimal_keeps_its_digits() -> None:
    def pay(amount: decimal.Decimal) -> decimal.Decimal:
        """Pay."""
        return amount

    assert Tool.from_function(pay).bind({"amount": "10.10"}, CONTEXT)() == decimal.Decimal("10.10")


def test_titles_are_left_out_but_a_property_called_title_stays() -> None:
    def save(item: Item) -> str:
        """Save."""
        return item.title

    item = parameters(save)["$defs"]["Item"]
    assert item["properties"] == {"title": {"type": "string"}, "count": {"type": "integer", "minimum": 1}}
    assert "title" not in item


def test_defaults_are_announced_and_left_to_the_function() -> None:
    marker = object()

    def search(limit: int = 10, colour: Colour = Colour.RED, other: Any = marker) -> list[object]:
        """Search."""
        return [limit, colour, other]

    made = Tool.from_function(search)
    properties: Any = made.parameters["properties"]
    assert properties["limit"] == {"type": "integer", "default": 10}
    assert properties["colour"]["default"] == "red"
    assert properties["other"] == {}
    assert made.bind({}, CONTEXT)() == [10, Colour.RED, marker]


def test_parameter_names_that_pydantic_models_refuse_are_fine() -> None:
    def call(schema: int, _private: int, model_config: int, json: int) -> int:
        """Call."""
        return schema + _private + model_config + json

    made = Tool.from_function(call)
    assert made.bind({"schema": 1, "_private": 2, "model_config": 3, "json": 4}, CONTEXT)() == 10


def test_resolves_postponed_types_of_an_enclosing_function() -> None:
    class Local(BaseModel):
        x: int

    def use(value: Local) -> int:
        """Use."""
        return value.x

    assert Tool.from_function(use).bind({"value": {"x": 3}}, CONTEXT)() == 3


def test_a_variable_of_an_unrelated_caller_does_not_hide_a_type() -> None:
    Colour = "not a type"
    made = Tool.from_function(pick)
    assert Colour == "not a type"
    assert made.bind({"colour": "red"}, CONTEXT)() is globals()["Colour"].RED


def pick(colour: Colour) -> Colour:
    """Pick."""
    return colour


def test_leaves_out_the_context_and_hands_it_over() -> None:
    def report(x: int, where: ToolContext | None = None) -> str:
        """Report."""
        assert where is not None
        return f"{where.call_id} {x}"

    made = Tool.from_function(report)
    assert made.parameters["properties"] == {"x": {"type": "integer"}}
    assert made.bind({"x": 1}, CONTEXT)() == "call_a1 1"


def test_asks_for_the_context_only_once() -> None:
    def report(one: ToolContext, two: ToolContext) -> None:
        """Report."""

    with pytest.raises(ToolSchemaError, match="tool report: one and two both ask for the context; keep one"):
        Tool.from_function(report)


def test_async_functions_partials_and_callable_objects_give_coroutines() -> None:
    async def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    class Adder:
        """Adds one."""

        async def __call__(self, a: int) -> int:
            return a + 1

    for made in (
        Tool.from_function(functools.partial(add, b=1)),
        Tool.from_function(Adder(), name="adder"),
    ):
        assert made.is_async
        assert made.parameters["properties"] == {"a": {"type": "integer"}}
        result: Any = made.bind({"a": 1}, CONTEXT)()
        assert asyncio.run(result) == 2


def test_what_a_partial_has_fixed_is_not_the_models_to_choose() -> None:
    def fetch(path: str, token: str) -> str:
        """Fetch."""
        return path + token

    made = Tool.from_function(functools.partial(fetch, token="secret"))
    assert made.name == "fetch"
    assert made.description == "Fetch."
    assert "token" not in str(made.announced())
    assert made.bind({"path": "p-"}, CONTEXT)() == "p-secret"


def test_a_bound_method_is_called_on_its_object() -> None:
    class Shop:
        def __init__(self, name: str) -> None:
            self.name = name

        def greet(self, guest: str) -> str:
            """Greet."""
            return f"{self.name} greets {guest}"

    made = Tool.from_function(Shop("A").greet)
    assert made.parameters["properties"] == {"guest": {"type": "string"}}
    assert made.bind({"guest": "Bo"}, CONTEXT)() == "A greets Bo"


def no_annotation(a) -> None:  # type: ignore[no-untyped-def]  # pyright: ignore
    """Bad."""


def unknown_type(a: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821  # pyright: ignore
    """Bad."""


def not_a_schema(a: Callable[[], int]) -> None:
    """Bad."""


def starred(*args: int) -> None:
    """Bad."""


def double_starred(**kwargs: int) -> None:
    """Bad."""


def positional_only(a: int, /) -> None:
    """Bad."""


def field_as_default(a: int = Field(3)) -> None:
    """Bad."""


def generator() -> Iterator[int]:
    """Bad."""
    yield 1


NOT_A_TOOL: list[tuple[Any, ...]] = [
    (no_annotation, "tool no_annotation: the parameter a has no type; annotate it: a: str"),
    (
        unknown_type,
        "tool unknown_type: the type 'Nowhere' of the parameter a cannot be resolved: name 'Nowhere' "
        "is not defined; define or import the name before the tool is made, not under TYPE_CHECKING",
    ),
    (
        not_a_schema,
        "tool not_a_schema: the parameter a has a type without a JSON schema: Cannot generate a "
        "JsonSchema for core_schema.CallableSchema",
    ),
    (starred, "tool starred: *args cannot be announced to a model; give every parameter its own name"),
    (
        double_starred,
        "tool double_starred: **kwargs cannot be announced to a model; give every parameter its own name",
    ),
    (
        positional_only,
        "tool positional_only: a is positional-only, but arguments come by name; drop the /",
    ),
    (
        field_as_default,
        "tool field_as_default: the parameter a has Field(…) as its default; "
        "write a: Annotated[type, Field(…)] = default",
    ),
    (
        generator,
        "tool generator: a generator has no single result; return a value, for example a list of the parts",
    ),
    (
        lambda: 1,
        "tool '<lambda>': a tool's name has 1 to 64 letters, digits, _ and -; set a legal one with name=",
    ),
    (
        Item,
        f"{Item!r} is not a function; a tool is made from a function, a method or an object "
        "with __call__, and a pydantic model needs Tool.from_model",
    ),
]


@pytest.mark.parametrize(
    ("function", "message"),
    NOT_A_TOOL,
)
def test_refuses_what_cannot_be_a_tool(function: Callable[..., object], message: str) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        Tool.from_function(function)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["", "a.b", "a b", "é", "x" * 65, "ok\n"])
def test_refuses_a_name_that_endpoints_refuse(name: str) -> None:
    with pytest.raises(ToolSchemaError, match="set a legal one with name="):
        Tool.from_function(pick, name=name)


@pytest.mark.parametrize("name", [5, b"pick", ["pick"]])
def test_refuses_a_name_that_is_no_text(name: Any) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        tool(name=name)(pick)
    assert str(caught.value) == (
        f"tool {name!r}: a tool's name has 1 to 64 letters, digits, _ and -; set a legal one with name="
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": 0}, "timeout=0 must be a number of seconds above 0"),
        ({"timeout": 1, "in_caller_thread": True}, "cannot be stopped at a timeout"),
        ({"retries": 1}, "unknown option retries; known are name, description"),
        ({"description": 5}, "description=5 must be a text"),
        ({"output_schema": "object"}, "output_schema='object' must be a JSON schema, a dict, or True"),
        ({"sequential": "no"}, "sequential='no' must be True or False"),
        ({"read_only": 1}, "read_only=1 must be True or False"),
        ({"idempotent": []}, r"idempotent=\[\] must be True or False"),
        ({"in_caller_thread": "a"}, "in_caller_thread='a' must be True or False"),
    ],
)
def test_refuses_options_that_cannot_hold(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolSchemaError, match=message):
        Tool.from_function(pick, **options)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e300, "a", "3", True, [1]])
def test_refuses_a_timeout_that_is_no_time(timeout: Any) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        tool(timeout=timeout)(pick)
    assert (
        str(caught.value)
        == f"tool pick: timeout={timeout!r} must be a number of seconds above 0, and 1e9 at the most"
    )


def test_refuses_the_callers_thread_for_an_async_function() -> None:
    async def wait() -> None:
        """Wait."""

    with pytest.raises(ToolSchemaError, match="in_caller_thread=True is for functions that are not async"):
        Tool.from_function(wait, in_caller_thread=True)


def test_warns_of_a_missing_description_at_the_line_that_makes_the_tool() -> None:
    def silent(a: int) -> int:
        return a

    with pytest.warns(ToolDescriptionWarning, match="tool silent has no description") as caught:
        made = Tool.from_function(silent)
    assert caught[0].filename == __file__
    announced: Any = made.announced()
    assert "description" not in announced["function"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Tool.from_function(silent, description="Now said.").description == "Now said."


def test_an_announcement_can_be_changed_without_changing_the_tool() -> None:
    made = tool(pick)
    changed: Any = made.announced()
    changed["function"]["parameters"]["properties"].clear()
    assert made.announced() != changed
