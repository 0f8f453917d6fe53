"""An operation of one's own: addresses are taken out of tool results before they go back to the model.

The new chain is checked as the guide's is, and every diagram of it shows the operation.
"""

import re

from callagain import TOOL_CALLING_LOOP, ToolLoop
from callagain.diagrams import flowchart_mermaid
from callagain.engine import Script, Variables
from callagain.testing import Rule, StandIn, calls, says


class RedactAddresses(Script):
    """Reads and writes function_resps, between Tool Dispatcher and Append Tool Result."""

    title = "Redact addresses"

    def run(self, variables: Variables) -> None:
        cleaned = [re.sub(r"\S+@\S+", "[address]", text) for text in variables.function_resps]
        variables.function_resps = tuple(cleaned)
        variables.write_to_operation_log(f"{len(cleaned)} result(s) redacted")


CHAIN = TOOL_CALLING_LOOP.insert("redact_addresses", RedactAddresses(), after="tool_dispatcher")


def look_up_contact(name: str) -> str:
    """Look up a contact by name."""
    return f"{name} <ada@example.com>, C-1815"


STAND_IN = [
    Rule(
        asked=r"who is (?P<name>\w+)", then=[calls(("look_up_contact", {"name": "{name}"})), says("{result}")]
    )
]


def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[look_up_contact],
            chain=CHAIN,
            base_url=server.base_url,
            request_options={"temperature": 0.2},
        )
        result = loop.run("Who is Ada?")
    print(result.final_response)
    print(" > ".join(step.operation for step in result.trace))
    print(flowchart_mermaid(CHAIN))


if __name__ == "__main__":
    main()
