"""Whoever enqueues runs and decides about them, by the synchronous methods or by the asynchronous ones."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from tests.durable.shop import Book, told_by
from tests.durable.waiting import until

from callagain import Result, ToolLoop
from callagain.durable import DurableToolLoop, RunStatus

T = TypeVar("T")
UNDER_WAY = ("waiting", "running")


class Caller:
    """A DurableToolLoop, driven in one of its two ways."""

    def __init__(self, loop: ToolLoop, url: str, *, is_async: bool = False, **options: Any) -> None:
        self.durable = DurableToolLoop(loop, url, **options)
        self._runner = asyncio.Runner() if is_async else None

    def enqueue(self, message: str, **options: Any) -> str:
        if self._runner is None:
            return self.durable.enqueue(message, **options)
        return self._await(self.durable.aenqueue(message, **options))

    def status(self, run_id: str) -> RunStatus:
        if self._runner is None:
            return self.durable.status(run_id)
        return self._await(self.durable.astatus(run_id))

    def runs(self, **options: Any) -> list[RunStatus]:
        if self._runner is None:
            return self.durable.runs(**options)
        return self._await(self.durable.aruns(**options))

    def result(self, run_id: str, timeout: float | None = None) -> Result:
        if timeout is None:
            # It looks less often the longer it waits, which tests need not.
            until(lambda: self.durable.status(run_id).status not in UNDER_WAY, f"an outcome of {run_id}")
        if self._runner is None:
            return self.durable.result(run_id, timeout=timeout)
        return self._await(self.durable.aresult(run_id, timeout=timeout))

    def resume(self, run_id: str, **said: Any) -> RunStatus:
        if self._runner is None:
            return self.durable.resume(run_id, **said)
        return self._await(self.durable.aresume(run_id, **said))

    def cancel(self, run_id: str) -> RunStatus:
        if self._runner is None:
            return self.durable.cancel(run_id)
        return self._await(self.durable.acancel(run_id))

    def settled(self, run_id: str, book: Book) -> Result:
        """The result at last, by somebody who decides about every call that waits."""
        while (result := self.result(run_id)).outcome == "suspended":
            decisions, results = told_by(book, run_id, result.pending_calls)
            self.resume(run_id, decisions=decisions, results=results)
        return result

    def close(self) -> None:
        self.durable.close()
        if self._runner is not None:
            self._runner.close()

    def _await(self, coroutine: Coroutine[Any, Any, T]) -> T:
        assert self._runner is not None
        return self._runner.run(coroutine)
