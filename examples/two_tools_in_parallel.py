"""Two calls in one response run at the same time; their results go back in the order of the calls."""

import asyncio

from callagain import ToolLoop, tool
from callagain.testing import Rule, StandIn, calls, says


@tool(read_only=True)
async def get_weather(city: str) -> str:
    """Say what the weather is in a city."""
    await asyncio.sleep(0.2)
    return f"{city}: sunny"


@tool(read_only=True)
async def get_time(city: str) -> str:
    """Say what time it is in a city."""
    await asyncio.sleep(0.1)
    return f"{city}: 12:30"


STAND_IN = [
    Rule(
        asked=r"in (?P<city>\w+)",
        then=[
            calls(("get_weather", {"city": "{city}"}), ("get_time", {"city": "{city}"})),
            says("{results.0}, and {results.1}."),
        ],
    )
]


async def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[get_weather, get_time],
            base_url=server.base_url,
            request_options={"temperature": 0.2},
        )
        result = await loop.arun("Weather and time in Lisbon?")
    print(result.final_response)
    for answer in result.tool_results:
        print(answer.name, answer.content)
    print("loop_count:", result.loop_count)


if __name__ == "__main__":
    asyncio.run(main())
