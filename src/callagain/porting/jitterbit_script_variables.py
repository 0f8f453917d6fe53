"""The variables of a run as a script finds them, and what it left in them.

| a script says | in the run |
| --- | --- |
| a name of the guide (`$loop_count`, `$InAndOut` …) | the variable of that name, in the guide's form |
| `$jitterbit.response` | the body of the last response |
| `$gpt.registeredTools` | the same as `$toolsJson`, unless it is set |
| any other name | `variables.own["jitterbit"]`, shared by all scripts of the run; JSON only |
"""

import copy
import json
from collections.abc import Mapping
from typing import Any, cast

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import JitterbitValue, Variables
from callagain.porting.javascript.values import from_json, to_json
from callagain.porting.script import ScriptValueError, Value, to_text
from callagain.porting.script.values import to_truth, to_whole

OWN = "jitterbit"
"""Where the scripts of a run keep their global variables in `variables.own`."""

RESPONSE = "jitterbit.response"
_REGISTERED_TOOLS = "gpt.registeredTools"
_SET_AT_THE_BEGINNING = {
    "systemPrompt": "pass system_prompt= to the loop",
    "userMessage": "pass it to run()",
    "toolsJson": "pass tools= to the loop",
    RESPONSE: "it is what LLM Call received",
}
_WHOLE_NUMBERS = ("loop_count", "maxIterations")


class ScriptVariables(dict[str, Value]):
    """The global variables by name. `assigned` are those that a script has assigned."""

    def __init__(self, variables: Variables, project: Mapping[str, Value]) -> None:
        self.of_the_guide = variables.as_jitterbit()
        self._project = project
        own = cast("JsonObject", variables.own.get(OWN, {}))
        super().__init__({_REGISTERED_TOOLS: self.of_the_guide["toolsJson"]})
        self.update(copy.deepcopy(dict(project)))
        self.update({name: from_json(value) for name, value in own.items()})
        self.update(self.of_the_guide)
        if variables.response is not None:
            super().__setitem__(RESPONSE, variables.response.body)
        self.assigned: set[str] = set()

    def __setitem__(self, name: str, value: Value) -> None:
        advice = _SET_AT_THE_BEGINNING.get(name)
        if advice is not None and value != self.get(name):
            raise ScriptValueError(f"${name} is set when the run begins, and stays as it is; {advice}")
        self.assigned.add(name)
        super().__setitem__(name, value)

    def in_forms(self) -> dict[str, JitterbitValue]:
        """The variables of the guide, each in the form that it has there. Raises ScriptValueError."""
        return {name: _in_form(name, self[name]) for name in self.of_the_guide}

    def own(self) -> JsonObject:
        """All others that are not as the project has them, as JSON: a date becomes its text."""
        left_out = {*self.of_the_guide, RESPONSE}
        kept: dict[str, Json] = {}
        for name, value in self.items():
            if name in left_out or (name == _REGISTERED_TOOLS and value == self.of_the_guide["toolsJson"]):
                continue
            if name not in self._project or not _same(value, self._project[name]):
                kept[name] = _json(name, value)
        return kept


def checked_project(project: Mapping[str, Any] | None) -> dict[str, Value]:
    """Project variables by name, without `$`. Raises ValueError for a value that none can have."""
    checked: dict[str, Value] = {}
    for name, value in (project or {}).items():
        try:
            json.dumps(value, allow_nan=False)
            checked[name.removeprefix("$")] = from_json(_json(name, value))
        except (TypeError, ValueError, RecursionError, ScriptValueError):
            raise ValueError(f"variables: the value of {name} is no JSON value") from None
    return checked


def check_names(project: Mapping[str, object]) -> None:
    """Raises ValueError for a variable that a run has of its own."""
    of_a_run = Variables.of(Inputs(run_id="", model="", user_message="")).as_jitterbit()
    for name in project:
        if name in of_a_run or name == RESPONSE:
            advice = _SET_AT_THE_BEGINNING.get(name, "a script may set it")
            raise ValueError(f"variables: {name} comes from the run; {advice}")


def _in_form(name: str, value: Value) -> JitterbitValue:
    """A value in the type that a variable of the guide has, converted as Jitterbit converts."""
    if name == "call_llm_again":
        return to_truth(value)
    if name in _WHOLE_NUMBERS:
        return to_whole(value)
    if isinstance(value, list | dict):
        raise ScriptValueError(f"${name} holds text here; make one by JSONStringify, or JSON.stringify")
    return to_text(value)


def _json(name: str, value: Value) -> Json:
    try:
        return to_json(value)
    except ScriptValueError as error:
        raise ScriptValueError(f"${name}: {error.message}") from None


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other
