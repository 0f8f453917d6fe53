"""Runs an operation of a design as Jitterbit would."""

import random
import time
from collections.abc import Callable, Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Any

from callagain.porting.design.model import Design
from callagain.porting.running.activities import Activities
from callagain.porting.running.errors import MissingPartError
from callagain.porting.running.recorder import Recorder
from callagain.porting.running.running_design import PythonScript, RunningDesign, Settings
from callagain.porting.running.runs import DesignRun, Outcome
from callagain.porting.script.limits import Limits
from callagain.porting.script.modes import Mode, mode_of
from callagain.porting.script.values import Value, to_text


def _now() -> datetime:
    return datetime.now(UTC)


class DesignRunner:
    """Runs the operations of a design: steps in their order, then the operation that is linked.

    activities: a function for each activity (`ActivityFunction`), by name, or one for all of them; a step of
    another kind that is neither script nor operation is looked up there too. python: functions that are run
    in place of scripts, by name. project_variables: values that
    win over the defaults of the design; a secret one has no default and is null without a value.
    clock, seed, sleep: with a clock that stands, a seed and a sleep that does not wait, two runs are the same
    to the letter. mode: as run_script takes it. max_nesting: how deep scripts and operations may run each
    other, unless `$jitterbit.scripting.nesting.max` says otherwise. max_steps: operations, steps and scripts
    of one run, so that operations that follow each other in a circle come to an end.

    - RunOperation and the Invoke Operation tool run what follows on the operation too. They fail if one
      operation of that chain fails.
    - CancelOperationChain keeps what is linked to the operation from being run, and nothing else.
    - An asynchronous RunOperation gives true. The operation runs when everything else has ended, with the
      variables as they were at the call, and nobody sees what it sets or whether it fails: only the log
      and the snapshots do.
    - A failure sets `$jitterbit.operation.error` and `.last_error`, and `$jitterbit.operation.previous.error`
      for what is linked On Fail.

    Raises ValueError for an unknown mode.
    Source: "Chain and control operations" (docs.jitterbit.com/studio/how-to/chain-and-control-operations),
    "Operation Jitterbit variables" (docs.jitterbit.com/studio/variables/jitterbit/operation).
    """

    def __init__(
        self,
        design: Design,
        *,
        activities: Activities | None = None,
        python: Mapping[str, PythonScript] | None = None,
        project_variables: Mapping[str, Value] | None = None,
        clock: Callable[[], datetime] = _now,
        seed: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
        mode: str | Mode = "guide",
        max_nesting: int = 10,
        max_steps: int = 10_000,
    ) -> None:
        self._design = design
        self._seed = seed
        self._project_variables: dict[str, Value] = {
            **{each.name: each.default for each in design.variables if each.default is not None},
            **(project_variables or {}),
        }
        self._settings = Settings(
            activities={} if activities is None else activities,
            python=python or {},
            clock=clock,
            sleep=sleep,
            mode=mode_of(mode),
            limits=Limits(nesting=max_nesting),
            max_steps=max_steps,
        )

    def run(self, operation: str, globals: MutableMapping[str, Any] | None = None) -> DesignRun:  # noqa: A002
        """Runs an operation, what follows on it, and what was queued.

        globals: the global variables by name without `$`, read and changed in place; project variables that
        are not among them are added. That an operation fails is in the outcome. Raises ScriptError for what
        is a mistake of the design: a script that does not parse, an unknown function, an operation, script or
        function for an activity that is not there (MissingPartError), a limit that was reached.
        """
        first = self._design.operation(operation)
        if first is None:
            raise MissingPartError.named(
                "operation", operation, (each.name for each in self._design.operations)
            )
        variables: MutableMapping[str, Value] = {} if globals is None else globals
        for name, value in self._project_variables.items():
            variables.setdefault(name, value)
        secret = [each.name for each in self._design.variables if each.is_secret]
        recorder = Recorder(to_text(variables.get(name)) for name in secret)
        running = RunningDesign(self._design, self._settings, variables, random.Random(self._seed), recorder)
        failed = running.run(first)
        return DesignRun(
            operation,
            Outcome.COMPLETED if failed is None else Outcome.FAILED,
            tuple(recorder.snapshots),
            tuple(recorder.log),
            None if failed is None else recorder.hide(failed.headline),
        )
