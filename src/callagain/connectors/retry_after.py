"""How long an endpoint asks to wait, read in the headers of its answer.

Sources: RFC 9110 §10.2.3 (Retry-After: whole seconds, or a date) and §5.6.7 (the three forms of a date).
`retry-after-ms` is no standard: Azure OpenAI sends it, and the openai package reads it first. Both it and
gateways write decimals.
"""

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

# No number and no date that is meant is longer.
_MOST_CHARS = 64

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds from now; None if the endpoint does not ask to wait, or in no way that can be read.

    The names of the headers may be in any case. now: Unix time in seconds, which a date is compared with; a
    date in the past is 0. However long the wait is, it is given as asked for.
    """
    values = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = _number(values.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = values.get("retry-after", "")
    seconds = _number(value)
    return _seconds_until(value, now) if seconds is None else seconds


def _number(text: str) -> float | None:
    return float(text) if len(text) <= _MOST_CHARS and _NUMBER.fullmatch(text) else None


def _seconds_until(date: str, now: float) -> float | None:
    if len(date) > _MOST_CHARS:
        return None
    try:
        moment = parsedate_to_datetime(date)
        # A date in the form of asctime names no zone; all dates in headers are UTC.
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, aware.timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
