"""A run as rows: how it comes into the tables, and how it goes."""

from sqlite3 import Connection

from callagain.engine.errors import JournalError, RunExistsError
from callagain.engine.json_text import valid_unicode

_TABLES = ("entries", "steps", "inputs", "runs")


def checked_run_id(run_id: object) -> str:
    """Raises JournalError for what cannot be the id of a run."""
    if not isinstance(run_id, str) or not run_id or "\0" in run_id or valid_unicode(run_id) != run_id:
        raise JournalError(f"a run id is a text that is not empty, and not {run_id!r}; give another one")
    if run_id.lstrip().startswith("{"):
        raise JournalError(f"the run id {run_id!r} begins as a snapshot does, by a brace; give another one")
    return run_id


def insert_run(
    connection: Connection,
    run_id: str,
    *,
    inputs: str,
    run_format: int,
    fingerprint: str,
    chain: str,
    model: str,
    at: str,
) -> None:
    """inputs: a JSON text. Raises RunExistsError."""
    if has_run(connection, run_id):
        raise RunExistsError(f"the journal has a run {run_id!r} already; resume it, or choose another run_id")
    connection.execute(
        "INSERT INTO runs (run_id, status, model, chain, format, fingerprint, created_at, updated_at) "
        "VALUES (?, 'running', ?, ?, ?, ?, ?, ?)",
        (run_id, valid_unicode(model), valid_unicode(chain), run_format, fingerprint, at, at),
    )
    connection.execute("INSERT INTO inputs VALUES (?, ?)", (run_id, inputs))


def has_run(connection: Connection, run_id: str) -> bool:
    return connection.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone() is not None


def delete_run(connection: Connection, run_id: str) -> None:
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))
