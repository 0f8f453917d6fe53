"""`@tool` and `collect_tools`."""

import functools
import inspect
from typing import Any, assert_type

import pytest

from callagain.connectors.tools import Tool, ToolContext, ToolProblem, collect_tools, tool
from callagain.engine.errors import DuplicateToolError, ToolSchemaError

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")


@tool
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@tool(name="divide-now", read_only=True, idempotent=True, sequential=True, timeout=2.5)
async def divide(a: int, b: int) -> float:
    """Divide."""
    return a / b


class Shop:
    def __init__(self, name: str) -> None:
        self.name = name

    @tool
    def greet(self, guest: str) -> str:
        """Greet."""
        return f"{self.name} greets {guest}"

    @tool
    @staticmethod
    def close(hour: int) -> int:
        """Close."""
        return hour


def test_a_decorated_function_is_called_as_before_and_keeps_its_types() -> None:
    assert_type(add(1, b=2), int)
    assert add(1, b=2) == 3
    assert (add.__doc__, str(inspect.signature(add))) == ("Add.", "(a: int, b: int = 1) -> int")


async def test_an_async_function_stays_async() -> None:
    assert_type(await divide(1, 2), float)
    assert await divide(1, 2) == 0.5
    assert divide.is_async


def test_options_are_kept() -> None:
    assert divide.name == "divide-now"
    assert (divide.read_only, divide.idempotent, divide.sequential, divide.timeout) == (True, True, True, 2.5)
    assert (add.read_only, add.idempotent, add.sequential, add.timeout) == (False, False, False, None)
    assert not add.in_caller_thread


def test_a_decorated_method_is_a_tool_of_its_instance() -> None:
    first, second = Shop("A"), Shop("B")
    assert_type(first.greet("Bo"), str)
    assert first.greet("Bo") == "A greets Bo"
    assert second.greet.bind({"guest": "Bo"}, CONTEXT)() == "B greets Bo"
    assert first.greet.parameters["properties"] == {"guest": {"type": "string"}}
    assert Shop.close.bind({"hour": 8}, CONTEXT)() == 8


def test_a_method_without_its_object_is_refused() -> None:
    with pytest.raises(ToolSchemaError, match=r"take it from an instance, as in tools=\[instance.greet\]"):
        collect_tools([Shop.greet])


def test_collects_tools_functions_and_methods_in_order() -> None:
    def plain(a: int) -> int:
        """Plain."""
        return a

    found = collect_tools([divide, plain, Shop("A").greet, functools.partial(str_of, b=1)])
    assert list(found) == ["divide-now", "plain", "greet", "str_of"]
    assert found["divide-now"] is divide
    assert all(isinstance(each, Tool) for each in found.values())
    with pytest.raises(TypeError):
        found["more"] = add  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


def str_of(a: int, b: int) -> str:
    """Text."""
    return f"{a}{b}"


def test_two_tools_of_one_name_are_refused_with_both_origins() -> None:
    other = Tool.from_function(str_of, name="add")
    with pytest.raises(DuplicateToolError) as caught:
        collect_tools([add, other])
    assert str(caught.value) == (
        f"two tools have the name add: add in {__name__} and str_of in {__name__}; "
        "give one of them another with name="
    )


@pytest.mark.parametrize("items", [add, str_of, "add", {"add": add}, None, 3])
def test_tools_are_given_as_a_list(items: Any) -> None:
    with pytest.raises(ToolSchemaError, match="tools are given as a list, also when there is only one"):
        collect_tools(items)


def test_what_is_no_function_is_refused() -> None:
    things: list[Any] = ["get_order"]
    with pytest.raises(ToolSchemaError, match="'get_order' is not a function"):
        collect_tools(things)


def test_a_context_logs_and_says_when_nobody_waits() -> None:
    lines: list[str] = []
    context = ToolContext("run-1", "call_a1", "slow", "key-1", write_log=lines.append)
    context.log("one")
    context.write_to_operation_log("two")
    assert lines == ["one", "two"]
    assert not context.cancelled
    context.raise_if_cancelled()
    context.cancel_event.set()
    assert context.cancelled
    with pytest.raises(ToolProblem, match="slow stopped: nobody waits for this call any more") as caught:
        context.raise_if_cancelled()
    assert caught.value.code == "tool_cancelled"
