"""The tables of a journal. They are meant to be read with the `sqlite3` command as well.

The file says what it is: `PRAGMA application_id` is "call", `PRAGMA user_version` the version of the tables.
A file of an older version is brought up to date when it is opened.
"""

from sqlite3 import Connection

from callagain.engine.errors import JournalError

_APPLICATION_ID = int.from_bytes(b"call")

_VERSION_1 = (
    """
CREATE TABLE owners (
    owner         TEXT PRIMARY KEY NOT NULL,
    host          TEXT NOT NULL,
    pid           INTEGER NOT NULL,
    process_start TEXT NOT NULL,     -- of /proc/PID/stat: a number that is given to one process only
    boot_id       TEXT NOT NULL,
    pid_namespace TEXT NOT NULL,
    heartbeat     REAL NOT NULL      -- seconds since the boot, and no time of day
)""",
    """
CREATE TABLE runs (
    run_id      TEXT PRIMARY KEY NOT NULL,
    status      TEXT NOT NULL,       -- running, interrupted, suspended, limit, failed, completed
    kind        TEXT,                -- why it did not complete
    model       TEXT NOT NULL,
    chain       TEXT NOT NULL,
    format      INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,       -- of the chain and the tools that it began with
    created_at  TEXT NOT NULL,       -- UTC, as all times
    updated_at  TEXT NOT NULL,
    owner       TEXT,                -- the process that drives it
    lease       TEXT,                -- what nobody else has who would write to the run
    lease_since TEXT
)""",
    "CREATE INDEX owned_runs ON runs (owner) WHERE owner IS NOT NULL",
    # A table of its own: a row of `runs` is written anew with each entry, and has to stay small.
    """
CREATE TABLE inputs (
    run_id TEXT PRIMARY KEY NOT NULL,
    inputs TEXT NOT NULL             -- JSON
)""",
    """
CREATE TABLE entries (
    run_id   TEXT NOT NULL,
    number   INTEGER NOT NULL,       -- 1, 2, 3 …
    entry    TEXT NOT NULL,          -- intent, receipt, held, decision, resumed
    step     INTEGER,                -- the command, by its step and its place in it
    position INTEGER,
    digest   TEXT,
    value    TEXT,                   -- JSON: what came of the command; of other entries, their other fields
    what     TEXT NOT NULL,          -- llm_call, or the name of the tool
    at       TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
)""",
    # The steps of a run that was resumed may have a number twice, so that a row needs another one.
    """
CREATE TABLE steps (
    run_id    TEXT NOT NULL,
    place     INTEGER NOT NULL,      -- 1, 2, 3 …
    number    INTEGER NOT NULL,
    operation TEXT NOT NULL,
    event     TEXT NOT NULL,
    target    TEXT NOT NULL,
    digest    TEXT NOT NULL,
    at        TEXT NOT NULL,
    PRIMARY KEY (run_id, place)
)""",
    """
CREATE VIEW commands AS             -- state: begun, unknown, held, released, done
WITH told AS (
    SELECT run_id, step, position,
        max(number) AS last,
        max(what) AS what,
        min(CASE entry WHEN 'intent' THEN at END) AS begun_at,
        max(CASE entry WHEN 'receipt' THEN at END) AS ended_at,
        sum(CASE entry
            WHEN 'intent' THEN 1
            WHEN 'receipt' THEN coalesce(json_extract(value, '$.attempts'), 1) - 1
            ELSE 0 END) AS attempts
    FROM entries WHERE step IS NOT NULL
    GROUP BY run_id, step, position
)
SELECT told.run_id, told.step, told.position, told.what, told.begun_at, told.ended_at,
    round((julianday(told.ended_at) - julianday(told.begun_at)) * 86400, 3) AS seconds,
    told.attempts,
    CASE
        WHEN latest.entry = 'receipt' THEN 'done'
        WHEN latest.entry = 'held' THEN 'held'
        WHEN json_extract(latest.value, '$.verdict') = 'answer' THEN 'done'
        WHEN latest.entry = 'decision' THEN 'released'
        WHEN runs.lease IS NULL THEN 'unknown'
        ELSE 'begun'
    END AS state
FROM told
JOIN entries AS latest ON latest.run_id = told.run_id AND latest.number = told.last
JOIN runs ON runs.run_id = told.run_id""",
)

_VERSION_2 = (
    """
CREATE TABLE conversations (
    conversation_id TEXT PRIMARY KEY NOT NULL,
    revision        INTEGER NOT NULL,  -- one more after each change of its turns
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL
)""",
    """
CREATE TABLE turns (
    conversation_id TEXT NOT NULL,
    number          INTEGER NOT NULL,  -- 1, 2, 3 …
    run_id          TEXT NOT NULL UNIQUE,
    message         TEXT NOT NULL,     -- JSON: what the user said
    outcome         TEXT,              -- completed, limit, failed, discarded; NULL while its run may go on
    kind            TEXT,
    messages        TEXT,              -- JSON: what later turns are told of it
    kept            INTEGER NOT NULL,  -- how many messages that are
    tokens          INTEGER,           -- what it has used; all NULL while its run may go on
    money           REAL,              -- US dollars; NULL without prices
    requests        INTEGER,
    tool_calls      INTEGER,
    seconds         REAL,
    estimated       INTEGER,           -- whether part of the tokens is an estimate
    PRIMARY KEY (conversation_id, number)
)""",
)

_MIGRATIONS = (_VERSION_1, _VERSION_2)
VERSION = len(_MIGRATIONS)


def check_format(connection: Connection, path: str) -> None:
    """Raises JournalError for the database of another program, or of a newer version; changes nothing."""
    tables = _number(connection, "SELECT count(*) FROM sqlite_master")
    if tables and _number(connection, "PRAGMA application_id") != _APPLICATION_ID:
        raise JournalError(f"{path} is the database of another program; choose another path for the journal")
    version = _number(connection, "PRAGMA user_version")
    if version > VERSION:
        raise JournalError(
            f"the journal {path} was written by a newer callagain: its tables have version {version}, and "
            f"this one knows {VERSION}; upgrade callagain, or choose another path"
        )


def migrate(connection: Connection) -> None:
    """Makes the tables, or brings them up to date, in one transaction.

    It has the lock for a moment in any case, and so fails for a file that cannot be written.
    """
    connection.execute("BEGIN IMMEDIATE")
    version = _number(connection, "PRAGMA user_version")
    if version < VERSION:
        for migration in _MIGRATIONS[version:]:
            for statement in migration:
                connection.execute(statement.strip())
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _number(connection: Connection, question: str) -> int:
    number: int = connection.execute(question).fetchone()[0]
    return number
