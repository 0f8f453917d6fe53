"""What the stand-in endpoint answers when it is served without a script."""

from callagain.scenarios.two_tools import TWO_TOOLS
from callagain.testing.answers import calls
from callagain.testing.rules import Rule

# A question for each of the rules, in their order.
TWO_CALLS = TWO_TOOLS.question
ONE_CALL = "Where is order 481516?"
NO_CALL = "Hello"

EXAMPLE_RULES = (
    *TWO_TOOLS.answers,
    Rule(
        asked=r"order\D*(?P<order_id>\d+)",
        then=[
            calls(("get_order_status", {"order_id": "{order_id}"})),
            "What get_order_status says about order {order_id}: {result}",
        ],
    ),
    Rule(
        asked="",
        then=[
            "I am the stand-in endpoint, and no model. Two questions make me call tools: "
            f"“{ONE_CALL}” and “{TWO_CALLS}”."
        ],
    ),
)
