"""What a tool says about itself for the guards of a run: approval, unknown outcomes, limits."""

import functools
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from pydantic import BaseModel

from callagain.connectors.tools import Tool, tool, tool_from_schema
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject


class Refund(BaseModel):
    """Refund an order."""

    amount: int


def refund(amount: int) -> str:
    """Refund an order."""
    return f"{amount} refunded"


def refund_by_model(given: Refund) -> str:
    return refund(given.amount)


SCHEMA: JsonObject = {"type": "object", "properties": {"amount": {"type": "integer"}}, "required": ["amount"]}


def by_decorator(**options: Any) -> Tool:
    return tool(**options)(refund)


def by_function(**options: Any) -> Tool:
    return Tool.from_function(refund, **options)


def by_model(**options: Any) -> Tool:
    return Tool.from_model(Refund, refund_by_model, **options)


def by_schema(**options: Any) -> Tool:
    return tool_from_schema(SCHEMA, refund, description="Refund an order.", **options)


every_way = pytest.mark.parametrize("make", [by_decorator, by_function, by_model, by_schema])


def large(arguments: JsonObject) -> bool:
    amount = arguments["amount"]
    assert isinstance(amount, int)
    return amount > 100


@every_way
def test_says_nothing_unless_told(make: Callable[..., Tool]) -> None:
    made = make()
    assert made.requires_approval is False
    assert (made.untrusted, made.verbatim, made.polling) == (False, False, False)
    assert (made.on_unknown, made.max_result_chars, made.max_argument_chars) == (None, None, None)


@every_way
def test_keeps_what_it_is_told(make: Callable[..., Tool]) -> None:
    made = make(
        requires_approval=large,
        on_unknown="fail",
        max_result_chars=100,
        max_argument_chars=1,
        untrusted=True,
        verbatim=True,
        polling=True,
    )
    assert made.requires_approval is large
    assert (made.untrusted, made.verbatim, made.polling) == (True, True, True)
    assert (made.on_unknown, made.max_result_chars, made.max_argument_chars) == ("fail", 100, 1)


def test_a_flag_of_none_is_unsaid() -> None:
    nothing: Any = None
    made = Tool.from_function(refund, untrusted=nothing, read_only=nothing)
    assert (made.untrusted, made.read_only) == (False, False)


def test_an_instance_keeps_what_was_said_in_its_class() -> None:
    class Desk:
        @tool(requires_approval=True, polling=True)
        def look(self) -> str:
            """Look."""
            return "nothing"

    assert Desk().look.wants_approval({})
    assert Desk().look.polling


@pytest.mark.parametrize("answer", [True, False])
def test_true_and_false_answer_for_every_call(answer: bool) -> None:
    assert Tool.from_function(refund, requires_approval=answer).wants_approval({"amount": 1}) is answer


def test_a_function_answers_for_each_call() -> None:
    made = Tool.from_function(refund, requires_approval=large)
    assert made.wants_approval({"amount": 101}) is True
    assert made.wants_approval({"amount": 100}) is False


@pytest.mark.parametrize("answer", [None, 0, "", [], 1, "no"])
def test_an_answer_that_is_neither_true_nor_false_means_that_somebody_is_asked(answer: Any) -> None:
    made = Tool.from_function(refund, requires_approval=lambda _: answer)
    assert made.wants_approval({"amount": 1}) is True


def test_a_function_that_raises_means_that_somebody_is_asked() -> None:
    assert Tool.from_function(refund, requires_approval=large).wants_approval({}) is True


def test_the_question_cannot_change_the_arguments() -> None:
    def clear(arguments: JsonObject) -> bool:
        lines = arguments["lines"]
        assert isinstance(lines, list)
        lines.clear()
        return False

    def order(lines: list[int]) -> None:
        """Order something."""

    arguments: JsonObject = {"lines": [1]}
    assert Tool.from_function(order, requires_approval=clear).wants_approval(arguments) is False
    assert arguments == {"lines": [1]}


@pytest.mark.parametrize(
    ("flags", "when_unknown", "has_effects"),
    [
        ({}, "ask", True),
        ({"idempotent": True}, "retry", True),
        ({"read_only": True}, "retry", False),
        ({"read_only": True, "idempotent": True}, "retry", False),
    ],
)
def test_effects_decide_about_an_unknown_outcome_unless_the_tool_says(
    flags: dict[str, bool], when_unknown: str, has_effects: bool
) -> None:
    options: Any = flags
    made = Tool.from_function(refund, **options)
    assert (made.when_unknown, made.has_effects) == (when_unknown, has_effects)
    for said in ("retry", "ask", "fail"):
        assert Tool.from_function(refund, on_unknown=said, **options).when_unknown == said


async def ask_somebody(arguments: JsonObject) -> bool:
    return bool(arguments)


async def ask_in_parts(arguments: JsonObject) -> AsyncIterator[bool]:
    yield bool(arguments)


class AskLater:
    async def __call__(self, arguments: JsonObject) -> bool:
        return bool(arguments)

    def __repr__(self) -> str:
        return "AskLater()"


WHOLE = "must be a whole number of characters,"
IS_ASYNC = "is async, but is asked in the middle of a call; give it a function that is not"
NOT_SO: list[tuple[str, list[Any], str]] = [
    ("requires_approval", [None, "yes", 1, []], "must be True, False or a function of the arguments"),
    ("requires_approval", [AskLater(), ask_in_parts], IS_ASYNC),
    ("on_unknown", ["again", "", True, ["ask"]], 'must be "retry", "ask" or "fail"'),
    ("max_result_chars", [99, 0, -1, True, 1000.0, "1000"], f"{WHOLE} 100 or more"),
    ("max_argument_chars", [0, -1, True, 10.0, "10"], f"{WHOLE} 1 or more"),
    ("untrusted", ["no", 1], "must be True or False"),
    ("verbatim", ["no", 1], "must be True or False"),
    ("polling", ["no", 1], "must be True or False"),
]
VALUES = [(option, value, message) for option, values, message in NOT_SO for value in values]


@pytest.mark.parametrize(("option", "value", "message"), VALUES)
def test_refuses_what_cannot_hold_in_one_line_that_names_the_tool(
    option: str, value: Any, message: str
) -> None:
    options: Any = {option: value}
    with pytest.raises(ToolSchemaError) as caught:
        Tool.from_function(refund, **options)
    assert str(caught.value) == f"tool refund: {option}={value!r} {message}"


@every_way
def test_refuses_it_in_every_way_of_making_a_tool(make: Callable[..., Tool]) -> None:
    with pytest.raises(ToolSchemaError, match=r"^tool refund\w*: on_unknown='again' must be"):
        make(on_unknown="again")
    with pytest.raises(
        ToolSchemaError, match=r"^tool refund\w*: requires_approval=functools.partial.* is async"
    ):
        make(requires_approval=functools.partial(ask_somebody))
