"""A design while it runs: the host of its scripts, which walks its operations, their steps and links."""

import random
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from callagain.porting.design.model import Design, Language, Operation, Script, Step, StepKind
from callagain.porting.jitterbit import State
from callagain.porting.running.activities import RESPONSE, Activities, ActivityFunction, body_of
from callagain.porting.running.errors import MissingPartError
from callagain.porting.running.recorder import Recorder
from callagain.porting.running.runs import Kind
from callagain.porting.script import syntax
from callagain.porting.script.errors import ScriptError, ScriptLimitError
from callagain.porting.script.host import Caller, OperationFailed
from callagain.porting.script.limits import Limits, Meter
from callagain.porting.script.modes import Mode
from callagain.porting.script.parser import parse
from callagain.porting.script.running import run_script
from callagain.porting.script.tags import Tag
from callagain.porting.script.values import Value

NAME = "jitterbit.operation.name"
ERRORS = "jitterbit.operation.error"
LAST_ERROR = "jitterbit.operation.last_error"
PREVIOUS_ERROR = "jitterbit.operation.previous.error"


PythonScript: TypeAlias = Callable[[State], Value]
"""A script as a function, such as `callagain.porting.translation` writes it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a design is run; see DesignRunner."""

    activities: Activities
    python: Mapping[str, PythonScript]
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]
    mode: str | Mode
    limits: Limits
    max_steps: int


class Failed(NamedTuple):
    """Why an operation failed: the message that scripts see, and the same with its place."""

    message: str
    headline: str


class RunningDesign:
    """One run. It is the Host of the scripts, so what they ask for comes here."""

    def __init__(
        self,
        design: Design,
        settings: Settings,
        variables: MutableMapping[str, Value],
        chance: random.Random,
        recorder: Recorder,
    ) -> None:
        self.variables = variables
        self.cache: MutableMapping[str, Value] = {}
        self.chance = chance
        self._design = design
        self._settings = settings
        self._recorder = recorder
        self._meter = Meter(settings.limits)
        self._parsed: dict[str, syntax.Script] = {}
        self._steps = 0
        # One entry for each chain that is being run, the innermost last: whether it was cancelled.
        self._cancelled: list[bool] = []
        self._queued: list[tuple[Operation, dict[str, Value]]] = []
        self._latest: list[str] = []

    def run(self, operation: Operation) -> Failed | None:
        """Runs the operation and what follows on it, then what was queued; why the chain failed."""
        failed = self._run_chain(operation, self._nobody())
        # What is queued may queue more.
        for queued, variables in self._queued:
            self.variables = variables
            self._run_chain(queued, self._nobody())
        return failed

    # What the scripts ask of their host

    def run_script(self, tag: Tag, arguments: Sequence[Value], caller: Caller) -> Value:
        return self._run_script(self._script(tag.name), arguments, caller)

    def run_operation(self, tag: Tag, synchronous: bool, caller: Caller) -> None:
        operation = self._operation(tag.name)
        if not synchronous:
            self._queued.append((operation, deepcopy(dict(self.variables))))
            return
        failed = self._run_chain(operation, caller)
        if failed is not None:
            raise OperationFailed(failed.message)

    def cancel_operation_chain(self, message: str) -> None:
        self._cancelled[-1] = True
        self.write_to_operation_log(f"Operation chain cancelled: {message}")

    def write_to_operation_log(self, message: str) -> None:
        self._recorder.write(message)

    def now(self) -> datetime:
        return self._settings.clock()

    def sleep(self, seconds: float) -> None:
        self._settings.sleep(seconds)

    # Operations

    def _run_chain(self, operation: Operation, caller: Caller) -> Failed | None:
        """Runs an operation and what follows on it; the first failure, None if there was none."""
        self._cancelled.append(False)
        first: Failed | None = None
        while True:
            failed = self._run_operation(operation, caller)
            first = first or failed
            link = operation.on_success if failed is None else operation.on_fail
            if link is None or self._cancelled[-1]:
                break
            self.variables[PREVIOUS_ERROR] = "" if failed is None else failed.message
            operation = self._operation(link, where=operation.name)
        self._cancelled.pop()
        return first

    def _run_operation(self, operation: Operation, caller: Caller) -> Failed | None:
        """Runs the steps; why they failed, None if they did not. Other errors than failures go through."""
        log_from = len(self._recorder.log)
        outer = {name: self.variables.get(name) for name in (NAME, ERRORS)}
        self.variables.update({NAME: operation.name, ERRORS: ""})
        self._count_step(operation.name)
        failed = None
        try:
            for position, step in enumerate(operation.steps, 1):
                self._count_step(operation.name)
                self._run_step(step, f"{operation.name}, step {position}", caller)
        except OperationFailed as error:
            failed = Failed(str(error), f"{operation.name}: {error}")
        except ScriptError as error:
            if not error.caught_by_eval:
                raise
            failed = Failed(error.message, error.headline)
        if failed is not None:
            self.variables.update({ERRORS: failed.message, LAST_ERROR: failed.message})
            self.write_to_operation_log(f"Operation {operation.name} failed: {failed.message}")
        self._recorder.take(
            Kind.OPERATION, operation.name, self.variables, log_from, failed and failed.headline
        )
        if caller.nesting:
            self.variables.update(outer)
        return failed

    def _run_step(self, step: Step, where: str, caller: Caller) -> None:
        match step.kind:
            case StepKind.SCRIPT:
                self._run_script(self._script(step.name, where=where), (), caller)
            case StepKind.OPERATION:
                self._invoke(self._operation(step.name, where=where), where, caller)
            case _:
                self._run_activity(step, where)

    def _invoke(self, operation: Operation, where: str, caller: Caller) -> None:
        """The Invoke Operation tool, which is RunOperation and, if that fails, RaiseError."""
        if caller.nesting + 1 >= self._settings.limits.nesting:
            raise ScriptLimitError(
                f"{where}: operations run each other {caller.nesting + 1} deep; look for two that invoke "
                "each other"
            )
        failed = self._run_chain(operation, caller._replace(nesting=caller.nesting + 1))
        if failed is not None:
            raise OperationFailed(failed.message)

    def _run_activity(self, step: Step, where: str) -> None:
        function = self._function(step, where)
        response = function(body_of(self._design.activity(step.name), self.variables), self.variables)
        if response is not None:
            self.variables[RESPONSE] = response

    # Scripts

    def _run_script(self, script: Script, arguments: Sequence[Value], caller: Caller) -> Value:
        """The value of a script. What it raises goes through, after its snapshot."""
        self._count_step(script.name)
        log_from = len(self._recorder.log)
        try:
            value = self._value_of(script, arguments, caller)
        except ScriptError as error:
            self._recorder.take(Kind.SCRIPT, script.name, self.variables, log_from, error.headline)
            raise
        self._recorder.take(Kind.SCRIPT, script.name, self.variables, log_from, None)
        return value

    def _value_of(self, script: Script, arguments: Sequence[Value], caller: Caller) -> Value:
        mode = self._settings.mode
        if (function := self._settings.python.get(script.name)) is not None:
            return function(State(host=self, mode=mode, arguments=arguments, caller=caller))
        if script.language is Language.JAVASCRIPT:
            from callagain.porting.javascript import run_javascript

            return run_javascript(
                script.text, name=script.name, host=self, arguments=arguments, caller=caller
            )
        parsed = self._parsed.get(script.name)
        if parsed is None:
            parsed = self._parsed[script.name] = parse(script.text, script.name)
        return run_script(parsed, host=self, mode=mode, arguments=arguments, caller=caller)

    # Names

    def _operation(self, name: str, *, where: str = "") -> Operation:
        operation = self._design.operation(name)
        if operation is None:
            known = (each.name for each in self._design.operations)
            raise MissingPartError.named("operation", name, known, where=where)
        return operation

    def _script(self, name: str, *, where: str = "") -> Script:
        script = self._design.script(name)
        if script is None:
            known = (each.name for each in self._design.scripts)
            raise MissingPartError.named("script", name, known, where=where)
        return script

    def _function(self, step: Step, where: str) -> ActivityFunction:
        activities = self._settings.activities
        if callable(activities):
            return activities
        if step.name not in activities:
            raise MissingPartError(
                f"{where}: nothing runs the {step.kind} '{step.name}'; "
                f'give a function for it: activities={{"{step.name}": function}}'
            )
        return activities[step.name]

    # Limits

    def _nobody(self) -> Caller:
        return Caller(0, self._meter)

    def _count_step(self, name: str) -> None:
        self._steps += 1
        if name not in self._latest[-4:]:
            self._latest = [*self._latest[-4:], name]
        if self._steps > self._settings.max_steps:
            raise ScriptLimitError(
                f"the run took more than {self._settings.max_steps:,} steps; look for operations that follow "
                f"each other in a circle, the latest were {', '.join(self._latest)}; or set max_steps"
            )
