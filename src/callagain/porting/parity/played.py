"""A case played by both sides: the original scripts, the same with those in Python, and the chain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from callagain.engine.errors import CallAgainError
from callagain.porting.parity.answers import fixed_answers
from callagain.porting.parity.cases import Case
from callagain.porting.parity.errors import NotRunError
from callagain.porting.parity.loading import LoadedPackage
from callagain.porting.parity.roles import Roles
from callagain.porting.parity.secret_use import secret_that_is_missing
from callagain.porting.parity.staging import NamedScript, ScriptBrokeError, StagedProject, WatchedActivity
from callagain.porting.ported import OperationFailedError, Variables
from callagain.porting.running import (
    Activities,
    ActivityFunction,
    DesignRun,
    ScriptedActivity,
    scripted_activity,
)
from callagain.porting.script import ScriptError
from callagain.result import Result
from callagain.testing import Answer, StandIn


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
        scripts = {name: NamedScript(name, each) for name, each in project.python.items()} if python else {}
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
        except ScriptBrokeError as error:
            raise NotRunError(str(error)) from None
        self._check()
        if (missing := secret_that_is_missing(project.design, began, run)) is not None:
            raise NotRunError(missing)
        return DesignPlayed(run, variables, llm_call.requests)

    def chain(self, ask: Callable[..., Any]) -> ChainPlayed:
        """The conversation as the package has it."""
        project = self._package.project
        staged = StagedProject(project, self._case, self._activities(None), project.python)
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
            name: WatchedActivity(name, function, self._hindrances) for name, function in functions.items()
        }
        if llm_call is not None:
            watched.update(dict.fromkeys(self._roles.llm_activities, llm_call))
        return watched

    def _check(self) -> None:
        """Raises NotRunError if an activity could not do what it is for."""
        if self._hindrances:
            raise NotRunError(self._hindrances[0])
