"""Threads that can be left behind.

A ThreadPoolExecutor waits for its threads when it closes and when the process ends, and a thread that hangs
takes a slot from all later work. Here a worker that is given up finishes whenever it likes, as a daemon,
while others take the next jobs.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue

Job = Callable[[], None]

MAX_IDLE = 32


class NoThreadError(RuntimeError):
    """The system gives this process no more threads."""


class Workers:
    """Has an idle thread for each job that waits, or starts one, and keeps MAX_IDLE of them for later jobs.

    To wake a thread costs more than many a job. So of several jobs that come at once the first wakes one
    thread, which wakes the next before it begins its job, and takes another when it has ended it.
    """

    def __init__(self) -> None:
        self.forget()

    def submit(self, job: Job) -> None:
        """Has the job done, soon, by a thread of its own. A job must not raise. Raises NoThreadError."""
        with self._lock:
            has_thread = len(self._jobs) < len(self._idle) + self._coming
            self._jobs.append(job)
            self._coming += not has_thread
            inbox = self._to_wake()
        if inbox is not None:
            inbox.put(None)
        if not has_thread:
            self._start(job)

    def forget(self) -> None:
        """In a forked child, where only the forking thread goes on: the other threads are not there."""
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()
        self._idle: list[SimpleQueue[None]] = []
        # Threads that are on their way to the jobs. With those that are idle they are at least as many.
        self._coming = 0

    def _start(self, job: Job) -> None:
        try:
            start_thread(self._work, "callagain-worker")
        except NoThreadError:
            with self._lock:
                self._coming -= 1
                is_waiting = job in self._jobs
                if is_waiting:
                    self._jobs.remove(job)
            if is_waiting:
                raise

    def _work(self) -> None:
        inbox = SimpleQueue[None]()
        is_coming = True
        while (job := self._next(inbox, is_coming=is_coming)) is not None:
            job()
            # What the job holds is not to stay alive while the thread idles.
            del job
            is_coming = False

    def _next(self, inbox: SimpleQueue[None], *, is_coming: bool) -> Job | None:
        """The next job, waited for; None if there are idle threads enough."""
        while True:
            with self._lock:
                self._coming -= is_coming
                job = self._jobs.popleft() if self._jobs else None
                other = self._to_wake()
                if job is None:
                    if len(self._idle) >= MAX_IDLE:
                        return None
                    self._idle.append(inbox)
            if other is not None:
                other.put(None)
            if job is not None:
                return job
            inbox.get()
            is_coming = True

    def _to_wake(self) -> SimpleQueue[None] | None:
        """A thread for the jobs that wait, if none is on its way to them."""
        if not self._jobs or self._coming:
            return None
        self._coming += 1
        return self._idle.pop()


def start_thread(target: Job, name: str) -> threading.Thread:
    """A daemon thread that runs the target. Raises NoThreadError."""
    thread = threading.Thread(target=target, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise NoThreadError(str(error)) from None
    return thread


WORKERS = Workers()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WORKERS.forget)
