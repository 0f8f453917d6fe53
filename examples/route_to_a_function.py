"""Single-round routing: the model picks a function, the function runs, and its result is the end of it.

It is the guide that the tool-calling loop builds on, and another chain of the same operations.
"""

from callagain import ToolLoop
from callagain.chains import FUNCTION_ROUTING
from callagain.testing import Rule, StandIn, calls


def notify_hr(subject: str) -> str:
    """Send a message to human resources, about pay or leave."""
    return f"human resources will look into: {subject}"


def request_software(name: str) -> str:
    """Ask IT for access to a piece of software."""
    return f"IT was asked for {name}"


STAND_IN = [
    Rule(asked="paycheck", then=[calls(("notify_hr", {"subject": "a missing paycheck"}))]),
    Rule(asked=r"access to (?P<name>\w+)", then=[calls(("request_software", {"name": "{name}"}))]),
]


def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[notify_hr, request_software],
            chain=FUNCTION_ROUTING,
            base_url=server.base_url,
            request_options={"temperature": 0.2},
        )
        for message in ("My paycheck has not come.", "I need access to Blender."):
            result = loop.run(message)
            print(f"{result.variables.function_name}: {result.variables.function_resp}")


if __name__ == "__main__":
    main()
