"""DurableToolLoop: runs that workers run, enqueued, asked after and decided about from any process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, cast

from callagain.decisions import Decisions, Results
from callagain.durable.database import Database, is_storable
from callagain.durable.queues import DEFAULT_QUEUE, checked_queue
from callagain.durable.run_status import (
    CRASHES,
    SET_ASIDE,
    STEPS_AT_CRASH,
    RunStatus,
    run_and_part,
    snapshot_of,
    status_of,
    workflow_id,
)
from callagain.engine.errors import (
    ConfigurationError,
    DecisionError,
    OutcomeError,
    RunInProgressError,
    RunNotFoundError,
)
from callagain.engine.json_text import Json
from callagain.loop import ToolLoop
from callagain.output_format import Output
from callagain.result import Result

if TYPE_CHECKING:
    from dbos import WorkflowStatus

WORKFLOW = "callagain.run"

_OUTCOMES = ("completed", "limit", "failed", "suspended")
# Between two looks at a run that is waited for; longer and longer, up to the second.
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 1.0


class DurableToolLoop(Generic[Output]):
    """A loop whose runs are kept in PostgreSQL, and run by workers that have the same loop.

    loop: its chain and its tools are what a worker must have (`loop.fingerprint`); its other settings are
    those that a run begins with. database_url: postgresql://user:password@host:5432/name.
    queue: which workers run what is enqueued here; those that were started for it.

    A run goes through workers that die, and through a database that goes away and comes back. A tool that is
    neither read_only nor idempotent and was under way when its worker died suspends the run
    (call_outcome_unknown) in place of being called again.

    Raises ConfigurationError; the methods raise DatabaseError if the database cannot be used. Each has an
    asynchronous twin, whose name begins with `a`.
    """

    def __init__(self, loop: ToolLoop[Output], database_url: str, *, queue: str = DEFAULT_QUEUE) -> None:
        self.loop = checked_loop(loop)
        self.queue = checked_queue(queue)
        self.database = Database(database_url)

    def __repr__(self) -> str:
        return f"DurableToolLoop({self.loop!r}, {self.database.name!r}, queue={self.queue!r})"

    def enqueue(self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None) -> str:
        """Hands a run over to the workers, and returns its id.

        run_id: a name of your own, as that of an order. One that is there already raises RunInProgressError,
        so that whoever is not sure whether it got through may enqueue again.
        """
        if run_id is not None:
            _check_id(run_id)
        live = self.loop.start(message, history=history, run_id=run_id)
        self._enqueue(live.run_id, 1, live.snapshot())
        return live.run_id

    def status(self, run_id: str) -> RunStatus:
        """Where the run stands. Raises DatabaseError if there is none of this id."""
        return status_of(self._newest(run_id))

    def runs(self, *, limit: int = 100) -> list[RunStatus]:
        """The runs of the database whose newest parts are among the `limit` newest, the newest first."""
        with self.database.problems():
            workflows = self.database.client.list_workflows(
                name=WORKFLOW, sort_desc=True, load_input=False, limit=limit
            )
        newest: dict[str, RunStatus] = {}
        for status in map(status_of, workflows):
            newest.setdefault(status.run_id, status)
        return list(newest.values())

    def result(self, run_id: str, *, timeout: float | None = None) -> Result[Output]:
        """Waits for the run to come to an outcome. timeout: seconds.

        Raises TimeoutError, and OutcomeError for a run that was cancelled, set aside or is broken.
        """
        ends = None if timeout is None else time.monotonic() + timeout
        seconds = _FIRST_WAIT
        while (result := self._result_now(run_id)) is None:
            _raise_if_late(run_id, ends)
            time.sleep(seconds)
            seconds = min(_LONGEST_WAIT, 2 * seconds)
        return result

    def resume(
        self,
        run_id: str,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> RunStatus:
        """Has workers go on with a run; `ToolLoop.resume` says what decisions, results and changes are.

        A run that was cancelled or set aside goes on where it was, and one that is broken at the step that
        broke it, by workers of this loop's fingerprint. Raises RunInProgressError if it waits or runs, or if
        somebody else was faster; DecisionError, ConfigurationError, SnapshotError: then nothing has happened.
        """
        _check_id(run_id)
        with self.database.problems(), self.database.alone_with(run_id):
            self._resume(run_id, decisions, results, changes)
        return self.status(run_id)

    def cancel(self, run_id: str) -> RunStatus:
        """Ends the run where it is; what it has done stays done. It can be resumed."""
        _check_id(run_id)
        with self.database.problems(), self.database.alone_with(run_id):
            self.database.client.cancel_workflow(self._newest(run_id).workflow_id)
        return self.status(run_id)

    def delete(self, run_id: str) -> None:
        """Forgets a run that is over, with all its parts. Raises RunInProgressError for any other."""
        _check_id(run_id)
        with self.database.problems(), self.database.alone_with(run_id):
            status = status_of(self._newest(run_id))
            if status.status in ("waiting", "running", "suspended"):
                raise RunInProgressError(
                    f"the run {run_id} is {status.status}, and not over; "
                    + ("deny its calls" if status.status == "suspended" else "cancel it")
                    + ", and delete it then"
                )
            parts = [workflow_id(run_id, part) for part in range(1, status.part + 1)]
            self.database.client.delete_workflows(parts)

    def close(self) -> None:
        """Gives the connections back. Whoever asks again gets new ones."""
        self.database.close()

    async def aenqueue(
        self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None
    ) -> str:
        return await asyncio.to_thread(self.enqueue, message, history=history, run_id=run_id)

    async def astatus(self, run_id: str) -> RunStatus:
        return await asyncio.to_thread(self.status, run_id)

    async def aruns(self, *, limit: int = 100) -> list[RunStatus]:
        return await asyncio.to_thread(self.runs, limit=limit)

    async def aresult(self, run_id: str, *, timeout: float | None = None) -> Result[Output]:
        ends = None if timeout is None else time.monotonic() + timeout
        seconds = _FIRST_WAIT
        while (result := await asyncio.to_thread(self._result_now, run_id)) is None:
            _raise_if_late(run_id, ends)
            await asyncio.sleep(seconds)
            seconds = min(_LONGEST_WAIT, 2 * seconds)
        return result

    async def aresume(
        self,
        run_id: str,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> RunStatus:
        resume = partial(self.resume, decisions=decisions, results=results, changes=changes)
        return await asyncio.to_thread(resume, run_id)

    async def acancel(self, run_id: str) -> RunStatus:
        return await asyncio.to_thread(self.cancel, run_id)

    async def adelete(self, run_id: str) -> None:
        await asyncio.to_thread(self.delete, run_id)

    def _resume(
        self,
        run_id: str,
        decisions: Decisions | None,
        results: Results | None,
        changes: Mapping[str, Json] | None,
    ) -> None:
        newest = self._newest(run_id)
        status = status_of(newest)
        if status.status in ("waiting", "running"):
            raise RunInProgressError(f"the run {run_id} is {status.status}; wait for it, or cancel it")
        if status.status in _OUTCOMES:
            live = self.loop.reopen(
                snapshot_of(newest),
                decisions=decisions,
                results=results,
                changes=changes,
                kept_elsewhere=True,
            )
            self._enqueue(run_id, status.part + 1, live.snapshot())
        else:
            if decisions or results or changes:
                raise DecisionError(f"the run {run_id} is {status.status}; resume it without decisions")
            self._go_on(newest)

    def _enqueue(self, run_id: str, part: int, snapshot: str) -> None:
        from dbos import error as dbos_error

        with self.database.problems():
            try:
                self.database.client.enqueue(
                    {
                        "workflow_name": WORKFLOW,
                        "queue_name": self.queue,
                        "workflow_id": workflow_id(run_id, part),
                        "workflow_id_reuse_policy": "reject",
                        "app_version": self.loop.fingerprint,
                    },
                    snapshot,
                )
            except dbos_error.DBOSWorkflowIDInUseError:
                what = "there is a run of this id" if part == 1 else "somebody else went on with the run"
                raise RunInProgressError(f"{what} already: {run_id}; ask for its status") from None

    def _newest(self, run_id: str) -> WorkflowStatus:
        """The newest part of the run."""
        _check_id(run_id)
        with self.database.problems():
            client = self.database.client
            found = client.list_workflows(
                workflow_id_prefix=f"{run_id}#", name=WORKFLOW, load_input=False, load_output=False
            )
            if not found:
                raise RunNotFoundError(f"the database {self.database.name} has no run {run_id!r}")
            newest = max(found, key=lambda each: run_and_part(each.workflow_id)[1]).workflow_id
            return client.list_workflows(workflow_ids=[newest], load_input=False)[0]

    def _result_now(self, run_id: str) -> Result[Output] | None:
        newest = self._newest(run_id)
        status = status_of(newest)
        if status.status in ("waiting", "running"):
            return None
        if status.status not in _OUTCOMES:
            why = status.why or "cancel() was called"
            raise OutcomeError(
                status.status, status.status, f"the run {run_id} has no result ({why}); resume it"
            )
        return self.loop.load(snapshot_of(newest))

    def _go_on(self, workflow: WorkflowStatus) -> None:
        """The same part once more, from the first step that gave nothing."""
        client, own_id = self.database.client, workflow.workflow_id
        with self.database.problems():
            client.update_workflow_attributes(
                own_id, {CRASHES: 0, STEPS_AT_CRASH: None, SET_ASIDE: None}, merge=True
            )
            if workflow.status != "ERROR":
                client.resume_workflow(own_id, queue_name=self.queue)
                return
            steps = client.list_workflow_steps(own_id, load_output=True)
            good = [step["function_id"] for step in steps if step["error"] is None]
            broken = [step["function_id"] for step in steps if step["error"] is not None]
            client.rewind_workflow(
                own_id,
                start_step=min([*broken, max(good, default=0) + 1]),
                application_version=self.loop.fingerprint,
                queue_name=self.queue,
            )


def checked_loop(loop: ToolLoop[Output]) -> ToolLoop[Output]:
    """Raises ConfigurationError for a loop whose runs cannot be kept in a database."""
    if not isinstance(cast("object", loop), ToolLoop):
        raise ConfigurationError(f"a durable loop is made of a ToolLoop, not of a {type(loop).__name__}")
    if loop.journal is not None:
        raise ConfigurationError("the database keeps the runs; make the loop without journal=")
    if loop.approver is not None:
        raise ConfigurationError(
            "nobody sits at a worker who could be asked; make the loop without approver=, and decide about "
            "suspended runs by resume(run_id, decisions=…)"
        )
    return loop


def _check_id(run_id: str) -> None:
    """Raises ConfigurationError for what is no text that PostgreSQL can hold, or has a # in it."""
    if not isinstance(cast("object", run_id), str):
        raise ConfigurationError(f"the id of a run is a text, not a {type(run_id).__name__}")
    if "#" in run_id or not is_storable(run_id):
        raise ConfigurationError(
            f"the id of a durable run must have no #, no NUL and no half of a character in it: {run_id!r}"
        )


def _raise_if_late(run_id: str, ends: float | None) -> None:
    if ends is not None and time.monotonic() >= ends:
        raise TimeoutError(f"the run {run_id} has not come to an outcome in time; it goes on")
