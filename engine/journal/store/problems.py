"""What goes wrong with a database file, in words for people: what happened, then what to do."""

import errno
import sqlite3

from callagain.engine.errors import CallAgainError, JournalError

_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def is_lock(error: Exception) -> bool:
    """Whether another process holds the file."""
    return _code(error) in _LOCKED


def journal_error(error: Exception, path: str) -> CallAgainError:
    """The exception to raise for one of SQLite or of the operating system; ours stay as they are."""
    if isinstance(error, CallAgainError):
        return error
    told = JournalError(
        _of_database(error, path) if isinstance(error, sqlite3.Error) else _other(error, path)
    )
    told.__cause__ = error
    return told


def not_made(error: OSError, path: str) -> JournalError:
    """The file is not there, and cannot be made."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return JournalError(
            f"the folder of the journal {path} does not exist; make it, or choose another path"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return JournalError(_not_writable(path))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return JournalError(_full(path))
    return JournalError(f"the journal {path} cannot be made ({error.strerror}); choose another path")


def damaged(path: str) -> str:
    return (
        f"the journal {path} is damaged; take it from a backup, or move it away to begin a new one "
        "(`.recover` of the sqlite3 command saves what can be read)"
    )


def again(error: CallAgainError) -> CallAgainError:
    """The same once more, for another place where it is raised: an exception carries where it was."""
    copied = type(error)(*error.args)
    copied.__cause__ = error.__cause__
    return copied


def _of_database(error: sqlite3.Error, path: str) -> str:
    code = _code(error)
    if code in _LOCKED:
        return (
            f"the journal {path} is locked by another program; end what holds it (a shell with an open "
            "transaction, a backup), and try again"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is no journal of callagain, and no database; choose another path for the journal"
    if code == sqlite3.SQLITE_CORRUPT:
        return damaged(path)
    if code in _NOT_WRITABLE:
        return _not_writable(path)
    if code == sqlite3.SQLITE_FULL:
        return _full(path)
    return _other(error, path)


def _not_writable(path: str) -> str:
    return (
        f"the journal {path} cannot be opened for writing; let this user write to the file and to its "
        "folder, or choose another path"
    )


def _full(path: str) -> str:
    return f"the disk of the journal {path} is full; make room, and resume the runs that it stopped"


def _other(error: Exception, path: str) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return (
        f"the journal {path} could not be read or written ({words}, {name}); see that its disk works and has "
        "room, and resume the runs that it stopped"
    )


def _code(error: Exception) -> int | None:
    """The primary code of SQLite; https://www.sqlite.org/rescode.html"""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
