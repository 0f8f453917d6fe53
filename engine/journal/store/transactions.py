"""Many writes as one transaction: all of them are kept, and safe, at the price of one."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from callagain.engine.errors import CallAgainError
from callagain.engine.journal.store.connecting import connect_to_write, identity
from callagain.engine.journal.store.fork_gate import FORK_GATE
from callagain.engine.journal.store.leases import Lease, Leases
from callagain.engine.journal.store.problems import again, is_lock, journal_error

# Fails the job alone by a CallAgainError, as long as nothing is written before; by any other exception all.
Write = Callable[[sqlite3.Connection], Any]


@dataclass(slots=True)
class Job:
    """Something to write. run_id: of the run that it belongs to, or empty.

    lease: has to hold when it is written, and fails with the job. is_urgent: it does not wait for others.
    is_durable: it shall outlive a loss of power. future: for whoever waits for what came of it.
    """

    write: Write
    run_id: str = ""
    lease: Lease | None = None
    is_urgent: bool = True
    is_durable: bool = False
    future: "Future[Any] | None" = None

    def settle(self, outcome: object) -> None:
        """Tells what came of it; an exception if nothing did."""
        if not isinstance(outcome, CallAgainError):
            if self.future is not None:
                self.future.set_result(outcome)
            return
        if self.lease is not None and self.lease.problem is None:
            self.lease.problem = outcome
        if self.future is not None:
            self.future.set_exception(again(outcome))


class Transactions:
    """The one connection that writes to a file, used by one thread.

    commits: how many transactions it has written. syncs: how many of them waited for the disk.
    """

    def __init__(self, path: str, leases: Leases, lock_seconds: float) -> None:
        self._path = path
        self._leases = leases
        self._lock_seconds = lock_seconds
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._waits_for_the_disk: bool | None = None
        self.commits = self.syncs = 0

    def connect(self) -> None:
        """Raises JournalError for a file that cannot be written."""
        try:
            self._connected()
        except Exception as error:
            raise journal_error(error, self._path) from error

    def write(self, jobs: Sequence[Job]) -> None:
        """Writes and settles them. If it fails, run by run: the problem of one run is no other's."""
        with FORK_GATE.inside():
            for job in jobs:
                if job.future is not None and not job.future.set_running_or_notify_cancel():
                    job.future = None
            self._write(jobs)

    def disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _write(self, jobs: Sequence[Job]) -> None:
        try:
            outcomes = self._transaction(jobs)
        except Exception as error:
            # Closing it ends the transaction, whatever state it is in.
            self.disconnect()
            parts = _by_run(jobs)
            if len(parts) > 1 and not is_lock(error):
                for part in parts:
                    self._write(part)
                return
            outcomes = [journal_error(error, self._path)] * len(jobs)
        for job, outcome in zip(jobs, outcomes, strict=True):
            job.settle(outcome)

    def _transaction(self, jobs: Iterable[Job]) -> list[object]:
        connection = self._connected()
        is_durable = any(job.is_durable for job in jobs)
        if is_durable != self._waits_for_the_disk:
            connection.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
            self._waits_for_the_disk = is_durable
        connection.execute("BEGIN IMMEDIATE")
        checked: set[str] = set()
        outcomes = [self._outcome(job, connection, checked) for job in jobs]
        connection.execute("COMMIT")
        self.commits += 1
        self.syncs += is_durable
        return outcomes

    def _outcome(self, job: Job, connection: sqlite3.Connection, checked: set[str]) -> object:
        lease = job.lease
        if lease is not None and lease.problem is not None:
            return lease.problem
        try:
            if lease is not None and lease.token not in checked:
                self._leases.check(connection, lease)
                checked.add(lease.token)
            return job.write(connection)
        except CallAgainError as refused:
            if lease is not None:
                # At once: what comes next may be in the same transaction.
                lease.problem = refused
            return refused

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and identity(self._path) != self._file:
            # Removed or replaced: what is written to the old one would be lost.
            self.disconnect()
        if self._connection is None:
            self._connection = connect_to_write(self._path, self._lock_seconds)
            self._waits_for_the_disk = None
            self._file = identity(self._path)
        return self._connection


def _by_run(jobs: Sequence[Job]) -> list[list[Job]]:
    in_order = sorted(jobs, key=lambda job: job.run_id)
    return [list(part) for _, part in groupby(in_order, key=lambda job: job.run_id)]
