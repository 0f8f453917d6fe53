"""A tool whose arguments are one pydantic model: the function gets the validated model whole."""

from collections.abc import Callable, Mapping
from typing import cast

from pydantic import BaseModel, TypeAdapter

from callagain.connectors.tools.build import build_tool
from callagain.connectors.tools.callables import inspect_callable, shown
from callagain.connectors.tools.docstrings import parse_docstring
from callagain.connectors.tools.json_schema import require_object, without_titles
from callagain.connectors.tools.options import ToolOptions
from callagain.connectors.tools.problem import ToolProblem, first_sentence
from callagain.connectors.tools.strict_json import read_strictly
from callagain.connectors.tools.tool import FunctionTool, P, R
from callagain.connectors.tools.wording import Faults, unknown_key
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject


def tool_from_model(
    model: type[BaseModel], function: Callable[P, R], options: ToolOptions
) -> FunctionTool[P, R]:
    """A tool announced by the model's schema; the function has one parameter, besides a ToolContext.

    Described by the function's docstring, else the model's. Keys that the model does not have are refused
    unless its `extra` setting says otherwise. Raises ToolSchemaError.
    """
    if not (isinstance(model, type) and issubclass(model, BaseModel)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolSchemaError(f"{shown(model)} is not a pydantic model; the function comes second")
    inspected = inspect_callable(function, options.get("name"), typed=False)
    if len(inspected.parameters) != 1:
        raise ToolSchemaError(
            f"tool {inspected.name}: a function for a model has one parameter, the model; "
            f"this one has {len(inspected.parameters)}"
        )
    parameter = inspected.parameters[0].name
    parameters = _announced_schema(model, inspected.name)
    known = list(cast("JsonObject", parameters.get("properties", {})))
    closed = parameters.get("additionalProperties") is False
    adapter: TypeAdapter[BaseModel] = TypeAdapter(model)

    def read_arguments(arguments: JsonObject) -> Mapping[str, object]:
        unknown = [name for name in arguments if closed and name not in known]
        return {parameter: _read(adapter, arguments, known, unknown)}

    docstring = parse_docstring(inspected.docstring)
    return build_tool(
        function,
        inspected,
        description=docstring.description or parse_docstring(model.__doc__).description,
        parameters=parameters,
        read_arguments=read_arguments,
        options=options,
        whole_parameter=parameter,
    )


def _read(
    adapter: TypeAdapter[BaseModel], arguments: JsonObject, known: list[str], unknown: list[str]
) -> BaseModel:
    """The model's instance. Keys are judged here, since a model by itself passes over unknown ones."""
    if not unknown:
        return read_strictly(adapter, arguments, known)
    faults = Faults("arguments")
    for name in unknown:
        faults.add([name], unknown_key(known))
    try:
        read_strictly(adapter, {name: arguments[name] for name in arguments if name in known}, known)
    except ToolProblem as problem:
        raise ToolProblem(problem.code, f"{problem.message}; {faults.text()}") from None
    raise ToolProblem("invalid_arguments", faults.text())


def _announced_schema(model: type[BaseModel], tool: str) -> JsonObject:
    try:
        parameters = without_titles(model.model_json_schema())
    except Exception as error:
        raise ToolSchemaError(
            f"tool {tool}: the model {model.__name__} has no JSON schema: {first_sentence(error)}"
        ) from None
    if "$ref" in parameters:  # A model that contains itself stands in $defs like the others.
        root = str(parameters.pop("$ref")).removeprefix("#/$defs/")
        parameters |= cast("dict[str, JsonObject]", parameters["$defs"])[root]
    require_object(parameters, f"tool {tool}: the model {model.__name__}")
    # The model's docstring describes the tool, not its arguments.
    parameters.pop("description", None)
    if "extra" not in model.model_config:
        parameters["additionalProperties"] = False
    return parameters
