"""Tools: Python functions that a model may ask for, announced by a JSON schema and validated by it.

docs/tools.md shows every way to make one.
"""

from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.decorator import tool
from callagain.connectors.tools.foreign import foreign_tool
from callagain.connectors.tools.from_json_schema import tool_from_schema, tools_from_json
from callagain.connectors.tools.options import ToolOptions
from callagain.connectors.tools.problem import ToolProblem, exception_text
from callagain.connectors.tools.registry import ToolLike, collect_tools
from callagain.connectors.tools.results import result_text
from callagain.connectors.tools.tool import FunctionTool, Tool, ToolDescriptionWarning

__all__ = [
    "FunctionTool",
    "Tool",
    "ToolContext",
    "ToolDescriptionWarning",
    "ToolLike",
    "ToolOptions",
    "ToolProblem",
    "collect_tools",
    "exception_text",
    "foreign_tool",
    "result_text",
    "tool",
    "tool_from_schema",
    "tools_from_json",
]
