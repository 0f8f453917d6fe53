"""The guide's words for what a chain calls by identifiers."""

from callagain.engine.chain import Chain
from callagain.engine.links import FINAL_STATES, links_from
from callagain.engine.run import Step

# Where the guide describes an operation. Extract Final is a box of its flowchart only.
PARTS = {
    "initialize": "Part 1",
    "llm_call": "Part 2",
    "parse_response": "Part 2",
    "tool_dispatcher": "Part 3",
    "append_tool_result": "Part 4",
}
LOOP_CONTROL = "Part 5"
EVENTS = {"on_success": "On Success", "on_fail": "On Fail"}


def title(state: str) -> str:
    """`llm_call` is "LLM Call"; a final state keeps its name."""
    if state in FINAL_STATES:
        return state
    return " ".join("LLM" if word == "llm" else word.capitalize() for word in state.split("_"))


def condition(chain: Chain, step: Step) -> str:
    """The guards by which the table chose the way out, such as "not call_llm_again"; often there are none."""
    values = {name: guard(step.after) for name, guard in chain.guards.items()}
    own, general = links_from(chain.links, step.operation, step.event)
    for link in (*own, *general):
        if link.target == step.target and link.fires(values):
            return " and ".join(link.when)
    return ""
