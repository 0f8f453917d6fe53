"""Tool schemas, held against what is known to make models call them right.

    from callagain.connectors.tools import collect_tools
    from callagain.tool_check import check_tools

    assert not check_tools(collect_tools([get_order_status]).values())

The rules follow a section of the guide to guards and testing, "Writing tool schemas that the model can use":
a name of verb and noun; a description with what the tool does, what it returns and when not to use it; few
and flat parameters; enums; a unit or an example for each property; no tool with a flag that chooses what it
does. Nothing here runs a tool, or asks a model.
"""

from callagain.tool_check.announcement import AnnouncedTool
from callagain.tool_check.check import check_tools
from callagain.tool_check.rules import RULES, Finding, Rule, Severity

__all__ = ["RULES", "AnnouncedTool", "Finding", "Rule", "Severity", "check_tools"]
