"""Parallel calls: one response asks for two tools, and they run at the same time."""

import time

from callagain import tool
from callagain.approval import Approver
from callagain.engine.log_entries import Receipt
from callagain.result import Result
from callagain.scenarios.playing import in_one_run
from callagain.scenarios.scenario import Scenario, Watcher
from callagain.testing import Rule, calls


@tool(read_only=True)
def get_weather(city: str) -> str:
    """Say what the weather is in a city."""
    time.sleep(0.3)
    return f"sunny in {city}"


@tool(read_only=True)
def get_time(city: str) -> str:
    """Say what time it is in a city."""
    time.sleep(0.05)
    return f"12:30 in {city}"


def play(scenario: Scenario, watcher: Watcher, approver: Approver | None) -> Result:
    """Tells also which of the calls was answered first: the log of the run has the receipts as they came."""
    result = in_one_run(scenario, watcher, approver)
    answered = [entry.key for entry in result.log if isinstance(entry, Receipt)]
    # The first receipt is that of the first request. A key is the number of a step, and a position in it.
    _, position = answered[1]
    first = result.tool_results[position].name
    watcher.note(f"The calls ran at the same time: {first} was answered first.")
    return result


PARALLEL_CALLS = Scenario(
    name="parallel-calls",
    title="Parallel calls",
    shows="One response asks for two tools. They run at the same time, and both results go back together.",
    look_at="Tool Dispatcher, which has two calls, and Append Tool Result, which appends three messages: one "
    "of the assistant, and one for each result.",
    saw="Both calls were one round: loop_count came to 1. The guide's script reads tool_calls/0, and so the "
    "first call alone; here each one is answered, in the order of the calls, under its own tool_call_id.",
    parts=("Part 2", "Part 3", "Part 4"),
    lesson="3-parse-response.md",
    page="tools.md",
    question="Weather and time in Lisbon?",
    tools=[get_weather, get_time],
    answers=[
        Rule(
            asked=r"in (?P<city>\w+)",
            then=[
                calls(("get_weather", {"city": "{city}"}), ("get_time", {"city": "{city}"})),
                "It is {results.0}, and {results.1}.",
            ],
        )
    ],
    played_by=play,
)
