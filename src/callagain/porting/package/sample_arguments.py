"""Arguments that fit a schema, for the tests that a package comes with."""

from collections.abc import Mapping, Sequence
from typing import cast

from callagain.engine.json_text import Json, JsonObject

_DEPTH = 8


def sample_arguments(schema: Mapping[str, object]) -> JsonObject:
    """An object with what the schema requires, and what the schema itself gives as default or example."""
    value = _sample(schema, "", _DEPTH)
    return value if isinstance(value, dict) else {}


def _sample(schema: Mapping[str, object], name: str, depth: int) -> Json:
    for key in ("const", "default"):
        if key in schema:
            return cast("Json", schema[key])
    for key in ("enum", "examples"):
        if values := _list(schema.get(key)):
            return cast("Json", values[0])
    if depth == 0:
        return None
    for key in ("anyOf", "oneOf", "allOf"):
        if choices := _list(schema.get(key)):
            return _sample(_mapping(choices[0]), name, depth - 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if kinds := _list(kind):
        kind = kinds[0]
    match kind:
        case "object":
            return _object(schema, depth)
        case "array":
            number = min(int(_number(schema.get("minItems"), 1)), 20)
            return [_sample(_mapping(schema.get("items")), name, depth - 1)] * number
        case "integer" | "number":
            return int(_number(schema.get("minimum"), _number(schema.get("exclusiveMinimum"), 0) + 1))
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return _text(schema, name)


def _object(schema: Mapping[str, object], depth: int) -> JsonObject:
    properties = schema.get("properties")
    known = _mapping(properties)
    wanted = [name for name in _list(schema.get("required")) if isinstance(name, str)]
    return {name: _sample(_mapping(known.get(name)), name, depth - 1) for name in wanted}


def _text(schema: Mapping[str, object], name: str) -> str:
    match schema.get("format"):
        case "date":
            return "2026-01-31"
        case "date-time":
            return "2026-01-31T12:00:00Z"
        case "email":
            return "somebody@example.com"
        case _:
            text = f"some {name.replace('_', ' ')}" if name else "something"
    least, most = _number(schema.get("minLength"), 0), _number(schema.get("maxLength"), 1000)
    return text.ljust(int(least), ".")[: int(most)]


def _number(value: object, otherwise: float) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else otherwise


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list) else ()
