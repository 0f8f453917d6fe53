"""The six operations of the guide, and the chains that are made of them.

TOOL_CALLING_LOOP is the guide's loop; each operation stands in a file of its own, named as in the guide.
"""

from callagain.engine.chain import Chain
from callagain.engine.table import GUARDS
from callagain.engine.table import TOOL_CALLING_LOOP as LOOP_LINKS
from callagain.operations.append_tool_result import AppendToolResult
from callagain.operations.extract_final import ExtractFinal
from callagain.operations.initialize import Initialize
from callagain.operations.llm_call import LLMCall
from callagain.operations.parse_response import ParseResponse
from callagain.operations.tool_dispatcher import ToolDispatcher

TOOL_CALLING_LOOP = Chain(
    name="tool_calling_loop",
    links=LOOP_LINKS,
    operations={
        "initialize": Initialize(),
        "llm_call": LLMCall(),
        "parse_response": ParseResponse(),
        "tool_dispatcher": ToolDispatcher(),
        "append_tool_result": AppendToolResult(),
        "extract_final": ExtractFinal(),
    },
    guards=GUARDS,
)
"""The guide's loop: the chain of a ToolLoop that is given no other."""

__all__ = [
    "TOOL_CALLING_LOOP",
    "AppendToolResult",
    "ExtractFinal",
    "Initialize",
    "LLMCall",
    "ParseResponse",
    "ToolDispatcher",
]
