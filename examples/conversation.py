"""A conversation: turns that are told what was said before, in a journal that outlives the process.

The second half could be another process, tomorrow: all that the two share is the file and the id.
"""

import tempfile
from pathlib import Path

from callagain import Conversation, ToolLoop, tool
from callagain.testing import Rule, StandIn, calls, says


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[
            calls(("get_order_status", {"order_id": "{order_id}"})),
            says("Order {order_id} has {result.status}."),
        ],
    ),
    Rule(asked="thank", then=[says("You are welcome.")]),
]


def opened(base_url: str, journal: Path) -> Conversation:
    loop = ToolLoop(
        model="gpt-4o",
        tools=[get_order_status],
        system_prompt="You help with orders.",
        base_url=base_url,
        journal=journal,
        request_options={"temperature": 0.2},
    )
    # The newest ten turns are told, and all of them together may cost so many tokens.
    return loop.conversation("ada", max_turns=10, budget_tokens=20_000)


def main(base_url: str, journal: Path) -> None:
    print(opened(base_url, journal).run("Where is order 481516?").final_response)

    conversation = opened(base_url, journal)
    print(conversation.run("And order 481517?").final_response)
    print(conversation.run("Thank you.").final_response)
    for turn in conversation.turns:
        print(f"turn {turn.number}, {turn.status}: {turn.message} ({len(turn.messages)} messages)")


if __name__ == "__main__":
    with StandIn(STAND_IN) as server, tempfile.TemporaryDirectory() as folder:
        main(server.base_url, Path(folder) / "runs.db")
