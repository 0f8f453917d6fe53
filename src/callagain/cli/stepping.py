"""A walk through a run, one operation at a time, by keys: forth, back, and round about."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from callagain.cli.step_place import Answered, Place, Request
from callagain.cli.stepped_run import SteppedRun
from callagain.diagrams.walk import Walk, WalkedStep

if TYPE_CHECKING:
    from callagain.result import Result


class StepOutput(Protocol):
    """How a walk is shown: for people, or as JSON lines."""

    def begin(self, walk: Walk) -> None: ...

    def announce(self, place: Place) -> None:
        """What the next operation is, and what it will do."""
        ...

    def step(self, walk: Walk, walked: WalkedStep) -> None:
        """The operation that has ended, with what it changed and where it led."""
        ...

    def passed(self, walk: Walk, walked: WalkedStep) -> None:
        """One of many, on the way to the end."""
        ...

    def end(self, result: "Result") -> None: ...

    def left_here(self, place: Place) -> None:
        """What is kept of the run ends before it has come to its outcome."""
        ...

    def variables(self, place: Place, *, whole: bool) -> None: ...

    def request(self, request: Request | None, *, whole: bool) -> None: ...

    def answer(self, answered: Answered | None, *, whole: bool) -> None: ...

    def trace(self, place: Place) -> None: ...

    def help(self) -> None: ...


class Stepping:
    """Obeys keys. has_performed: something was performed for the last one, so that time has gone by."""

    def __init__(self, run: SteppedRun, output: StepOutput, complain: Callable[[str], None]) -> None:
        self._run = run
        self._output = output
        self._complain = complain
        self._at = 0
        self.has_performed = False

    @property
    def place(self) -> Place:
        return Place(self._run.walk, self._at, self._run.ended)

    def begin(self) -> None:
        self._output.begin(self._run.walk)
        self._show_place()

    def obey(self, key: str) -> bool:
        """Whether there is more to come."""
        self.has_performed = False
        place, whole = self.place, key.isupper()
        match key:
            case "" | "n":
                self._forth()
            case "b":
                self._back()
            case "f":
                self._on_to_the_end()
            case "v" | "V":
                self._output.variables(place, whole=whole)
            case "r" | "R":
                self._output.request(place.request, whole=whole)
            case "a" | "A":
                self._output.answer(place.answered, whole=whole)
            case "t":
                self._output.trace(place)
            case "?" | "h":
                self._output.help()
            case "q":
                return False
            case _:
                self._complain("there is no such key; ? shows them all")
        return True

    def _forth(self) -> None:
        if self._ends_here:
            self._complain("the walk ends here; b goes back, q quits")
            return
        self._step(self._output.step)
        self._show_place()

    def _back(self) -> None:
        if self._at == 0:
            self._complain("this is where the run begins; Enter goes on, q quits")
            return
        self._at -= 1
        self._output.announce(self.place)

    def _on_to_the_end(self) -> None:
        if self._ends_here:
            self._complain("the walk ends here; b goes back, q quits")
            return
        while not self._ends_here:
            self._step(self._output.passed)
        self._show_place()

    @property
    def _ends_here(self) -> bool:
        place = self.place
        return place.is_end or (not place.is_recorded and not self._run.goes_on)

    def _step(self, show: Callable[[Walk, WalkedStep], None]) -> None:
        if not self.place.is_recorded:
            self.has_performed = True
            self._run.perform()
        # An operation that waits for somebody has not ended.
        if self.place.is_recorded:
            show(self._run.walk, self._run.walk.steps[self._at])
            self._at += 1

    def _show_place(self) -> None:
        place, result = self.place, self._run.result
        if place.is_end and result is not None:
            self._output.end(result)
        elif self._ends_here:
            self._output.left_here(place)
        else:
            self._output.announce(place)
