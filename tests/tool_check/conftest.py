"""What the tests of tool schemas share: an entry that keeps every rule, to be changed at one place."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain.engine.json_text import JsonObject

Announce = Callable[..., JsonObject]

DESCRIPTION = "Look up an order by its number; returns its status. Not for returns."
ORDER_ID: JsonObject = {"type": "string", "description": "Order number, such as 481516"}


@pytest.fixture
def announce() -> Announce:
    """`announce(name=…, description=…, properties=…, **schema)` is an entry of a request's tools."""

    def announce(
        name: str = "look_up_order",
        description: str = DESCRIPTION,
        properties: dict[str, Any] | None = None,
        **schema: Any,
    ) -> JsonObject:
        chosen: JsonObject = {"order_id": ORDER_ID} if properties is None else properties
        parameters: JsonObject = {"type": "object", "properties": chosen, **schema}
        function: JsonObject = {"name": name, "description": description, "parameters": parameters}
        return {"type": "function", "function": function}

    return announce
