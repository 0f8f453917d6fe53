"""Approval: a call that pays money back suspends the run until somebody decides about it.

Between the two halves there may be hours, and another process: all that is kept is a text, and it is signed.
"""

import secrets
from typing import Any

from callagain import PendingCall, ToolLoop, Verdict, approve, deny, tool
from callagain.testing import Rule, StandIn, calls, says


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "lost on the way"}


def is_large(arguments: dict[str, Any]) -> bool:
    """Small refunds need no approval."""
    return bool(arguments["dollars"] > 20)


@tool(requires_approval=is_large)
def refund_order(order_id: str, dollars: int) -> dict[str, object]:
    """Pay an order back. Not for exchanges.

    Args:
        order_id: six digits, such as 481516
        dollars: whole US dollars, such as 12
    """
    return {"order_id": order_id, "refunded": dollars}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[
            calls(
                ("get_order_status", {"order_id": "{order_id}"}),
                ("refund_order", {"order_id": "{order_id}", "dollars": 40}),
            ),
            says("I am sorry. ${results.1.refunded} for order {order_id} are on their way to you."),
        ],
    )
]


def loop_for(base_url: str, snapshot_key: str) -> ToolLoop:
    return ToolLoop(
        model="gpt-4o",
        tools=[get_order_status, refund_order],
        snapshot_key=snapshot_key,
        base_url=base_url,
        request_options={"temperature": 0.2},
    )


def decide(call: PendingCall) -> Verdict:
    """In place of a page where somebody reads and decides. A verdict about a call is about no other one."""
    print(f"{call.name}: {call.arguments_text}")
    is_known = call.validated()["order_id"] == "481516"
    return approve(call) if is_known else deny("nobody knows this order", call)


def main(base_url: str) -> None:
    # Both processes have it from wherever their secrets are.
    snapshot_key = secrets.token_hex()

    waiting = loop_for(base_url, snapshot_key).run("Order 481516 never came. I want my money back.")
    print(waiting)
    decisions = {call.id: decide(call) for call in waiting.pending_calls}
    snapshot = waiting.snapshot()

    result = loop_for(base_url, snapshot_key).resume(snapshot, decisions=decisions)
    print(result.raise_for_outcome().final_response)


if __name__ == "__main__":
    with StandIn(STAND_IN) as server:
        main(server.base_url)
