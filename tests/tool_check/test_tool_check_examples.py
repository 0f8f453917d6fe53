"""The project's own tools pass: those of the examples, of the demo, and of the pages for users."""

import ast
import importlib.util
import re
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from callagain.cli import example_tools
from callagain.cli.tools_file import load_tools
from callagain.connectors.tools import Tool, collect_tools
from callagain.tool_check import Finding, check_tools

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "tools.md").read_text("utf-8"), re.M | re.S)


def problems(found: list[Finding]) -> list[Finding]:
    return [each for each in found if each.severity == "problem"]


def module_of(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"checked_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names_of_tools(path: Path) -> list[str]:
    """What an example writes into tools=[…]."""
    keywords = [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.keyword)
    ]
    lists = [node.value for node in keywords if node.arg == "tools" and isinstance(node.value, ast.List)]
    return [element.id for each in lists for element in each.elts if isinstance(element, ast.Name)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_tools_of_an_example_have_no_problem(path: Path) -> None:
    module = module_of(path)
    tools = collect_tools([getattr(module, name) for name in names_of_tools(path)])
    assert tools
    assert problems(check_tools(tools.values())) == []


def test_the_example_of_a_well_written_tool_is_clean() -> None:
    tools = collect_tools([module_of(ROOT / "examples" / "one_tool.py").get_order_status])
    assert check_tools(tools.values()) == []


def test_the_tools_of_the_demo_have_no_problem() -> None:
    assert problems(check_tools(load_tools([str(example_tools.__file__)]))) == []


def test_the_tools_of_the_page_about_tools_have_no_problem() -> None:
    tools: list[Tool] = []
    for snippet in SNIPPETS:
        names: dict[str, object] = {"__name__": "snippet"}
        with warnings.catch_warnings():
            exec(compile(snippet, "snippet", "exec"), names)
        tools += [value for value in names.values() if isinstance(value, Tool)]
    assert len(tools) >= 5
    assert [each for one in tools for each in problems(check_tools([one]))] == []
