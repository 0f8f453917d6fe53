"""Runs for tests of pictures: a loop with two tools, and what it is answered."""

from typing import Any

from callagain import ToolLoop, tool
from callagain.testing import SkippingClock, StandIn


@tool
def look_up(name: str) -> str:
    """Looks somebody up."""
    return f"{name}: C-12"


@tool(requires_approval=True)
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


def loop_with(server: StandIn, **settings: Any) -> ToolLoop:
    settings.setdefault("tools", [look_up, pay])
    return ToolLoop(model="m", base_url=server.base_url, clock=SkippingClock(), **settings)
