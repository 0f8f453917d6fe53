"""The PostgreSQL database that workers and their callers share, and what is said when it cannot be used."""

from __future__ import annotations

import importlib
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from callagain.engine.errors import ConfigurationError, DatabaseError

if TYPE_CHECKING:
    import psycopg
    from dbos import DBOSClient

# Runs of callagain are one application among those that may share a database of DBOS.
APPLICATION = "callagain"
# Workers and callers that find an empty database at the same moment make its tables one after the other.
_LOCK_OF_TABLES = 5_724_133
_CONNECT_SECONDS = 5
_MESSAGE_CHARS = 200


class Database:
    """One database by its URL, as postgresql://user:password@host:5432/name.

    Raises ConfigurationError for another kind of URL, or if the extra is not installed. What is done with it
    raises DatabaseError, which names the database without its password.
    """

    def __init__(self, url: str) -> None:
        if not isinstance(url, str) or urlsplit(url).scheme not in ("postgresql", "postgres"):
            raise ConfigurationError(
                "the database must be PostgreSQL, by a URL like postgresql://user:password@host:5432/name"
            )
        if importlib.util.find_spec("dbos") is None:
            raise ConfigurationError("durable runs need DBOS: pip install 'callagain[dbos]'")
        self.url = re.sub("^postgres:", "postgresql:", url)
        self.name = without_password(url)
        self._client: DBOSClient | None = None

    def __repr__(self) -> str:
        return f"Database({self.name!r})"

    @property
    def client(self) -> DBOSClient:
        """Made when it is first asked for; then the tables of DBOS are made too, if they are not there."""
        from dbos import DBOSClient, DBOSPortableJSONSerializer

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
        return self._client

    def connect(self) -> psycopg.Connection:
        """A connection of its own, in which each statement is a transaction. Raises psycopg.Error."""
        import psycopg

        return psycopg.connect(self.url, autocommit=True, connect_timeout=_CONNECT_SECONDS)

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
            self._client.destroy()
            self._client = None

    def _make_tables(self) -> None:
        from dbos import DBOS

        with self.connect() as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK_OF_TABLES])
            found = connection.execute("SELECT to_regclass('dbos.workflow_status')").fetchone()
            if found is None or found[0] is None:
                DBOS.migrate(self.url)
            connection.execute("CREATE SCHEMA IF NOT EXISTS callagain")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS callagain.workers (executor_id text PRIMARY KEY, "
                "boot text NOT NULL, version text NOT NULL, beat_at timestamptz NOT NULL)"
            )


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
