"""A script of a design as an operation of a chain.

    from callagain import TOOL_CALLING_LOOP, ToolLoop
    from callagain.porting.jitterbit_script import JitterbitScript

    chain = TOOL_CALLING_LOOP.replace(operations={"parse_response": JitterbitScript(text, name="Part 2")})
    ToolLoop(model="gpt-4o", chain=chain).run("Where is order 481516?")

docs/jitterbit-scripts-as-operations.md shows a design that is moved piece by piece.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.porting.javascript import JavaScriptLimits
from callagain.porting.javascript.values import from_json, to_json
from callagain.porting.jitterbit_script_effects import STATE, apply
from callagain.porting.jitterbit_script_steps import (
    JAVASCRIPT_LIMITS,
    LIMITS,
    AnyScript,
    Project,
    ScriptStep,
    Settings,
)
from callagain.porting.jitterbit_script_variables import ScriptVariables, check_names, checked_project
from callagain.porting.script import (
    Caller,
    Limits,
    LocalHost,
    Mode,
    ScriptError,
    ScriptValueError,
)
from callagain.porting.script.modes import mode_of
from callagain.porting.script.tags import Tag

_NO_CLOCK = (
    "a script of a chain knows no time, since a run that is replayed must give the same; pass now= to "
    "JitterbitScript, set a variable, or make it a tool"
)


class JitterbitScript(Script):
    """Runs a script on the variables of the run, by the guide's names; see `jitterbit_script_variables`.

    script: its text, or the script of a design. name: how messages call it. language: "jitterbit script" or
    "javascript"; by default as the marks say, and Jitterbit Script without marks.
    variables: project variables by name, without `$`; JSON values.
    scripts, operations: what RunScript and RunOperation run, by name; an operation is its scripts, in order.
    mode, limits, javascript_limits: of `run_script` and `run_javascript`.
    now: what Now and `new Date()` give, in every run.

    The same run gives the same values, whenever it is replayed: GUID, Random and Math.random follow from the
    run's seed and id, Sleep does not wait (there is a warning), and without `now` a script that asks for the
    time fails. ReadCache and WriteCache keep values as long as the run.

    Fails with operation_failed, script and place: if the script raises an error, by RaiseError or otherwise,
    if it calls CancelOperationChain, and if a variable of the guide does not hold in the end what it must.

    Raises ScriptSyntaxError for a text that is no Jitterbit Script, ValueError for a mode that there is not
    and for variables that are no JSON or come from the run, and ConfigurationError for JavaScript without
    quickjs-ng.
    """

    def __init__(
        self,
        script: AnyScript,
        *,
        name: str = "script",
        language: str | None = None,
        variables: Mapping[str, Json] | None = None,
        scripts: Mapping[str, AnyScript] | None = None,
        operations: Mapping[str, Sequence[AnyScript]] | None = None,
        mode: str | Mode = "guide",
        limits: Limits = LIMITS,
        javascript_limits: JavaScriptLimits = JAVASCRIPT_LIMITS,
        now: datetime | None = None,
    ) -> None:
        settings = Settings(mode_of(mode), limits, javascript_limits)
        self._step = ScriptStep.of(script, settings, name, language)
        self._project = Project.of(scripts, operations, settings)
        self._variables = checked_project(variables)
        check_names(self._variables)
        self._now = now

    def __repr__(self) -> str:
        return f"JitterbitScript({self._step.name!r})"

    def run(self, variables: Variables) -> None:
        name = self._step.name
        values = ScriptVariables(variables, self._variables)
        state = variables.own.get(STATE)
        host = _host(variables, values, state if isinstance(state, dict) else {}, self._now)
        self._project.join(host)
        try:
            self._step.run(host)
            apply(variables, values, self._step.text)
        except ScriptError as error:
            place = error.headline if error.place is not None else f"{name}: {error.message}"
            raise Failure("operation_failed", place) from None
        except Failure as failure:
            told = f"{name}: {failure.problem.message}"
            raise Failure.of(replace(failure.problem, message=told)) from None
        finally:
            for line in host.log:
                variables.write_to_operation_log(line)
            for code, message in host.warnings:
                variables.warn(code, f"{name}: {message}")
        host.keep(variables)
        if host.cancelled:
            raise Failure("operation_failed", f"{name} cancelled the operation chain: {host.cancelled[0]}")


@dataclass
class _ChainHost(LocalHost):
    """The host of a script in a chain."""

    warnings: tuple[tuple[str, str], ...] = ()
    draws: int = 0

    def run_operation(self, tag: Tag, synchronous: bool, caller: Caller) -> None:
        if tag.name not in self.operations:
            raise ScriptValueError(
                f"operation '{tag.name}': the operations of a chain are run by its links; pass operations= "
                "for one that is made of scripts alone"
            )
        super().run_operation(tag, synchronous, caller)

    def sleep(self, seconds: float) -> None:
        self.warnings += (("not_waited", f"Sleep({seconds:g}) did not wait: no operation of a chain does"),)

    def keep(self, variables: Variables) -> None:
        """Keeps the cache, and how often chance was asked for."""
        state = variables.own.get(STATE)
        kept: JsonObject = dict(state) if isinstance(state, dict) else {}
        if self.cache:
            kept["cache"] = {key: to_json(value) for key, value in self.cache.items()}
        if self.chance.getstate() != _chance(variables, self.draws).getstate():
            kept["draws"] = self.draws + 1
        if kept:
            variables.own = {**variables.own, STATE: kept}


def _host(
    variables: Variables, values: ScriptVariables, state: JsonObject, now: datetime | None
) -> _ChainHost:
    draws = state.get("draws")
    count = draws if isinstance(draws, int) else 0

    def clock() -> datetime:
        if now is None:
            raise ScriptValueError(_NO_CLOCK)
        return now

    cache = cast("JsonObject", state.get("cache", {}))
    return _ChainHost(
        variables=values,
        cache={key: from_json(value) for key, value in cache.items()},
        chance=_chance(variables, count),
        clock=clock,
        draws=count,
    )


def _chance(variables: Variables, count: int) -> random.Random:
    inputs = variables.inputs
    return random.Random(f"{inputs.seed}:{inputs.run_id}:{count}")
