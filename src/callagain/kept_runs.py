"""Runs of a journal, as a snapshot would hold them."""

from typing import TypeGuard

from callagain.engine.errors import JournalError, SnapshotError
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.journal.inputs_json import inputs_from_json
from callagain.engine.journal.snapshot import VERSION, RunContent
from callagain.engine.journal.steps import KeptStep
from callagain.engine.journal.store import JournalFile, StoredRun
from callagain.engine.run import Outcome, Run

_OUTCOMES: dict[str, Outcome] = {
    "completed": "completed",
    "limit": "limit",
    "failed": "failed",
    "suspended": "suspended",
}


def content_of_stored(stored: StoredRun) -> RunContent:
    """Raises JournalError for inputs that this callagain cannot read."""
    try:
        inputs = inputs_from_json(stored.inputs)
    except ValueError as error:
        raise JournalError(
            f"the run {stored.run_id} is not of the form that this callagain reads ({error}); use the "
            "callagain that wrote it"
        ) from error
    return RunContent(
        callagain="snapshot",
        version=VERSION,
        fingerprint=stored.fingerprint,
        run_id=stored.run_id,
        outcome=_OUTCOMES.get(stored.status),
        inputs=inputs,
        log=stored.entries,
        steps=tuple(
            KeptStep(step.number, step.operation, step.event, step.target, step.digest)
            for step in stored.steps
        ),
    )


def content_in(journal: JournalFile | None, run_id: str) -> RunContent:
    """Raises SnapshotError if there is no journal, JournalError if it does not have the run."""
    if journal is None:
        raise SnapshotError(
            f"{run_id[:60]!r} is no snapshot of a run; to resume a run by its id, give the loop its journal="
        )
    return content_of_stored(journal.written(run_id))


def is_run_id(run: object) -> TypeGuard[str]:
    """Whether it is the id of a run, and not the text of a snapshot."""
    return isinstance(run, str) and run.strip() != "" and not run.lstrip().startswith("{")


def known_entries(journal: JournalFile, run: Run) -> int | None:
    """How many entries of a run, which comes from a snapshot, the journal has; None if it does not know it.

    Raises SnapshotError if the journal has gone on from there, or has another run of this id.
    """
    try:
        stored = journal.read(run.inputs.run_id)
    except JournalError:
        return None
    if list(stored.entries) != [entry_as_json(entry) for entry in run.log[: len(stored.entries)]]:
        raise SnapshotError(
            f"the journal has another run of the id {run.inputs.run_id}, or has gone on from there; resume "
            "it by its id"
        )
    return len(stored.entries)
