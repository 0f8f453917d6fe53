"""Dataclasses of plain data as JSON objects, and back, each field by its declared type.

A class needs nothing for this, and a field that is added to one is written and read at once. The types are
those of the inputs and the log: texts, numbers, booleans, JSON itself, `X | None`, Literal, tuples,
frozensets of texts, mappings with texts as keys, and dataclasses of such fields.
"""

import dataclasses
from collections.abc import Collection, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

from callagain.engine.json_text import Json, JsonObject

Data = TypeVar("Data")

_JSON_AS_IT_IS = (Json, JsonObject)
_WORDS: Mapping[Any, str] = {
    NoneType: "null",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


def as_json(data: object) -> JsonObject:
    """The fields of a dataclass by their names.

    Raises ValueError for an instance of a subclass where a field names the class: it could not be restored.
    """
    return {each.name: _written(each.type, getattr(data, each.name), each.name) for each in _fields(data)}


def from_json(kind: type[Data], value: Json, where: str) -> Data:
    """The dataclass of this kind. where: the place of the value, for messages.

    Raises ValueError, which names the place, unless every field is there, has a value of its type, and
    nothing else is there.
    """
    fields = _fields(kind)
    given = _expect(dict, value, where)
    _check_names(given, [each.name for each in fields], where)
    values = {each.name: _read(each.type, given[each.name], f"{where}.{each.name}") for each in fields}
    try:
        return kind(**values)
    except Exception as error:
        # A class may refuse values that have the right types, in whatever words.
        raise ValueError(f"{where}: {error}") from error


def _written(kind: Any, value: Any, name: str) -> Json:
    origin, inner = get_origin(kind), get_args(kind)
    if value is None or kind in _WORDS or kind in _JSON_AS_IT_IS or origin is Literal:
        return cast("Json", value)
    if origin in (Union, UnionType):
        return _written(_present(kind), value, name)
    if origin is Mapping:
        return {key: _written(inner[1], each, f"{name}[{key!r}]") for key, each in value.items()}
    if origin is tuple:
        return [_written(one, each, name) for one, each in zip(_members(kind, value), value, strict=True)]
    if origin is frozenset:
        return sorted(value)
    if type(value) is not _dataclass(kind):
        raise ValueError(f"{name} is a {type(value).__name__}, and only a {kind.__name__} itself can be kept")
    return as_json(value)


def _read(kind: Any, value: Json, where: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if kind == Json:
        return value
    if kind in _WORDS or kind == JsonObject:
        return _expect(dict if kind == JsonObject else kind, value, where)
    if origin in (Union, UnionType):
        return None if value is None else _read(_present(kind), value, where)
    if origin is Literal:
        if value not in inner:
            raise ValueError(f"{where} must be one of {', '.join(map(repr, inner))}")
        return value
    if origin is Mapping:
        given = _expect(dict, value, where)
        return {key: _read(inner[1], each, f"{where}[{key!r}]") for key, each in given.items()}
    if origin is tuple:
        return _read_tuple(kind, value, where)
    if origin is frozenset:
        return frozenset(_read(inner[0], each, where) for each in _expect(list, value, where))
    return from_json(_dataclass(kind), value, where)


def _read_tuple(kind: Any, value: Json, where: str) -> tuple[Any, ...]:
    given = _expect(list, value, where)
    members = _members(kind, given)
    if len(members) != len(given):
        raise ValueError(f"{where} must be a list of {len(members)}, not of {len(given)}")
    return tuple(
        _read(one, each, f"{where}[{place}]")
        for place, (one, each) in enumerate(zip(members, given, strict=True))
    )


def _expect(kind: type[Any], value: Json, where: str) -> Any:
    found = type(value)
    if found is not kind and (kind, found) != (float, int):
        raise ValueError(f"{where} must be {_WORDS[kind]}, not {_WORDS.get(found, found.__name__)}")
    return value


def _check_names(given: Collection[str], expected: Collection[str], where: str) -> None:
    for name in expected:
        if name not in given:
            raise ValueError(f"{name} is missing in {where}")
    for name in given:
        if name not in expected:
            raise ValueError(f"there is no {name[:60]!r} in {where}")


def _present(kind: Any) -> Any:
    """X of `X | None`."""
    present = [each for each in get_args(kind) if each is not NoneType]
    if len(present) != 1:
        raise _has_no_form(kind)
    return present[0]


def _members(kind: Any, values: Collection[Any]) -> Collection[Any]:
    """The type of each member of a tuple: as many as are declared, or one for all."""
    inner = get_args(kind)
    return [inner[0]] * len(values) if inner[-1] is Ellipsis else inner


def _dataclass(kind: Any) -> Any:
    if not dataclasses.is_dataclass(kind):
        raise _has_no_form(kind)
    return kind


def _has_no_form(kind: Any) -> TypeError:
    return TypeError(f"a field of type {kind} cannot be kept as JSON; see {__name__}")


def _fields(data: Any) -> tuple["dataclasses.Field[Any]", ...]:
    return dataclasses.fields(data)
