"""Single-round function routing, on which the guide of the tool-calling loop builds.

The model picks a function, the dispatcher runs it, and the interaction ends with function_resp; nothing goes
back to the model. A response without a call ends with its text in final_response.

Guide: single-round function calling.
"""

from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.table import GUARDS
from callagain.operations import ExtractFinal, Initialize, LLMCall, ParseResponse, ToolDispatcher

FUNCTION_ROUTING = Chain(
    name="function_routing",
    links=(
        Link("initialize", ON_SUCCESS, "llm_call"),
        Link("llm_call", ON_SUCCESS, "parse_response"),
        Link("parse_response", ON_SUCCESS, "tool_dispatcher", ("call_llm_again",)),
        Link("parse_response", ON_SUCCESS, "extract_final", ("not call_llm_again",)),
        Link("tool_dispatcher", ON_SUCCESS, COMPLETED),
        Link("extract_final", ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    ),
    operations={
        "initialize": Initialize(),
        "llm_call": LLMCall(),
        "parse_response": ParseResponse(),
        "tool_dispatcher": ToolDispatcher(),
        "extract_final": ExtractFinal(),
    },
    guards=GUARDS,
)
"""One request: the tools that the model asks for are run, and their results are the outcome."""
