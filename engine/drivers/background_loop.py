"""One event loop in a thread of its own, for async tools under the synchronous driver.

The caller's own loop, if one is running in its thread (a notebook), is left alone.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Value = TypeVar("Value")


class BackgroundLoop:
    """Started with the first coroutine; a daemon, which ends with the process."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def submit(self, coroutine: Coroutine[Any, Any, Value]) -> Future[Value]:
        """Runs the coroutine on the loop, with the context variables of the caller."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="callagain-loop", daemon=True).start()
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def forget(self) -> None:
        """In a forked child the loop's thread is not there."""
        self._loop = None
        self._lock = threading.Lock()


BACKGROUND_LOOP = BackgroundLoop()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=BACKGROUND_LOOP.forget)
