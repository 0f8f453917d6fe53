"""Whether a failed request is sent again, and when."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.connectors.retry import Failed, GiveUp, RetryPolicy, Wait, chance_of
from callagain.engine.errors import ConfigurationError

CURABLE = ["rate_limited", "provider_unavailable", "stream_interrupted"]
INCURABLE = [
    "malformed_response", "provider_error", "quota_exceeded", "auth", "bad_request", "context_length",
    "empty_response", "truncated", "content_filter", "refusal", "invalid_history", "operation_failed",
    "max_iterations", "deadline", "budget_time", "a_kind_to_come",
]  # fmt: skip

chances = st.floats(min_value=0, max_value=1, exclude_max=True)
waits = st.floats(min_value=0, max_value=1e9)
delays = st.floats(min_value=0.001, max_value=1e9)
attempts = st.integers(min_value=1, max_value=10_000)


def seconds_of(verdict: Wait | GiveUp) -> float:
    assert isinstance(verdict, Wait), verdict
    return verdict.seconds


@pytest.mark.parametrize("kind", CURABLE)
def test_a_failure_that_time_may_cure_is_retried(kind: str) -> None:
    assert isinstance(RetryPolicy().next(1, Failed(kind)), Wait)


@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize("kind", INCURABLE)
def test_any_other_failure_stands_at_once(kind: str, retry_after: float | None) -> None:
    verdict = RetryPolicy().next(1, Failed(kind, retry_after=retry_after))
    assert verdict == GiveUp(f"another attempt would not cure {kind}")


def test_the_status_is_named_where_there_is_one() -> None:
    verdict = RetryPolicy().next(1, Failed("bad_request", status=400))
    assert verdict == GiveUp("another attempt would not cure bad_request (HTTP 400)")


@pytest.mark.parametrize("max_retries", [0, 1, 2, 7])
def test_retries_are_attempts_after_the_first(max_retries: int) -> None:
    policy = RetryPolicy(max_retries)
    verdicts = [policy.next(attempt, Failed("rate_limited")) for attempt in range(1, max_retries + 3)]
    assert [isinstance(each, Wait) for each in verdicts] == [True] * max_retries + [False] * 2
    last = max_retries + 1
    assert verdicts[max_retries] == GiveUp(f"attempt {last} was the last one: max_retries is {max_retries}")


def test_back_off_doubles_up_to_the_longest_wait() -> None:
    policy = RetryPolicy(max_retries=20, max_wait=5.0, base_delay=0.5)
    almost_one = math.nextafter(1, 0)
    verdicts = [policy.next(attempt, Failed("rate_limited", chance=almost_one)) for attempt in range(1, 7)]
    assert [seconds_of(each) for each in verdicts] == pytest.approx([0.5, 1.0, 2.0, 4.0, 5.0, 5.0])


def test_chance_takes_up_to_half_of_the_back_off() -> None:
    failures = [Failed("rate_limited", chance=chance) for chance in (0.0, 0.5)]
    assert [seconds_of(RetryPolicy(base_delay=8.0).next(1, each)) for each in failures] == [4.0, 6.0]


@given(attempt=attempts, max_wait=waits, base_delay=delays, chance=chances)
def test_back_off_is_between_half_and_the_whole(
    attempt: int, max_wait: float, base_delay: float, chance: float
) -> None:
    policy = RetryPolicy(10_000, max_wait, base_delay)
    whole = min(max_wait, base_delay * 2 ** min(attempt - 1, 60))
    verdict = policy.next(attempt, Failed("provider_unavailable", 503, chance=chance))
    assert whole / 2 <= seconds_of(verdict) <= whole


@pytest.mark.parametrize("attempt", [1024, 1025, 10_000])
def test_a_thousand_attempts_wait_no_longer_than_allowed(attempt: int) -> None:
    policy = RetryPolicy(max_retries=10_000, max_wait=60.0, base_delay=1e9)
    assert seconds_of(policy.next(attempt, Failed("rate_limited"))) == 30.0


@pytest.mark.parametrize("retry_after", [0.001, 1.0, 60.0])
def test_what_the_endpoint_asks_for_is_waited_instead_of_the_back_off(retry_after: float) -> None:
    policy = RetryPolicy(max_retries=9, max_wait=60.0, base_delay=50.0)
    assert policy.next(5, Failed("rate_limited", 429, retry_after)) == Wait(retry_after)


@given(max_wait=waits, part=st.floats(min_value=1e-6, max_value=1), chance=chances)
def test_what_the_endpoint_asks_for_is_never_cut_short(max_wait: float, part: float, chance: float) -> None:
    asked = max_wait * part
    policy = RetryPolicy(max_wait=max_wait, base_delay=0.0)
    verdict = policy.next(1, Failed("rate_limited", 429, asked, chance))
    assert asked <= seconds_of(verdict) <= min(max_wait, 1.1 * asked)


def test_clients_that_were_told_the_same_do_not_come_back_at_once() -> None:
    failures = [Failed("rate_limited", 429, 20.0, chance_of("run", n)) for n in range(100)]
    seconds = {seconds_of(RetryPolicy().next(1, each)) for each in failures}
    assert len(seconds) == 100
    assert max(seconds) - min(seconds) > 1.5


@pytest.mark.parametrize("retry_after", [60.001, 198300.0, 1e300])
def test_an_endpoint_that_asks_for_too_long_is_not_waited_for(retry_after: float) -> None:
    verdict = RetryPolicy(max_retries=3).next(1, Failed("rate_limited", 429, retry_after))
    assert isinstance(verdict, GiveUp)


def test_the_wait_that_is_too_long_is_said() -> None:
    verdict = RetryPolicy().next(1, Failed("rate_limited", 429, 198300.0))
    assert verdict == GiveUp("the endpoint asks to wait 198300 s; the longest wait is 60 s")


@pytest.mark.parametrize("retry_after", [None, 0.0])
def test_an_endpoint_that_asks_for_no_time_gets_the_back_off(retry_after: float | None) -> None:
    assert RetryPolicy(base_delay=8.0).next(1, Failed("rate_limited", 429, retry_after)) == Wait(4.0)


@pytest.mark.parametrize("value", [-1, 1.5, math.nan, True, "2", None])
def test_max_retries_must_be_a_count(value: object) -> None:
    with pytest.raises(ConfigurationError) as raised:
        RetryPolicy(max_retries=value)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert str(raised.value) == f"max_retries must be a whole number, 0 or more, not {value!r}"


@pytest.mark.parametrize("name", ["max_wait", "base_delay"])
@pytest.mark.parametrize("value", [-0.1, 2e9, math.nan, math.inf, True, "60", None])
def test_times_must_be_seconds(name: str, value: object) -> None:
    settings: dict[str, object] = {name: value}
    with pytest.raises(ConfigurationError) as raised:
        RetryPolicy(**settings)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert str(raised.value) == f"{name} must be from 0 to 1e9 seconds, not {value!r}"


def test_chance_is_the_same_for_the_same_parts() -> None:
    # Written down, since a replay in another process, or with another Python, has to come to the same.
    assert chance_of("run-1", (3, 0), 1) == 0.04054781621354486
    assert chance_of("run-1", (3, 0), 2) != 0.04054781621354486


@pytest.mark.parametrize(
    ("parts", "others"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a", ""), ("a",)),
        (("a', 'b",), ("a", "b")),
        (("\ud800",), ("\\ud800",)),
    ],
)
def test_other_parts_give_another_chance(parts: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert chance_of(*parts) != chance_of(*others)


def test_chances_are_spread_evenly() -> None:
    tenths = [int(chance_of("run", n) * 10) for n in range(10_000)]
    counts = [tenths.count(tenth) for tenth in range(10)]
    assert sum(counts) == 10_000
    assert all(850 < count < 1150 for count in counts)
