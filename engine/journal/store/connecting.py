"""Connections to the file of a journal: how it is made, opened, and what may be wrong with it."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from callagain.engine.errors import JournalError
from callagain.engine.journal.store.fork_gate import FORK_GATE
from callagain.engine.journal.store.problems import damaged, is_lock, journal_error, not_made
from callagain.engine.journal.store.schema import check_format, migrate

_RETRY_SECONDS = 0.01


def real_path(path: str | os.PathLike[str]) -> str:
    """One path for one file, whatever way leads to it. Raises JournalError for what is no path of a file."""
    try:
        text = os.fspath(path)
        found = os.path.realpath(text)
    except (TypeError, ValueError) as error:
        raise JournalError(f"a journal is a file, and {path!r} is no path; give one") from error
    if not isinstance(cast("object", text), str) or text in ("", ":memory:"):
        raise JournalError(f"a journal is a file, and {path!r} is no path of one; give one")
    return found


def connect_to_write(path: str, lock_seconds: float) -> sqlite3.Connection:
    """A connection for transactions that are begun by hand. Makes the file, and its tables, if need be."""
    _make_file(path)
    connection = _connect(path, lock_seconds)
    try:
        check_format(connection, path)
        _check_length(connection, path)
        _while_locked(lambda: _use_write_ahead_log(connection, path), lock_seconds)
        # For macOS, where a sync leaves data in the cache of the disk; elsewhere it means nothing.
        connection.execute("PRAGMA fullfsync = ON")
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def reading(path: str, lock_seconds: float) -> Generator[sqlite3.Connection, None, None]:
    """A connection that sees the file as it is at this moment, and waits for no writer.

    Raises JournalError for a file that cannot be read.
    """
    with FORK_GATE.inside():
        try:
            with closing(_connect(path, lock_seconds)) as connection:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("BEGIN")
                yield connection
        except sqlite3.Error as error:
            raise journal_error(error, path) from error


def identity(path: str) -> tuple[int, int] | None:
    """Which file the path leads to now, if any."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect(path: str, lock_seconds: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{Path(path).as_uri()}?mode=rw",
        uri=True,
        timeout=lock_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def _make_file(path: str) -> None:
    """An empty file for this user alone, unless there is a file."""
    try:
        # An existing file is not even opened: to close it would end all locks that this process has on it.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no ordinary file"
            raise JournalError(f"the journal {path} is {what}; give the path of a file") from None
    except OSError as error:
        raise not_made(error, path) from error


def _check_length(connection: sqlite3.Connection, path: str) -> None:
    """SQLite itself finds out that pages are missing, but not that a part of the last one is."""
    page_size = connection.execute("PRAGMA page_size").fetchone()[0]
    is_recovering = os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") > 0
    if os.path.getsize(path) % page_size and not is_recovering:
        raise JournalError(damaged(path))


def _use_write_ahead_log(connection: sqlite3.Connection, path: str) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError(
            f"the file system of the journal {path} cannot share memory between processes; choose a path on "
            "a disk of this machine"
        )


def _while_locked(action: Callable[[], None], seconds: float) -> None:
    """For what SQLite does not wait with by itself."""
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if not is_lock(error) or time.monotonic() > end:
                raise
        time.sleep(_RETRY_SECONDS)
