"""`loop.stream(…)`: the events of a run, for a `for` or an `async for`."""

from collections.abc import AsyncIterator, Iterator

from callagain.engine.events import Event
from callagain.live_run import LiveRun
from callagain.result import Result


class RunStream:
    """Drives a run by being iterated, and yields what happens: pieces of text, operations, tool calls.

    The run begins with the iteration. Leaving the loop ends the request that is under way and frees all that
    belongs to it; the run stays where it is, and goes on with the next iteration.
    """

    def __init__(self, live: LiveRun) -> None:
        self.live = live

    def __iter__(self) -> Iterator[Event]:
        return self.live.events()

    def __aiter__(self) -> AsyncIterator[Event]:
        return self.live.aevents()

    @property
    def result(self) -> Result | None:
        """The same result as without streaming, once the run has come to its outcome."""
        return self.live.result
