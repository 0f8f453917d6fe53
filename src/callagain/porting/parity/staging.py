"""A project as a case plays it: same clock, same chance, and whatever breaks is named."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from callagain.porting.design.model import Design
from callagain.porting.jitterbit import State
from callagain.porting.parity.cases import Case
from callagain.porting.ported import PortedDesign, Variables
from callagain.porting.running import Activities, ActivityFunction, DesignRun, DesignRunner, PythonScript
from callagain.porting.script import OperationFailed, ScriptError, Value

MOMENT = datetime(2026, 1, 31, 12, tzinfo=UTC)
SEED = 1
MAX_STEPS = 2_000
"""Operations, steps and scripts of one run; a conversation has some ten in each round."""

_TO_BE_WRITTEN = "is still to be written"


class StagedProject(PortedDesign):
    """A project as it is played: with the variables of a case, a clock that stands, and its runs kept."""

    def __init__(
        self, project: PortedDesign, case: Case, activities: Activities, python: Mapping[str, PythonScript]
    ) -> None:
        # The design has been read: it is not read anew for each case.
        self.design = project.design
        self.names, self.tools_json = project.names, project.tools_json
        self.python = dict(python)
        self.activities = activities
        self.runs: list[DesignRun] = []
        self.handed_out: Variables = {}
        self._given = case.variables

    def variables(self, user_message: str = "", inputs: Mapping[str, Value] | None = None) -> Variables:
        self.handed_out = super().variables(user_message, {**(inputs or {}), **self._given})
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


class ScriptBrokeError(Exception):
    """A script in Python raised what no script raises."""


@dataclass(frozen=True)
class NamedScript:
    """A script in Python, which is named where it breaks."""

    name: str
    function: PythonScript

    def __call__(self, state: State) -> Value:
        try:
            return self.function(state)
        except (ScriptError, OperationFailed, ScriptBrokeError):
            raise
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise ScriptBrokeError(f"the script {self.name} in Python raised {said}; mend it") from error


@dataclass(frozen=True)
class WatchedActivity:
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
