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
    """Starts a thread for a job if no idle one waits, and keeps about MAX_IDLE of them for later jobs.

    Idle threads wait at one queue. Of several jobs that come at once it wakes a thread for the first, which
    wakes the next before it begins, and takes another when it has ended: to wake a thread costs more than
    many a job. No signal and no other thread can come into a step below. Where a signal comes between two of
    them, one idle thread is not counted any more, and nothing else is lost.
    """

    def __init__(self) -> None:
        self.forget()

    def submit(self, job: Job) -> None:
        """Has the job done, soon, by a thread of its own. A job must not raise. Raises NoThreadError."""
        try:
            self._idle.pop()
        except IndexError:
            first = [job]
            start_thread(lambda: self._work(first), "callagain-worker")
        else:
            self._jobs.put(job)

    def forget(self) -> None:
        """In a forked child, where only the forking thread goes on: the idle threads are not there."""
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        # One for each thread that waits, or is about to, and that no job counts upon.
        self._idle: deque[None] = deque()

    def _work(self, first: list[Job]) -> None:
        job = first.pop()
        while True:
            job()
            # What the job holds is not to stay alive while the thread idles.
            del job
            if len(self._idle) >= MAX_IDLE:
                return
            self._idle.append(None)
            job = self._jobs.get()


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
