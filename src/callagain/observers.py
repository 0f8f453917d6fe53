"""Observers: told what happens in every run of a loop, and standing around what performs its commands.

    loop = ToolLoop(model="gpt-4o", observers=[Telemetry()])

An observer changes nothing of a run. What it raises ends the drive, as it would if whoever iterates over the
events raised it: the run stays where it is, and can be driven on.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Protocol

from callagain.engine.drivers import Performer
from callagain.engine.events import Event
from callagain.engine.run import Run


@dataclass(frozen=True, slots=True)
class ObservedRun:
    """A run as an observer sees it.

    hide_secrets: takes the loop's own credentials out of a text that is to be kept or sent. base_url: of the
    endpoint, as far as it is known before the first request.
    """

    run: Run
    hide_secrets: Callable[[str], str]
    base_url: str | None


class Observation(Protocol):
    """What an observer makes of one LiveRun. Other threads than the one that drives only perform work."""

    def around(self, performer: Performer) -> Performer:
        """What performs the commands in its place: it begins the same work, and may stand around it."""
        ...

    def driving(self) -> AbstractContextManager[object]:
        """Entered when somebody begins to drive the run, and left, with what was raised, when nobody does any
        more. A run that is stepped is driven once for each step."""
        ...

    def event(self, event: Event) -> None:
        """Told of everything that happens, before whoever iterates over the events is. A decision that a
        resumed run begins with comes before the drive."""
        ...


class Observer(Protocol):
    """One of `ToolLoop(observers=[…])`. `callagain.telemetry.Telemetry` is one."""

    def observe(self, observed: ObservedRun) -> Observation:
        """Somebody may be about to drive this run."""
        ...


class Observations:
    """All observations of one LiveRun; without any, nothing stands between the run and its driver."""

    def __init__(self, observers: Sequence[Observer], observed: ObservedRun) -> None:
        self._observations = [observer.observe(observed) for observer in observers]

    def around(self, performer: Performer) -> Performer:
        for observation in self._observations:
            performer = observation.around(performer)
        return performer

    def driving(self) -> AbstractContextManager[object]:
        if not self._observations:
            return _NOBODY
        stack = ExitStack()
        for observation in self._observations:
            stack.enter_context(observation.driving())
        return stack

    def telling(self, write_log: Callable[[Event], None]) -> Callable[[Event], None]:
        """Who is told of an event: the log, and then the observers."""
        if not self._observations:
            return write_log

        def tell(event: Event) -> None:
            write_log(event)
            for observation in self._observations:
                observation.event(event)

        return tell


_NOBODY = nullcontext()
