"""The thread that writes a file: takes all that is there, and commits it at once.

While it commits, more comes together. So a commit, which may have to wait for the disk, is shared by all that
came in the meantime, and nobody who has something written waits unless they ask to.
"""

import math
import threading
import time
from collections import deque
from concurrent.futures import Future
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
        # When the first of them has to be written, and when the thread looks by itself: monotonic.
        self._due = math.inf
        self._wakes_at = -math.inf
        # For as long after a write it looks often: what may wait a little need not wake it.
        self._looks_until = 0.0
        self._beat_at = 0.0
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
            self._jobs.append(job)
            self._due = min(self._due, time.monotonic() + self._may_wait(job))
            if self._due < self._wakes_at:
                # Once is enough, until it waits again.
                self._wakes_at = -math.inf
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
        else:
            self._thread.join()

    def forget(self) -> None:
        """In a forked child: the thread is not there, and what is still to be written is the parent's."""
        self._changed = threading.Condition()
        self._jobs = deque()
        self._thread = None
        self._closed = "the run is driven by the process that this one was forked from; begin another run"

    def _start(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            return
        self._thread = threading.Thread(target=self._work, name="callagain-journal", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self._thread = None
            raise JournalError(f"the journal {self._path} cannot be written: {error}; try again") from error

    def _work(self) -> None:
        while self._closed is None or self._jobs:
            # What a job holds is not to stay alive while the thread waits, so no name is left of it here.
            self._write(self._next())
        if self._leases.is_signed_on:
            self._transactions.write([Job(self._leases.give_all_back)])
        self._transactions.disconnect()

    def _may_wait(self, job: Job) -> float:
        """Seconds; 0 where somebody waits for it."""
        if not job.is_urgent:
            return self._timing.lazy
        is_relaxed = self._durability == "process" and job.future is None
        return self._timing.soon if is_relaxed else 0.0

    def _next(self) -> list[Job]:
        with self._changed:
            while self._closed is None and (seconds := self._seconds_to_wait()) != 0:
                self._wakes_at = math.inf if seconds is None else time.monotonic() + seconds
                self._changed.wait(seconds)
            self._wakes_at = -math.inf
            jobs = list(self._jobs)
            self._jobs.clear()
            self._due = math.inf
        return jobs

    def _seconds_to_wait(self) -> float | None:
        """None if there is nothing to wait for but the next job."""
        now = time.monotonic()
        looks_at = now + self._timing.soon if now < self._looks_until else math.inf
        beats_at = self._beat_at if self._leases.is_signed_on else math.inf
        if (ends := min(self._due, looks_at, beats_at)) == math.inf:
            return None
        return max(0.0, ends - now)

    def _write(self, jobs: list[Job]) -> None:
        was_signed_on, now = self._leases.is_signed_on, time.monotonic()
        beat: Future[bool] | None = None
        if was_signed_on and now >= self._beat_at:
            beat = Future()
            jobs.append(Job(self._leases.beat, future=beat))
        if jobs:
            self._transactions.write(jobs)
            self._looks_until = time.monotonic() + self._timing.lazy
        if beat is not None or not was_signed_on:
            self._beat_at = now + self._timing.heartbeat
        # A beat that failed tells nothing; the next write says what is wrong.
        if beat is not None and beat.exception() is None:
            self._leases.is_signed_on = beat.result()
