"""A case played by both sides: the original scripts, the same with those in Python, and the chain."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from callagain.engine.errors import CallAgainError
from callagain.porting.design.model import Design
from callagain.porting.parity.answers import fixed_answers
from callagain.porting.parity.cases import Case
from callagain.porting.parity.errors import NotRunError
from callagain.porting.parity.loading import LoadedPackage
from callagain.porting.parity.roles import Roles
from callagain.porting.parity.secret_use import secret_that_is_missing
from callagain.porting.ported import OperationFailedError, PortedDesign, Variables
from callagain.porting.running import (
    Activities,
    ActivityFunction,
    DesignRun,
    DesignRunner,
    PythonScript,
    ScriptedActivity,
    scripted_activity,
)
from callagain.porting.script import OperationFailed, ScriptError, Value
from callagain.result import Result
from callagain.testing import Answer, StandIn

MOMENT = datetime(2026, 1, 31, 12, tzinfo=UTC)
SEED = 1
MAX_STEPS = 1_000
"""Operations, steps and scripts of one run; a conversation has some ten in each round."""

_TO_BE_WRITTEN = "is still to be written"


@dataclass(frozen=True)
class DesignPlayed:
    """What the design did. requests: the bodies that it sent to the model."""

    run: DesignRun
    variables: Variables
    requests: Sequence[str]


@dataclass(frozen=True)
class ChainPlayed:
    """What the chain of the package did. runs: what it ran of the design, in order.

    result: None where an operation before or behind the loop failed, and error is what it raised.
    """

    result: Result | None
    variables: Variables
    requests: Sequence[str]
    runs: Sequence[DesignRun]
    error: str | None = None


class Player:
    """Plays a case, each side with variables of its own, and with clock and chance that are the same.

    Whatever keeps a side from being run at all is a NotRunError.
    """

    def __init__(self, package: LoadedPackage, roles: Roles, case: Case) -> None:
        self._package = package
        self._roles = roles
        self._case = case
        self._answers = fixed_answers(case.answers)
        self._hindrances: list[str] = []

    def design(self, operation: str, *, python: bool = False) -> DesignPlayed:
        """The operation by the original scripts, or by those of the package where it has them."""
        project = self._package.project
        llm_call = scripted_activity(self._answers)
        scripts = project.python if python else {}
        staged = StagedProject(project, self._case, self._activities(llm_call), scripts)
        variables = staged.variables(self._case.message)
        began = dict(variables)
        try:
            run = staged.runner().run(operation, variables)
        except ScriptError as error:
            side = "the Python" if python else "the design"
            raise NotRunError(f"{side} cannot be run: {error.headline}") from None
        except CallAgainError as error:
            raise NotRunError(f"the design cannot be run: {error}") from None
        self._check()
        if (missing := secret_that_is_missing(project.design, began, run)) is not None:
            raise NotRunError(missing)
        return DesignPlayed(run, variables, llm_call.requests)

    def chain(self, ask: Callable[..., Any]) -> ChainPlayed:
        """The conversation as the package has it."""
        staged = StagedProject(
            self._package.project, self._case, self._activities(None), self._package.project.python
        )
        error: str | None = None
        result: Result | None = None
        with StandIn(list[Answer](self._answers)) as endpoint, self._package.with_project(staged):
            try:
                answer = ask(self._case.message, base_url=endpoint.base_url, api_key="any", max_retries=0)
                result, variables = answer.result, answer.variables
            except OperationFailedError as failed:
                error, variables = str(failed), staged.handed_out
            except ScriptError as failed:
                raise NotRunError(f"the Python cannot be run: {failed.headline}") from None
            except (Exception, SystemExit) as failed:
                said = " ".join(f"{type(failed).__name__}: {failed}".split())
                raise NotRunError(f"ask of chain.py raised {said}; mend it") from None
            requests = [each.body.decode("utf-8", "replace") for each in endpoint.requests]
        self._check()
        return ChainPlayed(result, variables, requests, staged.runs, error)

    def _activities(self, llm_call: ScriptedActivity | None) -> Activities:
        """Those of the package, and what answers in place of the model."""
        given = self._package.project.activities
        steps = {step.name for operation in self._roles.design.operations for step in operation.steps}
        functions = dict.fromkeys(steps, given) if callable(given) else dict(given)
        watched: dict[str, ActivityFunction] = {
            name: _Watched(name, function, self._hindrances) for name, function in functions.items()
        }
        if llm_call is not None:
            watched.update(dict.fromkeys(self._roles.llm_activities, llm_call))
        return watched

    def _check(self) -> None:
        """Raises NotRunError if an activity could not do what it is for."""
        if self._hindrances:
            raise NotRunError(self._hindrances[0])


class StagedProject(PortedDesign):
    """A project as it is played: with the variables of a case, a clock that stands, and its runs kept."""

    def __init__(
        self, project: PortedDesign, case: Case, activities: Activities, python: Mapping[str, PythonScript]
    ) -> None:
        # The design has been read: it is not read anew for each case.
        self.design = project.design
        self.names = project.names
        self.python = dict(python)
        self.activities = activities
        self.runs: list[DesignRun] = []
        self.handed_out: Variables = {}
        self._given = case.variables

    def variables(self, user_message: str = "") -> Variables:
        self.handed_out = {**super().variables(user_message), **self._given}
        return self.handed_out

    def runner(self) -> DesignRunner:
        return _RecordingRunner(
            self.runs,
            self.design,
            python=self.python,
            activities=self.activities,
            clock=lambda: MOMENT,
            seed=SEED,
            sleep=_do_not_wait,
            max_steps=MAX_STEPS,
        )


def _do_not_wait(seconds: float) -> None: ...


class _RecordingRunner(DesignRunner):
    """Keeps every run."""

    def __init__(self, runs: list[DesignRun], design: Design, **settings: Any) -> None:
        super().__init__(design, **settings)
        self._runs = runs

    def run(self, operation: str, globals: MutableMapping[str, Any] | None = None) -> DesignRun:  # noqa: A002
        run = super().run(operation, globals)
        self._runs.append(run)
        return run


@dataclass(frozen=True)
class _Watched:
    """An activity, which says so if it could not do what it is for."""

    name: str
    function: ActivityFunction
    hindrances: list[str] = field(repr=False)

    def __call__(self, body: str, variables: MutableMapping[str, Value]) -> str | None:
        try:
            return self.function(body, variables)
        except OperationFailed as error:
            if _TO_BE_WRITTEN in str(error):
                self.hindrances.append(f"the step {self.name}: {error}")
            raise
        except ScriptError:
            raise
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            self.hindrances.append(f"the step {self.name} raised {said}")
            raise OperationFailed(said) from error
