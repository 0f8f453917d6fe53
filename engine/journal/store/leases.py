"""Leases: a run is written by one RunJournal at a time, of whatever thread or process.

A lease ends when it is given back, when the process of its owner has ended, or when that process has given no
sign of life for `Timing.lease` seconds. Its age is measured by a clock that only goes forward and is the same
for all processes of a machine; time of day is for people. It also stands still while the machine sleeps, so
that waking up is no reason to take a run away.

Whoever was taken for dead, and is not, finds with its next write that its lease has gone.
"""

import secrets
from dataclasses import dataclass, field
from sqlite3 import Connection
from weakref import WeakSet

from callagain.engine.drivers.clock import Clock
from callagain.engine.errors import CallAgainError, JournalError, RunInProgressError
from callagain.engine.journal.store.owner import Process
from callagain.engine.journal.store.times import as_text

_GIVE_BACK = """
UPDATE runs SET owner = NULL, lease = NULL, lease_since = NULL,
    status = CASE status WHEN 'running' THEN 'interrupted' ELSE status END
WHERE lease = ?"""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Lease:
    """What it takes to write to a run.

    problem: why it is of no use any more. is_given_back: nothing more will be put to be written with it.
    is_over: nothing is left to be written, either.
    """

    run_id: str
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    problem: CallAgainError | None = None
    is_given_back: bool = False
    is_over: bool = False


class Leases:
    """The leases that this process has in one file. What takes a connection is called in a transaction.

    is_signed_on: there may be leases, so this process has to tell from time to time that it lives.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._owner = secrets.token_hex(8)
        self._process = Process.current()
        self._open: WeakSet[Lease] = WeakSet()
        self.is_signed_on = False

    def grant(self, connection: Connection, lease: Lease) -> None:
        """Gives the run to the lease, whoever had it. Its status stays until something is written."""
        self._sign_on(connection)
        self._open.add(lease)
        self.is_signed_on = True
        connection.execute(
            "UPDATE runs SET owner = ?, lease = ?, lease_since = ? WHERE run_id = ?",
            (self._owner, lease.token, as_text(self._clock.date()), lease.run_id),
        )

    def check(self, connection: Connection, lease: Lease) -> None:
        """Raises RunInProgressError if somebody else has taken the run since; otherwise it is running."""
        found = connection.execute(
            "UPDATE runs SET status = 'running', kind = NULL, updated_at = ? WHERE run_id = ? AND lease = ?",
            (as_text(self._clock.date()), lease.run_id, lease.token),
        )
        if found.rowcount != 1:
            raise self._lost(connection, lease.run_id)

    def give_back(self, connection: Connection, lease: Lease) -> None:
        """A run that has not come to its outcome is interrupted."""
        connection.execute(_GIVE_BACK, (lease.token,))

    def beat(self, connection: Connection) -> bool:
        """Tells that this process lives; False if it has no lease any more, and need not tell.

        Leases whose RunJournal is gone, or which could not be given back, are given back now.
        """
        wanted = self._wanted()
        tokens = self._tokens(connection)
        connection.executemany(_GIVE_BACK, [(token,) for token in tokens - wanted])
        if tokens & wanted:
            self._sign_on(connection)
            return True
        self._sign_off(connection)
        return False

    def give_all_back(self, connection: Connection) -> None:
        """The process ends, or the file is closed."""
        connection.executemany(_GIVE_BACK, [(token,) for token in self._tokens(connection)])
        self._sign_off(connection)

    def check_free(self, connection: Connection, run_id: str) -> None:
        """Raises RunInProgressError if somebody living has the run."""
        row = connection.execute(
            "SELECT lease, lease_since, owner, host, pid FROM runs JOIN owners USING (owner) "
            "WHERE run_id = ?",
            (run_id,),
        ).fetchone()
        if row is None:
            return
        token, since, owner, host, pid = row
        if owner not in self.living(connection) or (owner == self._owner and token not in self._wanted()):
            return
        who = f"process {pid} on {host}" + (" (this process)" if owner == self._owner else "")
        raise RunInProgressError(
            f"the run {run_id!r} is being driven by {who} since {since}; wait until it has ended, or end its "
            "driver"
        )

    def living(self, connection: Connection) -> list[str]:
        """The owners that have not ended, as far as can be told here, and have given a sign of life."""
        rows = connection.execute(
            "SELECT owner, heartbeat, host, pid, process_start, boot_id, pid_namespace FROM owners"
        ).fetchall()
        # Read after the rows, so that none of them is from the future.
        now = self._clock.now()
        return [
            owner
            for owner, heartbeat, *process in rows
            if owner == self._owner
            or (abs(now - heartbeat) <= self._seconds and not Process(*process).is_gone(self._process))
        ]

    def _lost(self, connection: Connection, run_id: str) -> CallAgainError:
        row = connection.execute(
            "SELECT host, pid FROM runs LEFT JOIN owners USING (owner) WHERE run_id = ?", (run_id,)
        ).fetchone()
        if row is None:
            return JournalError(
                f"the run {run_id!r} is no longer in the journal; it was deleted, or the file was replaced"
            )
        host, pid = row
        who = "another process" if pid is None else f"another process ({pid} on {host})"
        return RunInProgressError(
            f"{who} has taken the run {run_id!r} over, since this one gave no sign of life for too long; "
            "leave the run to it"
        )

    def _sign_on(self, connection: Connection) -> None:
        process = self._process
        connection.execute(
            "INSERT INTO owners VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (owner) DO UPDATE SET heartbeat = excluded.heartbeat",
            (
                self._owner, process.host, process.pid, process.start, process.boot_id,
                process.pid_namespace, self._clock.now(),
            ),
        )  # fmt: skip

    def _sign_off(self, connection: Connection) -> None:
        connection.execute("DELETE FROM owners WHERE owner = ?", (self._owner,))
        # Those of processes that ended without a word, and have nothing left that is to be taken over.
        unused = "owner NOT IN (SELECT owner FROM runs WHERE owner IS NOT NULL)"
        living = self.living(connection)
        for (owner,) in connection.execute(f"SELECT owner FROM owners WHERE {unused}").fetchall():
            if owner not in living:
                connection.execute("DELETE FROM owners WHERE owner = ?", (owner,))

    def _wanted(self) -> set[str]:
        return {lease.token for lease in self._open if not lease.is_over}

    def _tokens(self, connection: Connection) -> set[str]:
        rows = connection.execute("SELECT lease FROM runs WHERE owner = ?", (self._owner,))
        return {token for (token,) in rows}
