"""What every way of making a tool shares: the options, the description, the output schema."""

import warnings
from collections.abc import Callable
from typing import Any, cast

from callagain.connectors.tools.annotations import outside_frames
from callagain.connectors.tools.callables import Inspected, return_type
from callagain.connectors.tools.json_schema import SchemaValidator, without_titles
from callagain.connectors.tools.options import ToolOptions, check_flag, check_options
from callagain.connectors.tools.problem import ToolProblem, first_sentence
from callagain.connectors.tools.tool import (
    CheckResult,
    FunctionTool,
    P,
    R,
    ReadArguments,
    ToolDescriptionWarning,
)
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject


def build_tool(
    function: Callable[P, R],
    inspected: Inspected,
    *,
    description: str,
    parameters: JsonObject,
    read_arguments: ReadArguments,
    options: ToolOptions,
    strict: bool | None = None,
    whole_parameter: str | None = None,
) -> FunctionTool[P, R]:
    """Put a tool together. Raises ToolSchemaError for options that are none, or contradict each other."""
    name = inspected.name
    check_options(options, name, is_async=inspected.is_async)
    check_flag(strict, "strict", name)
    output_schema = _output_schema(function, options.get("output_schema"), name)
    return FunctionTool(
        name=name,
        description=_description(options.get("description"), description, name),
        parameters=parameters,
        function=function,
        is_async=inspected.is_async,
        read_arguments=read_arguments,
        context_parameter=inspected.context_parameter,
        whole_parameter=whole_parameter,
        output_schema=output_schema,
        check_result=_result_check(output_schema, name),
        sequential=options.get("sequential") or False,
        read_only=options.get("read_only") or False,
        idempotent=options.get("idempotent") or False,
        timeout=options.get("timeout"),
        in_caller_thread=options.get("in_caller_thread") or False,
        requires_approval=options.get("requires_approval", False),
        on_unknown=options.get("on_unknown"),
        max_result_chars=options.get("max_result_chars"),
        max_argument_chars=options.get("max_argument_chars"),
        untrusted=options.get("untrusted") or False,
        verbatim=options.get("verbatim") or False,
        polling=options.get("polling") or False,
        strict=strict,
        is_method=inspected.is_method,
    )


def _description(chosen: str | None, own: str, name: str) -> str:
    description = own if chosen is None else chosen
    if not description:
        _warn_of_no_description(name)
    return description


def _warn_of_no_description(name: str) -> None:
    """Warn at the line that makes the tool."""
    message = (
        f"tool {name} has no description, and the description is what the model chooses by; "
        "write a docstring or set description="
    )
    frame = next(outside_frames(), None)
    if frame is None:
        warnings.warn(message, ToolDescriptionWarning, stacklevel=2)
        return
    warnings.warn_explicit(
        message,
        ToolDescriptionWarning,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=str(frame.f_globals.get("__name__", "")),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _output_schema(
    function: Callable[..., object], option: JsonObject | bool | None, name: str
) -> JsonObject | None:
    if option is not True:
        return option or None
    from pydantic import TypeAdapter

    hint = return_type(function, name)
    try:
        adapter: TypeAdapter[object] = TypeAdapter(cast("Any", hint))
        return without_titles(adapter.json_schema(mode="serialization"))
    except Exception as error:
        raise ToolSchemaError(
            f"tool {name}: the type of the result has no JSON schema: {first_sentence(error)}"
        ) from None


def _result_check(schema: JsonObject | None, name: str) -> CheckResult | None:
    if schema is None:
        return None
    validator = SchemaValidator(schema, f"tool {name}: output_schema")

    def check(value: Json) -> None:
        faults = validator.faults(value, "the result")
        if faults:
            raise ToolProblem("invalid_result", f"the result of {name} does not fit its schema: {faults}")

    return check
