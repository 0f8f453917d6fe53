"""Work on JSON schemas: checking one when a tool is made, validating against it, cleaning pydantic's.

jsonschema is imported when the first validator is built, not when callagain is.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from callagain.connectors.tools.problem import exception_text
from callagain.connectors.tools.wording import place_text, schema_faults
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MAPS_OF_SCHEMAS = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_PLAIN_DATA = {"default", "const", "enum", "examples"}

# A dollar sign that is neither escaped nor in brackets.
_DOLLAR = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|\$", re.DOTALL)

Path = tuple[str | int, ...]


class SchemaValidator:
    """A JSON schema that was found sound; Draft 2020-12 unless its `$schema` says otherwise.

    Formats are checked where jsonschema can without further packages (date, email, ipv4, ipv6, regex …).
    `whose` begins every message, as in "tool find: parameters". Raises ToolSchemaError, naming the place,
    for a schema that breaks its draft, and for a `$ref` that leads nowhere or out of the schema: nothing is
    ever fetched.
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
        _check_references(schema, whose, str(draft.META_SCHEMA.get("$id", draft.META_SCHEMA.get("id"))))
        # A registry of our own: jsonschema's default one would fetch what it does not know.
        strict = _with_exact_patterns(draft)
        self._validator: Validator = strict(schema, registry=Registry(), format_checker=draft.FORMAT_CHECKER)
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


def _with_exact_patterns(draft: "type[Validator]") -> "type[Validator]":
    """`$` in a pattern is the end of the text, as in ECMA 262, and not the place before a newline there."""
    from jsonschema import validators
    from jsonschema.exceptions import ValidationError

    def pattern(
        validator: "Validator", value: str, instance: Json, _: JsonObject
    ) -> Iterator[ValidationError]:
        if validator.is_type(instance, "string") and not re.search(_exact(value), str(instance)):
            yield ValidationError(f"{instance!r} does not match {value!r}")

    extend: Any = vars(validators)["extend"]
    return cast("type[Validator]", extend(draft, {"pattern": pattern}))


@cache
def _exact(pattern: str) -> str:
    return _DOLLAR.sub(lambda found: found[1] or r"\Z", pattern)


def _check_references(schema: JsonObject, whose: str, draft: str) -> None:
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import specification_with

    resource = specification_with(draft).create_resource(schema)
    registry: Registry[Any] = Registry()
    resolver = registry.with_resource("", resource).resolver()
    for path, inner in subschemas(schema):
        for key in ("$ref", "$dynamicRef"):
            target = inner.get(key)
            if not isinstance(target, str):
                continue
            place = place_text((*path, key), "the root")
            if not target.startswith("#"):
                raise ToolSchemaError(
                    f"{whose}: {place}: {target!r} leads out of the schema; put it in $defs"
                )
            try:
                resolver.lookup(target)
            except Unresolvable:
                raise ToolSchemaError(f"{whose}: {place}: {target!r} leads nowhere") from None
