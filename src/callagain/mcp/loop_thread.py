"""The event loop on which a connection lives.

The SDK wants a connection opened, used and closed by one task. Callers come from any thread and any event
loop (the sync driver, a web server, a notebook), so the loop has a thread of its own.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from callagain.mcp.errors import McpServerError

Value = TypeVar("Value")

_STOP_SECONDS = 5.0
_LAST_SECONDS = 2.0


class LoopThread:
    """An event loop in a daemon thread, until `stop`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._process = os.getpid()
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, Value]) -> Future[Value]:
        """What comes of the coroutine; cancelling it cancels the coroutine. Raises McpServerError."""
        if self._process != os.getpid():
            coroutine.close()
            raise McpServerError(
                "a connection does not outlive a fork; make the McpTools in the child process"
            )
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """Ends loop and thread."""
        if self._process == os.getpid():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            # Whoever still waits for something is told that it does not come.
            if left := asyncio.all_tasks(self._loop):
                for task in left:
                    task.cancel()
                self._loop.run_until_complete(asyncio.wait(left, timeout=_LAST_SECONDS))
            self._loop.close()
