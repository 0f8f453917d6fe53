"""The one clock: what timeouts, deadlines, retries and throttles are measured by."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds. A test's own clock can let hours pass in no time."""

    def now(self) -> float:
        """Seconds from some moment on; they only go forward."""
        ...

    def date(self) -> float:
        """Unix time: what a date in a header is compared with."""
        ...

    def idle(self, seconds: float) -> float:
        """Nothing can happen for so long, since all that there is waits for its time: how long to sleep."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        return time.monotonic()

    def date(self) -> float:
        return time.time()

    def idle(self, seconds: float) -> float:
        return seconds


SYSTEM_CLOCK = SystemClock()
"""The time of this machine, which every loop goes by that is given no other clock."""
