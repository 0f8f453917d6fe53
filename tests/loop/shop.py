"""A shop for tests of guards: one tool that looks, and one that pays money back and must not run unasked."""

import json
from collections.abc import MutableMapping
from typing import Any

import structlog

from callagain import Tool, ToolLoop, tool
from callagain.testing import Call, ModelAnswer, StandIn, call, calls, says

SORRY = says("That is all I can say.")


class Shop:
    """Keeps what really ran: `refunds` and `looks`, in order. options: of the tool refund."""

    def __init__(self, **options: Any) -> None:
        self.refunds: list[tuple[str, int]] = []
        self.looks: list[str] = []

        @tool(read_only=True)
        def look_up_order(order_id: str) -> str:
            """Look up an order by its six-digit id."""
            self.looks.append(order_id)
            return f"order {order_id}: delivered"

        options.setdefault("requires_approval", True)

        @tool(**options)
        def refund(order_id: str, amount: int) -> dict[str, object]:
            """Pay an order back, in whole dollars."""
            self.refunds.append((order_id, amount))
            return {"refunded": amount}

        self.tools: list[Tool] = [look_up_order, refund]

    def loop(self, server: StandIn, **options: Any) -> ToolLoop:
        """A loop with both tools that asks this server."""
        settings: dict[str, Any] = {"model": "m", "tools": self.tools, "max_retries": 0}
        settings.update(options)
        return ToolLoop(base_url=server.base_url, **settings)


def a_refund(amount: object = 40, order_id: str = "481516", id: str | None = None) -> Call:  # noqa: A002 - as in `call`
    """One call of refund."""
    return call("refund", {"order_id": order_id, "amount": amount}, id=id)


def a_look(order_id: str = "481516") -> Call:
    """One call of look_up_order."""
    return call("look_up_order", {"order_id": order_id})


def asks_for(*wanted: Call) -> ModelAnswer:
    """A response with these calls."""
    return calls(*wanted)


def told(server: StandIn, call_id: str) -> Any:
    """What the model was told about a call in the newest request: JSON is parsed."""
    messages = server.requests[-1].json["messages"]
    (content,) = [each["content"] for each in messages if each.get("tool_call_id") == call_id]
    try:
        return json.loads(content)
    except ValueError:
        return content


def log_into(events: list[dict[str, Any]]) -> Any:
    """A logger that keeps every event in the list."""

    def keep(_logger: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        events.append({**event, "level": level})
        raise structlog.DropEvent

    return structlog.wrap_logger(None, processors=[keep])
