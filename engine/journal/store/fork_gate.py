"""Nothing of SQLite is open while a process is forked.

SQLite keeps the locks of a process in that process's memory, and a fork copies the memory, but not the
locks: a child would take locks for its own that the parent has (https://www.sqlite.org/howtocorrupt.html,
section 2.6). So every use of a connection goes through FORK_GATE, and what stays open between two uses is
closed before the fork.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol
from weakref import WeakSet


class Guarded(Protocol):
    """Something that has a connection, or a thread, and lives on in both processes."""

    def before_fork(self) -> None:
        """Closes what is open. Nobody is inside the gate."""

    def after_fork(self) -> None:
        """In the child, where only the forking thread goes on."""


class ForkGate:
    """Lets any number of threads in, or the one that forks."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = self._forking = 0
        self._guarded: WeakSet[Guarded] = WeakSet()

    def guard(self, guarded: Guarded) -> None:
        """For as long as it lives. To be called inside."""
        with self._changed:
            self._guarded.add(guarded)

    @contextmanager
    def inside(self) -> Generator[None, None, None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._forking)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def before_fork(self) -> None:
        """Waits until nobody is inside, and keeps everybody out."""
        self._changed.acquire()
        self._forking += 1
        self._changed.wait_for(lambda: self._inside == 0)
        for guarded in list(self._guarded):
            guarded.before_fork()

    def after_fork_in_parent(self) -> None:
        self._forking -= 1
        self._changed.notify_all()
        self._changed.release()

    def after_fork_in_child(self) -> None:
        self._changed = threading.Condition()
        self._forking = 0
        for guarded in list(self._guarded):
            guarded.after_fork()


FORK_GATE = ForkGate()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=FORK_GATE.before_fork,
        after_in_parent=FORK_GATE.after_fork_in_parent,
        after_in_child=FORK_GATE.after_fork_in_child,
    )
