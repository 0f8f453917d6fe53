"""Tools from raw JSON schemas: the guide's `toolsJson`, and a function for each name in it.

Arguments arrive as keyword arguments. A function with just one parameter (besides a ToolContext) gets the
whole object in it if the parameter is annotated `dict`, `Mapping` or `JsonObject` and named like no property
of the schema, or if `pass_object=True` says so. Values arrive as JSON has them: a date is a string.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast, get_origin

from callagain.connectors.tools.build import build_tool
from callagain.connectors.tools.callables import Inspected, inspect_callable, legal_name
from callagain.connectors.tools.json_schema import SchemaValidator, require_object
from callagain.connectors.tools.options import ToolOptions, check_flag
from callagain.connectors.tools.problem import ToolProblem, exception_text
from callagain.connectors.tools.tool import FunctionTool, P, R, Tool
from callagain.connectors.tools.unknown_keys import unknown_keys
from callagain.engine.errors import DuplicateToolError, ToolSchemaError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode

if TYPE_CHECKING:
    from typing import Unpack

_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}
_ENTRY_KEYS = {"type", "function"}
_FUNCTION_KEYS = {"name", "description", "parameters", "strict"}


def tools_from_json(
    tools_json: str | list[JsonObject],
    functions: Mapping[str, Callable[..., object]],
    options: "Mapping[str, ToolOptions] | None" = None,
) -> list[Tool]:
    """The tools of a `toolsJson` array, given as text or parsed, each with the function of its name.

    options: of some of them by name, such as {"refund": {"requires_approval": True}}.

    An entry is `{"type": "function", "function": {"name", "description", "parameters", "strict"}}`; without
    `parameters` the tool takes none. Raises ToolSchemaError, naming the entry, for whatever does not fit:
    also for an entry without a function and a function without an entry.

    Guide: toolsJson, gpt.registeredTools, tool schemas.
    """
    tools: dict[str, Tool] = {}
    chosen = dict(options or {})
    for index, entry in enumerate(_entries(tools_json)):
        declared = _declared(entry, f"toolsJson entry {index}")
        name = cast("str", declared["name"])
        if name in tools:
            raise DuplicateToolError(
                f"toolsJson entry {index}: the name {name} stands twice; rename one of the two"
            )
        if name not in functions:
            given = ", ".join(functions) or "none"
            raise ToolSchemaError(
                f"toolsJson entry {index}: no function is given for {name}; given are: {given}"
            )
        tools[name] = tool_from_schema(
            cast("JsonObject", declared.get("parameters", _NO_PARAMETERS)),
            functions[name],
            strict=cast("bool | None", declared.get("strict")),
            **_with_words(declared, chosen.pop(name, {})),
        )
    if chosen:
        raise ToolSchemaError(f"options are given for {', '.join(chosen)}, which toolsJson does not have")
    for name in functions:
        if name not in tools:
            raise ToolSchemaError(
                f"toolsJson has no entry for the function {name}; it has: {', '.join(tools) or 'none'}"
            )
    return list(tools.values())


def _with_words(declared: JsonObject, options: ToolOptions) -> ToolOptions:
    words: ToolOptions = {
        "name": cast("str", declared["name"]),
        "description": cast("str", declared.get("description", "")),
    }
    return {**words, **options}


def tool_from_schema(
    parameters: JsonObject,
    function: Callable[P, R],
    *,
    pass_object: bool = False,
    strict: bool | None = None,
    **options: "Unpack[ToolOptions]",
) -> FunctionTool[P, R]:
    """A tool announced by this JSON schema and validated by it in full.

    Draft 2020-12 holds unless `$schema` says otherwise; `description=` describes the tool. Where the schema
    lists the properties of an object, other keys are refused, unless it says what holds for them. Raises
    ToolSchemaError for a schema that is not one, and for a function that cannot be called with what the
    schema lets through.
    """
    inspected = inspect_callable(function, options.get("name"), typed=False, any_keyword=True)
    whose = f"tool {inspected.name}: parameters"
    schema = _own_copy(parameters, whose)
    require_object(schema, whose)
    validator = SchemaValidator(schema, whose)
    properties = list(cast("JsonObject", schema.get("properties", {})))
    whole = _object_parameter(inspected, properties, pass_object=pass_object)
    if whole is None:
        _check_keywords(inspected, properties, cast("list[str]", schema.get("required", [])))
    taken = None if whole else _taken_names(inspected, schema)

    def read_arguments(arguments: JsonObject) -> Mapping[str, object]:
        if faults := _faults(arguments, validator, taken):
            raise ToolProblem("invalid_arguments", faults)
        # The function may change what it gets; the run's own record of the call must not change with it.
        given = copy.deepcopy(arguments)
        return {whole: given} if whole else given

    return build_tool(
        function,
        inspected,
        description="",
        parameters=schema,
        read_arguments=read_arguments,
        options=options,
        strict=strict,
        whole_parameter=whole,
    )


def _entries(tools_json: str | list[JsonObject]) -> list[Json]:
    try:
        text = tools_json if isinstance(tools_json, str) else encode(tools_json).decode()
        entries = decode(text, unique_keys=True)
    except JsonError as error:
        raise ToolSchemaError(f"toolsJson is not JSON: {error}") from None
    if not isinstance(entries, list):
        raise ToolSchemaError("toolsJson must be an array of tools, as in the tools field of a request")
    return entries


def _declared(entry: Json, where: str) -> JsonObject:
    """The entry's `function` object with the types of its fields checked."""
    if not isinstance(entry, dict) or not isinstance(function := entry.get("function"), dict):
        raise ToolSchemaError(
            f'{where} must be {{"type": "function", "function": {{"name": …, "parameters": …}}}}'
        )
    if entry.get("type", "function") != "function":
        raise ToolSchemaError(f"{where} has the type {entry['type']!r}; only function tools can be run")
    for unknown in [*(entry.keys() - _ENTRY_KEYS), *(function.keys() - _FUNCTION_KEYS)]:
        raise ToolSchemaError(f"{where} has the unknown key {unknown!r}; remove it")
    if not isinstance(name := function.get("name"), str):
        raise ToolSchemaError(f"{where} has no name; set function.name to a string")
    legal_name(name)
    for key, kind in (("description", str), ("parameters", dict), ("strict", bool)):
        if key in function and not isinstance(function[key], kind):
            raise ToolSchemaError(f"{where} ({name}): {key} must be a JSON {_JSON_NAMES[kind]}")
    return function


_JSON_NAMES: dict[type, str] = {str: "string", dict: "object", bool: "boolean"}


def _own_copy(parameters: JsonObject, whose: str) -> JsonObject:
    """A copy that nobody else changes, and the proof that the schema is JSON."""
    try:
        copied = decode(encode(parameters).decode())
    except JsonError as error:
        raise ToolSchemaError(f"{whose}: the schema {error}") from None
    if not isinstance(copied, dict):
        raise ToolSchemaError(f"{whose}: a schema is a JSON object")
    return copied


def _object_parameter(inspected: Inspected, properties: list[str], *, pass_object: bool) -> str | None:
    """The parameter that gets the whole object, if one does."""
    check_flag(pass_object, "pass_object", inspected.name)
    if pass_object and len(inspected.parameters) != 1:
        raise ToolSchemaError(
            f"tool {inspected.name}: pass_object=True needs a function with one parameter, "
            f"this one has {len(inspected.parameters)}"
        )
    if pass_object:
        return inspected.parameters[0].name
    if len(inspected.parameters) == 1 and not inspected.takes_any_keyword:
        only = inspected.parameters[0]
        if only.name not in properties and _is_object_type(only.hint):
            return only.name
    return None


def _is_object_type(hint: object) -> bool:
    return (get_origin(hint) or hint) in (dict, Mapping)


def _check_keywords(inspected: Inspected, properties: list[str], required: list[str]) -> None:
    """Raises ToolSchemaError if a call that fits the schema could miss the function's parameters."""
    names = {each.name for each in inspected.parameters}
    for name in properties:
        if name not in names and not inspected.takes_any_keyword:
            raise ToolSchemaError(
                f"tool {inspected.name}: the function has no parameter for the property {name}; add it, "
                "or take the whole object in one parameter annotated dict"
            )
    for each in inspected.parameters:
        if each.required and each.name not in required:
            raise ToolSchemaError(
                f"tool {inspected.name}: the parameter {each.name} has no default, but the schema does not "
                "require it; add it to the schema's required or give it a default"
            )


def _taken_names(inspected: Inspected, schema: JsonObject) -> list[str] | None:
    """The names that the function takes; None where whatever the schema lets through is taken."""
    if inspected.takes_any_keyword or schema.get("additionalProperties") is False:
        return None
    return [each.name for each in inspected.parameters]


def _faults(arguments: JsonObject, validator: SchemaValidator, taken: Sequence[str] | None) -> str:
    try:
        faults = [validator.faults(arguments, "arguments"), unknown_keys(arguments, validator.schema, taken)]
    except Exception as error:
        return f"the arguments cannot be held against the schema: {exception_text(error)}"
    return "; ".join(filter(None, faults))
