"""The guide's words for what a chain calls by identifiers."""

from callagain.engine.links import FINAL_STATES

LOOP_CONTROL = "Part 5"
EVENTS = {"on_success": "On Success", "on_fail": "On Fail"}


def title(state: str) -> str:
    """`llm_call` is "LLM Call"; a final state keeps its name."""
    if state in FINAL_STATES:
        return state
    return " ".join("LLM" if word == "llm" else word.capitalize() for word in state.split("_"))
