"""The PostgreSQL database that workers and their callers share, and what is said when it cannot be used."""

from __future__ import annotations

import importlib.util
import os
import re
import threading
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from callagain.engine.errors import ConfigurationError, DatabaseError
from callagain.engine.json_text import valid_unicode

if TYPE_CHECKING:
    import psycopg
    from dbos import DBOSClient
    from sqlalchemy.engine import ExceptionContext

# Runs of callagain are one application among those that may share a database of DBOS.
APPLICATION = "callagain"
# The first half of the keys of our advisory locks.
_LOCKS = 5_724_133
_SECONDS_BETWEEN_TRIES = 0.05
_PATIENCE = 30.0
_CONNECT_SECONDS = 5
_MESSAGE_CHARS = 200
# Parameters of libpq: seconds, a count, and milliseconds.
_KEEPALIVES = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}

# Held for good: whoever drops a client closes its connections.
_OF_PARENTS: list[DBOSClient] = []


class BusyError(DatabaseError):
    """Somebody else is at it."""


class Database:
    """One database by its URL, as postgresql://user:password@host:5432/name.

    Raises ConfigurationError for another kind of URL, or if the extra is not installed. What is done with it
    raises DatabaseError, which names the database without its password.
    """

    def __init__(self, url: str) -> None:
        if importlib.util.find_spec("dbos") is None:
            raise ConfigurationError("durable runs need DBOS: pip install 'callagain[dbos]'")
        _check_url(url)
        self.url = _with_keepalives(re.sub("^postgres:", "postgresql:", url))
        self.name = without_password(url)
        self._client: DBOSClient | None = None
        self._process = os.getpid()
        self._making = threading.Lock()

    def __repr__(self) -> str:
        return f"Database({self.name!r})"

    @property
    def client(self) -> DBOSClient:
        """Made when it is first asked for; then the tables of DBOS are made too, if they are not there."""
        from dbos import DBOSClient, DBOSPortableJSONSerializer

        if self._process != os.getpid():
            self._leave_to_the_parent()
        with self._making:
            if self._client is None:
                with self.problems():
                    self._make_tables()
                    self._client = DBOSClient(
                        system_database_url=self.url,
                        serializer=DBOSPortableJSONSerializer(),
                        application_name=APPLICATION,
                        # Whoever asks is told at once that the database is away.
                        retry_connection_errors=False,
                    )
                    # Also when nobody calls close().
                    self._close_client = weakref.finalize(self, self._client.destroy)
            return self._client

    def connect(self) -> psycopg.Connection:
        """A connection of its own, in which each statement is a transaction. Raises psycopg.Error."""
        import psycopg

        return psycopg.connect(self.url, autocommit=True, connect_timeout=_CONNECT_SECONDS)

    @contextmanager
    def alone_with(
        self, what: str, patience: float | None = None
    ) -> Generator[psycopg.Connection, None, None]:
        """Nobody else is inside with the same `what` at the same time.

        patience: seconds. Raises psycopg.Error, and BusyError if somebody else is inside for longer.
        """
        patience = _PATIENCE if patience is None else patience
        ends = time.monotonic() + patience
        with self.connect() as connection:
            # A statement that waited for the lock would hold up CREATE INDEX CONCURRENTLY of the one inside.
            asked = ("SELECT pg_try_advisory_lock(%s, hashtext(%s))", [_LOCKS, what])
            while connection.execute(*asked).fetchone() != (True,):
                if time.monotonic() >= ends:
                    raise BusyError(
                        f"somebody else has been busy with {what} for {patience:g} s; try again later"
                    )
                time.sleep(_SECONDS_BETWEEN_TRIES)
            yield connection

    @contextmanager
    def problems(self) -> Generator[None, None, None]:
        """Whatever the database, its driver or DBOS raise inside becomes a DatabaseError."""
        import psycopg
        from dbos import error as dbos_error
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (psycopg.Error, SQLAlchemyError, dbos_error.DBOSException) as error:
            raise DatabaseError(f"the database {self.name} cannot be used: {_first_line(error)}") from error

    def close(self) -> None:
        if self._client is not None:
            self._close_client()
            self._client = None

    def _leave_to_the_parent(self) -> None:
        """After a fork: its connections are the parent's, and to close them here would end them there."""
        self._making = threading.Lock()
        self._process = os.getpid()
        if self._client is not None:
            self._close_client.detach()
            _OF_PARENTS.append(self._client)
            self._client = None

    def _make_tables(self) -> None:
        from dbos import DBOS

        with self.alone_with("tables") as connection:
            found = connection.execute("SELECT to_regclass('dbos.workflow_status')").fetchone()
            if found is None or found[0] is None:
                DBOS.migrate(self.url)
            connection.execute("CREATE SCHEMA IF NOT EXISTS callagain")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS callagain.workers (executor_id text PRIMARY KEY, "
                "boot text NOT NULL, version text NOT NULL, beat_at timestamptz NOT NULL)"
            )


def wait_for_lost_connections() -> None:
    """Has DBOS wait whenever there is no connection, in this process.

    It waits for those that psycopg says "connection failed" of, and would give a run up over the others: a
    socket that is not there, a host that cannot be resolved. What SQLAlchemy calls a disconnect it waits for.
    """
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    if not event.contains(Engine, "handle_error", _call_it_a_disconnect):
        event.listen(Engine, "handle_error", _call_it_a_disconnect)


def _call_it_a_disconnect(context: ExceptionContext) -> None:
    import psycopg

    error = context.original_exception
    if context.connection is None and isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        context.is_disconnect = True


def _check_url(url: object) -> None:
    """No message of it quotes the URL, since a password may stand anywhere in one that is wrong."""
    like = "postgresql://user:password@host:5432/name"
    if not isinstance(url, str) or not re.match("postgres(ql)?://", url):
        raise ConfigurationError(f"the database must be PostgreSQL, by a URL like {like}")
    if not _can_be_read(url):
        raise ConfigurationError(
            f"the URL of the database cannot be read; write it like {like}, or with several hosts as "
            "postgresql:///name?host=one,other&port=5432,5432, and of a password with one of / ? # [ ] @ : "
            "or % in it percent-encode these: urllib.parse.quote(password, safe='')"
        )


def _can_be_read(url: str) -> bool:
    """By all who will read it: urllib, libpq and SQLAlchemy; and by all of them in the same way."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if "#" in url or not url.isprintable():
        return False
    try:
        parts, read = urlsplit(url), make_url(url)
        known, _ = conninfo_to_dict(url), parts.port
    except (ValueError, ArgumentError, psycopg.ProgrammingError):
        return False
    # An @ that stands elsewhere is one behind a password that nobody has escaped.
    elsewhere = f"{parts.path}{'' if '@' in parts.netloc else parts.query}"
    is_plain = parts.netloc.count("@") <= 1 and "@" not in elsewhere
    return is_plain and (read.username, read.database) == (known.get("user"), known.get("dbname"))


def _with_keepalives(url: str) -> str:
    """Of a connection that the network has lost without a word this process is told in half a minute."""
    given = dict(parse_qsl(urlsplit(url).query))
    added = "&".join(f"{name}={value}" for name, value in _KEEPALIVES.items() if name not in given)
    return f"{url}{'&' if given else '?' if '?' not in url else ''}{added}"


def is_storable(text: str) -> bool:
    """PostgreSQL holds no NUL, and nobody can write half of a surrogate pair."""
    return "\0" not in text and valid_unicode(text) == text


def without_password(url: str) -> str:
    """The URL as it may be shown: without its password, and without its query, which may hold one too."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")
    user = place[0].partition(":")[0]
    return urlunsplit((parts.scheme, f"{user}@{place[2]}" if user else place[2], parts.path, "", ""))


def _first_line(error: BaseException) -> str:
    """What the driver said; SQLAlchemy puts it behind the name of its class, and the statement below it."""
    text = str(getattr(error, "orig", None) or error).strip()
    return (text.splitlines() or [type(error).__name__])[0][:_MESSAGE_CHARS]
