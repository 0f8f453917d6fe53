"""One tool: the shortest program that most people need.

Run it as it is, and a stand-in endpoint answers. With OPENAI_BASE_URL or OPENAI_API_KEY set, and --real, the
question goes to your own endpoint, and to the model that OPENAI_MODEL names.
"""

import os
import sys

from callagain import ToolLoop
from callagain.testing import Rule, StandIn, calls, says


def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns.

    Args:
        order_id: six digits, such as 481516
    """
    return {"order_id": order_id, "status": "shipped"}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[calls(("get_order_status", {"order_id": "{order_id}"})), says("Order {order_id} has shipped.")],
    )
]


def main(base_url: str | None) -> None:
    loop = ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=[get_order_status],
        base_url=base_url,
        # Low, so that the model writes the same arguments for the same question.
        request_options={"temperature": 0.2},
    )
    result = loop.run("Where is order 481516?").raise_for_outcome()
    print(result.final_response)
    print(f"{result.loop_count} round, {result.usage.total_tokens} tokens")


if __name__ == "__main__":
    if "--real" in sys.argv:
        main(base_url=None)
    else:
        with StandIn(STAND_IN) as server:
            main(server.base_url)
