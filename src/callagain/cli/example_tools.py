"""The tools that the stand-in endpoint asks for when it is served; they look nothing up, and change nothing.

A file like this one is what `callagain run --tools FILE.py` takes.
"""

from callagain.scenarios.two_tools import create_ticket, look_up_contact


def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its number."""
    return {"order_id": order_id, "status": "shipped"}


# Functions that a file imports are offered only if its list says so.
TOOLS = [look_up_contact, create_ticket, get_order_status]
