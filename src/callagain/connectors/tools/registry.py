"""The tools of a loop, by name."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from callagain.connectors.tools.tool import Tool
from callagain.engine.errors import DuplicateToolError, ToolSchemaError


def collect_tools(items: Iterable[Tool | Callable[..., object]]) -> Mapping[str, Tool]:
    """The tools in the order given, as a mapping that cannot be changed.

    A function, bound method, partial or object with `__call__` becomes a tool here. Raises DuplicateToolError
    for two tools of one name, ToolSchemaError for what is not a tool and cannot become one.
    """
    if callable(items) or isinstance(items, str | Mapping) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolSchemaError("tools are given as a list, also when there is only one: tools=[my_function]")
    found: dict[str, Tool] = {}
    for item in items:
        made = item if isinstance(item, Tool) else Tool.from_function(item)
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


def _origin(made: Tool) -> str:
    function = made.function
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{name} in {getattr(function, '__module__', type(function).__module__)}"
