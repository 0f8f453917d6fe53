"""What a ported package stands on: the design it came from, and the scripts of it that are Python now.

    PROJECT = PortedDesign(Path(__file__).parent / "design", python={"Find Order": scripts.find_order})

A design is moved script by script. One that is not in `python` is run as it stands, so at every moment the
whole of it runs, and the same tests hold.
"""

import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from callagain.connectors.tools import Tool, ToolContext, tool_from_schema
from callagain.engine.json_text import JsonObject, encode
from callagain.porting.design import Design, read_design
from callagain.porting.names import environment_name
from callagain.porting.running import Activities, DesignRun, DesignRunner, Outcome, PythonScript
from callagain.porting.script import Value, to_text
from callagain.result import Result

Variables: TypeAlias = MutableMapping[str, Value]


class OperationFailedError(Exception):
    """An operation of the design has failed; the message is the error that its scripts see."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a conversation came to. variables: the design's global variables, by name without `$`."""

    result: Result
    variables: Variables


class PortedDesign:
    """A design, and functions for scripts of it.

    folder: the design as a folder of scripts. python: the functions, by the names of their scripts.
    activities: functions for the steps that talk to an endpoint, see `DesignRunner`. names: what the design
    calls a variable of the guide, where it has another name for it.

    Raises DesignError for a folder that is no design, and ValueError for a function without a script.
    """

    def __init__(
        self,
        folder: Path,
        *,
        python: Mapping[str, PythonScript],
        activities: Activities | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.design: Design = read_design(folder)
        known = {script.name for script in self.design.scripts}
        if unknown := [name for name in python if name not in known]:
            raise ValueError(f"the design has no script {unknown[0]!r}; it has: {', '.join(sorted(known))}")
        self.python = dict(python)
        self.activities: Activities = {} if activities is None else activities
        self.names: Mapping[str, str] = names or {}

    def variables(self, user_message: str = "") -> Variables:
        """Global variables to begin with: the project's defaults, secrets from the environment, userMessage.

        A secret `openaiApiKey` is the environment variable OPENAI_API_KEY; without one it is null.
        """
        values: Variables = {self._name("userMessage"): user_message}
        for variable in self.design.variables:
            if variable.is_secret:
                values[variable.name] = os.environ.get(environment_name(variable.name))
            elif variable.is_project:
                values[variable.name] = variable.default
        return values

    def run(self, operation: str, variables: Variables) -> DesignRun:
        """Runs an operation and what follows on it. Raises OperationFailedError if it fails."""
        run = self.runner().run(operation, variables)
        if run.outcome is Outcome.FAILED:
            raise OperationFailedError(run.error or f"{operation} failed")
        return run

    def runner(self) -> DesignRunner:
        return DesignRunner(self.design, python=self.python, activities=self.activities)

    def tool(self, schema: JsonObject, operation: str, variables: Variables) -> Tool:
        """A tool whose calls run an operation, as the guide's dispatcher does.

        The operation finds function_name, function_arguments and tool_call_id, and sets function_resp. Calls
        run one after the other, since they share the variables. If the operation fails, or sets nothing, the
        model is told so.
        """
        name = str(schema["name"])

        function_resp = self._name("function_resp")

        def call(arguments: dict[str, object], context: ToolContext) -> str:
            variables[self._name("function_name")] = name
            variables[self._name("function_arguments")] = encode(arguments).decode()
            variables[self._name("tool_call_id")] = context.call_id
            variables[function_resp] = None
            for line in self.run(operation, variables).log:
                context.write_to_operation_log(line)
            if variables[function_resp] is None:
                raise OperationFailedError(f"the operation {operation} did not set {function_resp}")
            return to_text(variables[function_resp])

        return tool_from_schema(
            cast("JsonObject", schema.get("parameters", {"type": "object", "properties": {}})),
            call,
            name=name,
            description=str(schema.get("description", "")),
            sequential=True,
        )

    def take_result(self, result: Result, variables: Variables) -> None:
        """Sets the guide's variables to what the run left, for the operations that follow on the loop."""
        for name, value in result.variables.as_jitterbit().items():
            variables[self._name(name)] = value
        if result.error is not None:
            variables["jitterbit.operation.previous.error"] = result.error.message

    def _name(self, of_the_guide: str) -> str:
        return self.names.get(of_the_guide, of_the_guide)
