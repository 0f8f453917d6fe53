"""A time of a journal is a text for people, and sorts as the time does."""

import pytest

from callagain.engine.journal.store.times import as_text


@pytest.mark.parametrize(
    ("date", "text"),
    [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (1_769_860_800.0, "2026-01-31T12:00:00.000Z"),
        (1_769_860_800.0009, "2026-01-31T12:00:00.000Z"),
        (1_769_860_800.001, "2026-01-31T12:00:00.001Z"),
        (1_769_860_800.9999, "2026-01-31T12:00:00.999Z"),
        (1_769_860_801.0, "2026-01-31T12:00:01.000Z"),
        (-0.5, "1969-12-31T23:59:59.500Z"),
    ],
)
def test_a_time_is_utc_with_its_milliseconds(date: float, text: str) -> None:
    assert as_text(date) == text
