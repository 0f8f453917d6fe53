"""Two tools, one after the other: the second call needs what the first one returned."""

from callagain.scenarios.scenario import Scenario
from callagain.testing import Rule, calls


def look_up_contact(name: str) -> dict[str, str]:
    """Look up a contact by name, and get its id."""
    address = f"{name.split()[0].lower()}@example.com"
    return {"contact_id": "C-1815", "name": name, "email": address}


def create_ticket(contact_id: str, subject: str) -> dict[str, str]:
    """Create a support ticket for a contact, by the contact's id."""
    return {"ticket_id": "T-77", "contact_id": contact_id, "subject": subject, "status": "open"}


TWO_TOOLS = Scenario(
    name="two-tools",
    title="Two tools, one after the other",
    shows="The second call needs what the first one returned, so there are two rounds of tools, and three "
    "requests.",
    look_at="InAndOut and tools_messages, which grow by two messages in each round: the assistant's, with "
    "the call, and the tool's, with the result.",
    saw="loop_count came to 2, and tools_messages to four messages, assistant and tool by turns. The third "
    "response had no tool_calls: call_llm_again was false, and the table led out of the loop.",
    parts=("Part 1", "Part 2", "Part 3", "Part 4", "Part 5"),
    point=3,
    lesson="1-initialize.md",
    page="loop.md",
    question="Look up Ada Lovelace and create a ticket for her: wrong invoice",
    tools=[look_up_contact, create_ticket],
    answers=[
        Rule(
            asked=r"look up (?P<name>.+?) and create a ticket[^:]*: *(?P<subject>.+)",
            then=[
                calls(("look_up_contact", {"name": "{name}"})),
                calls(("create_ticket", {"contact_id": "{result.contact_id}", "subject": "{subject}"})),
                "I created ticket {result.ticket_id} for {name}.",
            ],
        )
    ],
)
