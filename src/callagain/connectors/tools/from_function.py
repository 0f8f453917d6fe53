"""A tool from a Python function: the schema comes from its type hints, the words from its docstring.

Arguments are held against the announced schema as JSON, strictly: `"3"` is no integer, `1` is no boolean, a
date is an ISO string. As in JSON Schema, 3 is a number and 3.0 an integer. The function gets real Python
values; what the model leaves out is left to the function's own defaults.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NotRequired, Required, cast, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.fields import FieldInfo
from typing_extensions import TypedDict

from callagain.connectors.tools.build import build_tool
from callagain.connectors.tools.callables import Inspected, Parameter, inspect_callable
from callagain.connectors.tools.docstrings import parse_docstring
from callagain.connectors.tools.json_schema import without_titles
from callagain.connectors.tools.options import ToolOptions
from callagain.connectors.tools.problem import ToolProblem, first_sentence
from callagain.connectors.tools.results import json_value
from callagain.connectors.tools.strict_json import read_strictly
from callagain.connectors.tools.tool import FunctionTool, P, R, Tool
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject

Arguments = dict[str, object]


def tool_from_function(function: Callable[P, R], options: ToolOptions) -> FunctionTool[P, R]:
    """The tool of a function, a bound method, a partial or an object with `__call__`; sync or async.

    Raises ToolSchemaError for what cannot be announced or called by name.
    """
    if isinstance(function, Tool):
        function = cast("Callable[P, R]", function.function)
    inspected = inspect_callable(function, options.get("name"))
    docstring = parse_docstring(inspected.docstring)
    adapter = _adapter(inspected, docstring.parameters)
    parameters = without_titles(adapter.json_schema())
    known = list(cast("JsonObject", parameters["properties"]))

    def read_arguments(arguments: JsonObject) -> Mapping[str, object]:
        return read_strictly(adapter, arguments, known)

    return build_tool(
        function,
        inspected,
        description=docstring.description,
        parameters=parameters,
        read_arguments=read_arguments,
        options=options,
    )


def _adapter(inspected: Inspected, descriptions: Mapping[str, str]) -> TypeAdapter[Arguments]:
    """The validator of all arguments together, a TypedDict: any parameter name is a legal key of it."""
    fields = {
        each.name: _field(each, descriptions.get(each.name), inspected.name) for each in inspected.parameters
    }
    try:
        return _checked_adapter(inspected.name, fields)
    except Exception as error:
        guilty = _first_without_schema(fields)
        raise ToolSchemaError(
            f"tool {inspected.name}: the parameter {guilty} has a type without a JSON schema: "
            f"{first_sentence(error)}"
        ) from None


def _checked_adapter(name: str, fields: Mapping[str, object]) -> TypeAdapter[Arguments]:
    make: Any = TypedDict
    arguments = make(name, dict(fields))
    arguments.__pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)
    adapter: TypeAdapter[Arguments] = TypeAdapter(arguments)
    adapter.json_schema()
    return adapter


def _first_without_schema(fields: Mapping[str, object]) -> str:
    for name, hint in fields.items():
        try:
            _checked_adapter("one", {name: hint})
        except Exception:
            return name
    return ", ".join(fields)


def _field(parameter: Parameter, description: str | None, tool: str) -> object:
    """The parameter's type with its description and default for the schema; what Annotated says wins."""
    if isinstance(parameter.default, FieldInfo):
        raise ToolSchemaError(
            f"tool {tool}: the parameter {parameter.name} has Field(…) as its default; "
            f"write {parameter.name}: Annotated[type, Field(…)] = default"
        )
    base, *metadata = (
        get_args(parameter.hint) if get_origin(parameter.hint) is Annotated else (parameter.hint,)
    )
    said = Field(description=description, json_schema_extra=_announced_default(parameter))
    hint: Any = Annotated[(base, said, *metadata)]
    return Required[hint] if parameter.required else NotRequired[hint]


def _announced_default(parameter: Parameter) -> Any:
    """The default as the schema shows it; one without a JSON form, and None, stays unsaid."""
    if parameter.required or parameter.default is None:
        return None
    try:
        return {"default": json_value(parameter.default)}
    except ToolProblem:
        return None
