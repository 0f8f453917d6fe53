"""JSON values side by side: equality, types, and the places that JSON pointers name (RFC 6901)."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeGuard

_SHOWN_CHARS = 400


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


def is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": is_array,
    "object": is_object,
}
TYPE_NAMES = tuple(_TYPES)


def has_type(value: Any, name: str) -> bool:
    """Whether the value is of the type that JSON Schema calls so."""
    return name in _TYPES and _TYPES[name](value)


def is_finite(value: Any) -> bool:
    """Whether it is a number, neither infinite nor NaN, which Python reads in JSON; true is none."""
    return has_type(value, "number") and (isinstance(value, int) or math.isfinite(value))


def same(one: Any, other: Any) -> bool:
    """Equality of value and type: true is not 1, and "1" is not 1; 1.0 is."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def parsed(text: Any) -> Any:
    """The value of a JSON text; ABSENT for anything else."""
    try:
        return json.loads(text) if isinstance(text, str) else ABSENT
    except (ValueError, RecursionError):
        return ABSENT


def at(value: Any, pointer: str) -> Any:
    """What stands at the pointer; ABSENT if there is nothing."""
    for name in _names(pointer):
        if is_object(value):
            value = value.get(name, ABSENT)
        elif is_array(value) and re.fullmatch("0|[1-9][0-9]*", name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


def shown(value: Any) -> str:
    """The value as a message shows it; the beginning of a long one."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def differs(expected: Any, actual: Any) -> Iterator[str]:
    """A line that says so, if they are not the same."""
    if not same(expected, actual):
        yield f"expected {shown(expected)}, got {shown(actual)}"


def _names(pointer: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]
