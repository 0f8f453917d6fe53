"""The runs of a server: begun once, found again, gone on with, and left in order."""

import asyncio
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from callagain.engine.errors import (
    CallAgainError,
    ConfigurationError,
    JournalError,
    RunInProgressError,
    SnapshotError,
)
from callagain.engine.journal.store import JournalFile, StoredRun
from callagain.engine.json_text import JsonObject
from callagain.kept_runs import content_of_stored
from callagain.live_run import LiveRun
from callagain.loop import ToolLoop
from callagain.serving.documents import ResumeRequest, RunRequest, document_of, document_on_the_way
from callagain.serving.limits import ServingLimits
from callagain.serving.problems import RequestProblem
from callagain.serving.served_run import LOGGER, ServedRun, request_digest
from callagain.serving.words import in_words_of_http

Value = TypeVar("Value")

_CANCEL_SECONDS = 5.0
# Between two looks at a run that another process drives.
_LOOK_SECONDS = 0.5

_KEPT_AT_LIMIT = ", which whoever runs the server can raise: callagain runs resume"
_TYPED_AT_LIMIT = ", which the program that serves it can raise: loop.resume of this run_id, with changes="
_FORGOTTEN_AT_LIMIT = (
    ", and cannot go on here; ask whoever runs the server for a higher one, and begin a run of another id"
)


class ServedRuns:
    """Lives on one event loop: what stands between two awaits happens at once.

    Where the loop has a journal, a run that rests is read from there, since others may have gone on with it;
    without one the newest runs are remembered.
    """

    def __init__(self, loop: ToolLoop, limits: ServingLimits) -> None:
        self._loop = loop
        self._limits = limits
        self._runs: dict[str, ServedRun] = {}
        self.is_closing = False

    @property
    def are_kept(self) -> bool:
        """Whether runs outlive the process."""
        return self._loop.journal is not None

    @property
    def busy(self) -> list[ServedRun]:
        return [run for run in self._runs.values() if run.is_busy]

    def find(self, run_id: str) -> ServedRun | None:
        """The run as this process knows it."""
        return self._runs.get(run_id)

    async def begin(self, request: RunRequest, *, stream: bool) -> ServedRun:
        """The run of this request: a new one, or the one that was begun with it before.

        One that was interrupted goes on. Raises RequestProblem: 409 if the id belongs to another request,
        422 for a message that cannot be sent, 503 if there are too many runs.
        """
        digest = request_digest(request.question, request.earlier)
        run_id = request.run_id or uuid.uuid4().hex
        run = self._runs.get(run_id)
        if run is not None:
            _check_same(run_id, digest, run.request)
            is_remembered = not self.are_kept and run.live is not None and run.live.result is not None
            if run.is_busy or is_remembered:
                return run
        with self._preparing(run_id, digest) as run:
            stored = None if request.run_id is None else await self._stored(run_id)
            if stored is None:
                self._drive(run, run.live or self._started(run_id, request, stream=stream))
            else:
                _check_same(run_id, digest, _request_of(stored))
                run.is_elsewhere = stored.status == "running"
                if stored.status == "interrupted":
                    await self._go_on(run)
        return run

    async def resume(self, run_id: str, request: ResumeRequest) -> ServedRun:
        """Goes on with a run. Raises RequestProblem: 404, 409 if it cannot go on so, 503."""
        run = self._runs.get(run_id)
        if run is None and not self.are_kept:
            raise unknown_run(run_id)
        if run is not None and run.is_busy:
            raise _under_way(run_id)
        with self._preparing(run_id, "" if run is None else run.request) as run:
            if self.are_kept:
                stored = await self._stored(run_id)
                if stored is None:
                    raise unknown_run(run_id)
                inputs = content_of_stored(stored).inputs
                at_limit = _TYPED_AT_LIMIT if inputs.output_schema else _KEPT_AT_LIMIT
                _check_may_go_on(run_id, stored.status, at_limit)
                run.request = _request_of(stored)
                live = await self._reopened(run_id, request)
            else:
                assert run.live is not None
                live = run.live
                if live.result is not None:
                    _check_may_go_on(run_id, live.result.outcome, _FORGOTTEN_AT_LIMIT)
                resume = partial(live.resume, decisions=request.verdicts, results=request.results)
                await asyncio.to_thread(resume)
            self._drive(run, live)
        return run

    async def settled(self, run: ServedRun) -> None:
        """Returns when nobody drives the run any more: this process, or another one with the same journal.

        Raises RequestProblem where the run of another process belongs to another request.
        """
        await run.rests.wait()
        while run.is_elsewhere and (stored := await self._stored(run.run_id)) is not None:
            before, run.request = run.request, _request_of(stored)
            _check_same(run.run_id, before, run.request)
            run.is_elsewhere = stored.status == "running"
            if run.is_elsewhere:
                await asyncio.sleep(_LOOK_SECONDS)

    async def document(
        self, run_id: str, known: ServedRun | None = None, *, with_messages: bool = False
    ) -> JsonObject:
        """The run as it stands. Raises RequestProblem: 404, and 409 for a run of another loop.

        known: the run, for whoever has waited for it; it may be forgotten meanwhile.
        """
        run = known or self._runs.get(run_id)
        if self.are_kept and (run is None or not run.is_busy):
            stored = await self._stored(run_id)
            if stored is not None:
                if stored.status in ("running", "interrupted"):
                    return document_on_the_way(run_id, stored.status)
                result = await self._asked(run_id, lambda: self._loop.load(run_id))
                return document_of(result, with_messages=with_messages)
        if run is None:
            raise unknown_run(run_id)
        if run.live is not None and run.live.result is not None and not run.is_busy:
            return document_of(run.live.result, with_messages=with_messages)
        loop_count = None if run.live is None else run.live.variables.loop_count
        return document_on_the_way(run_id, "running" if run.is_busy else "interrupted", loop_count)

    async def close(self, grace: float, hurry: asyncio.Event | None = None) -> int:
        """Takes no more runs, waits for those under way, leaves the rest where they are, and tells how many.

        hurry: set by somebody who does not want to wait.
        """
        self.is_closing = True
        tasks = {run.task for run in self.busy if run.task is not None}
        if not tasks:
            return 0
        hurried = asyncio.ensure_future((hurry or asyncio.Event()).wait())
        everything = asyncio.ensure_future(asyncio.wait(tasks))
        await asyncio.wait([everything, hurried], timeout=grace, return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()
        everything.cancel()
        left = [task for task in tasks if not task.done()]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=_CANCEL_SECONDS)
        return len(left)

    @contextmanager
    def _preparing(self, run_id: str, digest: str) -> Generator[ServedRun, None, None]:
        """The run, for whoever has it driven within; it rests if that does not come to it."""
        self._check_room()
        known = self._runs.pop(run_id, None)
        run = self._runs[run_id] = known or ServedRun(run_id, digest)
        run.occupy()
        try:
            yield run
        except BaseException as error:
            run.refusal = _problem_of(error, run_id)
            if known is None:
                del self._runs[run_id]
            if run.refusal is None:
                raise
            raise run.refusal from None
        finally:
            if run.task is None:
                run.rest()
            self._forget_oldest()

    async def _go_on(self, run: ServedRun) -> None:
        """Of several servers that are asked at the same time, one does."""
        try:
            live = await self._reopened(run.run_id, ResumeRequest())
        except RunInProgressError:
            run.is_elsewhere = True
        else:
            self._drive(run, live)

    def _drive(self, run: ServedRun, live: LiveRun) -> None:
        self._check_open()
        run.drive(live)

    def _started(self, run_id: str, request: RunRequest, *, stream: bool) -> LiveRun:
        start = partial(self._loop.start, request.question, history=request.earlier, run_id=run_id)
        try:
            # A loop that streams by its settings does so for everybody.
            return start(stream=True) if stream else start()
        except ConfigurationError as error:
            raise RequestProblem(422, str(error)) from None

    def _check_open(self) -> None:
        if self.is_closing:
            raise RequestProblem(
                503, "the server is shutting down; ask again later", headers=self._retry_after
            )

    @property
    def _retry_after(self) -> dict[str, str]:
        return {"Retry-After": str(self._limits.retry_after)}

    def _check_room(self) -> None:
        self._check_open()
        if len(self.busy) >= self._limits.max_runs:
            raise RequestProblem(
                503,
                f"as many runs are under way as the server takes ({self._limits.max_runs}); ask again",
                headers=self._retry_after,
            )

    def _forget_oldest(self) -> None:
        for run_id in [run.run_id for run in self._runs.values() if not run.is_busy]:
            if len(self._runs) <= self._limits.kept_runs:
                return
            del self._runs[run_id]

    async def _stored(self, run_id: str) -> StoredRun | None:
        journal = self._loop.journal
        return None if journal is None else await self._asked(run_id, lambda: read_stored(journal, run_id))

    async def _reopened(self, run_id: str, request: ResumeRequest) -> LiveRun:
        reopen = partial(self._loop.reopen, run_id, decisions=request.verdicts, results=request.results)
        return await asyncio.to_thread(reopen)

    async def _asked(self, run_id: str, question: Callable[[], Value]) -> Value:
        try:
            return await asyncio.to_thread(question)
        except CallAgainError as error:
            raise _problem_of(error, run_id) or error from None


def unknown_run(run_id: str) -> RequestProblem:
    return RequestProblem(404, "there is no run of this id", run_id=run_id)


def _under_way(run_id: str) -> RequestProblem:
    return RequestProblem(409, "the run is under way; look at it by GET", run_id=run_id)


def read_stored(journal: JournalFile, run_id: str) -> StoredRun | None:
    """None if there is no such run. Raises JournalError for a journal that cannot be read."""
    try:
        return journal.written(run_id)
    except JournalError:
        journal.list(limit=1)
        return None


def _request_of(stored: StoredRun) -> str:
    inputs = content_of_stored(stored).inputs
    return request_digest(inputs.user_message, inputs.history)


def _check_same(run_id: str, request: str, before: str) -> None:
    if before and request != before:
        raise RequestProblem(
            409, "this run id belongs to a run of another message or history; take another id", run_id=run_id
        )


def _check_may_go_on(run_id: str, status: str, at_limit: str) -> None:
    """at_limit: what is said of a run at its limit."""
    if status == "completed":
        raise RequestProblem(
            409, "the run is completed; a new one goes on from its messages, as history", run_id=run_id
        )
    if status == "limit":
        raise RequestProblem(409, f"the run is at its limit{at_limit}", run_id=run_id)


def _problem_of(error: BaseException, run_id: str) -> RequestProblem | None:
    """What is told of it; None for what is no mistake of whoever asked."""
    if isinstance(error, RequestProblem):
        return error
    if isinstance(error, JournalError):
        LOGGER.error("run %s: %s", run_id, error)
        return RequestProblem(500, "the journal cannot be used; the server's log says why", run_id=run_id)
    if isinstance(error, RunInProgressError):
        return _under_way(run_id)
    if isinstance(error, SnapshotError):
        LOGGER.warning("run %s: %s", run_id, error)
        return RequestProblem(
            409, "the run is not of the loop that is served here; the server's log says why", run_id=run_id
        )
    if isinstance(error, CallAgainError):
        return RequestProblem(409, in_words_of_http(str(error)), run_id=run_id)
    return None
