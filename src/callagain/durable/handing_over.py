"""The runs of a worker that is gone go back into their queues, save those that end every worker."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from callagain.durable.database import BusyError, Database
from callagain.durable.durable_loop import WORKFLOW
from callagain.durable.queues import DEFAULT_QUEUE, suspects_of
from callagain.durable.run_status import CRASHES, SET_ASIDE, STEPS_AT_CRASH, run_and_part

if TYPE_CHECKING:
    from dbos import DBOSClient, WorkflowStatus


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The ids of runs. aside: those that are set aside. left: those that somebody is busy with just now."""

    aside: list[str]
    left: list[str]


def hand_over(database: Database, executor_id: str, max_crashes: int | None = None) -> HandedOver:
    """Gives the runs that this worker ran to others. It waits for nobody: whoever calls it has to beat.

    max_crashes: a run whose worker has ended so often without one more step of it is set aside: cancelled,
    with a word why. None if the worker ended well, which is no fault of its runs.
    """
    done = HandedOver([], [])
    for workflow in pending(database.client, executor_id):
        run_id = run_and_part(workflow.workflow_id)[0]
        try:
            with database.alone_with(run_id, patience=0):
                if _hand_over(database.client, workflow, executor_id, max_crashes):
                    done.aside.append(run_id)
        except BusyError:
            done.left.append(run_id)
    return done


def pending(
    client: DBOSClient, executor_id: str, workflow_ids: list[str] | None = None
) -> list[WorkflowStatus]:
    """What the database takes to be run by this worker; of these ids, if there are any."""
    return client.list_workflows(
        status="PENDING",
        executor_id=executor_id,
        workflow_ids=workflow_ids,
        name=WORKFLOW,
        load_input=False,
        load_output=False,
    )


def requeue(database: Database, executor_id: str, workflow_id: str, queue: str) -> None:
    """Another execution goes on with it, unless somebody is busy with it; what an earlier one still writes is
    refused."""
    with suppress(BusyError), database.alone_with(run_and_part(workflow_id)[0], patience=0):
        if pending(database.client, executor_id, [workflow_id]):
            database.client.resume_workflow(workflow_id, queue_name=queue)


def _hand_over(
    client: DBOSClient, workflow: WorkflowStatus, executor_id: str, max_crashes: int | None
) -> bool:
    """Whether the run was set aside."""
    own_id, queue = workflow.workflow_id, workflow.queue_name or DEFAULT_QUEUE
    # Somebody may have cancelled it meanwhile.
    if not pending(client, executor_id, [own_id]):
        return False
    if max_crashes is None:
        client.resume_workflow(own_id, queue_name=queue)
        return False
    if _count_crash(client, workflow, max_crashes) >= max_crashes:
        client.cancel_workflow(own_id)
        return True
    # Without neighbours, so that it is known next time which run it was.
    client.resume_workflow(own_id, queue_name=suspects_of(queue))
    return False


def _count_crash(client: DBOSClient, workflow: WorkflowStatus, max_crashes: int) -> int:
    """Counts a worker that has ended under the run; it counts anew when the run has got on by a step."""
    before: dict[str, Any] = workflow.attributes or {}
    steps = len(client.list_workflow_steps(workflow.workflow_id, load_output=False))
    crashes = before.get(CRASHES, 0) + 1 if before.get(STEPS_AT_CRASH) == steps else 1
    counted = {CRASHES: crashes, STEPS_AT_CRASH: steps}
    if crashes >= max_crashes:
        times = "once" if crashes == 1 else f"{crashes} times"
        counted[SET_ASIDE] = f"its worker ended {times} in the same place, behind step {steps}"
    client.update_workflow_attributes(workflow.workflow_id, counted, merge=True)
    return crashes
