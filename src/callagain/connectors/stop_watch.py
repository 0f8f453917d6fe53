"""How long a run has been worked on: the one thing about time that an operation may ask for."""

from collections.abc import Generator
from contextlib import contextmanager

from callagain.engine.drivers import Clock
from callagain.engine.json_text import JsonObject


class StopWatch:
    """Counts while it is running, here and now; what came before is told by who asks."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._counted = 0.0
        self._since: float | None = None
        self._before: float | None = None

    @contextmanager
    def running(self) -> Generator[None, None, None]:
        """While the run is driven."""
        self._since = self._clock.now()
        try:
            yield
        finally:
            self._counted += self._clock.now() - self._since
            self._since = None

    def seconds(self, arguments: JsonObject) -> float:
        """The seconds in all. `before`: those that the run had used when it was taken up here."""
        before = arguments.get("before")
        if self._before is None:
            self._before = float(before) if isinstance(before, int | float) else 0.0
        running = 0.0 if self._since is None else self._clock.now() - self._since
        return round(self._before + self._counted + running, 6)
