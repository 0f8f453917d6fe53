"""What a tool's entry in a request tells a model, laid out for the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject
from callagain.tool_check.language import is_english

_BRANCHES = ("anyOf", "oneOf", "allOf")
# A reference to itself has no end.
_MOST_REFERENCES = 6


NO_TOOL = (
    'a tool to be checked is a Tool, or {"type": "function", "function": {"name": …, "parameters": …}}; '
    "collect_tools([…]).values() makes tools of functions"
)


class AnnouncedTool(Protocol):
    """A tool that announces itself, such as `callagain.Tool`."""

    @property
    def read_only(self) -> bool:
        """Whether it is declared to have no effects."""
        ...

    def announced(self) -> JsonObject:
        """Its entry in the request's `tools`."""
        ...


@dataclass(frozen=True, slots=True)
class Property:
    """One property of the arguments, or of an object within them.

    path: as `order.lines[].count`. forms: the schemas that a value may fit, references and `anyOf` resolved,
    without null. items: the same for the items of an array.
    """

    path: str
    name: str
    description: str
    forms: tuple[JsonObject, ...]
    items: tuple[JsonObject, ...]

    @property
    def types(self) -> set[str]:
        """The JSON types of its values, as far as the schema says."""
        return {name for form in self.forms for name in type_names(form)}

    @property
    def is_top(self) -> bool:
        """Whether it is a parameter of the tool, and no part of one."""
        return self.path == self.name

    def says(self, *keywords: str) -> bool:
        """Whether one of its forms has one of the keywords."""
        return any(keyword in form for form in self.forms for keyword in keywords)

    @property
    def values(self) -> list[Json]:
        """What its enum allows; empty if it has none."""
        listed = [form["enum"] for form in self.forms if "enum" in form]
        return [value for values in listed if isinstance(values, list) for value in values]


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tool as a model sees it, and whether it is declared read_only.

    is_english: whether its descriptions, taken together, are English; rules about words are silent otherwise.
    """

    name: str
    description: str
    properties: tuple[Property, ...]
    is_english: bool
    read_only: bool = False

    @property
    def parameters(self) -> list[Property]:
        """The properties of the arguments themselves."""
        return [each for each in self.properties if each.is_top]


def read_announcement(entry: JsonObject) -> Announcement:
    """Reads `{"type": "function", "function": {"name", "description", "parameters"}}`.

    Raises ToolSchemaError for what is no such entry. The schema itself may hold anything: what cannot be read
    is passed over.
    """
    function = entry.get("function")
    if not isinstance(function, dict) or not isinstance(name := function.get("name"), str):
        raise ToolSchemaError(NO_TOOL)
    description = _text(function.get("description"))
    parameters = function.get("parameters")
    root: JsonObject = parameters if isinstance(parameters, dict) else {}
    properties = tuple(_Reader(root).properties(root))
    texts = [description, *(each.description for each in properties)]
    return Announcement(name, description, properties, is_english(texts))


def type_names(form: JsonObject) -> list[str]:
    """The types that a schema names, without null."""
    named = form.get("type")
    listed = named if isinstance(named, list) else [named]
    return [name for name in listed if isinstance(name, str) and name != "null"]


class _Reader:
    """Reads the properties of one schema, with its references."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        # The objects of properties that were read, so that a definition is read once, also one of itself.
        self._read: set[int] = set()

    def properties(self, schema: JsonObject, prefix: str = "") -> Iterator[Property]:
        """The properties of an object, each followed by those within it."""
        members = schema.get("properties")
        if not isinstance(members, dict) or id(members) in self._read:
            return
        self._read.add(id(members))
        for name, member in members.items():
            forms = tuple(self._forms(member))
            items = tuple(item for form in forms for item in self._forms(form.get("items")))
            path = f"{prefix}{name}"
            yield Property(path, name, _description(member, forms), forms, items)
            for form in forms:
                yield from self.properties(form, f"{path}.")
            for item in items:
                yield from self.properties(item, f"{path}[].")

    def _forms(self, schema: Json, depth: int = 0) -> Iterator[JsonObject]:
        if not isinstance(schema, dict) or depth > _MOST_REFERENCES:
            return
        if (target := self._target(schema.get("$ref"))) is not None:
            yield from self._forms({**target, **_without(schema, "$ref")}, depth + 1)
        elif branches := [branch for key in _BRANCHES for branch in _objects(schema.get(key))]:
            shared = _without(schema, *_BRANCHES)
            for branch in branches:
                yield from self._forms({**shared, **branch}, depth + 1)
        elif schema.get("type") != "null":
            yield schema

    def _target(self, reference: Json) -> JsonObject | None:
        """What a pointer such as `#/$defs/Order` leads to; None for any other reference."""
        if not isinstance(reference, str) or not (reference + "/").startswith("#/"):
            return None
        found: Json = self._root
        for step in reference.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else None


def _description(schema: Json, forms: tuple[JsonObject, ...]) -> str:
    """The property's own description, or that of the first form that has one."""
    candidates = [schema, *forms] if isinstance(schema, dict) else [*forms]
    return next(filter(None, (_text(each.get("description")) for each in candidates)), "")


def _objects(value: Json) -> list[JsonObject]:
    return [member for member in value if isinstance(member, dict)] if isinstance(value, list) else []


def _without(schema: JsonObject, *keys: str) -> JsonObject:
    return {name: value for name, value in schema.items() if name not in keys}


def _text(value: Json) -> str:
    """A text in one line; empty for anything else."""
    return " ".join(value.split()) if isinstance(value, str) else ""
