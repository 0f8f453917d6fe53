"""What a tool may know about the call that it answers."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from callagain.connectors.tools.problem import ToolProblem


def _write_nowhere(message: str) -> None:
    """The log of a context that was made by hand, as in a test of a tool."""


@dataclass(frozen=True, eq=False)
class ToolContext:
    """Handed to a tool in the parameter that is annotated `ToolContext`; the model does not see it.

    run_id: the run that the call belongs to.
    call_id: the `tool_call_id` under which the answer goes back to the model.
    name: the announced name of the tool.
    idempotency_key: the same for the same call of the same run, also after a crash and a resume; hand it to
        services that refuse to do one thing twice.
    write_log, cancel_event: the driver's ends of `log` and `cancelled`.
    """

    run_id: str
    call_id: str
    name: str
    idempotency_key: str
    write_log: Callable[[str], object] = field(default=_write_nowhere, repr=False)
    cancel_event: threading.Event = field(default_factory=threading.Event, repr=False)

    def log(self, message: str) -> None:
        """Write a line to the operation log."""
        self.write_log(message)

    def write_to_operation_log(self, message: str) -> None:
        """The same as `log`, under the guide's name.

        Guide: WriteToOperationLog.
        """
        self.log(message)

    @property
    def cancelled(self) -> bool:
        """True once nobody waits for this call any more: its time is up, or the run was cancelled."""
        return self.cancel_event.is_set()

    def raise_if_cancelled(self) -> None:
        """Leave a long tool early. Raises ToolProblem (`tool_cancelled`) once `cancelled` is true."""
        if self.cancelled:
            raise ToolProblem("tool_cancelled", f"{self.name} stopped: nobody waits for this call any more")
