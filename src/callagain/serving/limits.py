"""What a server takes at the most, and how long it waits."""

from dataclasses import dataclass, fields

from callagain.engine.errors import ConfigurationError

_MOST = 1e9
_USUAL_REQUESTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLimits:
    """max_body_bytes, body_seconds: of one request body, and for all of it to come.

    max_runs: under way at the same time; one more is refused with 503 and Retry-After.
    max_requests: the same for requests, those that wait for a run included; those that watch events are
    counted apart, and may be as many. By default 100, or twice max_runs where that is more.
    wait_seconds: an answer waits so long for the end of its run; then it is 202, and the run goes on.
    kept_runs: ended runs that the process remembers, with their events; a journal remembers all.
    retry_after, ping_seconds: what Retry-After says, and how often a silent event stream says that it lives.
    Raises ConfigurationError for a value that is none.
    """

    max_body_bytes: int = 1_000_000
    body_seconds: float = 10.0
    max_runs: int = 8
    max_requests: int | None = None
    wait_seconds: float = 120.0
    kept_runs: int = 1_000
    retry_after: int = 5
    ping_seconds: float = 15.0

    def __post_init__(self) -> None:
        for each in fields(self):
            value: object = getattr(self, each.name)
            if each.name == "max_requests" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST:
                raise ConfigurationError(
                    f"{each.name} must be a number above 0, and 1e9 at the most, not {value!r}"
                )
            if each.type is not float and not isinstance(value, int):
                raise ConfigurationError(f"{each.name} must be a whole number, not {value!r}")

    @property
    def requests_at_once(self) -> int:
        """max_requests, or what it is by default."""
        return self.max_requests or max(_USUAL_REQUESTS, 2 * self.max_runs)
