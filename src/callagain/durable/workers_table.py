"""Which workers are alive: a row for each, with the time of its last beat by the database's clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg


class WorkersTable:
    """The table callagain.workers, by one connection. dead_after: seconds without a beat.

    Each method is one transaction, and raises psycopg.Error.
    """

    def __init__(self, connection: psycopg.Connection, dead_after: float) -> None:
        self._connection = connection
        self._dead_after = dead_after

    def claim(self, executor_id: str, boot: str, version: str) -> bool:
        """Enters a worker that has begun; False if there is a row of this executor id already."""
        return self._changes(
            "INSERT INTO callagain.workers (executor_id, boot, version, beat_at) "
            "VALUES (%s, %s, %s, clock_timestamp()) ON CONFLICT DO NOTHING",
            executor_id,
            boot,
            version,
        )

    def beat(self, executor_id: str, boot: str) -> bool:
        """False if the row is gone: others took the worker for dead, and its runs over."""
        return self._changes(
            "UPDATE callagain.workers SET beat_at = clock_timestamp() WHERE executor_id = %s AND boot = %s",
            executor_id,
            boot,
        )

    def last_beat(self, executor_id: str) -> object:
        """Something that differs when the worker has beaten meanwhile; None if it is not there."""
        return self._connection.execute(
            "SELECT boot, beat_at FROM callagain.workers WHERE executor_id = %s", [executor_id]
        ).fetchone()

    def take_over(self, hand_over: Callable[[str], bool]) -> list[str]:
        """Calls hand_over with the executor id of each dead worker, and removes it if that says True.

        Its row is locked meanwhile, so nobody else takes it over, nor begins under its name; if hand_over
        says False or raises, or this process dies, it stays for the next time.
        """
        taken: list[str] = []
        left: list[str] = []
        while True:
            with self._connection.transaction():
                row = self._connection.execute(
                    "SELECT executor_id FROM callagain.workers "
                    "WHERE beat_at < clock_timestamp() - make_interval(secs => %s) "
                    "AND executor_id <> ALL(%s) LIMIT 1 FOR UPDATE SKIP LOCKED",
                    [self._dead_after, left],
                ).fetchone()
                if row is None:
                    return taken
                if not hand_over(row[0]):
                    left.append(row[0])
                    continue
                self._connection.execute("DELETE FROM callagain.workers WHERE executor_id = %s", row)
                taken.append(row[0])

    def leave(self, executor_id: str, boot: str) -> None:
        """Removes a worker that ends."""
        self._connection.execute(
            "DELETE FROM callagain.workers WHERE executor_id = %s AND boot = %s", [executor_id, boot]
        )

    def _changes(self, statement: str, *values: object) -> bool:
        return self._connection.execute(statement.encode(), values).rowcount == 1
