"""Keeps requests within what an endpoint allows a minute. It says how long to wait, and does not wait itself.

Two token buckets (https://en.wikipedia.org/wiki/Token_bucket), of requests and of tokens. A bucket of N a
minute holds b, a tenth of N, so that a short burst passes at once, and is refilled by N - (b - 1) a minute:
what was in it and what comes in never make more than N in 60 seconds.
"""

import math
from collections import deque
from functools import reduce
from threading import Lock
from typing import NamedTuple

from callagain.engine.errors import ConfigurationError

_BYTES_OF_A_TOKEN = 4
_LEAST, _MOST = 0.001, 1e9


class _Bucket(NamedTuple):
    capacity: float
    rate: float

    @classmethod
    def of(cls, per_minute: float | None) -> "_Bucket":
        """Without a limit, it is never empty."""
        capacity = math.inf if per_minute is None else max(1, per_minute // 10)
        return cls(capacity, 1.0 if per_minute is None else (per_minute - (capacity - 1)) / 60)

    def after(self, seconds: float, level: float) -> float:
        return min(self.capacity, level + seconds * self.rate)

    def seconds_until(self, needed: float, level: float) -> float:
        return max(0.0, (min(needed, self.capacity) - level) / self.rate)


class _Place(NamedTuple):
    """A request in the queue, and the moment at which it goes out."""

    at: float
    tokens: int


class _Levels(NamedTuple):
    """What is in the buckets after a request has gone out."""

    at: float
    requests: float
    tokens: float


class Throttle:
    """Shared by as many loops, runs, threads and event loops as use one account.

    Requests go out in the order in which they are reserved. None: no limit. Raises ConfigurationError.
    """

    def __init__(
        self, requests_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        self.requests_per_minute = _checked("requests_per_minute", requests_per_minute)
        self.tokens_per_minute = _checked("tokens_per_minute", tokens_per_minute)
        self._requests, self._tokens = _Bucket.of(requests_per_minute), _Bucket.of(tokens_per_minute)
        self._lock = Lock()
        # After the last that has gone; who waits, in order; after all that wait have gone.
        self._gone = _Levels(-math.inf, self._requests.capacity, self._tokens.capacity)
        self._waiting: deque[_Place] = deque()
        self._last = self._gone

    def __repr__(self) -> str:
        return (
            f"Throttle(requests_per_minute={self.requests_per_minute}, "
            f"tokens_per_minute={self.tokens_per_minute})"
        )

    def reserve(self, tokens: int, now: float) -> float:
        """Takes the next place in the queue; the seconds to wait before the request may go out.

        tokens: estimated; more than the bucket holds wait until it is full, and leave a debt. now: monotonic
        seconds; threads may come with theirs slightly out of order.
        """
        with self._lock:
            place = _Place(max(now, self._free_at(tokens)), tokens)
            self._last = self._without(self._last, place)
            self._waiting.append(place)
            while self._waiting and self._waiting[0].at <= now:
                self._gone = self._without(self._gone, self._waiting.popleft())
            return place.at - now

    def settle(self, reserved_tokens: int, used_tokens: int) -> None:
        """The request is done: corrects the estimate by what it has really used, for those still to come."""
        with self._lock:
            self._add_tokens(reserved_tokens - used_tokens)

    def give_back(self, tokens: int) -> None:
        """A request for which so many tokens were reserved was given up while it waited.

        Those that wait already keep their places. Of several with as many tokens, the first counts as given
        up, so those to come may wait longer than they must, but never too briefly. If its wait was over
        already, it gives back its tokens alone.
        """
        with self._lock:
            place = next((each for each in self._waiting if each.tokens == tokens), None)
            if place is None:
                self._add_tokens(tokens)
            else:
                self._waiting.remove(place)
                self._last = reduce(self._without, self._waiting, self._gone)

    def _free_at(self, tokens: int) -> float:
        return self._last.at + max(
            self._requests.seconds_until(1, self._last.requests),
            self._tokens.seconds_until(tokens, self._last.tokens),
        )

    def _without(self, levels: _Levels, place: _Place) -> _Levels:
        seconds = place.at - levels.at
        return _Levels(
            place.at,
            self._requests.after(seconds, levels.requests) - 1,
            self._tokens.after(seconds, levels.tokens) - place.tokens,
        )

    def _add_tokens(self, tokens: int) -> None:
        self._gone, self._last = self._with(self._gone, tokens), self._with(self._last, tokens)

    def _with(self, levels: _Levels, tokens: int) -> _Levels:
        return levels._replace(tokens=self._tokens.after(0.0, levels.tokens + tokens))


def estimated_tokens(body: bytes, output_limit: int | None) -> int:
    """Of a request and its answer, without a tokenizer: four bytes a token, and all of the allowed output."""
    return len(body) // _BYTES_OF_A_TOKEN + (output_limit or 0)


def _checked(name: str, value: float | None) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (is_number and _LEAST <= value <= _MOST):
        return value
    raise ConfigurationError(f"{name} must be a number from 0.001 to 1e9, or None (no limit), not {value!r}")
