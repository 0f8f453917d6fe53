"""The form of `design.json`: which keys each of its objects has, and of which type their values are."""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject
from callagain.porting.design.errors import DesignError
from callagain.porting.design.gathering import Gathered
from callagain.porting.design.model import SourcePlace, StepKind
from callagain.porting.design.readers.json_values import compact

MANIFEST = "design.json"
STEP_KEYS = tuple(kind.value for kind in StepKind)

KEYS = {
    "design": (
        "name", "workflows", "operations", "scripts", "activities", "connections", "variables", "tools",
        "flowchart",
    ),
    "workflow": ("name", "operations"),
    "operation": ("name", "steps", "on_success", "on_fail"),
    "script": ("name", "file", "language"),
    "activity": ("name", "connector", "function", "polarity", "connection", "properties", "secrets"),
    "connection": ("name", "connector", "properties", "secrets"),
    "variable": ("name", "default", "secret", "project"),
    "tool": ("name", "description", "parameters"),
    "node": ("id", "kind", "text", "edges"),
    "edge": ("label", "to"),
    "step": STEP_KEYS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """An object of the manifest with its place, such as `operations[2]`; each value is asked for by type."""

    value: JsonObject
    file: str
    inside: str = ""

    @property
    def place(self) -> SourcePlace:
        return SourcePlace(self.file, self.inside)

    def error(self, problem: str, key: str = "") -> DesignError:
        place = f"{self.inside}.{key}".strip(".") if key else self.inside
        return DesignError(SourcePlace(self.file, place), problem)

    def text(self, key: str, default: str | None = None) -> str:
        """A string. Without a default it must be there, and not empty."""
        value = self.value.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.error("must be a string", key)
        if not value and default is None:
            raise self.error("must not be empty", key)
        return value

    def optional_text(self, key: str) -> str | None:
        return None if self.value.get(key) is None else self.text(key, "")

    def text_or_json(self, key: str) -> str | None:
        """A string as it is; another value, such as an array of tools, as its JSON text."""
        value = self.value.get(key)
        return value if value is None or isinstance(value, str) else compact(value)

    def flag(self, key: str) -> bool | None:
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.error("must be true or false", key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """An array of strings; empty if it is not there."""
        values = self._array(key)
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) != len(values):
            raise self.error("must be an array of strings", key)
        return tuple(texts)

    def properties(self) -> dict[str, str]:
        """The object `properties`, its numbers and booleans as text."""
        values = self.object("properties")
        return {name: value if isinstance(value, str) else _text(value) for name, value in values.items()}

    def object(self, key: str) -> JsonObject:
        value = self.value.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.error("must be an object", key)
        return value or {}

    def objects(self, key: str, kind: str, found: Gathered) -> list["ManifestObject"]:
        """The objects of an array; a key that their kind does not have is a guess."""
        objects: list[ManifestObject] = []
        for position, value in enumerate(self._array(key)):
            inside = f"{self.inside}.{key}[{position}]".lstrip(".")
            if not isinstance(value, dict):
                raise DesignError(SourcePlace(self.file, inside), "must be an object")
            objects.append(ManifestObject(value, self.file, inside))
            objects[-1].tell_unknown_keys(kind, found)
        return objects

    def tell_unknown_keys(self, kind: str, found: Gathered) -> None:
        for key in sorted(self.value.keys() - set(KEYS[kind])):
            known = ", ".join(KEYS[kind])
            text = f"{key!r} is no key of the form, and was ignored; here are {known}"
            found.guess(text, SourcePlace(MANIFEST, self.inside))

    def _array(self, key: str) -> list[Json]:
        value = self.value.get(key)
        if value is not None and not isinstance(value, list):
            raise self.error("must be an array", key)
        return value or []


def _text(value: Json) -> str:
    return "" if value is None else compact(value)
