"""An event loop in a thread of its own, for async tools under the synchronous driver.

The caller's own loop, if one is running in its thread (a notebook), is left alone. All runs share one loop,
until a tool blocks it: work that comes later gets a new one, and the blocked one is left behind.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from callagain.engine.drivers.worker_threads import NoThreadError, start_thread

Value = TypeVar("Value")

# A loop that needs longer to answer is taken to be blocked; the price of a mistake is one thread.
ANSWER_SECONDS = 0.1


class _LoopThread:
    """A loop that runs in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        try:
            self._thread = start_thread(self.loop.run_forever, "callagain-loop")
        except NoThreadError:
            self.loop.close()
            raise

    @property
    def answers(self) -> bool:
        """Not if something blocks it, or if its own thread asks, which is about to wait for it."""
        if self._thread is threading.current_thread():
            return False
        answered = threading.Event()
        self.loop.call_soon_threadsafe(answered.set)
        return answered.wait(ANSWER_SECONDS)


class BackgroundLoop:
    """Started with the first coroutine; ends with the process."""

    def __init__(self) -> None:
        self._current: _LoopThread | None = None
        self._lock = threading.Lock()

    def submit(self, coroutine: Coroutine[Any, Any, Value]) -> Future[Value]:
        """Runs the coroutine, with the context variables of the caller. Raises NoThreadError."""
        with self._lock:
            if self._current is None or not self._current.answers:
                try:
                    self._current = _LoopThread()
                except NoThreadError:
                    coroutine.close()
                    raise
            return asyncio.run_coroutine_threadsafe(coroutine, self._current.loop)

    def forget(self) -> None:
        """In a forked child the loop's thread is not there."""
        self._current = None
        self._lock = threading.Lock()


BACKGROUND_LOOP = BackgroundLoop()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=BACKGROUND_LOOP.forget)
