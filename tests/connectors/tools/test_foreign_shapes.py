"""A tool of another library is told by its shape; these stand-ins of it need neither library."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from callagain import ToolSchemaError
from callagain.cli.tools_file import load_tools
from callagain.connectors.tools import collect_tools
from callagain.connectors.tools.foreign import is_foreign

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


class OfLangChain:
    name = "weather"
    description = "The weather."
    args_schema = SCHEMA
    return_direct = False

    def invoke(self, arguments: dict[str, Any]) -> str:
        return f"sunny in {arguments['city']}"

    async def ainvoke(self, arguments: dict[str, Any]) -> str:
        return self.invoke(arguments)


class OfLlamaIndex:
    metadata = SimpleNamespace(
        name="forecast", description="Tomorrow.", return_direct=False, get_parameters_dict=lambda: SCHEMA
    )

    def __call__(self, city: str) -> str:
        return f"rain in {city}"


def test_both_are_taken_beside_functions() -> None:
    def now() -> str:
        """The time."""
        return "12:00"

    tools = collect_tools([OfLangChain(), OfLlamaIndex(), now])
    assert list(tools) == ["weather", "forecast", "now"]
    assert [is_foreign(each) for each in (OfLangChain(), OfLlamaIndex(), now)] == [True, True, False]
    assert tools["forecast"].announced()["function"] == {
        "name": "forecast",
        "description": "Tomorrow.",
        "parameters": SCHEMA,
    }


def test_their_class_is_no_tool() -> None:
    assert not is_foreign(OfLangChain)
    with pytest.raises(ToolSchemaError, match="is not a function; "):
        collect_tools([OfLangChain])


def test_a_tools_file_may_hold_them(tmp_path: Path) -> None:
    file = tmp_path / "tools_of_others.py"
    file.write_text(f"from {__name__} import OfLangChain\n\nweather = OfLangChain()\n", "utf-8")
    assert [tool.name for tool in load_tools([str(file)])] == ["weather"]


class Toolkit:
    def get_tools(self) -> list[object]:
        return []


class ToolSpec:
    def to_tool_list(self) -> list[object]:
        return []


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"type": "function", "function": {"name": "find"}}, "need tools_from_json"),
        (Toolkit(), r"tools=\[\*tools\.get_tools\(\)\]"),
        (ToolSpec(), r"tools=\[\*tools\.to_tool_list\(\)\]"),
    ],
)
def test_what_newcomers_give_is_told_with_the_way_to_a_tool(given: Any, advice: str) -> None:
    with pytest.raises(ToolSchemaError, match=f"is not a function; .*{advice}"):
        collect_tools([given])


class Wrapping(OfLlamaIndex):
    """Made of a function, as a FunctionTool is."""

    def __init__(self, function: Any) -> None:
        self.real_fn = function
        self.metadata = SimpleNamespace(
            name=function.__name__,
            description="Made.",
            return_direct=False,
            get_parameters_dict=lambda: {"type": "object", "properties": {"a": {"type": "integer"}}},
        )


def test_a_function_that_a_tool_of_its_file_wraps_is_no_second_tool(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    function = 'def {0}(a: int) -> int:\n    """Count."""\n    return a\n\n\n'
    text = f"from {__name__} import Wrapping\n\n{function.format('mul')}{function.format('add')}"
    file.write_text(f"{text}mul_tool = Wrapping(mul)\n", "utf-8")
    assert {tool.name: tool.description for tool in load_tools([str(file)])} == {
        "mul": "Made.",
        "add": "Count.",
    }
    file.write_text(f"{text}TOOLS = [Wrapping(mul), mul]\n", "utf-8")
    with pytest.raises(ToolSchemaError, match=rf"LlamaIndex tool mul in {re.escape(str(file))} and mul in "):
        load_tools([str(file)])
