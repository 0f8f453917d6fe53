"""No tool needed: the model answers by itself, and the loop is never entered."""

from callagain import tool
from callagain.scenarios.scenario import Scenario
from callagain.testing import Rule


@tool(read_only=True)
def get_order_status(order_id: str) -> str:
    """Look up the status of an order by its six-digit number. Not for returns."""
    return f"order {order_id} is shipped"


NO_TOOL = Scenario(
    name="no-tool",
    title="No tool needed",
    shows="A tool is offered, but the model knows the answer by itself. The loop is never entered.",
    look_at="call_llm_again, which stays false, and loop_count, which stays 0.",
    saw="There was one LLM Call. Parse Response found no tool_calls in the response, so the table led to "
    "Extract Final. Whether a tool is needed, the model decides: the table only asks what it said.",
    parts=("Part 2",),
    point=4,
    lesson="7-verify.md",
    page="loop.md",
    question="What does HTTP stand for?",
    tools=[get_order_status],
    answers=[Rule(asked="", then=["HTTP stands for Hypertext Transfer Protocol."])],
)
