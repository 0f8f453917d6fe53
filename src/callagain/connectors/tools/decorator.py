"""The decorator `tool`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, overload

from callagain.connectors.tools.options import ToolOptions
from callagain.connectors.tools.tool import FunctionTool, P, R

if TYPE_CHECKING:
    from typing import Protocol, Unpack

    class MakesTool(Protocol):
        """What `@tool(…)` gives: a decorator that keeps the function's types."""

        def __call__(self, function: Callable[P, R], /) -> FunctionTool[P, R]: ...


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...
@overload
def tool(**options: "Unpack[ToolOptions]") -> "MakesTool": ...
def tool(
    function: Callable[P, R] | None = None, /, **options: "Unpack[ToolOptions]"
) -> "FunctionTool[P, R] | MakesTool":
    """Make a function a tool, as `@tool` or `@tool(name=…, timeout=…)`; it stays callable as it was.

    ToolOptions explains the options. Raises ToolSchemaError.
    """
    # pydantic is imported with the first tool, and not with the package.
    from callagain.connectors.tools.from_function import tool_from_function

    if function is not None:
        return tool_from_function(function, options)

    def decorate(decorated: Callable[P, R], /) -> FunctionTool[P, R]:
        return tool_from_function(decorated, options)

    return decorate  # type: ignore[return-value]
