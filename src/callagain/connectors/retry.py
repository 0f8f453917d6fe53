"""Whether a request that failed is sent again, and after how long. Pure: no clock, no chance, no sleep.

A retry repeats an HTTP request, never a tool. Time enters as `retry_after`, which is in seconds already
(`callagain.connectors.retry_after`), and chance as a number that the caller derives from what names the
attempt (`chance_of`). So a policy says the same whenever it is asked.
"""

from dataclasses import dataclass
from hashlib import sha256
from types import UnionType
from typing import TypeAlias

from callagain.engine.errors import ConfigurationError

# What another attempt may cure: a full queue (429), a fault of the server or of the way to it (408, 409, 5xx,
# no connection, silence), a stream that was cut. Anything else would only fail again, and may cost again.
RETRYABLE_KINDS = frozenset({"rate_limited", "provider_unavailable", "stream_interrupted"})

# Clients that were told the same number of seconds come back over this part of it, and never too early.
_SPREAD = 0.1

_MOST_SECONDS = 1e9
# Doubled more often, a delay is longer than any that may be waited, and soon larger than a float.
_MOST_DOUBLINGS = 1000


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that failed.

    kind: of the error. status: of the answer, or the numeric code in an error body. retry_after: the seconds
    that the endpoint asks to wait. chance: from 0 to below 1, spreads out clients that failed together.
    """

    kind: str
    status: int | None = None
    retry_after: float | None = None
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Wait:
    """Send the request again after so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The failure stands. `why` is for people."""

    why: str


Verdict: TypeAlias = Wait | GiveUp


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is repeated, and how long is waited before.

    max_retries: attempts after the first one. max_wait, in seconds: no wait is longer, and an endpoint that
    asks for more is not waited for. base_delay: seconds before the first retry if the endpoint does not say;
    doubled for each further one. Raises ConfigurationError.
    """

    max_retries: int = 2
    max_wait: float = 60.0
    base_delay: float = 0.5

    def __post_init__(self) -> None:
        if not _is_number(self.max_retries, int) or self.max_retries < 0:
            given = repr(self.max_retries)
            raise ConfigurationError(f"max_retries must be a whole number, 0 or more, not {given}")
        for name, seconds in (("max_wait", self.max_wait), ("base_delay", self.base_delay)):
            if not _is_number(seconds, int | float) or not 0 <= seconds <= _MOST_SECONDS:
                raise ConfigurationError(f"{name} must be from 0 to 1e9 seconds, not {seconds!r}")

    def next(self, attempt: int, failure: Failed) -> Verdict:
        """What to do after the attempt that failed; attempts count from 1."""
        if failure.kind not in RETRYABLE_KINDS:
            answer = "" if failure.status is None else f" (HTTP {failure.status})"
            return GiveUp(f"another attempt would not cure {failure.kind}{answer}")
        if attempt > self.max_retries:
            return GiveUp(f"attempt {attempt} was the last one: max_retries is {self.max_retries}")
        asked = failure.retry_after or 0.0
        if asked > self.max_wait:
            return GiveUp(f"the endpoint asks to wait {asked:g} s; the longest wait is {self.max_wait:g} s")
        if asked > 0:
            return Wait(min(self.max_wait, asked * (1 + _SPREAD * failure.chance)))
        return Wait(self._back_off(attempt) * (1 + failure.chance) / 2)

    def _back_off(self, attempt: int) -> float:
        return min(self.max_wait, self.base_delay * 2.0 ** min(attempt - 1, _MOST_DOUBLINGS))


def chance_of(*parts: object) -> float:
    """A number from 0 to below 1, evenly spread, and the same for parts of the same text."""
    text = ascii([str(part) for part in parts])
    # As many bits as a float holds exactly.
    return (int.from_bytes(sha256(text.encode()).digest()[:8]) >> 11) / 2**53


def _is_number(value: object, kinds: type | UnionType) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)
