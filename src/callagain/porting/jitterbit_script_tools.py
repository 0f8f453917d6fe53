"""Tools that are scripts of a design: the guide's tool operations.

As in the guide, a tool operation finds what the model chose in `$function_arguments`, and leaves its result
in `$function_resp`.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from callagain.connectors.tools import Tool, ToolContext, ToolOptions, ToolProblem, tool_from_schema
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.porting.javascript import JavaScriptLimits
from callagain.porting.javascript.values import to_json
from callagain.porting.jitterbit_script_steps import (
    JAVASCRIPT_LIMITS,
    LIMITS,
    AnyScript,
    Project,
    Settings,
    steps_of,
)
from callagain.porting.jitterbit_script_variables import checked_project
from callagain.porting.script import Limits, LocalHost, Mode, RaisedError, ScriptError, to_text
from callagain.porting.script.modes import mode_of


def script_tool(
    name: str,
    script: AnyScript | Sequence[AnyScript],
    *,
    description: str,
    parameters: JsonObject,
    language: str | None = None,
    variables: Mapping[str, Json] | None = None,
    scripts: Mapping[str, AnyScript] | None = None,
    operations: Mapping[str, Sequence[AnyScript]] | None = None,
    mode: str | Mode = "guide",
    limits: Limits = LIMITS,
    javascript_limits: JavaScriptLimits = JAVASCRIPT_LIMITS,
    options: ToolOptions | None = None,
) -> Tool:
    """A tool that is a script, or an operation: several scripts, in their order, with shared variables.

    description, parameters: what the model is told, parameters as a JSON schema; arguments are held against
    it before the script runs. language, variables, scripts, operations, mode, limits: as of JitterbitScript.
    options: of any tool, such as {"read_only": True}.

    Every call begins with the project variables, `$function_name`, `$function_arguments` (a JSON text) and
    `$tool_call_id`. Its result is `$function_resp`: an array or a dictionary becomes JSON, anything else its
    text. WriteToOperationLog goes to the operation log of the run. Tools are effects and run once, so here
    there are clock and chance, and Sleep waits.

    The model is told what RaiseError said, or the error of the script with its place; so it is if
    `$function_resp` is not set. Raises ToolSchemaError, ScriptSyntaxError or ValueError for what cannot be a
    tool.
    """
    settings = Settings(mode_of(mode), limits, javascript_limits)
    steps = steps_of(script, settings, name, language)
    project = Project.of(scripts, operations, settings)
    given = checked_project(variables)

    def run(function_arguments: dict[str, Any], context: ToolContext) -> Json:
        host = _ToolHost(context=context)
        host.variables = {
            **copy.deepcopy(given),
            "function_name": name,
            "function_arguments": encode(function_arguments).decode(),
            "tool_call_id": context.call_id,
        }
        project.join(host)
        try:
            for step in steps:
                step.run(host)
            answer = host.variables.get("function_resp")
            if answer is None:
                raise ToolProblem("tool_exception", f"{name} left no result: it did not set $function_resp")
            return to_json(answer) if isinstance(answer, list | dict) else to_text(answer)
        except ScriptError as error:
            told = error.message if isinstance(error, RaisedError) else error.headline
            raise ToolProblem("tool_exception", told) from error

    return _tool(name, run, description, parameters, options)


class FunctionArguments(Script):
    """The first operation of a chain that is a tool: function_arguments is what the run begins with."""

    title = "Take the arguments"

    def run(self, variables: Variables) -> None:
        message = variables.inputs.user_message
        variables.function_arguments = message if isinstance(message, str) else encode(message).decode()


def _tool(
    name: str,
    function: Callable[..., object],
    description: str,
    parameters: JsonObject,
    options: ToolOptions | None,
) -> Tool:
    chosen: ToolOptions = {**(options or {}), "name": name, "description": description}
    return tool_from_schema(parameters, function, pass_object=True, **chosen)


@dataclass
class _ToolHost(LocalHost):
    """The host of the scripts of one call."""

    context: ToolContext = field(kw_only=True)

    def write_to_operation_log(self, message: str) -> None:
        self.context.write_to_operation_log(message)

    def sleep(self, seconds: float) -> None:
        self.context.cancel_event.wait(seconds)
        self.context.raise_if_cancelled()
