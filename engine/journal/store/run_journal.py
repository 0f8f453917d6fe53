"""The journal of one run that is being driven: what happens is written here before the run goes on."""

import asyncio
import contextlib
from concurrent.futures import Future
from sqlite3 import Connection

from callagain.engine.drivers.clock import Clock
from callagain.engine.errors import JournalError
from callagain.engine.journal.store.leases import Lease, Leases
from callagain.engine.journal.store.problems import again
from callagain.engine.journal.store.rows import entry_row
from callagain.engine.journal.store.stored_runs import STATUSES, Status
from callagain.engine.journal.store.times import as_text
from callagain.engine.journal.store.transactions import Job, Write
from callagain.engine.journal.store.writer import Writer
from callagain.engine.json_text import valid_unicode
from callagain.engine.log_entries import Entry, Receipt

# Places without numbers: early releases of Python 3.12 take numbered ones for named ones, and warn.
_KEEP = """
INSERT INTO entries (run_id, number, entry, step, position, digest, value, what, at)
VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM entries WHERE run_id = ?), ?, ?, ?, ?, ?, ?, ?)"""
_KEEP_STEP = """
INSERT INTO steps (run_id, place, number, operation, event, target, digest, at)
VALUES (?, (SELECT coalesce(max(place), 0) + 1 FROM steps WHERE run_id = ?), ?, ?, ?, ?, ?, ?)"""
_END = "UPDATE runs SET status = ?, kind = ? WHERE run_id = ?"
_ENDS = [status for status in STATUSES if status != "running"]


class RunJournal:
    """Has the lease of its run until `end` or `release`. May be used by any thread.

    `keep` and its like return at once. What was kept in some order is written in that order, and what comes
    later is never there without what came before. When something could not be written, nothing that comes
    later is, and everything but `release` raises what went wrong: JournalError; RunInProgressError if another
    process has taken the run over.
    """

    def __init__(self, writer: Writer, leases: Leases, lease: Lease, clock: Clock) -> None:
        self._writer = writer
        self._leases = leases
        self._lease = lease
        self._clock = clock
        self._problem: JournalError | None = None

    @property
    def run_id(self) -> str:
        return self._lease.run_id

    def keep(self, entry: Entry, what: str = "", *, durable: bool = True) -> None:
        """Writes an entry, behind all that the run has.

        what: the name of the tool, or "llm_call"; for people. durable: it shall outlive a loss of power, and
        not only the end of the process. What can be had again, as an answer of an LLM can, is not worth it.
        """
        self._check()
        try:
            at = as_text(self._clock.date())
            row = (self.run_id, self.run_id, *entry_row(entry), valid_unicode(what), at)
        except ValueError as error:
            self._problem = JournalError(f"the run {self.run_id!r} cannot be kept: {error}")
            # What came before is written yet.
            self._writer.put(Job(_failing(self._problem), self.run_id, self._lease))
            raise self._problem from error
        # The intents of a round wait for one another, and for the barrier that comes before the effects.
        is_urgent = durable and isinstance(entry, Receipt)
        self._put(_KEEP, row, is_urgent=is_urgent, is_durable=durable)

    def keep_step(self, number: int, operation: str, event: str, target: str, digest: str) -> None:
        """Writes that an operation ended. digest: of what it left behind, for a replay to compare."""
        self._check()
        at = as_text(self._clock.date())
        row = (self.run_id, self.run_id, number, operation, event, target, digest, at)
        self._put(_KEEP_STEP, row, is_urgent=False, is_durable=False)

    def barrier(self) -> None:
        """Waits until all that was kept is safe, and the run still is this one's to drive."""
        self._barrier().result()

    async def barrier_async(self) -> None:
        """The same without blocking the event loop. Cancelled, it ends; what was kept is written anyway."""
        await asyncio.wrap_future(self._barrier(), loop=asyncio.get_running_loop())

    def end(self, status: Status, kind: str | None = None) -> None:
        """The run has an outcome. Gives the lease back; a barrier may follow, and waits for the end."""
        self._check()
        if status not in _ENDS:
            raise JournalError(f"a run ends as one of {', '.join(_ENDS)}, not as {status!r}")
        self._lease.is_given_back = True
        self._put(_END, (status, kind, self.run_id), is_urgent=False, is_durable=True)
        self._give_back()

    def release(self) -> None:
        """The run is left where it is, for anybody to take up: it is interrupted, unless nothing was kept.

        May be called at any time, and more than once; raises nothing.
        """
        if not self._lease.is_given_back:
            self._lease.is_given_back = True
            self._give_back()

    def _check(self) -> None:
        if (problem := self._problem or self._lease.problem) is not None:
            raise again(problem)
        if self._lease.is_given_back:
            raise JournalError(f"the run {self.run_id!r} was given back; take it from the journal again")

    def _barrier(self) -> "Future[None]":
        lease = self._lease
        future: Future[None] = Future()

        def write(_: Connection) -> None:
            if lease.problem is not None:
                raise lease.problem

        # After the end there is no lease to hold any more, only an end to wait for.
        to_hold = None if lease.is_given_back else lease
        self._writer.put(Job(write, self.run_id, to_hold, is_durable=True, future=future))
        return future

    def _put(self, statement: str, row: tuple[object, ...], *, is_urgent: bool, is_durable: bool) -> None:
        def write(connection: Connection) -> None:
            connection.execute(statement, row)

        self._writer.put(Job(write, self.run_id, self._lease, is_urgent=is_urgent, is_durable=is_durable))

    def _give_back(self) -> None:
        leases, lease = self._leases, self._lease

        def write(connection: Connection) -> None:
            leases.give_back(connection, lease)

        def end(_: "Future[None]") -> None:
            lease.is_over = True

        # Until then a heartbeat must not give it back: what was kept before may still have to be written.
        future: Future[None] = Future()
        future.add_done_callback(end)
        # A file that is closed has given back all leases.
        with contextlib.suppress(JournalError):
            self._writer.put(Job(write, self.run_id, is_urgent=False, is_durable=True, future=future))


def _failing(problem: JournalError) -> Write:
    def write(_: Connection) -> None:
        raise problem

    return write
