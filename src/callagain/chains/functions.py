"""What the activities of these chains make of the receipt of a function."""

from collections.abc import Sequence

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json
from callagain.engine.receipts import FunctionReceipt


def value_of(receipts: Sequence[Json]) -> Json:
    """What the one function returned. Raises Failure, with its words, if it returned nothing."""
    receipt = FunctionReceipt.from_json(receipts[0])
    if receipt.error is not None:
        raise Failure(receipt.kind or "operation_failed", receipt.error)
    return receipt.value
