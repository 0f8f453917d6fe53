"""The tools of orders.prompts.toml; they look nothing up, and change nothing."""


def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its number."""
    return {"order_id": order_id, "status": "shipped"}


def cancel_order(order_id: str, reason: str) -> dict[str, str]:
    """Cancel an order that the customer does not want any more. Look up its status first."""
    return {"order_id": order_id, "status": "cancelled", "reason": reason}
