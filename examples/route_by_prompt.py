"""Prompt-based routing: the model names an operation in plain text, and a Case dispatches to it.

No schema is sent, and the model chooses no arguments. What it says otherwise goes to the default.
"""

from callagain import ToolLoop
from callagain.chains import PROMPT_ROUTING
from callagain.testing import Rule, StandIn, says


def notify_hr(user_message: str) -> str:
    """Send the message to human resources. For questions about pay and leave."""
    return f"human resources will look into: {user_message}"


def request_software(user_message: str) -> str:
    """Ask IT for access to a piece of software."""
    return f"IT was asked: {user_message}"


STAND_IN = [
    Rule(asked="paycheck", then=[says("notify_hr")]),
    Rule(asked="access to", then=[says('"Request_Software".')]),
    Rule(asked="weather", then=[says("none")]),
]


def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[notify_hr, request_software],
            system_prompt="You are the help desk of a company.",
            chain=PROMPT_ROUTING,
            base_url=server.base_url,
            request_options={"temperature": 0.2},
        )
        first = loop.run("My paycheck has not come.")
        print(first.messages[0]["content"], end="\n\n")
        print(first.variables.function_resp)
        for message in ("I need access to Blender.", "What is the weather like?"):
            print(loop.run(message).variables.function_resp)


if __name__ == "__main__":
    main()
