"""What a journal tells of its runs, read from its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from sqlite3 import Connection
from typing import Literal, TypeAlias, get_args

from callagain.engine.errors import JournalError
from callagain.engine.journal.store.rows import json_in, read_entry
from callagain.engine.json_text import JsonObject

Status: TypeAlias = Literal["running", "interrupted", "suspended", "limit", "failed", "completed"]
STATUSES: tuple[Status, ...] = get_args(Status)

_NAMES_SHOWN = 3
_NAMES_COMPARED = 1000


@dataclass(frozen=True, slots=True)
class StoredStep:
    """An operation that ended, and the digest of what it left behind; in the order in which they ended."""

    number: int
    operation: str
    event: str
    target: str
    digest: str


@dataclass(frozen=True, slots=True)
class StoredRun:
    """All that is kept of a run. Times are UTC in ISO 8601.

    status: "interrupted" if it has not come to its outcome, and nobody living drives it. inputs, entries: in
    the forms of `inputs_json` and `entries_json`.
    """

    run_id: str
    inputs: JsonObject
    entries: tuple[JsonObject, ...]
    steps: tuple[StoredStep, ...]
    status: Status
    kind: str | None
    model: str
    chain: str
    format: int
    fingerprint: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of a list. pid: the process that drives it, if one does."""

    run_id: str
    status: Status
    kind: str | None
    model: str
    chain: str
    created_at: str
    updated_at: str
    pid: int | None


@dataclass(frozen=True, slots=True)
class StoredCommand:
    """One request or call. what: "llm_call", or the name of the tool. attempts: how often it was begun.

    state: done; held, and released where it may go on; begun where somebody performs it, and else unknown.
    """

    step: int
    position: int
    what: str
    begun_at: str | None
    ended_at: str | None
    seconds: float | None
    attempts: int
    state: str


def read_run(connection: Connection, run_id: str, path: str, living: Sequence[str]) -> StoredRun:
    """living: the owners that live. Raises JournalError for a run that is not there, or that is damaged."""
    row = connection.execute(
        f"SELECT {_status(living)}, kind, model, chain, format, fingerprint, created_at, updated_at, inputs "
        "FROM runs JOIN inputs USING (run_id) WHERE run_id = ?",
        (*living, run_id),
    ).fetchone()
    if row is None:
        raise unknown_run(connection, run_id, path)
    entries = connection.execute(
        "SELECT entry, step, position, digest, value FROM entries WHERE run_id = ? ORDER BY number", (run_id,)
    )
    steps = connection.execute(
        "SELECT number, operation, event, target, digest FROM steps WHERE run_id = ? ORDER BY place",
        (run_id,),
    )
    *columns, inputs = row
    try:
        return StoredRun(
            run_id,
            json_in(inputs),
            tuple(read_entry(*entry) for entry in entries),
            tuple(StoredStep(*step) for step in steps),
            *columns,
        )
    except ValueError as error:
        raise JournalError(
            f"what the journal {path} has of the run {run_id!r} is damaged ({error}); take the journal from "
            "a backup"
        ) from error


def list_runs(
    connection: Connection, living: Sequence[str], status: str | None, limit: int
) -> list[RunSummary]:
    """The newest runs, newest first."""
    rows = connection.execute(
        f"SELECT run_id, {_status(living)} AS stands, kind, model, chain, created_at, updated_at, "
        f"CASE WHEN {_is_driven(living)} THEN pid END "
        "FROM runs LEFT JOIN owners USING (owner) WHERE ? IS NULL OR stands = ? "
        "ORDER BY runs.rowid DESC LIMIT ?",
        (*living, *living, status, status, limit),
    )
    return [RunSummary(*row) for row in rows]


def list_commands(
    connection: Connection, run_id: str, path: str, living: Sequence[str]
) -> list[StoredCommand]:
    """In the order of the steps. Raises JournalError for a run that is not there."""
    if connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone() is None:
        raise unknown_run(connection, run_id, path)
    rows = connection.execute(
        "SELECT step, position, what, begun_at, ended_at, seconds, attempts, "
        f"CASE WHEN state = 'begun' AND NOT {_is_driven(living)} THEN 'unknown' ELSE state END "
        "FROM commands JOIN runs USING (run_id) WHERE run_id = ? ORDER BY step, position",
        (*living, run_id),
    )
    return [StoredCommand(*row) for row in rows]


def unknown_run(connection: Connection, run_id: str, path: str) -> JournalError:
    """Names runs that are there: those that are called alike, or else the newest."""
    newest = connection.execute("SELECT run_id FROM runs ORDER BY rowid DESC LIMIT ?", (_NAMES_COMPARED,))
    names = [name for (name,) in newest]
    alike = get_close_matches(run_id, names, _NAMES_SHOWN)
    if alike:
        hint = f"did you mean {_listed(alike)}?"
    elif names:
        hint = f"the newest are {_listed(names[:_NAMES_SHOWN])}"
    else:
        hint = "it has no runs yet"
    return JournalError(f"the journal {path} has no run {run_id!r}; {hint}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _is_driven(living: Sequence[str]) -> str:
    return f"coalesce(owner IN ({', '.join('?' * len(living))}), 0)"


def _status(living: Sequence[str]) -> str:
    """What `runs.status` means now: a process that was killed could not write that it no longer runs."""
    is_left = f"status = 'running' AND NOT {_is_driven(living)}"
    return f"CASE WHEN {is_left} THEN 'interrupted' ELSE status END"
