"""A wrong tool_call_id: a script of somebody's own changes the id, and the API refuses the request."""

from callagain import TOOL_CALLING_LOOP, tool
from callagain.engine import Script, Variables
from callagain.scenarios.scenario import Scenario
from callagain.testing import Rule, calls


@tool(read_only=True)
def get_order_status(order_id: str) -> str:
    """Look up the status of an order by its six-digit number. Not for returns."""
    return f"order {order_id} is shipped"


class TrimIds(Script):
    """The mistake: it takes a beginning off every tool_call_id in the request."""

    title = "Trim ids"

    def run(self, variables: Variables) -> None:
        request = str(variables.as_jitterbit()["InAndOut"])
        trimmed = request.replace('"tool_call_id":"call_', '"tool_call_id":"')
        # What is assigned to InAndOut is sent as it stands.
        variables.assign_jitterbit("InAndOut", trimmed)


WRONG_ID = Scenario(
    name="wrong-id",
    title="A wrong tool_call_id",
    shows="A script of somebody's own changes the id of a call, and the API refuses the next request.",
    look_at="Trim Ids, an operation that the guide does not have. It rewrites InAndOut behind Append Tool "
    "Result, with a mistake in it.",
    saw="The request was refused with status 400, and the run failed. The error has the ids that were sent "
    "beside those that were received. An id has to go back exactly as it came: the loop's own operations see "
    "to it, so the mistake had to be put in by hand.",
    parts=("Part 4",),
    point=5,
    lesson="5-append.md",
    page="errors.md",
    question="Where is order 481516?",
    tools=[get_order_status],
    answers=[
        Rule(
            asked=r"order (?P<order_id>\d+)",
            then=[calls(("get_order_status", {"order_id": "{order_id}"})), "I looked it up: {result}."],
        )
    ],
    options={"chain": TOOL_CALLING_LOOP.insert("trim_ids", TrimIds(), after="append_tool_result")},
    outcome="failed",
)
