"""What a run of a design leaves: its log, its outcome, and the variables after everything that finished."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from callagain.porting.script.values import Value


class Outcome(StrEnum):
    """How an operation, a script or a whole run ended."""

    COMPLETED = "completed"
    FAILED = "failed"


class Kind(StrEnum):
    """What a snapshot was taken after."""

    OPERATION = "operation"
    SCRIPT = "script"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The global variables when an operation or a script had finished.

    variables: a copy, by name without `$`; values of secret project variables are `***`. log: the lines that
    were written while it ran, those of what it ran included. error: why it failed, with script, line and
    column where they are known; None if it did not fail.
    """

    kind: Kind
    name: str
    variables: Mapping[str, Value]
    outcome: Outcome
    log: tuple[str, ...]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class DesignRun:
    """A run of an operation, with the operations that followed it.

    snapshots: in the order in which operations and scripts finished, so that a script comes before its
    operation. log: the whole operation log. outcome: failed as soon as one operation of the chain failed,
    even if its On Fail operation did not; error is the first failure then.
    """

    operation: str
    outcome: Outcome
    snapshots: tuple[Snapshot, ...]
    log: tuple[str, ...]
    error: str | None = None

    def after(self, name: str) -> tuple[Snapshot, ...]:
        """The snapshots after the operation or script of this name, one for each time that it ran."""
        return tuple(snapshot for snapshot in self.snapshots if snapshot.name == name)
