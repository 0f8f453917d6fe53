"""What a comparison comes to: cases, each with the differences that were found in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a case came out."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Difference:
    """A variable that has two values, at the first place where it has.

    case: its name. after: what had just ended, with a number where it runs several times, such as
    `tool_dispatcher 2` or `script Get Order Status`; or the `request 2` that was sent. variable: its name in
    the design, with the path inside of a JSON text: `InAndOut: messages[3].content`. design, python: the
    values, shortened and in one line, secrets as `***`. trap: the trap of the port's report that the two
    differ by; None if nothing explains it.
    """

    case: str
    after: str
    variable: str
    design: str
    python: str
    trap: str | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of one case.

    differences: those that nothing explains. explained: those that a trap of the report explains. added,
    left_out: fields of a request that callagain sends on its own, or does not send back: null ones. notes:
    what was not compared, and why. reason: why the case was not run.
    """

    name: str
    status: Status
    differences: tuple[Difference, ...] = ()
    explained: tuple[Difference, ...] = ()
    added: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Parity:
    """A ported package beside the design it came from, case by case."""

    cases: tuple[CaseResult, ...]

    def __iter__(self) -> Iterator[CaseResult]:
        return iter(self.cases)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All that nothing explains; empty if the two do the same."""
        return tuple(each for case in self.cases for each in case.differences)

    @property
    def explained(self) -> tuple[Difference, ...]:
        """All that a trap of the report explains."""
        return tuple(each for case in self.cases for each in case.explained)

    @property
    def not_run(self) -> tuple[CaseResult, ...]:
        """The cases that could not be run; `reason` says why."""
        return tuple(case for case in self.cases if case.status is Status.NOT_RUN)

    @property
    def holds(self) -> bool:
        """Whether every case was run, and none has a difference."""
        return all(case.status is Status.SAME for case in self.cases)
