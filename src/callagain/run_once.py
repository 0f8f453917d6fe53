"""A run by an id of the caller's own: begun once, however often it is asked for."""

import asyncio
from collections.abc import Sequence

from callagain.engine.errors import ConfigurationError, RunExistsError, RunInProgressError
from callagain.engine.journal.store import Status
from callagain.engine.json_text import Json
from callagain.kept_runs import content_of_stored
from callagain.loop import ToolLoop
from callagain.output_format import Output
from callagain.result import Result

_TOLD: tuple[Status, ...] = ("completed", "limit", "suspended")


def run_once(
    loop: ToolLoop[Output], message: Json, *, run_id: str, history: Sequence[Json] = ()
) -> Result[Output]:
    """Begins the run of this id, or goes on with it where it was left, or tells how it stands.

    For work that comes more than once: from a queue, a scheduler, a button that is pressed twice.

    loop: one with a journal, which knows what was begun. run_id: a name that belongs to the work alone, as
    that of the queue's message, or of the order.

    A run that was left, or failed, goes on from its last step. One that is completed, suspended or at a limit
    is told as it stands; `loop.resume` takes it further.

    Raises RunInProgressError while somebody else drives the run; JournalError; SnapshotError for a run
    without an answer that began with another chain or other tools; ConfigurationError for a loop without a
    journal, or for a message or a history that the run did not begin with.
    """
    status = _status(loop, message, history, run_id)
    if status is None:
        try:
            return loop.run(message, history=history, run_id=run_id)
        except RunExistsError:
            raise _begun_elsewhere(run_id) from None
    return loop.load(run_id) if status in _TOLD else loop.resume(run_id)


async def arun_once(
    loop: ToolLoop[Output], message: Json, *, run_id: str, history: Sequence[Json] = ()
) -> Result[Output]:
    """The same on the running event loop."""
    # The journal may be locked by another process for a while.
    status = await asyncio.to_thread(_status, loop, message, history, run_id)
    if status is None:
        try:
            return await loop.arun(message, history=history, run_id=run_id)
        except RunExistsError:
            raise _begun_elsewhere(run_id) from None
    if status in _TOLD:
        return await asyncio.to_thread(loop.load, run_id)
    return await loop.aresume(run_id)


def _status(loop: ToolLoop[object], message: Json, history: Sequence[Json], run_id: str) -> Status | None:
    """None: there is no such run."""
    journal = loop.journal
    if journal is None:
        raise ConfigurationError(
            "run_once needs a journal, which knows the runs that were begun; give the loop its journal="
        )
    if not journal.has(run_id):
        return None
    stored = journal.written(run_id)
    inputs = content_of_stored(stored).inputs
    began_with = {"message": (inputs.user_message, message), "history": (list(inputs.history), list(history))}
    for name, (then, now) in began_with.items():
        if then != now:
            raise ConfigurationError(
                f"the run {run_id!r} began with another {name}; take a run_id that belongs to this one alone"
            )
    return stored.status


def _begun_elsewhere(run_id: str) -> RunInProgressError:
    return RunInProgressError(f"the run {run_id!r} was begun by somebody else at this moment; ask once more")
