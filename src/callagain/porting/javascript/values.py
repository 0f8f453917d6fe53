"""Values on their way to JavaScript and back.

| in Jitterbit | in JavaScript |
| --- | --- |
| null, bool, number, string | the same; `undefined` comes back as null |
| array, dictionary | an array, an object, and back; what JSON leaves out of an object is left out |
| date, binary | their texts |

A number without a fraction comes back as `int`, as in Jitterbit Script. An object comes back with its keys in
JavaScript's order: those that are whole numbers first.
"""

from datetime import datetime
from typing import cast

from callagain.engine.json_text import Json
from callagain.porting.script.values import Value, as_double, check_depth, number, to_text


def to_json(value: Value, depth: int = 0) -> Json:
    """The value as JavaScript gets it. Raises ScriptValueError for what has no such form."""
    if isinstance(value, list):
        check_depth(depth)
        return [to_json(each, depth + 1) for each in value]
    if isinstance(value, dict):
        check_depth(depth)
        return {key: to_json(each, depth + 1) for key, each in value.items()}
    if isinstance(value, datetime | bytes):
        return to_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(as_double(value))
    return value


def from_json(value: Json) -> Value:
    """The value as scripts have it, numbers as doubles, or as `int` where they are whole."""
    if isinstance(value, list):
        return [from_json(each) for each in value]
    if isinstance(value, dict):
        return {key: from_json(each) for key, each in value.items()}
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(as_double(value))
    return cast("Value", value)
