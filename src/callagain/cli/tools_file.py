"""The tools of a Python file that is named on the command line."""

import inspect
from collections.abc import Iterable
from types import ModuleType
from typing import cast

from callagain.cli.python_file import import_python_file
from callagain.connectors.tools import Tool, ToolLike, collect_tools
from callagain.connectors.tools.foreign import functions_of, is_foreign
from callagain.engine.errors import ConfigurationError


def load_tools(paths: Iterable[str]) -> list[Tool]:
    """The tools of all the files, in order. Raises ConfigurationError, ToolSchemaError, DuplicateToolError.

    A file's tools are its list or tuple TOOLS. Without one they are the functions that it defines under a
    name without a leading underscore, and whatever `@tool` and its kin have made, wherever it comes from, be
    it of LangChain or LlamaIndex. A function that one of these was made of is no second tool.
    """
    found = [one for path in paths for one in _tools_of(import_python_file(path, "tools file"), path)]
    return list(collect_tools(found).values())


def _tools_of(module: ModuleType, path: str) -> list[ToolLike]:
    if hasattr(module, "TOOLS"):
        tools: object = module.TOOLS
        if not isinstance(tools, list | tuple):
            raise ConfigurationError(
                f"TOOLS in {path} must be a list or a tuple of tools, not {type(tools).__name__}"
            )
        listed = list(cast("list[ToolLike]", tools))
    else:
        listed = _tools_by_name(module)
    if not listed:
        raise ConfigurationError(
            f"{path} has no tools: define a function whose name has no leading underscore, or a list TOOLS"
        )
    return listed


def _tools_by_name(module: ModuleType) -> list[ToolLike]:
    found: list[ToolLike] = []
    wrapped = [function for value in vars(module).values() for function in functions_of(value)]
    for name, value in vars(module).items():
        is_own = inspect.isfunction(value) and value.__module__ == module.__name__ and value not in wrapped
        is_tool = isinstance(value, Tool) or is_foreign(value) or (is_own and not name.startswith("_"))
        if is_tool and value not in found:
            found.append(value)
    return found
