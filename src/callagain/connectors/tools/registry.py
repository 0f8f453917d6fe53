"""The tools of a loop, by name."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias, cast

from callagain.connectors.tools.foreign import foreign_tool, is_foreign
from callagain.connectors.tools.from_langchain import LangChainTool
from callagain.connectors.tools.from_llamaindex import LlamaIndexTool
from callagain.connectors.tools.tool import Tool
from callagain.engine.errors import DuplicateToolError, ToolSchemaError

ToolLike: TypeAlias = Tool | Callable[..., object] | LangChainTool | LlamaIndexTool
"""What a loop takes as a tool."""


def collect_tools(items: Iterable[ToolLike]) -> Mapping[str, Tool]:
    """The tools in the order given, as a mapping that cannot be changed.

    A function, bound method, partial, object with `__call__`, or a tool of LangChain or LlamaIndex becomes a
    tool here. Raises DuplicateToolError for two tools of one name, ToolSchemaError for what is not a tool and
    cannot become one.
    """
    if callable(items) or isinstance(items, str | Mapping) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolSchemaError("tools are given as a list, also when there is only one: tools=[my_function]")
    found: dict[str, Tool] = {}
    for item in items:
        made = item if isinstance(item, Tool) else _made(item)
        if made.is_method:
            raise ToolSchemaError(
                f"tool {made.name} is a method without its object; take it from an instance, as in "
                f"tools=[instance.{made.function.__name__}]"
            )
        if made.name in found:
            raise DuplicateToolError(
                f"two tools have the name {made.name}: {_origin(found[made.name])} and {_origin(made)}; "
                "give one of them another with name="
            )
        found[made.name] = made
    return MappingProxyType(found)


def _made(item: Callable[..., object] | LangChainTool | LlamaIndexTool) -> Tool:
    return foreign_tool(item) if is_foreign(item) else Tool.from_function(cast("Callable[..., object]", item))


def _origin(made: Tool) -> str:
    function = made.function
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{name} in {getattr(function, '__module__', type(function).__module__)}"
