"""Responses that the output limit cut off, or may have.

None of the calls of a response that is known to be cut runs, not even one that looks whole.
"""

from collections.abc import Sequence
from dataclasses import replace

from callagain.engine.json_text import Json, JsonObject, decode
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.reply import Call

CUT_OFF = (
    "The output limit cut this response off, so nothing of it was executed. Send a smaller call, "
    "or fewer calls at once."
)
MAY_BE_CUT = " The response is exactly as long as the output limit, which may be the cause."


def cut_off(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls, each with its answer: the endpoint itself says that the response is not whole."""
    answer = ToolReceipt.of_error("truncated_arguments", CUT_OFF)
    return tuple(replace(call, arguments=None, error=answer) for call in calls)


def may_be_cut(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls of a response that is exactly as long as it may be: bad arguments may come from that."""
    return tuple(_with_hint(call) for call in calls)


def output_limit(fields: JsonObject, names: Sequence[str]) -> int | None:
    """The limit in a request, by whichever of the names it has there."""
    limits = [fields.get(name) for name in names]
    return next((limit for limit in limits if isinstance(limit, int) and not isinstance(limit, bool)), None)


def _with_hint(call: Call) -> Call:
    if call.error is None or call.error.error != "invalid_arguments":
        return call
    told = f"{_message(decode(call.error.content))}{MAY_BE_CUT}"
    return replace(call, error=ToolReceipt.of_error("invalid_arguments", told))


def _message(content: Json) -> str:
    error = content.get("error") if isinstance(content, dict) else None
    return str(error.get("message")) if isinstance(error, dict) else ""
