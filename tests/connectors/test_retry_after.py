"""What an endpoint's headers ask to wait."""

import time
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.connectors.retry_after import retry_after_seconds

# The moment that the examples of RFC 9110 §5.6.7 name in three forms.
EXAMPLE = 784_111_777.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("1", 1.0),
        ("1.5", 1.5),
        ("0.25", 0.25),
        ("007", 7.0),
        ("  20\t", 20.0),
        ("198300", 198300.0),
        ("9" * 20, 1e20),
    ],
)
def test_seconds_are_read_as_they_stand(value: str, seconds: float) -> None:
    assert retry_after_seconds({"retry-after": value}, EXAMPLE) == seconds


@pytest.mark.parametrize(
    "date",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 09:49:37 +0100",
    ],
)
@pytest.mark.parametrize(("now", "seconds"), [(-30, 30.0), (-0.5, 0.5), (0, 0.0), (3600, 0.0)])
def test_a_date_is_as_far_away_as_it_is_from_now(date: str, now: float, seconds: float) -> None:
    assert retry_after_seconds({"retry-after": date}, EXAMPLE + now) == seconds


@pytest.fixture
def far_from_greenwich(monkeypatch: pytest.MonkeyPatch) -> Generator[None, None, None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "XXX+9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_from_greenwich")
def test_a_date_without_a_zone_is_no_local_time() -> None:
    assert retry_after_seconds({"retry-after": "Sun Nov  6 08:49:37 1994"}, EXAMPLE - 30) == 30.0


@pytest.mark.parametrize(("value", "seconds"), [("1500", 1.5), ("0", 0.0), ("12.5", 0.0125)])
def test_milliseconds_come_before_seconds(value: str, seconds: float) -> None:
    assert retry_after_seconds({"retry-after": "20", "retry-after-ms": value}, EXAMPLE) == seconds


@pytest.mark.parametrize("milliseconds", ["", "soon", "-1", "nan", "Sun, 06 Nov 1994 08:49:37 GMT"])
def test_milliseconds_that_are_garbage_leave_it_to_the_seconds(milliseconds: str) -> None:
    assert retry_after_seconds({"retry-after-ms": milliseconds, "retry-after": "20"}, EXAMPLE) == 20.0


@pytest.mark.parametrize("name", ["retry-after", "Retry-After", "RETRY-AFTER"])
def test_the_name_of_the_header_may_be_in_any_case(name: str) -> None:
    assert retry_after_seconds({"content-type": "text/html", name: "3"}, EXAMPLE) == 3.0
    assert retry_after_seconds({f"{name}-MS": "3"}, EXAMPLE) == 0.003


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "-1",
        "+1",
        "-0.5",
        "nan",
        "inf",
        "-Infinity",
        "1e3",
        "1_000",
        "1.",
        "0x10",
        "٣",
        "1, 1",
        "1\n2",
        "5 s",
        "soon",
        "2026-01-01T00:00:00Z",
        "Sun, 06 Nov 1994 25:49:37 GMT",
        "Thu, 31 Jun 2050 08:49:37 GMT",
        "Sun, 06 Nov 99999 08:49:37 GMT",
        "Sun, 06 Nov 2050 08:49:37 +9999",
        "1" * 65,
        "1" * 100_000,
        "Sun, 06 Nov 2050 08:49:37 GMT" + " " * 100 + "(x)",
    ],
)
def test_garbage_asks_for_nothing(value: str) -> None:
    assert retry_after_seconds({"retry-after": value}, EXAMPLE) is None


def test_no_header_asks_for_nothing() -> None:
    assert retry_after_seconds({}, EXAMPLE) is None
    assert retry_after_seconds({"x-retry-after": "3"}, EXAMPLE) is None


PARTS_OF_DATES = st.sampled_from(
    ["Sun,", "Sunday,", "06", "6-Nov-94", "Nov", "1994", "08:49:37", "GMT", "+2400", "99999999", "\x00", "²"]
)
VALUES = st.one_of(st.text(max_size=70), st.lists(PARTS_OF_DATES, max_size=8).map(" ".join))


@given(value=VALUES)
def test_no_value_raises_or_asks_for_a_time_that_is_none(value: str) -> None:
    for name in ("retry-after", "retry-after-ms"):
        asked = retry_after_seconds({name: value}, EXAMPLE)
        assert asked is None or 0 <= asked < float("inf")
