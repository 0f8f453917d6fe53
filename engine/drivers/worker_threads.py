"""Threads that can be left behind.

A ThreadPoolExecutor waits for its threads when it closes and when the process ends, and a thread that hangs
takes a slot from all later work. Here a worker that is given up finishes whenever it likes, as a daemon,
while others take the next jobs.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

Job = Callable[[], None]

MAX_IDLE = 32


class NoThreadError(RuntimeError):
    """The system gives this process no more threads."""


class Workers:
    """Starts a thread for a job if no idle one waits, and keeps up to MAX_IDLE of them for later jobs."""

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Job]] = []
        self._lock = threading.Lock()

    def submit(self, job: Job) -> None:
        """Has the job done, soon, by a thread of its own. A job must not raise. Raises NoThreadError."""
        with self._lock:
            inbox = self._idle.pop() if self._idle else None
        if inbox is None:
            inbox = SimpleQueue[Job]()
            start_thread(lambda: self._work(inbox), "callagain-worker")
        inbox.put(job)

    def forget(self) -> None:
        """In a forked child, where only the forking thread goes on: the idle threads are not there."""
        self._idle = []
        self._lock = threading.Lock()

    def _work(self, inbox: SimpleQueue[Job]) -> None:
        while True:
            job = inbox.get()
            job()
            # What the job holds is not to stay alive while the thread idles.
            del job
            with self._lock:
                if len(self._idle) >= MAX_IDLE:
                    return
                self._idle.append(inbox)


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
