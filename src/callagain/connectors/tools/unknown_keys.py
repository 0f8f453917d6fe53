"""Keys in the arguments of a call that the raw schema of a tool does not list.

JSON Schema lets through what it does not mention. A function would not: so where a schema lists the
properties of an object, other keys are refused, unless it says itself what is to become of them.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import chain

from callagain.connectors.tools.schema_places import (
    alternatives,
    member_schemas,
    named_keys,
    speaking,
    together,
)
from callagain.connectors.tools.wording import Faults, unknown_key
from callagain.engine.json_text import Json, JsonObject

_SAYS_ITSELF = {"additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"}

_Path = tuple[str | int, ...]


def unknown_keys(arguments: JsonObject, schema: JsonObject, taken: Sequence[str] | None) -> str:
    """The unknown keys at every depth, in one line; empty when there are none.

    taken: the names that the function takes, whatever the schema lists; None if it takes any.
    """
    faults = Faults("arguments")
    for path, found, listed in _objects(arguments, [schema], schema, ()):
        known = listed
        if not path and taken is not None:
            known = [key for key in taken if listed is None or key in listed]
        for key in found:
            if known is not None and key not in known:
                faults.add([*path, key], unknown_key(known))
    return faults.text()


def _objects(
    value: JsonObject | list[Json], schemas: list[Json], root: JsonObject, path: _Path
) -> Iterator[tuple[_Path, JsonObject, list[str] | None]]:
    """Each object in the value with its path and the keys that it may have; None where any are let in."""
    said = speaking(schemas, root)
    listed = None
    if isinstance(value, dict):
        listed = _listed_keys(schemas, said, root)
        yield path, value, listed
    if listed is None and _has_choice(said, "object" if isinstance(value, dict) else "array", root):
        return
    for step, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(member, dict | list):
            yield from _objects(member, member_schemas(said, step), root, (*path, step))


def _listed_keys(schemas: list[Json], said: list[JsonObject], root: JsonObject) -> list[str] | None:
    """The keys that an object may have where these schemas speak; None where they leave it open."""
    if not _SAYS_ITSELF.isdisjoint(chain.from_iterable(said)):
        return None
    of_objects = [each for each in schemas if _admits(each, "object", root)]
    if of_objects and all(_lists_keys(each, root, frozenset()) for each in of_objects):
        return named_keys(said)
    return None


def _lists_keys(schema: Json, root: JsonObject, above: Set[int]) -> bool:
    """Whether properties are listed whichever alternative an object takes.

    above: the schemas that led here; one that leads back to itself adds nothing.
    """
    held = together(schema, root)
    if any(each.get("properties") for each in held) or any(id(each) in above for each in held):
        return True
    branches = [branch for each in held for branch in alternatives(each) if _admits(branch, "object", root)]
    above = above | {id(each) for each in held}
    return bool(branches) and all(_lists_keys(branch, root, above) for branch in branches)


def _has_choice(said: list[JsonObject], kind: str, root: JsonObject) -> bool:
    """Whether what one alternative says of a member may not hold, since the value fits another one."""
    branches = [branch for each in said for branch in alternatives(each)]
    return sum(_admits(branch, kind, root) for branch in branches) > 1


def _admits(schema: Json, kind: str, root: JsonObject) -> bool:
    return all(kind in _types(each.get("type", kind)) for each in together(schema, root))


def _types(named: Json) -> list[Json]:
    return named if isinstance(named, list) else [named]
