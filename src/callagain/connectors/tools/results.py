"""What a tool returned, as the text that goes to the model.

Nothing is guessed: a value without an agreed JSON form is a ToolProblem that names its type and its place;
the `repr` of an object is never sent.
"""

import base64
import dataclasses
import datetime
import decimal
import enum
import inspect
import math
import sys
import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeGuard, cast

from callagain.connectors.tools.problem import ToolProblem, exception_text
from callagain.engine.json_text import MAX_DEPTH, Json, JsonError, encode, valid_unicode

if TYPE_CHECKING:
    from pydantic import BaseModel

_AS_THEY_ARE = {type(None), bool, int, str}
_Dates = datetime.datetime | datetime.date | datetime.time


def result_text(value: object) -> str:
    """The text for the model.

    A string (also one that stands in an Enum, or UTF-8 in bytes) goes as it is, everything else as compact
    JSON; docs/tools.md has the table. Raises ToolProblem (`result_unserializable`).

    Guide: String, tip on structured data.
    Departs from the guide in tip on structured data: the guide has each operation serialise what it returns.
    Here it is done for all of them, so that none can forget it; what has no JSON form is an error, and never
    guessed at.
    """
    return text_of_json(json_value(value), value)


def text_of_json(converted: Json, value: object) -> str:
    """The text of a result, from its JSON form and from the value that it had in Python."""
    if isinstance(converted, str) and isinstance(value, str | bytes | bytearray | enum.Enum):
        return valid_unicode(converted)
    try:
        return encode(converted).decode()
    except JsonError as error:
        raise ToolProblem("result_unserializable", f"the result {error}") from None


def json_value(value: object) -> Json:
    """The JSON form of what a tool returned. Raises ToolProblem (`result_unserializable`)."""
    return _convert(value, "the result", ())


def _convert(value: object, place: str, parents: tuple[int, ...]) -> Json:
    if type(value) in _AS_THEY_ARE:
        return cast("Json", value)
    if isinstance(value, enum.Enum):
        return _convert(value.value, place, parents)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(value, place)
    if isinstance(value, _Dates):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | uuid.UUID):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return _bytes(bytes(value))
    return _convert_container(value, place, parents)


def _convert_container(value: object, place: str, parents: tuple[int, ...]) -> Json:
    if id(value) in parents:
        raise _unserializable(f"{_type(value)} at {place} contains itself")
    if len(parents) >= MAX_DEPTH:
        raise _unserializable(f"the result is nested deeper than {MAX_DEPTH} levels")
    inside = (*parents, id(value))
    if isinstance(value, dict | Mapping):
        return _object(cast("Mapping[object, object]", value).items(), place, inside)
    if isinstance(value, list | tuple):
        return _array(cast("list[object]", value), place, inside)
    if isinstance(value, set | frozenset):
        return sorted(_array(cast("set[object]", value), place, inside), key=encode)
    if _is_model(value):
        # The parents stay as they are: the model is replaced by its dump, which counts as its level.
        return _convert(_dump(value, place), place, parents)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((each.name, getattr(value, each.name)) for each in dataclasses.fields(value))
        return _object(fields, place, inside)
    raise _unserializable(f"{_type(value)} at {place} has no JSON form; {_advice(value)}")


def _object(items: Iterable[tuple[object, object]], place: str, parents: tuple[int, ...]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, member in items:
        text = _key(key, place)
        if text in result:
            raise _unserializable(f"two keys at {place} both become {text!r}")
        result[text] = _convert(member, f"{place}.{text}", parents)
    return result


def _array(items: Iterable[object], place: str, parents: tuple[int, ...]) -> list[Json]:
    return [_convert(item, f"{place}[{index}]", parents) for index, item in enumerate(items)]


def _key(key: object, place: str) -> str:
    if isinstance(key, enum.Enum):
        return _key(key.value, place)
    if isinstance(key, str):
        return key
    if isinstance(key, _Dates):
        return key.isoformat()
    if isinstance(key, int | float | decimal.Decimal | uuid.UUID | None):
        return str(key)
    raise _unserializable(f"a key of type {_type(key)} at {place} has no JSON form; use strings as keys")


def _finite(value: float, place: str) -> float:
    if not math.isfinite(value):
        raise _unserializable(f"{value} at {place} is not a JSON number")
    return float(value)


def _bytes(value: bytes) -> Json:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"encoding": "base64", "data": base64.b64encode(value).decode()}


def _is_model(value: object) -> "TypeGuard[BaseModel]":
    """There is none as long as nobody has imported pydantic."""
    # While another thread imports it, it is there, and has no models yet.
    base = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return base is not None and isinstance(value, base)


def _dump(model: "BaseModel", place: str) -> object:
    try:
        return model.model_dump(mode="json")
    except Exception as error:
        raise _unserializable(
            f"{_type(model)} at {place} cannot be dumped: {exception_text(error)}"
        ) from error


def _advice(value: object) -> str:
    if inspect.iscoroutine(value):
        value.close()
        return "a function that returns a coroutine has to be declared with async def"
    return "return strings, numbers, lists, dicts, dataclasses or pydantic models"


def _type(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _unserializable(message: str) -> ToolProblem:
    return ToolProblem("result_unserializable", message)
