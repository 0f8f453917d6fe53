"""The components of a Studio export: by the number of their type, and by their ids."""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject
from callagain.porting.design.gathering import Gathered
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.json_values import text_of

OPERATION, SCRIPT, ACTIVITY, CONNECTION = 200, 400, 500, 600
TRANSFORMATION, SCHEMA, VARIABLE, WORKFLOW, EMAIL, GLOBAL = 700, 900, 1000, 1100, 1200, 1300


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the export; kind: the number of its type, -1 if it is none."""

    kind: int
    id: str
    name: str
    value: JsonObject
    place: SourcePlace


class Components:
    """All components of an export, in its order."""

    def __init__(self, components: list[Component]) -> None:
        self.all = components
        self._by_id: dict[str, Component] = {}
        for component in components:
            if component.id:
                self._by_id.setdefault(component.id, component)

        self._names = {(component.kind, component.name) for component in components}

    def has(self, kind: int, name: str) -> bool:
        """Whether there is a component of a type and a name."""
        return (kind, name) in self._names

    def of_kind(self, kind: int) -> list[Component]:
        return [component for component in self.all if component.kind == kind]

    def get(self, reference: Json) -> Component | None:
        """The component that an id, or an object with one, means; of two with one id the first."""
        return self._by_id.get(id_of(reference))

    def name_of(self, reference: Json) -> str:
        """The name of a component; empty if it is not in the export."""
        component = self.get(reference)
        return component.name if component else ""


def id_of(reference: Json) -> str:
    return text_of(reference.get("id")) if isinstance(reference, dict) else text_of(reference)


def read_components(listed: Json, file: str, path: str, found: Gathered) -> Components:
    """The objects of an array. path: of the array in the file."""
    components: list[Component] = []
    ids: set[str] = set()
    items = listed if isinstance(listed, list) else []
    for position, value in enumerate(items):
        place = SourcePlace(file, f"{path}[{position}]")
        if not isinstance(value, dict):
            found.guess("this component is no object, and was left out", place)
            continue
        kind = text_of(value.get("type"))
        identity = text_of(value.get("id"))
        number = int(kind) if kind.isascii() and kind.isdigit() and len(kind) < 10 else -1
        name = text_of(value.get("name"))
        if not name:
            name = identity or f"unnamed {position}"
            found.guess(f"this component of type {kind or 'none'} has no name; it is called {name!r}", place)
        component = Component(number, identity, name, value, place)
        if identity and identity in ids:
            found.guess(f"the id of {name!r} stands twice; it means the first", place)
        ids.add(identity)
        components.append(component)
    return Components(components)
