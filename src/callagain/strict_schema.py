"""A JSON schema in the form that strict mode takes: https://platform.openai.com/docs/guides/structured-outputs

Every object has named keys and no others, and all of them are required. What only narrows a value, such as
minLength, is left out where the endpoint does not know it: the answer is validated in any case.
"""

from collections.abc import Iterator, Mapping, Sequence

from callagain.connectors.tools.wording import place_text
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import MAX_DEPTH, Json, JsonObject

_KEPT = frozenset(
    {"type", "description", "enum", "const", "$ref", "multipleOf", "minimum", "maximum"}
    | {"exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"}
)
_IN_THE_PROMPT = (
    "pass a profile with supports=Supports(json_schema=False), by which the schema goes into the prompt"
)
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
# What has no other form in strict mode, and cannot be left to the validation.
_REFUSED: Mapping[str, str] = {
    "prefixItems": "a tuple; make it a model with a field for each member",
    "patternProperties": "keys by a pattern; make it a list of models with a field for the key",
    "not": "`not`",
    "if": "`if`",
}
# What the endpoint takes at the most, as the same page says.
_MOST_LEVELS, _MOST_PROPERTIES, _MOST_ENUM_VALUES, _MOST_CHARACTERS = 10, 5_000, 1_000, 120_000
_SAYS_WHAT = frozenset({"type", "enum", "const", "anyOf", "$ref"})


def strict_schema(schema: JsonObject, whose: str) -> JsonObject:
    """The schema of an object, for `strict: true`. whose: begins every message.

    Raises ConfigurationError, which names the place, for what strict mode has no form for, and for a schema
    that is larger than it takes.
    """
    strict = _Strict(schema, whose).whole()
    for what, found, most in _sizes(strict):
        if found > most:
            raise ConfigurationError(
                f"{whose}: strict mode takes {most:,} {what}, and not {found:,}; ask for less at a time, or "
                f"{_IN_THE_PROMPT}"
            )
    return strict


def _sizes(strict: JsonObject) -> Sequence[tuple[str, int, int]]:
    """What is counted over the whole schema, how much of it there is, and the most."""
    properties = [name for each in _objects_in(strict) for name in _map(each.get("properties"))]
    values = [value for each in _objects_in(strict) for value in _list(each.get("enum"))]
    texts = [*properties, *_map(strict.get("$defs")), *map(str, values)]
    return (
        ("levels of objects within objects", _levels(strict, _map(strict.get("$defs")), {}), _MOST_LEVELS),
        ("fields in all", len(properties), _MOST_PROPERTIES),
        ("values of enums in all", len(values), _MOST_ENUM_VALUES),
        ("characters of names and values in all", sum(map(len, texts)), _MOST_CHARACTERS),
    )


def _objects_in(schema: JsonObject) -> Iterator[JsonObject]:
    """The schema, and every schema within it."""
    yield schema
    for inner in _inner(schema):
        yield from _objects_in(inner)
    for definition in _map(schema.get("$defs")).values():
        yield from _objects_in(_map(definition))


def _inner(schema: JsonObject) -> list[JsonObject]:
    within = [*_map(schema.get("properties")).values(), *_list(schema.get("anyOf")), schema.get("items")]
    return [each for each in within if isinstance(each, dict)]


def _levels(schema: JsonObject, definitions: JsonObject, known: dict[str, int]) -> int:
    """How deep objects stand in one another. known: that of definitions, gone through once."""
    target = schema.get("$ref")
    if isinstance(target, str):
        name = target.removeprefix("#/$defs/")
        if name not in known:
            # A type that contains itself counts once.
            known[name] = 0
            known[name] = _levels(_map(definitions.get(name)), definitions, known)
        return known[name]
    deepest = max((_levels(inner, definitions, known) for inner in _inner(schema)), default=0)
    return deepest + (schema.get("type") == "object")


class _Strict:
    def __init__(self, schema: JsonObject, whose: str) -> None:
        self._schema = schema
        self._whose = whose
        self._defs = _map(schema.get("$defs"))

    def whole(self) -> JsonObject:
        strict = self._strict(self._schema, ())
        if self._defs:
            strict["$defs"] = {name: self._strict(inner, (name,)) for name, inner in self._defs.items()}
        return strict

    def _strict(self, given: Json, path: tuple[str | int, ...]) -> JsonObject:
        if len(path) > MAX_DEPTH:
            raise self._refused(path[:1], "a value that contains itself without an end")
        schema = self._without_siblings(_map(given), path)
        for keyword, what in _REFUSED.items():
            if keyword in schema:
                raise self._refused(path, what)
        strict: JsonObject = {name: value for name, value in schema.items() if name in _KEPT}
        if isinstance(pattern := schema.get("pattern"), str) and "(?" not in pattern:
            strict["pattern"] = pattern
        if schema.get("format") in _FORMATS:
            strict["format"] = schema["format"]
        if branches := [*_list(schema.get("anyOf")), *_list(schema.get("oneOf"))]:
            strict["anyOf"] = [self._strict(branch, path) for branch in branches]
        if not _SAYS_WHAT.intersection(strict):
            raise self._refused(path, "a value of any type; give it one")
        if schema.get("type") == "object":
            strict |= self._object(schema, path)
        if schema.get("type") == "array":
            strict["items"] = self._strict(schema.get("items"), (*path, 0))
        return strict

    def _object(self, schema: JsonObject, path: tuple[str | int, ...]) -> JsonObject:
        properties = _map(schema.get("properties"))
        if not properties and "additionalProperties" not in schema:
            raise self._refused(path, "an object without fields; give it some, or leave it out")
        if not properties or schema.get("additionalProperties", False) is not False:
            raise self._refused(
                path, "keys that have no names; make it a list of models with a field for the key"
            )
        return {
            "properties": {name: self._strict(each, (*path, name)) for name, each in properties.items()},
            "required": list(properties),
            "additionalProperties": False,
        }

    def _without_siblings(self, schema: JsonObject, path: tuple[str | int, ...]) -> JsonObject:
        """A reference stands alone; what pydantic writes beside it holds, and what it leads to is copied."""
        if len(all_of := _list(schema.get("allOf"))) == 1:
            schema = {**_map(all_of[0]), **{name: each for name, each in schema.items() if name != "allOf"}}
        elif all_of:
            raise self._refused(path, "`allOf`")
        target = schema.get("$ref")
        if not isinstance(target, str) or "description" not in schema:
            return schema
        referred = _map(self._defs.get(target.removeprefix("#/$defs/")))
        return {**referred, **{name: each for name, each in schema.items() if name != "$ref"}}

    def _refused(self, path: tuple[str | int, ...], what: str) -> ConfigurationError:
        place = place_text(path, "the root")
        return ConfigurationError(
            f"{self._whose}: {place}: strict mode has no form for {what}; or {_IN_THE_PROMPT}"
        )


def _map(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
