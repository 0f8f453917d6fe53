"""Times as they stand in a journal: for people, and in the order of their texts."""

from datetime import UTC, datetime
from functools import lru_cache


def as_text(date: float) -> str:
    """Unix time as UTC in ISO 8601, with milliseconds: 2026-01-31T12:00:00.000Z."""
    seconds, milliseconds = divmod(round(date * 1_000_000) // 1000, 1000)
    return f"{_second(seconds)}.{milliseconds:03}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    """The rows of a run come many in a second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
