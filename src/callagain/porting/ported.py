"""What a ported package stands on: the design it came from, and the scripts of it that are Python now.

    PROJECT = PortedDesign(Path(__file__).parent / "design", python={"Find Order": scripts.find_order})

A design is moved script by script. One that is not in `python` is run as it stands, so at every moment the
whole of it runs, and the same tests hold.
"""

import json
import logging
import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from callagain.connectors.tools import Tool, ToolContext, tool_from_schema
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.porting.design import Design, read_design
from callagain.porting.names import environment_name
from callagain.porting.running import Activities, DesignRun, DesignRunner, Outcome, PythonScript
from callagain.porting.script import Value, to_text
from callagain.result import Result

Variables: TypeAlias = MutableMapping[str, Value]
"""The design's global variables, by name without `$`."""


class OperationFailedError(Exception):
    """An operation of the design has failed; the message is the error that its scripts see."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a conversation came to. variables: the design's global variables, by name without `$`."""

    result: Result
    variables: Variables


@dataclass(frozen=True, slots=True)
class FirstRequest:
    """A request taken apart, for a loop to build anew.

    message: of the user, a text or content parts. history: the messages between the two. settings: of
    ToolLoop: model, system_prompt, parallel_tool_calls, and the other fields as request_options.
    """

    message: Json
    history: tuple[Json, ...]
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, request: Mapping[str, Any]) -> "FirstRequest":
        """Raises ValueError, TypeError, KeyError or AttributeError for what is no request."""
        messages = list(request["messages"])
        system = messages.pop(0)["content"] if messages[:1] and messages[0]["role"] == "system" else None
        if not messages or messages[-1]["role"] != "user":
            raise ValueError("its last message is not the user's")
        settings: dict[str, Any] = {"model": request["model"]}
        if system:
            settings["system_prompt"] = system
        if "parallel_tool_calls" in request:
            settings["parallel_tool_calls"] = bool(request["parallel_tool_calls"])
        options = {key: value for key, value in request.items() if key not in _TAKEN}
        if options:
            settings["request_options"] = options
        return cls(messages[-1]["content"], tuple(messages[:-1]), settings)


_LOG = logging.getLogger("callagain.porting")
# What a loop sets itself. To choose freely is what an endpoint does without being told.
_TAKEN = ("messages", "model", "tools", "parallel_tool_calls", "stream")


class PortedDesign:
    """A design, and functions for scripts of it.

    folder: the design as a folder of scripts. python: the functions, by the names of their scripts.
    activities: functions for the steps that talk to an endpoint, see `DesignRunner`. names: what the design
    calls a variable of the guide, where it has another name for it. tools: a file with the tools, for a
    design that does not say what $toolsJson holds.

    Raises DesignError for a folder that is no design, and ValueError for a function without a script.
    """

    def __init__(
        self,
        folder: Path,
        *,
        python: Mapping[str, PythonScript],
        activities: Activities | None = None,
        names: Mapping[str, str] | None = None,
        tools: Path | None = None,
    ) -> None:
        self.design: Design = read_design(folder)
        known = {script.name for script in self.design.scripts}
        if unknown := [name for name in python if name not in known]:
            raise ValueError(f"the design has no script {unknown[0]!r}; it has: {', '.join(sorted(known))}")
        self.python = dict(python)
        self.activities: Activities = {} if activities is None else activities
        self.names: Mapping[str, str] = names or {}
        self.tools_json = None if tools is None else tools.read_text("utf-8")

    def variables(self, user_message: str = "", inputs: Mapping[str, Value] | None = None) -> Variables:
        """Global variables to begin with: the project's defaults, secrets from the environment, userMessage,
        and the inputs, which win.

        A secret `openaiApiKey` is the environment variable OPENAI_API_KEY; without one it is null.
        """
        values: Variables = {self._name("userMessage"): user_message}
        for variable in self.design.variables:
            if variable.is_secret:
                values[variable.name] = os.environ.get(environment_name(variable.name))
            elif variable.is_project:
                values[variable.name] = variable.default
        values.update(inputs or {})
        if self.tools_json is not None and values.get(self._name("toolsJson")) is None:
            values[self._name("toolsJson")] = self.tools_json
        return values

    def run(self, operation: str, variables: Variables) -> DesignRun:
        """Runs an operation and what follows on it; its lines go to the logger callagain.porting, too.

        Raises OperationFailedError if it fails.
        """
        run = self.runner().run(operation, variables)
        for line in run.log:
            _LOG.info("%s: %s", operation, line)
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

    def first_request(self, variables: Variables) -> FirstRequest:
        """The request that the design's own script has built in InAndOut.

        Line breaks and tabs in its texts are taken as they stand; a script that escapes quotes alone leaves
        them so. Raises OperationFailedError if it is no request.
        """
        name = self._name("InAndOut")
        try:
            request = json.loads(to_text(variables.get(name)), strict=False)
            return FirstRequest.of(request)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            problem = f"${name} is no request of Chat Completions: {error}; look at the script that builds it"
            raise OperationFailedError(problem) from None

    def take_result(self, result: Result, variables: Variables) -> None:
        """Sets the guide's variables to what the run left, for the operations that follow on the loop."""
        for name, value in result.variables.as_jitterbit().items():
            variables[self._name(name)] = value
        if result.error is not None:
            variables["jitterbit.operation.previous.error"] = result.error.message

    def _name(self, of_the_guide: str) -> str:
        return self.names.get(of_the_guide, of_the_guide)
