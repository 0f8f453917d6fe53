"""A clock for tests: hours of waiting pass in no time, and the test reads afterwards what was waited for."""

import threading

from callagain.engine.drivers import SYSTEM_CLOCK


class SkippingClock:
    """The machine's clock, save that waits are skipped: `ToolLoop(clock=SkippingClock(), …)`.

    Skipped is the waiting of a run in which nothing else goes on: before a retry, or for the throttle. What
    really happens takes its real time, so `timeout=` holds as ever. waits: what was skipped, in order, in
    seconds. Several threads may share a clock; since a wait of one moves it for all of them, they see time
    pass faster than each by itself would.
    """

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._skipped = 0.0
        self._lock = threading.Lock()

    def now(self) -> float:
        return SYSTEM_CLOCK.now() + self._skipped

    def date(self) -> float:
        return SYSTEM_CLOCK.date() + self._skipped

    def idle(self, seconds: float) -> float:
        self.advance(seconds)
        self.waits.append(seconds)
        return 0.0

    def advance(self, seconds: float) -> None:
        """Lets so many seconds pass, as if something had taken so long."""
        with self._lock:
            self._skipped += seconds
