"""The workflow that a worker has for all its runs. DBOS is one for a process, and so is this."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

from callagain.durable.database import APPLICATION, Database, wait_for_lost_connections
from callagain.durable.durable_loop import WORKFLOW
from callagain.durable.heartbeat import Tell
from callagain.durable.queues import suspects_of
from callagain.durable.steps import drive_by_steps, no_exit
from callagain.engine.errors import ConfigurationError
from callagain.loop import ToolLoop

# Of the one worker of this process.
_serving: list[tuple[ToolLoop[object], Tell]] = []
# How many executions of a workflow there are: one that was given up may still be at its end.
_running: Counter[str] = Counter()
_registered: list[bool] = []


async def run_part(snapshot: str) -> dict[str, Any]:
    """Goes on with a run from its snapshot to its outcome, and gives that with the new snapshot.

    A suspended run ends its workflow: it waits in the database, and holds no place in a queue.
    """
    from dbos import DBOS

    loop, tell = _serving[0]
    own_id = str(DBOS.workflow_id)
    _running[own_id] += 1
    try:
        with no_exit("an operation"):
            result = await loop.reopen(snapshot, kept_elsewhere=True).arun(drive_by_steps)
    finally:
        _running[own_id] -= 1
        if not _running[own_id]:
            del _running[own_id]
    tell(f"run {result.run_id}: {result.outcome}")
    return {"outcome": result.outcome, "snapshot": result.snapshot()}


def running() -> frozenset[str]:
    """The ids of the workflows that this process is in the middle of."""
    return frozenset(_running.copy())


def launch(loop: ToolLoop[object], database: Database, executor_id: str, queue: str, tell: Tell) -> None:
    """Begins to run what is in the queue, and what is this executor's."""
    from dbos import DBOS, DBOSPortableJSONSerializer

    if _serving:
        raise ConfigurationError("this process has a worker already; start another process for another one")
    if not _registered:
        # How often a run may end its worker is counted where runs are handed over.
        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(run_part)
        _registered.append(True)
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": database.url,
            "executor_id": executor_id,
            "application_version": loop.fingerprint,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "ERROR",
        }
    )
    wait_for_lost_connections()
    # It takes a second, in which the first runs would not get on.
    import_module("openai")
    _serving.append((loop, tell))
    DBOS.listen_queues([queue, suspects_of(queue)])
    DBOS.launch()


def end(grace: float) -> None:
    """Takes no more runs, and waits so many seconds for those under way."""
    from dbos import DBOS

    DBOS.destroy(workflow_completion_timeout_sec=round(grace))
    _serving.clear()
