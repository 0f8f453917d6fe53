"""The table of the tool-calling loop, after Part 5 of Jitterbit's guide "Implement an LLM tool-calling loop".

The rules:

1.  Everything that decides where a run goes is in this table. No operation names the next one, and no
    driver knows one from another.
2.  Two events move a run, Jitterbit's own: an operation ends with `on_success` or with `on_fail`.
3.  Two guards steer it, the guide's own while condition: `call_llm_again` (the last response held tool
    calls) and `iterations_left` (`loop_count < max_iterations`, and no other limit forbids these calls).
4.  The final states are the outcomes: `completed`, `limit`, `failed`. A run that waits for somebody stands
    where it is, in the state of the operation that waits; waiting is not a state.
5.  The table is never edited. What changes the path is an extension: a function from chain to chain, which
    inserts an operation or replaces links, and which every diagram then shows.
"""

from collections.abc import Mapping

from callagain.engine.chain import Guard
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, LIMIT, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.variables import Variables


def call_llm_again(variables: Variables) -> bool:
    """The last response held tool calls.

    Guide: while.
    """
    return variables.call_llm_again


def iterations_left(variables: Variables) -> bool:
    """The loop may make one more round.

    Guide: while.
    Departs from the guide in while: the guide knows one limit. Here others, such as one on calls that are
    wrong again and again, end the loop in the same way, so that a run that has gone astray need not go on to
    the last round.
    """
    return variables.loop_count < variables.max_iterations and variables.limit_reached is None


GUARDS: Mapping[str, Guard] = {"call_llm_again": call_llm_again, "iterations_left": iterations_left}

TOOL_CALLING_LOOP = (
    Link("initialize", ON_SUCCESS, "llm_call"),
    Link("llm_call", ON_SUCCESS, "parse_response"),
    Link("parse_response", ON_SUCCESS, "tool_dispatcher", ("call_llm_again", "iterations_left")),
    Link("parse_response", ON_SUCCESS, LIMIT, ("call_llm_again", "not iterations_left")),
    Link("parse_response", ON_SUCCESS, "extract_final", ("not call_llm_again",)),
    Link("tool_dispatcher", ON_SUCCESS, "append_tool_result"),
    Link("append_tool_result", ON_SUCCESS, "llm_call"),
    Link("extract_final", ON_SUCCESS, COMPLETED),
    Link(ANY_OPERATION, ON_FAIL, FAILED),
)
"""The rows, each with what it stands for in the guide.

Guide in every row: controller.
Guide in initialize → llm_call: first LLM Call.
Guide in parse_response → tool_dispatcher: link Yes, while.
Guide in parse_response → limit: end of the loop, If at the limit, why there is a limit.
Guide in parse_response → extract_final: link No, end of the loop.
Guide in tool_dispatcher → append_tool_result: append and call again.
Guide in append_tool_result → llm_call: append and call again, link back, LLM Call in the loop.
Departs from the guide in first LLM Call, LLM Call in the loop: the guide calls the LLM once before its While
loop and once at the end of each turn of it. Here both are the one state `llm_call`, as in its flowchart.
Departs from the guide in counting of rounds: the guide's controller counts a round before it dispatches.
Here, where nothing stands above the operations, Tool Dispatcher counts it on entering, which comes to the
same: a run makes at most max_iterations rounds, and one LLM Call more.
Departs from the guide in If at the limit: the guide writes a line to the log when the limit is reached, and
its operation ends as after an answer, with whatever `final_response` held before. Here the limit is a state:
a run that ends there is no run that completed.
"""
