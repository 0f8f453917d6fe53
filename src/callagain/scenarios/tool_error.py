"""A tool error that the model mends: it is told what is wrong with its arguments, and asks again."""

from typing import Annotated

from pydantic import Field

from callagain import tool
from callagain.scenarios.scenario import Scenario
from callagain.testing import Rule, calls


@tool(read_only=True)
def get_order_status(
    order_id: Annotated[str, Field(pattern="^[0-9]{6}$", description="six digits, such as 481516")],
) -> dict[str, str]:
    """Look up the status of an order by its number. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


TOOL_ERROR = Scenario(
    name="tool-error",
    title="A tool error that the model mends",
    shows="The model writes an argument that does not fit. It is told so, and asks again as it should.",
    look_at="the first result: an error that says what is wrong. It goes back to the model as any result "
    "does, and the run goes on.",
    saw="The tool did not run for the first call, since its schema does not allow these arguments. The model "
    "read why, and the second call was right. A mistake of the model is told to the model, and ends no run.",
    parts=("Part 3", "Part 4"),
    lesson="4-dispatch.md",
    page="errors.md",
    question="Where is order 481-516?",
    tools=[get_order_status],
    answers=[
        Rule(
            asked=r"order (\d{3})-(\d{3})",
            then=[
                calls(("get_order_status", {"order_id": "{1}-{2}"})),
                calls(("get_order_status", {"order_id": "{1}{2}"})),
                "Order {result.order_id} is {result.status}.",
            ],
        )
    ],
)
