"""What a JSON schema says about a place in a value, found without validating anything.

A branch of anyOf speaks of a place whether or not the value fits the branch. What stands under `not`, `if`
and `contains` demands nothing of the place, and is passed over.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast
from urllib.parse import unquote

from callagain.connectors.tools.json_schema import subschemas
from callagain.engine.json_text import Json, JsonObject

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_BRANCHES = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")
_APPLYING = {*_REFERENCES, *_BRANCHES}


def speaking(schemas: Iterable[Json], root: JsonObject) -> list[JsonObject]:
    """The schemas of one place, and every schema that they apply to the same place; each one once."""
    return _reached(schemas, root, with_alternatives=True)


def together(schema: Json, root: JsonObject) -> list[JsonObject]:
    """The same for one schema without anyOf and oneOf: what holds whichever alternative is taken."""
    return _reached([schema], root, with_alternatives=False)


def alternatives(schema: JsonObject) -> list[Json]:
    """The branches of the schema's own anyOf and oneOf."""
    return [*_list(schema.get("anyOf")), *_list(schema.get("oneOf"))]


def named_keys(schemas: Iterable[JsonObject]) -> list[str]:
    """The keys that the schemas of one place call by name, in their order."""
    names: dict[str, None] = {}
    for schema in schemas:
        names |= dict.fromkeys(_map(schema.get("properties")))
        names |= dict.fromkeys(cast("list[str]", _list(schema.get("required"))))
    return list(names)


def member_schemas(schemas: Sequence[JsonObject], step: str | int) -> list[Json]:
    """What the schemas of a place, as `speaking` gives them, say of its member with this key or index."""
    if isinstance(step, str):
        said = [found for schema in schemas for found in _of_key(schema, step)]
        return said or _values(schemas, "unevaluatedProperties")
    said = [found for schema in schemas for found in _of_index(schema, step)]
    return said or _values(schemas, "unevaluatedItems")


def _of_key(schema: JsonObject, key: str) -> list[Json]:
    properties = _map(schema.get("properties"))
    said = [properties[key]] if key in properties else []
    for pattern, member in _map(schema.get("patternProperties")).items():
        if _matches(pattern, key):
            said.append(member)
    return said or _schema(schema.get("additionalProperties"))


def _of_index(schema: JsonObject, index: int) -> list[Json]:
    items = schema.get("items")
    # Before Draft 2020-12 `items` could be the list, and `additionalItems` said the rest.
    first = _list(items) or _list(schema.get("prefixItems"))
    if index < len(first):
        return [first[index]]
    return _schema(schema.get("additionalItems") if isinstance(items, list) else items)


def _matches(pattern: str, key: str) -> bool:
    """A pattern in another dialect than Python's may match."""
    try:
        return re.search(pattern, key) is not None
    except re.error:
        return True


def _reached(schemas: Iterable[Json], root: JsonObject, *, with_alternatives: bool) -> list[JsonObject]:
    found: dict[int, JsonObject] = {}
    waiting = list(schemas)
    while waiting:
        schema = waiting.pop(0)
        # A schema may lead back to itself.
        if not isinstance(schema, dict) or id(schema) in found:
            continue
        found[id(schema)] = schema
        # Most schemas apply no other one.
        if _APPLYING.isdisjoint(schema):
            continue
        waiting += _applied_with(schema, root)
        if with_alternatives:
            waiting += alternatives(schema)
    return list(found.values())


def _applied_with(schema: JsonObject, root: JsonObject) -> Iterator[Json]:
    for keyword in _REFERENCES:
        if isinstance(target := schema.get(keyword), str):
            yield _referred(target, root)
    yield from _list(schema.get("allOf"))
    yield from (schema.get("then"), schema.get("else"))
    yield from _map(schema.get("dependentSchemas")).values()
    yield from _map(schema.get("dependencies")).values()


def _referred(target: str, root: JsonObject) -> Json:
    """What a reference inside the schema leads to, by pointer or by anchor; None if to nothing."""
    name = unquote(target.removeprefix("#"))
    if name and not name.startswith("/"):
        anchors = ("$anchor", "$dynamicAnchor")
        return next((each for _, each in subschemas(root) if name in map(each.get, anchors)), None)
    found: Json = root
    for part in name.split("/")[1:]:
        found = _member(found, part.replace("~1", "/").replace("~0", "~"))
    return found


def _member(value: Json, step: str) -> Json:
    if isinstance(value, list):
        return value[int(step)] if step.isdecimal() and int(step) < len(value) else None
    return _map(value).get(step)


def _values(schemas: Iterable[JsonObject], keyword: str) -> list[Json]:
    return [schema[keyword] for schema in schemas if keyword in schema]


def _schema(value: Json) -> list[Json]:
    return [value] if isinstance(value, dict) else []


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _map(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
