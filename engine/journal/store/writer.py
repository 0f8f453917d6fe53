"""The thread that writes a file: takes all that is there, and commits it at once.

While it commits, more comes together. So a commit, which may have to wait for the disk, is shared by all that
came in the meantime, and nobody who has something written waits unless they ask to.
"""

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
        self._is_urgent = False
        self._lazy_until = 0.0
        # For as long after a write the thread looks by itself: what is lazy need not wake it.
        self._looks_until = 0.0
        self._looks = False
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
            is_first = not self._jobs
            if is_first:
                self._lazy_until = time.monotonic() + self._timing.lazy
            self._jobs.append(job)
            is_first_urgent = job.is_urgent and not self._is_urgent
            if is_first_urgent or (is_first and not self._looks):
                self._changed.notify_all()
            self._is_urgent = self._is_urgent or job.is_urgent

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

    def _next(self) -> list[Job]:
        with self._changed:
            while self._closed is None and (seconds := self._seconds_to_wait()) != 0:
                self._looks = seconds is not None and seconds <= self._timing.lazy
                self._changed.wait(seconds)
            self._looks = False
            jobs = list(self._jobs)
            self._jobs.clear()
            self._is_urgent = False
        return jobs

    def _seconds_to_wait(self) -> float | None:
        """None if there is nothing to wait for but the next job."""
        now = time.monotonic()
        ends: list[float] = []
        if self._jobs:
            ends.append(now if self._is_urgent else self._lazy_until)
        elif now < self._looks_until:
            ends.append(self._looks_until)
        if self._leases.is_signed_on:
            ends.append(self._beat_at)
        return max(0.0, min(ends) - now) if ends else None

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
