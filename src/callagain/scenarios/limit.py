"""The limit: a tool fails each time, and the model asks for it again and again."""

from callagain import tool
from callagain.scenarios.scenario import Scenario
from callagain.testing import Rule, calls


@tool(read_only=True)
def get_stock(item: str) -> int:
    """Look up how many pieces of an item are in the warehouse."""
    raise ConnectionError(f"the warehouse says nothing about {item}")


LIMIT = Scenario(
    name="limit",
    title="The limit",
    shows="A tool fails each time, and the model asks for it again and again, until the limit ends the run.",
    look_at="loop_count, which rises to max_iterations (3 here, and 5 by default), and the guards behind the "
    "last arrow.",
    saw="The fourth response asked for the tool once more. loop_count was 3 by then, so iterations_left was "
    "false, and the table led to limit. The result says why; to raise the limit would only have repeated it.",
    parts=("Part 5",),
    point=6,
    lesson="6-control-the-loop.md",
    page="guards.md",
    question="How many umbrellas are left?",
    tools=[get_stock],
    answers=[Rule(asked=r"how many (?P<item>\w+)", then=[calls(("get_stock", {"item": "{item}"}))])],
    options={"max_iterations": 3},
    outcome="limit",
)
