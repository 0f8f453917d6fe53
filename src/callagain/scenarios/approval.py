"""An approval: a call that pays money back waits until somebody has decided about it."""

from callagain import tool
from callagain.scenarios.scenario import Scenario
from callagain.testing import AnyAnswer, Rule, Turn, calls, says


@tool(requires_approval=True)
def refund_order(order_id: str, dollars: int) -> dict[str, object]:
    """Pay an order back. Not for exchanges.

    Args:
        order_id: six digits, such as 481516
        dollars: whole US dollars, such as 12
    """
    return {"order_id": order_id, "refunded": dollars}


def answer(turn: Turn) -> AnyAnswer:
    """What the model says when it has read the result, or that the call was denied."""
    result = turn.results[0]
    if "error" in result:
        return says(f"I could not pay order {turn['order_id']} back: {result['error']['message']}.")
    return says(f"${result['refunded']} for order {result['order_id']} are on their way to you.")


APPROVAL = Scenario(
    name="approval",
    title="An approval",
    shows="A call that pays money back waits until somebody has said yes. On a terminal you are asked.",
    look_at="Tool Dispatcher, which does not end before the call is decided about.",
    saw="The call runs only after a yes. After a no the model is told so, as the result of its call. Where "
    "nobody can be asked the run is suspended: it goes on hours later, also in another process.",
    parts=("Part 3",),
    lesson="4-dispatch.md",
    page="guards.md",
    question="Order 481516 never came. I want my money back.",
    tools=[refund_order],
    answers=[
        Rule(
            asked=r"order (?P<order_id>\d+)",
            then=[calls(("refund_order", {"order_id": "{order_id}", "dollars": 40})), answer],
        )
    ],
)
