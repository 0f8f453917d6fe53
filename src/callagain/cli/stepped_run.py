"""The run that is walked through: one that is performed on the way, or one that is only looked at."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from callagain.diagrams.walk import SentRequest, Walk
from callagain.engine.events import Event, OperationEnded
from callagain.engine.links import FINAL_STATES

if TYPE_CHECKING:
    from callagain.live_run import LiveRun
    from callagain.result import Result

# Gives, for the time of a `with`, what is to be told of each event.
Watch: TypeAlias = Callable[[], contextlib.AbstractContextManager[Callable[[Event], None]]]
# Gives the terminal, for the time of a `with`, to others that read it.
Lend: TypeAlias = Callable[[], contextlib.AbstractContextManager[None]]


class SteppedRun(Protocol):
    """walk: as far as the log leads. ended: how many of its operations the run itself has behind it.

    result: what it came to, if it has. goes_on: whether there is somebody to perform what is not done yet.
    """

    goes_on: ClassVar[bool]

    @property
    def walk(self) -> Walk: ...

    @property
    def ended(self) -> int: ...

    @property
    def result(self) -> "Result | None": ...

    def perform(self) -> None:
        """The next operation, with all that it needs."""
        ...


class LiveSteps:
    """A run that is performed when the walk comes to where it stands."""

    goes_on: ClassVar[bool] = True

    def __init__(self, live: "LiveRun", watch: Watch, lend: Lend) -> None:
        self._live = live
        self._watch = watch
        self._lend = lend
        self._walk = live.walk

    @property
    def walk(self) -> Walk:
        return self._walk

    @property
    def ended(self) -> int:
        return len(self._live.trace)

    @property
    def result(self) -> "Result | None":
        return self._live.result

    def perform(self) -> None:
        """Raises KeyboardInterrupt at once; the run stays where it is."""
        try:
            with (
                self._lend() if self._calls_tools else contextlib.nullcontext(),
                self._watch() as watch,
                contextlib.closing(self._live.events()) as events,
            ):
                for event in events:
                    watch(event)
                    # Behind the last operation there is still something to do: where it is kept, it ends.
                    if isinstance(event, OperationEnded) and event.step.target not in FINAL_STATES:
                        break
        finally:
            # Operations that need nothing from outside are in the walk already.
            has_come_to_its_outcome = self._live.result is not None and self._walk.outcome is None
            if self.ended > len(self._walk.steps) or has_come_to_its_outcome:
                self._walk = self._live.walk

    @property
    def _calls_tools(self) -> bool:
        """The next operation does. They may read the terminal, and somebody may be asked about them there."""
        is_open = self.ended == len(self._walk.steps)
        return is_open and any(not isinstance(each.command, SentRequest) for each in self._walk.waiting)


@dataclass(frozen=True, slots=True)
class KeptSteps:
    """A run that is only looked at. result: what it had come to."""

    walk: Walk
    result: "Result | None"
    goes_on: ClassVar[bool] = False

    @property
    def ended(self) -> int:
        return len(self.walk.steps)

    def perform(self) -> None:
        """Nothing."""
