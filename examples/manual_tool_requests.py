"""Manual tool requests: each round's calls are handed over, and the run goes on with the results it is given.

What Genkit's guide on tool calling does with returnToolRequests. Genkit's names are here too: a result has
`tool_requests`, and each of them a `ref`.
"""

from typing import Literal

from callagain import ToolLoop, tool
from callagain.testing import Rule, StandIn, call, calls, says


@tool(read_only=True)
def todays_special(meal: Literal["breakfast", "lunch", "dinner"]) -> str:
    """Look up today's special for a meal. Not for prices."""
    return "Baked beans on toast" if meal == "dinner" else "Soup of the day"


STAND_IN = [
    Rule(
        asked="specials",
        then=[
            calls(call("todays_special", {"meal": "lunch"}), call("todays_special", {"meal": "dinner"})),
            says("Lunch: {results.0}. Dinner: {results.1}."),
        ],
    )
]


def main(base_url: str) -> None:
    loop = ToolLoop(
        model="gpt-4o",
        tools=[todays_special],
        return_tool_requests=True,
        base_url=base_url,
        request_options={"temperature": 0.2},
    )
    result = loop.run("What are today's specials?")
    while requests := result.tool_requests:
        outputs: dict[str, object] = {}
        for request in requests:
            print(f"{request.name} ({request.ref}): {request.arguments}")
            # Any value will do, and an exception is told to the model; lunch is over.
            is_over = request.validated()["meal"] == "lunch"
            outputs[request.ref] = "sold out" if is_over else request.execute()
        result = loop.resume(result, results=outputs)
    print(result.raise_for_outcome().final_response)


if __name__ == "__main__":
    with StandIn(STAND_IN) as server:
        main(server.base_url)
