"""Work on JSON schemas: checking one when a tool is made, validating against it, cleaning pydantic's.

jsonschema is imported when the first validator is built, not when callagain is.
"""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, cast

from callagain.connectors.tools.patterns import matches, may_explode
from callagain.connectors.tools.problem import clip, exception_text
from callagain.connectors.tools.wording import place_text, schema_faults
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MAPS_OF_SCHEMAS = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_PLAIN_DATA = {"default", "const", "enum", "examples"}
_REFERENCES = ("$ref", "$dynamicRef")
# So many schemas may come to be applied to one value, counting what references repeat.
_MOST_APPLIED = 10_000

Path = tuple[str | int, ...]


class SchemaValidator:
    """A JSON schema that was found sound; Draft 2020-12 unless its `$schema` says otherwise.

    Formats are checked where jsonschema can without further packages (date, email, ipv4, ipv6, regex …).
    `whose` begins every message, as in "tool find: parameters". Raises ToolSchemaError, naming the place,
    for a schema that breaks its draft, for a pattern or references that may take for ever, and for a
    `$ref` that leads nowhere, to itself or out of the schema: nothing is ever fetched.
    """

    def __init__(self, schema: JsonObject, whose: str) -> None:
        from jsonschema.exceptions import SchemaError
        from referencing import Registry

        self.schema = schema
        draft = _draft(schema, whose)
        try:
            draft.check_schema(schema)
        except SchemaError as error:
            faults = schema_faults([error], "the root")
            raise ToolSchemaError(f"{whose}: not a JSON schema: {faults}") from None
        except (RecursionError, OverflowError) as error:
            # Of a pattern that Python cannot compile.
            raise ToolSchemaError(f"{whose}: not a JSON schema: {exception_text(error)}") from None
        _check_patterns(schema, whose)
        _check_references(schema, whose, str(draft.META_SCHEMA.get("$id", draft.META_SCHEMA.get("id"))))
        # A registry of our own: jsonschema's default one would fetch what it does not know.
        safe = _with_safe_patterns(draft)
        self._validator: Validator = safe(schema, registry=Registry(), format_checker=draft.FORMAT_CHECKER)
        try:
            self.faults({}, "the value")
        except Exception as error:
            raise ToolSchemaError(
                f"{whose}: nothing can be validated by it: {exception_text(error)}"
            ) from None

    def faults(self, value: Json, root: str) -> str:
        """What is wrong with the value, in one line; empty when it fits."""
        return schema_faults(self._validator.iter_errors(value), root)


def require_object(schema: JsonObject, whose: str) -> None:
    """Raises ToolSchemaError unless the schema's root describes an object, as endpoints demand."""
    if schema.get("type") != "object":
        raise ToolSchemaError(
            f'{whose}: the root must be {{"type": "object", "properties": …}}, since arguments come by name'
        )


def without_titles(schema: JsonObject) -> JsonObject:
    """The schema without the titles that pydantic derives from names; a property called title stays."""
    return cast("JsonObject", _without_titles(schema))


def subschemas(schema: Json, path: Path = ()) -> Iterator[tuple[Path, JsonObject]]:
    """The schema and every schema inside it, each with its path; data such as defaults is passed over."""
    if isinstance(schema, list):
        for index, member in enumerate(schema):
            yield from subschemas(member, (*path, index))
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key, member in schema.items():
        if key in _MAPS_OF_SCHEMAS and isinstance(member, dict):
            for name, inner in member.items():
                yield from subschemas(inner, (*path, key, name))
        elif key not in _PLAIN_DATA:
            yield from subschemas(member, (*path, key))


def _without_titles(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_without_titles(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    clean: JsonObject = {}
    for key, member in schema.items():
        if key in _MAPS_OF_SCHEMAS and isinstance(member, dict):
            clean[key] = {name: _without_titles(inner) for name, inner in member.items()}
        elif key in _PLAIN_DATA:
            clean[key] = member
        elif key != "title":
            clean[key] = _without_titles(member)
    return clean


def _draft(schema: JsonObject, whose: str) -> "type[Validator]":
    from jsonschema import Draft202012Validator, validators

    named = schema.get("$schema", Draft202012Validator.META_SCHEMA["$id"])
    # Without a default of its own jsonschema takes a draft that it does not know for the newest one.
    unknown = cast("type[Validator]", None)
    draft = (
        validators.validator_for({"$schema": named}, default=unknown) if isinstance(named, str) else unknown
    )
    if not draft:
        raise ToolSchemaError(f"{whose}: $schema {named!r} is not a draft of JSON Schema that is known here")
    return draft


def _with_safe_patterns(draft: "type[Validator]") -> "type[Validator]":
    from jsonschema import validators
    from jsonschema.exceptions import ValidationError

    def pattern(
        validator: "Validator", value: str, instance: Json, _: JsonObject
    ) -> Iterator[ValidationError]:
        if validator.is_type(instance, "string") and not matches(value, str(instance)):
            yield ValidationError(f"{instance!r} does not match {value!r}")

    extend: Any = vars(validators)["extend"]
    return cast("type[Validator]", extend(draft, {"pattern": pattern}))


def _check_patterns(schema: JsonObject, whose: str) -> None:
    for path, inner in subschemas(schema):
        pattern, keys = inner.get("pattern"), inner.get("patternProperties")
        # jsonschema itself matches keys, and by `re`.
        found = [key for key in keys if may_explode(key, by_re=True)] if isinstance(keys, dict) else []
        if isinstance(pattern, str) and may_explode(pattern):
            found.append(pattern)
        for each in found:
            raise ToolSchemaError(
                f"{whose}: {place_text(path, 'the root')}: matching the pattern {clip(each, 80)!r} may take "
                "for ever; write it without repeats of what repeats or varies, and without many in a row"
            )


def _check_references(schema: JsonObject, whose: str, draft: str) -> None:
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import specification_with

    resource = specification_with(draft).create_resource(schema)
    registry: Registry[Any] = Registry()
    resolver = registry.with_resource("", resource).resolver()
    same_place: dict[int, list[int]] = {}
    for path, inner in subschemas(schema):
        applied = same_place[id(inner)] = [id(each) for each in _applied(inner)]
        for key in _REFERENCES:
            target = inner.get(key)
            if not isinstance(target, str):
                continue
            place = place_text((*path, key), "the root")
            if not target.startswith("#"):
                raise ToolSchemaError(
                    f"{whose}: {place}: {target!r} leads out of the schema; put it in $defs"
                )
            try:
                applied.append(id(resolver.lookup(target).contents))
            except Unresolvable:
                raise ToolSchemaError(f"{whose}: {place}: {target!r} leads nowhere") from None
    _check_circles(schema, same_place, whose)
    _check_repetition(same_place, whose)


def _check_repetition(same_place: dict[int, list[int]], whose: str) -> None:
    """Two references to one schema, in each of thirty that lead to the next, apply the last one 2³⁰ times."""
    applied: dict[int, int] = {}
    for each in TopologicalSorter(same_place).static_order():
        applied[each] = 1 + sum(applied[inner] for inner in same_place.get(each, ()))
        if applied[each] > _MOST_APPLIED:
            raise ToolSchemaError(
                f"{whose}: its references come to more than {_MOST_APPLIED:,} schemas for one value; "
                "refer to each of them once"
            )


def _applied(schema: JsonObject) -> Iterator[Json]:
    """What a schema applies to the very value that it is applied to."""
    for key in ("allOf", "anyOf", "oneOf"):
        if isinstance(members := schema.get(key), list):
            yield from members
    for key in ("not", "if", "then", "else"):
        yield schema.get(key)


def _check_circles(schema: JsonObject, same_place: dict[int, list[int]], whose: str) -> None:
    """A schema may lead back to itself for a part of its value, but not for the value itself."""
    try:
        TopologicalSorter(same_place).prepare()
    except CycleError as error:
        circle = set(error.args[1])
        path = next(
            path
            for path, inner in subschemas(schema)
            if id(inner) in circle and not inner.keys().isdisjoint(_REFERENCES)
        )
        place = place_text(path, "the root")
        raise ToolSchemaError(
            f"{whose}: {place}: its $ref leads back to itself, and never to a type"
        ) from None
