"""Runs of a loop over many workers: DBOS on PostgreSQL keeps them, and each command is one of its steps.

`DurableToolLoop` is what a program enqueues runs with, asks after them and decides about their calls;
`DurableWorker`, or the command `callagain worker`, is what runs them. Both are given the same loop. Needs the
extra: pip install 'callagain[dbos]'.
"""

from callagain.durable.durable_loop import DurableToolLoop
from callagain.durable.run_status import RunStatus
from callagain.durable.worker import DurableWorker

__all__ = ["DurableToolLoop", "DurableWorker", "RunStatus"]
