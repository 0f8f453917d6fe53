"""Two tools, one after the other: the second call needs what the first one returned.

This is point 3 of the guide's Verify list: loop_count reaches 2, and tools_messages holds four messages.
"""

import json

from callagain import ToolLoop, tool
from callagain.testing import Rule, StandIn, calls, says


@tool(read_only=True)
def look_up_contact(name: str) -> dict[str, str]:
    """Look up a contact by name; returns the contact's id."""
    return {"name": name, "contact_id": "C-1815"}


@tool
def create_ticket(contact_id: str, subject: str) -> dict[str, str]:
    """Create a support ticket for a contact; returns the ticket's id."""
    return {"ticket_id": "T-101", "contact_id": contact_id, "subject": subject}


STAND_IN = [
    Rule(
        asked=r"ticket for (?P<name>[\w ]+): (?P<subject>.+)",
        then=[
            calls(("look_up_contact", {"name": "{name}"})),
            calls(("create_ticket", {"contact_id": "{result.contact_id}", "subject": "{subject}"})),
            says("Ticket {result.ticket_id} is open for {name}."),
        ],
    )
]


def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[look_up_contact, create_ticket],
            system_prompt="You help the support team.",
            base_url=server.base_url,
            request_options={"temperature": 0.2},
        )
        result = loop.run("Open a ticket for Ada Lovelace: wrong invoice")
    print(result.final_response)
    print("loop_count:", result.loop_count)
    for message in json.loads(str(result.variables.as_jitterbit()["tools_messages"])):
        print(message["role"], message.get("tool_call_id") or message["tool_calls"][0]["id"])


if __name__ == "__main__":
    main()
