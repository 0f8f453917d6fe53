"""Requests and tokens stay within what an endpoint allows a minute; all times here are simulated."""

import heapq
import math
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, pairwise
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.connectors.throttle import Throttle, estimated_tokens
from callagain.engine.errors import ConfigurationError

# Sums of floats; far below what a network adds.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Request:
    """Comes `gap` seconds after the one before, and is given up after `patience` seconds of waiting."""

    gap: float
    reserved: int
    used: int
    patience: float
    answer_takes: float


@dataclass(frozen=True)
class Sent:
    at: float
    tokens: int


def sent_by(throttle: Throttle, requests: list[Request]) -> list[Sent]:
    """What goes out of these requests, in the order in which they came."""
    sent: dict[int, Sent] = {}
    agenda: list[tuple[float, int, str]] = []
    now = 0.0
    for number, request in enumerate(requests):
        now += request.gap
        heapq.heappush(agenda, (now, number, "comes"))
    while agenda:
        now, number, what = heapq.heappop(agenda)
        request = requests[number]
        if what == "is answered":
            throttle.settle(request.reserved, request.used)
        elif what == "is given up":
            throttle.give_back(request.reserved)
        else:
            wait = throttle.reserve(request.reserved, now)
            assert wait >= 0
            if request.patience < wait:
                heapq.heappush(agenda, (now + request.patience, number, "is given up"))
            else:
                sent[number] = Sent(now + wait, request.used)
                heapq.heappush(agenda, (now + wait + request.answer_takes, number, "is answered"))
    return [sent[number] for number in sorted(sent)]


def windows(sent: list[Sent]) -> Iterator[list[Sent]]:
    """What goes out in 60 seconds from each of them on; the moment after 60 seconds is not in it."""
    for first, start in enumerate(sent):
        yield [each for each in sent[first:] if each.at < start.at + 60 - ROUNDING]


gaps = st.one_of(st.just(0.0), st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=90))


@st.composite
def many_requests(draw: st.DrawFn) -> list[Request]:
    sizes = st.sampled_from([0, 1, 5, 40, 300])
    patience = st.sampled_from([math.inf, 0.0, 1.0, 30.0, 61.0])
    requests: list[Request] = []
    for _ in range(draw(st.integers(min_value=1, max_value=40))):
        reserved = draw(sizes)
        used = draw(st.integers(min_value=0, max_value=reserved))
        takes = draw(st.sampled_from([0.0, 3.0, 100.0]))
        requests.append(Request(draw(gaps), reserved, used, draw(patience), takes))
    return requests


allowances = st.one_of(st.none(), st.integers(min_value=1, max_value=60))


@given(per_minute=st.integers(min_value=1, max_value=60), tokens=allowances, requests=many_requests())
def test_no_window_of_a_minute_holds_more_requests_than_allowed(
    per_minute: int, tokens: int | None, requests: list[Request]
) -> None:
    sent = sent_by(Throttle(per_minute, tokens), requests)
    assert max((len(window) for window in windows(sent)), default=0) <= per_minute


@given(per_minute=allowances, tokens=st.integers(min_value=1, max_value=600), requests=many_requests())
def test_no_window_of_a_minute_holds_more_tokens_than_allowed_and_what_one_request_exceeds(
    per_minute: int | None, tokens: int, requests: list[Request]
) -> None:
    sent = sent_by(Throttle(per_minute, tokens), requests)
    excess = max(0, max(request.reserved for request in requests) - max(1, tokens // 10))
    for window in windows(sent):
        assert sum(each.tokens for each in window) <= tokens + excess


@given(per_minute=allowances, tokens=allowances, requests=many_requests())
def test_requests_go_out_in_the_order_in_which_they_came(
    per_minute: int | None, tokens: int | None, requests: list[Request]
) -> None:
    moments = [each.at for each in sent_by(Throttle(per_minute, tokens), requests)]
    assert all(later >= earlier - ROUNDING for earlier, later in pairwise(moments))


def test_without_limits_nothing_waits() -> None:
    throttle = Throttle()
    throttle.settle(0, 10**9)
    assert [throttle.reserve(10**9, 100.0) for _ in range(1000)] == [0.0] * 1000


@pytest.mark.parametrize(
    ("per_minute", "burst", "seconds_apart"),
    [
        (600, 60, 60 / 541),
        (60, 6, 60 / 55),
        (25.5, 2, 60 / 24.5),
        (20, 2, 60 / 19),
        (10, 1, 6.0),
        (1, 1, 60.0),
        (0.5, 1, 120.0),
    ],
)
def test_a_tenth_passes_at_once_and_the_rest_evenly(
    per_minute: float, burst: int, seconds_apart: float
) -> None:
    throttle = Throttle(requests_per_minute=per_minute)
    waits = [throttle.reserve(0, 1000.0) for _ in range(burst + 5)]
    assert waits[:burst] == [0.0] * burst
    assert waits[burst:] == pytest.approx([seconds_apart * n for n in range(1, 6)])


def test_who_comes_later_has_less_to_wait() -> None:
    throttle = Throttle(requests_per_minute=10)
    waits = [throttle.reserve(0, now) for now in (0.0, 1.0, 2.0, 30.0, 31.0)]
    assert waits == pytest.approx([0.0, 5.0, 10.0, 0.0, 5.0])


def test_a_short_burst_passes_again_after_a_pause() -> None:
    throttle = Throttle(requests_per_minute=60)
    assert any(throttle.reserve(0, 0.0) for _ in range(10))
    assert [throttle.reserve(0, 100.0) for _ in range(6)] == [0.0] * 6
    assert throttle.reserve(0, 100.0) > 0


# 600 tokens a minute: 60 at once, then 541 / 60 a second.
TOKENS_A_SECOND = 541 / 60


def test_tokens_are_waited_for() -> None:
    throttle = Throttle(tokens_per_minute=600)
    assert [throttle.reserve(20, 0.0) for _ in range(3)] == [0.0] * 3
    assert throttle.reserve(20, 0.0) == pytest.approx(20 / TOKENS_A_SECOND)
    assert throttle.reserve(0, 0.0) == pytest.approx(20 / TOKENS_A_SECOND)


def test_a_request_larger_than_the_bucket_waits_until_it_is_full_and_leaves_a_debt() -> None:
    throttle = Throttle(tokens_per_minute=600)
    assert throttle.reserve(10, 0.0) == 0.0
    assert throttle.reserve(1000, 0.0) == pytest.approx(10 / TOKENS_A_SECOND)
    assert throttle.reserve(60, 0.0) == pytest.approx(1010 / TOKENS_A_SECOND)


def test_requests_that_were_held_up_by_tokens_do_not_go_out_all_at_once() -> None:
    throttle = Throttle(requests_per_minute=10, tokens_per_minute=600)
    throttle.reserve(1000, 0.0)
    moments = [now + throttle.reserve(1, now) for now in (0.0, 1.0, 2.0, 3.0)]
    assert [later - earlier for earlier, later in pairwise(moments)] == pytest.approx([6, 6, 6])


@pytest.mark.parametrize(("used", "tokens_short"), [(50, 0), (0, 0), (60, 10), (200, 150)])
def test_the_estimate_is_corrected_by_what_was_used(used: int, tokens_short: int) -> None:
    throttle = Throttle(tokens_per_minute=600)
    throttle.reserve(60, 0.0)
    throttle.settle(60, used)
    assert throttle.reserve(10, 0.0) == pytest.approx(tokens_short / TOKENS_A_SECOND)


def test_no_correction_gives_back_more_than_the_bucket_holds() -> None:
    throttle = Throttle(tokens_per_minute=600)
    throttle.reserve(30, 0.0)
    throttle.settle(1000, 0)
    throttle.settle(0, 20)
    assert throttle.reserve(40, 0.0) == 0.0
    assert throttle.reserve(10, 0.0) == pytest.approx(10 / TOKENS_A_SECOND)


def test_a_correction_outlasts_a_request_that_is_given_up() -> None:
    throttle = Throttle(tokens_per_minute=600)
    throttle.reserve(60, 0.0)
    throttle.reserve(20, 0.0)
    throttle.settle(60, 100)
    throttle.give_back(20)
    assert throttle.reserve(20, 0.0) == pytest.approx(60 / TOKENS_A_SECOND)


@pytest.mark.parametrize("tokens", [[5] * 6, [5, 500, 0, 7, 5, 90]])
def test_a_queue_that_was_given_up_leaves_nothing_behind(tokens: list[int]) -> None:
    throttle, other = Throttle(10, 600), Throttle(10, 600)
    throttle.reserve(60, 0.0)
    other.reserve(60, 0.0)
    for each in tokens:
        throttle.reserve(each, 1.0)
    for each in reversed(tokens):
        throttle.give_back(each)
    assert throttle.reserve(30, 2.0) == other.reserve(30, 2.0) > 0


def test_the_place_of_a_request_that_was_given_up_goes_to_the_next_to_come() -> None:
    throttle = Throttle(requests_per_minute=10)
    assert [throttle.reserve(tokens, 0.0) for tokens in (1, 2, 3)] == pytest.approx([0, 6, 12])
    throttle.give_back(3)
    assert throttle.reserve(4, 0.0) == pytest.approx(12)


def test_who_waits_already_keeps_its_place_when_another_gives_up() -> None:
    throttle = Throttle(requests_per_minute=10)
    assert [throttle.reserve(tokens, 0.0) for tokens in (1, 2, 3)] == pytest.approx([0, 6, 12])
    throttle.give_back(2)
    assert throttle.reserve(4, 0.0) == pytest.approx(18)


def test_a_request_given_up_when_it_could_have_gone_gives_back_its_tokens_alone() -> None:
    throttle = Throttle(requests_per_minute=10, tokens_per_minute=600)
    assert throttle.reserve(60, 0.0) == 0.0
    throttle.give_back(60)
    assert throttle.reserve(60, 0.0) == pytest.approx(6)


def test_a_clock_slightly_behind_changes_no_order_and_gives_nothing_twice() -> None:
    throttle = Throttle(requests_per_minute=10)
    assert throttle.reserve(0, 100.0) == 0.0
    assert throttle.reserve(0, 99.5) == pytest.approx(6.5)
    assert throttle.reserve(0, 100.0) == pytest.approx(12)


def test_threads_share_one_throttle() -> None:
    threads, each = 8, 100
    shared, alone = Throttle(100, 10_000), Throttle(100, 10_000)
    together = Barrier(threads)

    def reserve() -> list[float]:
        together.wait(timeout=10)
        return [shared.reserve(7, 0.0) for _ in range(each)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(threads) as pool:
            waits = [job.result() for job in [pool.submit(reserve) for _ in range(threads)]]
    finally:
        sys.setswitchinterval(interval)
    assert sorted(chain.from_iterable(waits)) == [alone.reserve(7, 0.0) for _ in range(threads * each)]
    assert all(own == sorted(own) for own in waits)


@pytest.mark.parametrize("name", ["requests_per_minute", "tokens_per_minute"])
@pytest.mark.parametrize("value", [0, -1, 1e-9, 1e10, math.nan, math.inf, True, "60", [60]])
def test_a_limit_must_be_a_number_that_can_be_kept(name: str, value: object) -> None:
    settings: dict[str, object] = {name: value}
    with pytest.raises(ConfigurationError) as raised:
        Throttle(**settings)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    words = "must be a number from 0.001 to 1e9, or None (no limit)"
    assert str(raised.value) == f"{name} {words}, not {value!r}"


def test_the_smallest_and_the_largest_limit_can_be_kept() -> None:
    assert [Throttle(0.001).reserve(0, 0.0), Throttle(1e9, 1e9).reserve(10**6, 0.0)] == [0.0, 0.0]


def test_its_settings_can_be_seen() -> None:
    assert repr(Throttle(60)) == "Throttle(requests_per_minute=60, tokens_per_minute=None)"
    assert Throttle(tokens_per_minute=1e5).tokens_per_minute == 1e5


@pytest.mark.parametrize(
    ("body", "output_limit", "tokens"), [(b"", None, 0), (b"x" * 400, None, 100), (b"x" * 7, 50, 51)]
)
def test_tokens_are_estimated_from_the_body_and_the_output_that_is_allowed(
    body: bytes, output_limit: int | None, tokens: int
) -> None:
    assert estimated_tokens(body, output_limit) == tokens
