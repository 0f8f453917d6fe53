"""The file of a journal: runs begin here, are taken up again, and are looked at."""

import os
from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import cast

from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.errors import JournalError
from callagain.engine.journal.store.connecting import reading, real_path
from callagain.engine.journal.store.conversations import Conversations
from callagain.engine.journal.store.fork_gate import FORK_GATE
from callagain.engine.journal.store.leases import Lease, Leases
from callagain.engine.journal.store.rows import json_text
from callagain.engine.journal.store.run_journal import RunJournal
from callagain.engine.journal.store.run_rows import checked_run_id, delete_run, has_run, insert_run
from callagain.engine.journal.store.settings import DURABILITIES, TIMING, Durability, Timing
from callagain.engine.journal.store.stored_runs import (
    STATUSES,
    RunSummary,
    Status,
    StoredCommand,
    StoredRun,
    list_commands,
    list_runs,
    read_run,
    unknown_run,
)
from callagain.engine.journal.store.times import as_text
from callagain.engine.journal.store.transactions import Transactions
from callagain.engine.journal.store.writer import Writer
from callagain.engine.json_text import JsonObject


class JournalFile:
    """A file with runs; safe for any number of threads and processes.

    Of several writers of one run only one gets it. To look at runs needs no lease, and waits for no writer.
    conversations: runs in a row, as the turns of conversations.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        durability: Durability = "effects",
        *,
        timing: Timing = TIMING,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        if durability not in DURABILITIES:
            raise JournalError(f"durability is one of {', '.join(DURABILITIES)}, and not {durability!r}")
        self.path = real_path(path)
        self.durability: Durability = durability
        self._timing = timing
        self._clock = clock
        self._closed = False
        with FORK_GATE.inside():
            self._make_writer()
            self._transactions.connect()
            FORK_GATE.guard(self)

    def begin(
        self,
        run_id: str,
        *,
        inputs: JsonObject,
        format: int,  # noqa: A002
        fingerprint: str,
        chain: str,
        model: str,
    ) -> RunJournal:
        """Writes what a run begins with, and takes its lease. format, fingerprint: see `fingerprint`.

        Raises JournalError if there is a run of this id.
        """
        lease = Lease(checked_run_id(run_id))
        try:
            text = json_text(inputs)
        except ValueError as error:
            raise JournalError(f"the inputs of the run {run_id!r} cannot be kept: {error}") from error
        leases, at = self._leases, as_text(self._clock.date())
        conversations = self.conversations

        def begin(connection: Connection) -> None:
            turn = conversations.next_turn(connection, run_id)
            insert_run(
                connection,
                run_id,
                inputs=text,
                run_format=format,
                fingerprint=fingerprint,
                chain=chain,
                model=model,
                at=at,
            )
            conversations.insert(connection, run_id, turn)
            leases.grant(connection, lease)

        self._writer.ask(begin, run_id)
        return RunJournal(self._writer, leases, lease, self._clock)

    def take(
        self, run_id: str, check: Callable[[StoredRun], None] | None = None
    ) -> tuple[StoredRun, RunJournal]:
        """Takes the lease of a run that is there. The run is told as it stood before.

        check: raises a CallAgainError if it is not to be taken as it stands; then nobody has come.
        Raises JournalError if there is none of this id, RunInProgressError if somebody living drives it,
        SnapshotError if it is a turn of a conversation that has gone on without it.
        """
        lease = Lease(checked_run_id(run_id))
        leases, conversations = self._leases, self.conversations

        def take(connection: Connection) -> StoredRun:
            leases.check_free(connection, run_id)
            conversations.check_last(connection, run_id)
            stored = read_run(connection, run_id, self.path, living=())
            if check is not None:
                check(stored)
            conversations.reopen(connection, run_id)
            leases.grant(connection, lease)
            return stored

        stored = cast("StoredRun", self._writer.ask(take, run_id))
        return stored, RunJournal(self._writer, leases, lease, self._clock)

    def written(self, run_id: str) -> StoredRun:
        """The same as `read`, behind all that this process has still to write of the run."""
        checked_run_id(run_id)
        self._writer.ask(lambda _: None, run_id)
        return self.read(run_id)

    def has(self, run_id: str) -> bool:
        """Whether it has a run of this id, counting what this process has still to write of it."""
        checked_run_id(run_id)
        return bool(self._writer.ask(lambda connection: has_run(connection, run_id), run_id))

    def read(self, run_id: str) -> StoredRun:
        """All that is kept of a run. Raises JournalError if there is none of this id."""
        checked_run_id(run_id)
        with reading(self.path, self._timing.lock) as connection:
            return read_run(connection, run_id, self.path, self._leases.living(connection))

    def commands(self, run_id: str) -> Sequence[StoredCommand]:
        """The requests and calls of a run. Raises JournalError if there is none of this id."""
        checked_run_id(run_id)
        with reading(self.path, self._timing.lock) as connection:
            return list_commands(connection, run_id, self.path, self._leases.living(connection))

    def list(self, status: Status | None = None, limit: int = 100) -> Sequence[RunSummary]:
        """The newest runs, newest first. status: only those that stand so."""
        if status is not None and status not in STATUSES:
            raise JournalError(f"the status of a run is one of {', '.join(STATUSES)}, and not {status!r}")
        with reading(self.path, self._timing.lock) as connection:
            return list_runs(connection, self._leases.living(connection), status, limit)

    def delete(self, run_id: str) -> None:
        """Removes all that is kept of a run.

        Raises JournalError if there is none of this id, RunInProgressError if somebody living drives it.
        """
        checked_run_id(run_id)
        leases = self._leases

        def delete(connection: Connection) -> None:
            if not has_run(connection, run_id):
                raise unknown_run(connection, run_id, self.path)
            leases.check_free(connection, run_id)
            delete_run(connection, run_id)

        self._writer.ask(delete, run_id, is_durable=True)

    @property
    def commits(self) -> int:
        """How many transactions this process has written."""
        return self._transactions.commits

    @property
    def syncs(self) -> int:
        """How many of its transactions have waited for the disk."""
        return self._transactions.syncs

    @property
    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Writes all that was kept, and gives all leases back."""
        self._closed = True
        self._writer.close()

    def before_fork(self) -> None:
        """See `fork_gate`."""
        self._transactions.disconnect()

    def after_fork(self) -> None:
        """What was begun before is the parent's; the child has a writer, and leases, of its own."""
        self._writer.forget()
        self._make_writer()
        if self._closed:
            self._writer.close()

    def _make_writer(self) -> None:
        self._leases = Leases(self._clock, self._timing.lease)
        self._transactions = Transactions(self.path, self._leases, self._timing.lock)
        self._writer = Writer(self.path, self._transactions, self._leases, self.durability, self._timing)
        self.conversations = Conversations(
            self.path, self._writer, self._leases, self._clock, self._timing.lock
        )
