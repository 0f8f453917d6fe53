"""How long a run has been worked on: the one thing about time that an operation may ask for."""

from collections.abc import Generator
from contextlib import contextmanager

from callagain.engine.drivers import Clock
from callagain.engine.json_text import JsonObject


class StopWatch:
    """Counts from when the work on a run began, here and now, and not while it is paused; what came before is
    told by who asks.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.now()
        self._before: float | None = None

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """While the run waits for somebody."""
        paused = self._clock.now()
        try:
            yield
        finally:
            self._began += self._clock.now() - paused

    def seconds(self, arguments: JsonObject) -> float:
        """The seconds in all. `before`: those that the run had used when it was taken up here."""
        before = arguments.get("before")
        if self._before is None:
            self._before = float(before) if isinstance(before, int | float) else 0.0
        return round(self._before + self._clock.now() - self._began, 6)
