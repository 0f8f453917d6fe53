"""Tools of LangChain in a loop, as they are."""

import datetime
import threading
from typing import Annotated, Any

import pytest
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator
from tests.ecosystem.conftest import Call

from callagain import ToolLoop, ToolSchemaError, foreign_tool


def status(order_id: str, days: int = 7) -> dict[str, object]:
    """Look up the status of an order.

    Not for returns.
    """
    return {"order_id": order_id, "day": datetime.date(2026, 1, 2), "days": days}


async def status_async(order_id: str, days: int = 7) -> str:
    return f"async {order_id} {days}"


def made(function: Any = status, **options: Any) -> Any:
    from langchain_core.tools import StructuredTool

    given: dict[str, Any] = {"func": function, "name": "order_status", **options}
    return StructuredTool.from_function(**given)


def test_name_description_and_schema_are_announced_once_and_without_titles() -> None:
    assert foreign_tool(made()).announced()["function"] == {
        "name": "order_status",
        "description": "Look up the status of an order.\n\nNot for returns.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "days": {"type": "integer", "default": 7}},
            "required": ["order_id"],
        },
    }


def test_a_schema_that_is_a_dict_is_enforced(call: Call) -> None:
    schema = {"title": "s", "type": "object", "properties": {"order_id": {"type": "string", "maxLength": 6}}}
    told = call.told(made(args_schema=schema), {"order_id": "4815162342"})
    assert 'order_id: should have at most 6 characters, got string \\"4815162342\\"' in told


def test_what_a_validator_of_its_class_refuses_is_told_as_a_fault_of_the_arguments(call: Call) -> None:
    class Even(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def is_even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

    def halve(number: int) -> int:
        """Halve an even number."""
        return number // 2

    (result,) = call(made(halve, args_schema=Even), {"number": 3}).tool_results
    assert result.error == "invalid_arguments"
    assert "number: must be even, got number 3" in result.content


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ({"day": datetime.date(2026, 1, 2)}, '{"day":"2026-01-02"}'),
        (["a", "b"], '["a","b"]'),
        ([{"type": "text", "text": "a"}, {"type": "image", "base64": "AA=="}], "a\n[image, not shown]"),
        ([{"type": "file", "name": "a.txt"}], '[{"type":"file","name":"a.txt"}]'),
    ],
)
def test_a_value_is_told_as_of_any_function_and_blocks_as_their_text(
    call: Call, returned: object, told: str
) -> None:
    def values() -> tuple[object, object]:
        """Values."""
        return returned, object()

    assert call.told(made(values, response_format="content_and_artifact"), {}) == told


def test_each_driver_calls_the_kind_of_its_own(call: Call) -> None:
    both = made(coroutine=status_async)
    assert call.told(both, {"order_id": "1"}).startswith("async 1" if call.is_async else '{"order_id":"1"')
    assert call.told(both, {"order_id": "1"}, in_caller_thread=True).startswith('{"order_id":"1"')
    assert call.told(made(None, coroutine=status_async, description="s"), {"order_id": "1"}) == "async 1 7"


def test_a_class_that_is_async_alone_is_called_so(call: Call) -> None:
    from langchain_core.tools import BaseTool

    class Echo(BaseTool):
        name: str = "echo"
        description: str = "Say it again."

        def _run(self, text: str) -> str:
            raise NotImplementedError

        async def _arun(self, text: str) -> str:
            return text

    assert call.told(Echo(), {"text": "Hello."}) == "Hello."


def test_a_tool_of_one_text_is_given_it(call: Call) -> None:
    from langchain_core.tools import Tool

    assert call.told(Tool("shout", str.upper, "Shout."), {"tool_input": "hello"}) == "HELLO"


@pytest.mark.parametrize("is_handled", [False, True])
def test_an_error_of_the_tool_is_told_as_one_whoever_words_it(call: Call, is_handled: bool) -> None:
    from langchain_core.tools import ToolException

    def fail() -> str:
        """Fail."""
        raise ToolException("no such order")

    (result,) = call(made(fail, handle_tool_error=is_handled, return_direct=True), {}).tool_results
    assert result.error == "tool_exception"
    assert "no such order" in result.content


def test_the_id_of_the_call_is_injected(call: Call) -> None:
    from langchain_core.tools import InjectedToolCallId, tool

    @tool
    def which(call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Which call is it?"""
        return call_id

    assert call.told(which, {}) == "call_1"


def test_arguments_that_look_like_a_call_are_arguments(call: Call) -> None:
    def show(type: str, id: str) -> str:  # noqa: A002
        """Show."""
        return f"{type} {id}"

    assert call.told(made(show), {"type": "tool_call", "id": "x"}) == "tool_call x"


def test_return_direct_is_verbatim_unless_the_options_say_otherwise(call: Call) -> None:
    direct = made(lambda: "As it is.", return_direct=True, description="Terms.")
    assert call(direct, {}).final_response == "As it is."
    assert call(direct, {}, verbatim=False).final_response == "Done."


def test_options_are_those_of_any_tool(call: Call) -> None:
    tool = foreign_tool(made(), name="look_up", read_only=True, timeout=5)
    assert (tool.name, tool.read_only, tool.timeout) == ("look_up", True, 5)
    result = call(made(), {"order_id": "1"}, requires_approval=True)
    assert result.pending_calls[0].execute()["days"] == 7


class NoSchema(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    event: threading.Event


OBJECT: dict[str, Any] = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "object"}, "parameters: the root has no properties; a tool that takes nothing has "),
        ({**OBJECT, "type": "string"}, 'parameters: the root must be {"type": "object", "properties": …}'),
        ({**OBJECT, "required": 1}, "parameters: not a JSON schema: required: should be of type array"),
        ({**OBJECT, "default": object()}, "parameters: the schema cannot be written as JSON: "),
        ({**OBJECT, "$ref": "http://x"}, "parameters: $ref: 'http://x' leads out of the schema"),
        (NoSchema, "it has no JSON schema: PydanticInvalidForJsonSchema: "),
    ],
)
def test_a_broken_schema_is_told_when_the_loop_is_made(schema: object, problem: str) -> None:
    with pytest.raises(ToolSchemaError) as raised:
        ToolLoop(model="m", base_url="http://127.0.0.1:1/v1", tools=[made(args_schema=schema)])
    told = str(raised.value)
    assert told.startswith(f"LangChain tool order_status: {problem}")
    assert told.endswith("; correct its args_schema")
    assert "\n" not in told


def test_what_only_langchain_could_give_is_told_when_the_tool_is_made() -> None:
    from langchain_core.tools import InjectedToolArg

    def refund(order_id: str, user: Annotated[str, InjectedToolArg]) -> str:
        """Refund."""
        return order_id + user

    with pytest.raises(ToolSchemaError) as raised:
        foreign_tool(made(refund))
    assert str(raised.value) == (
        "LangChain tool order_status: its argument user is injected by LangChain, which a loop cannot do; "
        "call the tool in a function of your own that gives it"
    )


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"name": "a b"},
            "LangChain tool 'a b': a tool's name has 1 to 64 letters, digits, _ and -; give it ",
        ),
        ({"output_schema": True}, "LangChain tool order_status: output_schema=True is for functions; give "),
        ({"read_onyl": True}, "LangChain tool order_status: unknown option read_onyl; known are name, "),
    ],
)
def test_a_wrong_option_is_told_with_the_tool(options: Any, problem: str) -> None:
    with pytest.raises(ToolSchemaError) as raised:
        foreign_tool(made(), **options)
    assert str(raised.value).startswith(problem)


def test_a_function_is_told_to_be_none() -> None:
    with pytest.raises(ToolSchemaError, match="is not a tool of LangChain or LlamaIndex; a function takes "):
        foreign_tool(status)


def test_aliases_are_announced_as_they_are_taken(call: Call) -> None:
    from langchain_core.tools import InjectedToolArg

    class Order(BaseModel):
        user_id: int = Field(alias="userId")
        days: int = Field(7, validation_alias=AliasChoices("lastDays", "d"))
        tenant: Annotated[str, InjectedToolArg] = "t"

    def shown(**arguments: object) -> str:
        return str(arguments)

    order = made(shown, args_schema=Order, description="Look up.")
    assert foreign_tool(order).parameters == {
        "type": "object",
        "properties": {"userId": {"type": "integer"}, "lastDays": {"type": "integer", "default": 7}},
        "required": ["userId"],
    }
    told = call.told(order, {"userId": 1, "lastDays": 3})
    assert told == "{'user_id': 1, 'days': 3, 'tenant': 't'}"


def test_keys_that_its_class_allows_are_passed_on(call: Call) -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        number: int

    def shown(**arguments: object) -> str:
        return str(arguments)

    told = call.told(made(shown, args_schema=Open, description="Show."), {"number": 1, "more": 2})
    assert told == "{'number': 1, 'more': 2}"


def test_what_handle_validation_error_says_is_of_the_arguments(call: Call) -> None:
    class Even(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def is_even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

    def halve(number: int) -> str:
        from langchain_core.tools import ToolException

        raise ToolException(f"{number} is taken")

    half = made(
        halve, args_schema=Even, description="H.", handle_validation_error="Even!", handle_tool_error=True
    )
    assert call.told(half, {"number": 3}) == '{"error":{"code":"invalid_arguments","message":"Even!"}}'
    assert call.told(half, {"number": 2}) == '{"error":{"code":"tool_exception","message":"2 is taken"}}'
