"""Validation errors as words that a model can mend its call from.

Every fault is one clause: where, what was expected, what was got. `order.items[0].count: should be a valid
integer, got string "3"`. No links, no dumps of long values.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from callagain.connectors.tools.problem import clip
from callagain.engine.json_text import Json, JsonError, JsonObject, encode

if TYPE_CHECKING:
    from jsonschema.exceptions import SchemaError
    from jsonschema.exceptions import ValidationError as Mismatch
    from pydantic import ValidationError

    SchemaFault = Mismatch | SchemaError

MAX_FAULTS = 20
_MAX_SAMPLE = 80
_MAX_CLAUSE = 300
_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
}
_LENGTHS = {"minLength": "least", "maxLength": "most"}
_ABSENT = "required, but missing"


class Faults:
    """Collects faults by place, in the order in which they come; `root` is what the whole value is called."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._places: dict[str, tuple[dict[str, None], str]] = {}

    def add(self, path: Sequence[str | int], expected: str, got: str = "") -> None:
        """One more expectation at a place, and what stands there; said twice, it counts once."""
        place = place_text(path, self._root)
        clauses, _ = self._places.get(place, ({}, ""))
        clauses[_one_line(expected, _MAX_CLAUSE)] = None
        self._places[place] = clauses, f", got {got}" if got else ""

    def text(self) -> str:
        """All of them in one line, at most MAX_FAULTS; empty when there are none."""
        lines = [f"{place}: {' or '.join(clauses)}{got}" for place, (clauses, got) in self._places.items()]
        more = len(lines) - MAX_FAULTS
        return "; ".join([*lines[:MAX_FAULTS], *([f"and {more} more"] if more > 0 else [])])


def place_text(path: Sequence[str | int], root: str) -> str:
    """`items[0].count` for ("items", 0, "count"); the root's name for the empty path."""
    text = "".join(
        f"[{step}]" if isinstance(step, int) else f".{_one_line(step, _MAX_SAMPLE)}" for step in path
    )
    return text.removeprefix(".") or root


def _one_line(text: str, limit: int) -> str:
    return clip(" ".join(text.split()), limit)


def sample(value: object) -> str:
    """The kind of a JSON value and the value itself, cut to about 80 characters."""
    kind = _KINDS.get(type(value), "object")
    try:
        text = encode(value).decode()
    except JsonError:
        return kind
    return kind if value is None else f"{kind} {clip(text, _MAX_SAMPLE)}"


def pydantic_faults(error: "ValidationError", arguments: JsonObject, known: Iterable[str]) -> str:
    """The faults that pydantic found; `known` are the announced names, told when a name is unknown."""
    faults = Faults("arguments")
    for each in error.errors(include_url=False, include_context=False):
        missing = each["type"] in ("missing", "missing_argument", "missing_keyword_only_argument")
        path = _path_in(arguments, each["loc"], missing=missing)
        if missing:
            faults.add(path, _ABSENT)
        elif each["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            faults.add(path, unknown_key(known if len(path) == 1 else ()))
        else:
            message = each["msg"].removeprefix("Input ").removeprefix("Value error, ")
            faults.add(path, message, sample(_value_at(arguments, path)))
    return faults.text()


def schema_faults(errors: Iterable["SchemaFault"], root: str) -> str:
    """The faults that jsonschema found; `root` names the value, `arguments` or `the result`."""
    faults = Faults(root)
    for error in errors:
        _add_schema_fault(faults, error)
    return faults.text()


def _add_schema_fault(faults: Faults, error: "SchemaFault") -> None:
    path = list(error.absolute_path)
    instance = cast("Json", error.instance)
    if error.validator in ("anyOf", "oneOf") and error.context:
        for branch in error.context:
            _add_schema_fault(faults, branch)
    elif error.validator == "required" and isinstance(instance, dict):
        for name in cast("list[str]", error.validator_value):
            if name not in instance:
                faults.add([*path, name], _ABSENT)
    elif error.validator == "additionalProperties" and isinstance(instance, dict):
        _add_unknown_keys(faults, path, instance, error)
    else:
        faults.add(path, _expectation(error), sample(instance))


def unknown_key(known: Iterable[str]) -> str:
    """The clause for a key that nobody announced."""
    names = ", ".join(known)
    return f"unknown key; known are: {names}" if names else "unknown key"


def _path_in(arguments: Json, location: Sequence[str | int], *, missing: bool) -> list[str | int]:
    """The part of pydantic's location that stands in the arguments; the names of union branches do not."""
    path: list[str | int] = []
    current = arguments
    for step in location:
        try:
            current = _member(current, step)
        except LookupError:
            continue
        path.append(step)
    return [*path, location[-1]] if missing else path


def _value_at(arguments: Json, path: Sequence[str | int]) -> Json:
    current = arguments
    for step in path:
        current = _member(current, step)
    return current


def _member(value: Json, step: str | int) -> Json:
    if isinstance(value, dict) and isinstance(step, str):
        return value[step]
    if isinstance(value, list) and isinstance(step, int):
        return value[step]
    raise LookupError(step)


def _add_unknown_keys(
    faults: Faults, path: list[str | int], instance: JsonObject, error: "SchemaFault"
) -> None:
    schema = cast("Mapping[str, Mapping[str, object]]", error.schema)
    known = list(schema.get("properties", {}))
    unknown = [name for name in instance if name not in known]
    if error.validator_value is False and "patternProperties" not in schema:
        for name in unknown:
            faults.add([*path, name], unknown_key(known))
    else:
        faults.add(path, f"has keys that the schema does not allow, among {', '.join(unknown)}")


def _expectation(error: "SchemaFault") -> str:
    value = cast("Json", error.validator_value)
    if not isinstance(error.validator, str):
        return "not allowed"
    if error.validator == "type":
        kinds = value if isinstance(value, list) else [value]
        return f"should be of type {' or '.join(str(kind) for kind in kinds)}"
    if error.validator == "enum":
        return f"should be one of {encode(value).decode()}"
    if error.validator == "const":
        return f"should be {encode(value).decode()}"
    if error.validator in _LENGTHS:
        return f"should have at {_LENGTHS[error.validator]} {value} characters"
    if error.validator == "oneOf":
        return "fits more than one of the allowed forms"
    return f"breaks {error.validator} {encode(value).decode()}"
