"""What the stand-in endpoint answers in the demo, and when it is served without a script."""

from callagain.testing.answers import calls
from callagain.testing.rules import Rule

# A question for each of the rules, in their order.
TWO_CALLS = "Look up Ada Lovelace and create a ticket for her: wrong invoice"
ONE_CALL = "Where is order 481516?"
NO_CALL = "Hello"

EXAMPLE_RULES = (
    Rule(
        asked=r"look up (?P<name>.+?) and create a ticket[^:]*: *(?P<subject>.+)",
        then=[
            calls(("look_up_contact", {"name": "{name}"})),
            calls(("create_ticket", {"contact_id": "{result.contact_id}", "subject": "{subject}"})),
            "I created ticket {result.ticket_id} for {name}.",
        ],
    ),
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
