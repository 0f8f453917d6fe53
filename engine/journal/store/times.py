"""Times as they stand in a journal: for people, and in the order of their texts."""

from datetime import UTC, datetime


def as_text(date: float) -> str:
    """Unix time as UTC in ISO 8601, with milliseconds: 2026-01-31T12:00:00.000Z."""
    return datetime.fromtimestamp(date, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
