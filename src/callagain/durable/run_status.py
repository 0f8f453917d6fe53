"""Where a durable run stands, as DBOS tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from callagain.engine.run import Outcome

if TYPE_CHECKING:
    from dbos import WorkflowStatus

Status: TypeAlias = Literal["waiting", "running", "cancelled", "set_aside", "broken"] | Outcome

_STATUSES: dict[str, Status] = {
    "ENQUEUED": "waiting",
    "DELAYED": "waiting",
    "PENDING": "running",
    "ERROR": "broken",
    "CANCELLED": "cancelled",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "set_aside",
}
# Attributes of a workflow.
CRASHES, STEPS_AT_CRASH, SET_ASIDE = "callagain_crashes", "callagain_steps", "callagain_set_aside"


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A run that was enqueued.

    status: waiting (for a worker), running, or an outcome: completed, limit, failed, suspended; cancelled;
    set_aside: it ended its worker time and again; broken: an exception ended it, which is a bug.
    why: says more of the last two. part: from 1; each resume behind an outcome is one more.
    executor_id: who ran it last. version: the fingerprint of the loop that it waits for, or runs by.
    crashes: how many workers have ended under it since it last went on. created_at, updated_at: Unix seconds.
    """

    run_id: str
    status: Status
    part: int
    executor_id: str | None
    version: str | None
    crashes: int
    created_at: float
    updated_at: float
    why: str | None = None


def status_of(workflow: WorkflowStatus) -> RunStatus:
    """The status of a part of a run; its output must have been loaded, if it has one."""
    run_id, part = run_and_part(workflow.workflow_id)
    attributes: dict[str, Any] = workflow.attributes or {}
    status, why = _status(workflow), attributes.get(SET_ASIDE)
    if status == "cancelled" and why is not None:
        status = "set_aside"
    if status == "broken":
        why = _in_words(workflow.error)
    return RunStatus(
        run_id=run_id,
        status=status,
        part=part,
        executor_id=workflow.executor_id,
        version=workflow.app_version,
        crashes=attributes.get(CRASHES, 0),
        created_at=(workflow.created_at or 0) / 1000,
        updated_at=(workflow.updated_at or 0) / 1000,
        why=why,
    )


def snapshot_of(workflow: WorkflowStatus) -> str:
    """The run as it stood when this part of it had come to its outcome."""
    snapshot: str = _output(workflow)["snapshot"]
    return snapshot


def workflow_id(run_id: str, part: int) -> str:
    """The id of the workflow that is this part of the run."""
    return f"{run_id}#{part}"


def run_and_part(workflow: str) -> tuple[str, int]:
    run_id, _, part = workflow.rpartition("#")
    return run_id, int(part)


def _status(workflow: WorkflowStatus) -> Status:
    if workflow.status != "SUCCESS":
        return _STATUSES[workflow.status]
    outcome: Outcome = _output(workflow)["outcome"]
    return outcome


def _in_words(error: Exception | None) -> str:
    """DBOS keeps of an exception its name and its message."""
    name = getattr(error, "name", type(error).__name__)
    return f"{name}: {getattr(error, 'message', error)}"


def _output(workflow: WorkflowStatus) -> dict[str, Any]:
    """What `workflow.run_part` gave."""
    output: dict[str, Any] = workflow.output or {}
    return output
