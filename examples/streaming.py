"""Streaming: text and operations on the screen while they come, and the same result at the end.

Run it as it is, and a stand-in endpoint answers. With OPENAI_BASE_URL or OPENAI_API_KEY set, and --real, the
question goes to your own endpoint, and to the model that OPENAI_MODEL names.
"""

import os
import sys

from callagain import AttemptDiscarded, OperationEnded, TextDelta, ToolLoop
from callagain.testing import Rule, StandIn, calls, says


def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[
            calls(("get_order_status", {"order_id": "{order_id}"}), text="I look it up."),
            says("Order {order_id} has shipped, and will be with you in a day or two."),
        ],
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
    with loop.stream("Where is order 481516?") as stream:
        for event in stream:
            match event:
                case TextDelta(text=piece):
                    print(piece, end="", flush=True)
                case AttemptDiscarded(kind=kind):
                    print(f"\n({kind}: the text above is void, and begins anew)")
                case OperationEnded(step=step):
                    print(f"\n[{step.operation} → {step.target}]")
                case _:
                    pass
    assert stream.result is not None
    stream.result.raise_for_outcome()
    print(f"{stream.result.loop_count} round, {len(stream.result.final_response or '')} characters")


if __name__ == "__main__":
    if "--real" in sys.argv:
        main(base_url=None)
    else:
        # A pause after each piece, so that it can be seen to come.
        with StandIn(STAND_IN, event_delay=0.03) as server:
            main(server.base_url)
