"""The thread that writes a file: takes all that is there, and commits it at once.

While it commits, more comes together. So a commit, which may have to wait for the disk, is shared by all that
came in the meantime, and nobody who has something written waits unless they ask to.
"""

import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from callagain.engine.errors import JournalError
from callagain.engine.journal.store.leases import Leases
from callagain.engine.journal.store.settings import Durability, Timing
from callagain.engine.journal.store.transactions import Job, Transactions, Write


class Writer:
    """Takes jobs from any thread. Its own thread starts with the first one, and ends with `close`."""

    def __init__(
        self, path: str, transactions: Transactions, leases: Leases, durability: Durability, timing: Timing
    ) -> None:
        self._path = path
        self._transactions = transactions
        self._leases = leases
        self._durability = durability
        self._timing = timing
        self._changed = threading.Condition()
        self._jobs: deque[Job] = deque()
        self._is_urgent = False
        self._lazy_until = 0.0
        self._next_beat: float | None = None
        self._thread: threading.Thread | None = None
        self._closed: str | None = None

    def put(self, job: Job) -> None:
        """Has it written, soon, after all that was put before. Raises JournalError when it is too late."""
        if self._durability == "every_entry":
            job.is_urgent = job.is_durable = True
        elif self._durability == "process":
            job.is_durable = False
        with self._changed:
            if self._closed is not None:
                raise JournalError(self._closed)
            self._start()
            is_first = not self._jobs
            if is_first:
                self._lazy_until = time.monotonic() + self._timing.lazy
            self._jobs.append(job)
            if is_first or (job.is_urgent and not self._is_urgent):
                self._is_urgent = job.is_urgent
                self._changed.notify_all()

    def ask(self, write: Write, run_id: str = "", *, is_durable: bool = False) -> Any:
        """What comes of a write; waits for it, and raises what went wrong."""
        future: Future[Any] = Future()
        self.put(Job(write, run_id, is_durable=is_durable, future=future))
        return future.result()

    def close(self) -> None:
        """Writes what is there, gives all leases back, and closes the file."""
        with self._changed:
            self._closed = self._closed or f"the journal {self._path} is closed; open it again"
            self._changed.notify_all()
        if self._thread is None:
            self._transactions.disconnect()
        elif self._thread is not threading.current_thread():
            self._thread.join()

    def forget(self) -> None:
        """In a forked child, where the thread is not there, and what is still to be written is the parent's."""
        self._changed = threading.Condition()
        self._jobs = deque()
        self._thread = None
        self._closed = "the run is driven by the process that this one was forked from; begin another run"

    def _start(self) -> None:
        if self._thread is not None:
            return
        thread = threading.Thread(target=self._work, name="callagain-journal", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise JournalError(f"the journal {self._path} cannot be written: {error}") from error
        self._thread = thread

    def _work(self) -> None:
        while (jobs := self._next()) is not None:
            if self._next_beat is None and self._timing.heartbeat:
                pass
            self._transactions.write(jobs)
        self._transactions.disconnect()

    def _next(self) -> list[Job] | None:
        raise NotImplementedError
