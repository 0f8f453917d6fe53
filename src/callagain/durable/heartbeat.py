"""The thread of a worker that says it is alive, and takes over the runs of workers that say so no more."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import uuid4

from callagain.durable.database import Database
from callagain.durable.workers_table import WorkersTable
from callagain.engine.errors import ConfigurationError, DatabaseError

if TYPE_CHECKING:
    import psycopg

# Takes over the runs of an executor that is dead; False if some are left for the next time.
HandOver = Callable[[str], bool]
Tell = Callable[[str], None]


class Heartbeat:
    """Beats for one executor id, from `begin` to `end`.

    beat_seconds: from one beat to the next. dead_after: seconds without a beat, by the clock of the
    database, after which a worker counts as dead; and for which this one must have had the database without
    a break before it says so of another, since it may have been away from all of them.
    look_after: called every dead_after seconds in which all is well. lose: another worker has taken the name.
    These, hand_over and tell are called in the thread.
    """

    def __init__(
        self,
        database: Database,
        executor_id: str,
        version: str,
        *,
        beat_seconds: float,
        dead_after: float,
        hand_over: HandOver,
        look_after: Callable[[], None],
        lose: Callable[[], None],
        tell: Tell,
    ) -> None:
        self._database = database
        self._executor_id = executor_id
        self._version = version
        self._beat_seconds = beat_seconds
        self._dead_after = dead_after
        self._hand_over = hand_over
        self._look_after = look_after
        self._lose = lose
        self._tell = tell
        self._boot = uuid4().hex
        self._connection: psycopg.Connection | None = None
        self._steady_since: float | None = None
        self._looked_after = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="callagain-heartbeat", daemon=True)

    def begin(self) -> None:
        """Returns when this worker, and no other, has the executor id.

        After a crash it takes dead_after seconds until it is free. Raises ConfigurationError if a living
        worker has it, DatabaseError.
        """
        # Makes the tables, if they are not there.
        _ = self._database.client
        with self._database.problems():
            table = self._table()
            first, ends = table.last_beat(self._executor_id), time.monotonic() + self._dead_after
            if first is not None:
                self._tell(f"waiting up to {self._dead_after:g} s for the last worker {self._executor_id!r}")
            while not table.claim(self._executor_id, self._boot, self._version):
                if table.last_beat(self._executor_id) != first:
                    raise ConfigurationError(
                        f"a living worker has the executor id {self._executor_id!r}; give each worker its own"
                    )
                time.sleep(min(0.1, self._beat_seconds))
                if time.monotonic() > ends:
                    table.take_over(self._hand_over)
        self._steady_since = self._looked_after = time.monotonic()
        self._thread.start()

    def end(self) -> None:
        """The worker is gone for good reasons."""
        self._ending.set()
        self._thread.join()
        with contextlib.suppress(DatabaseError), self._database.problems():
            self._table().leave(self._executor_id, self._boot)
        self._disconnect()

    def _run(self) -> None:
        while not self._ending.wait(self._beat_seconds):
            try:
                with self._database.problems():
                    self._beat(self._table())
            except DatabaseError as error:
                if self._steady_since is not None:
                    self._tell(f"{error}; trying again until it is back")
                self._steady_since = None
                self._disconnect()
            except ConfigurationError as error:
                self._tell(str(error))
                self._lose()
                return

    def _beat(self, table: WorkersTable) -> None:
        if not table.beat(self._executor_id, self._boot) and not table.claim(
            self._executor_id, self._boot, self._version
        ):
            raise ConfigurationError(
                f"another worker has taken the executor id {self._executor_id!r}, and this one ends"
            )
        now = time.monotonic()
        if self._steady_since is None:
            self._tell("the database is back")
            self._steady_since = self._looked_after = now
        if now - self._looked_after >= self._dead_after:
            self._looked_after = now
            self._look_after()
        if now - self._steady_since >= self._dead_after:
            for executor_id in table.take_over(self._hand_over):
                self._tell(f"worker {executor_id!r} is dead; its runs go on elsewhere")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _table(self) -> WorkersTable:
        if self._connection is None or self._connection.closed:
            self._connection = self._database.connect()
        return WorkersTable(self._connection, self._dead_after)
