"""Validation by pydantic with the meaning of JSON, so that the announced schema is what holds."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from callagain.connectors.tools.problem import ToolProblem, exception_text
from callagain.connectors.tools.wording import pydantic_faults
from callagain.engine.json_text import Json, JsonError, JsonObject, encode

T = TypeVar("T")

# Above this a float has no neighbours one apart, and its integer form would claim digits that nobody wrote.
_EXACT_INTEGERS = 2.0**53


def read_strictly(adapter: TypeAdapter[T], arguments: JsonObject, known: Sequence[str]) -> T:
    """The Python value of the arguments; `known` are the announced names.

    Strict JSON mode, with one addition: where a float like 3.0 was refused, 3 is tried, since JSON Schema
    counts both as integers and some endpoints turn every number into a float.
    Raises ToolProblem: `invalid_arguments`, or `tool_exception` where a validator of the user's own breaks.
    """
    try:
        return _validate(adapter, arguments)
    except ValidationError as error:
        raise ToolProblem("invalid_arguments", pydantic_faults(error, arguments, known)) from None
    except JsonError as error:
        raise ToolProblem("invalid_arguments", f"the arguments {error}") from None
    except Exception as error:
        raise ToolProblem("tool_exception", exception_text(error)) from error


def _validate(adapter: TypeAdapter[T], arguments: JsonObject) -> T:
    try:
        return adapter.validate_json(encode(arguments), strict=True)
    except ValidationError:
        whole = encode(_with_whole_numbers(arguments))
        if whole == encode(arguments):
            raise
        return adapter.validate_json(whole, strict=True)


def _with_whole_numbers(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _with_whole_numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(member) for member in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_INTEGERS:
        return int(value)
    return value
