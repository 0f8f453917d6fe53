"""The list of the guide's elements, joined with what the code says of them: tables, and problems."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs_guide.annotations import Annotations, Departure, Part, Place

ELEMENTS = Path(__file__).with_name("guide_elements.toml")
BLOCK = re.compile(r"(?P<begin><!-- elements: (?P<part>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)

EVERY_ROW = "every row"
# These begin with their kind, which has a column of its own; others would say too little without it.
_WITHOUT_KIND = ("node", "link", "operation")
_AS_CODE = ("variable", "local variable", "function", "setting")
_HEADING = "| in the guide | is a | what it is | in callagain |\n| --- | --- | --- | --- |"


@dataclass(frozen=True, slots=True)
class Element:
    """Something that is in the guide.

    id: how docstrings name it. kind: what it is there. part: the part of the guide that has it first.
    words: what it is for. nowhere: why nothing stands for it; empty for the others.
    """

    id: str
    kind: str
    part: str
    words: str
    nowhere: str = ""

    @property
    def shown(self) -> str:
        """The id in Markdown."""
        name = self.id.removeprefix(f"{self.kind} ") if self.kind in _WITHOUT_KIND else self.id
        if self.kind in _AS_CODE and " " not in name:
            return f"`{name}`"
        return name if "_" in name.split()[0] else name[0].upper() + name[1:]


def read_elements(file: Path = ELEMENTS) -> list[Element]:
    """All elements, in the order of the guide."""
    parts = tomllib.loads(file.read_text("utf-8"))
    return [
        Element(id_, kind, part, *words) for part in parts for id_, kind, *words in parts[part]["elements"]
    ]


class GuideTable:
    """Each element with the places where it stands in the code, and the departures that are about it.

    rows: what docstrings call a row of the table of links, and how it is shown.
    """

    def __init__(
        self, elements: Sequence[Element], annotations: Annotations, rows: Mapping[str, str] | None = None
    ) -> None:
        self._rows = rows or {}
        self.elements: Mapping[str, Element] = {element.id: element for element in elements}
        self._annotations = annotations
        self._order = {element.id: number for number, element in enumerate(elements)}
        # In the order of the guide, and so of the tables; about one element, what the core does comes first.
        self._departures = sorted(
            annotations.departures,
            key=lambda departure: (self._first(departure.ids), departure.place.path.startswith("src/")),
        )

    @property
    def parts(self) -> list[str]:
        return list(dict.fromkeys(element.part for element in self.elements.values()))

    def problems(self) -> Iterator[str]:
        """What the list and the code do not agree about, each with the place to mend it at."""
        said = self._annotations
        for place in said.malformed:
            yield (
                f"{place}: write `Guide: ELEMENT, ELEMENT.` once, `Guide in PART: ELEMENT.`, or "
                "`Departs from the guide in ELEMENT: …`"
            )
        for part in said.parts:
            if part.name not in {*self._rows, *said.attributes}:
                yield f"{part.place}: there is no row and no attribute {part.name!r}"
        named = [
            *said.here,
            *((part.id, part.place) for part in said.parts),
            *((each, other.place) for other in said.departures for each in other.ids),
        ]
        for each, place in named:
            if each not in self.elements:
                yield f"{place}: there is no element {each!r} in {ELEMENTS.name}"
        for element in self.elements.values():
            places = self._places(element)
            if not places and not element.nowhere:
                yield f"{ELEMENTS.name}: no docstring names {element.id!r}"
            if places and element.nowhere:
                yield f"{places[0]}: {element.id!r} is nowhere, as {ELEMENTS.name} says"

    def regenerated(self, page: str) -> str:
        """The page with every table as the code is now."""
        return BLOCK.sub(
            lambda block: f"{block['begin']}\n{self._block(block['part'])}\n\n{block['end']}", page
        )

    def _block(self, part: str) -> str:
        explained: set[Place] = set()
        elements = [element for element in self.elements.values() if element.part == part]
        rows = [
            f"| {each.shown} | {each.kind} | {each.words} | {self._where(each, explained)} |"
            for each in elements
        ]
        told = [
            self._told(number, departure)
            for number, departure in enumerate(self._departures, 1)
            if self._order[elements[0].id] <= self._first(departure.ids) <= self._order[elements[-1].id]
        ]
        return "\n".join([_HEADING, *rows, *(["", "Departures:", "", *told] if told else [])])

    def _where(self, element: Element, explained: set[Place]) -> str:
        places = self._places(element)
        if not places:
            return f"none: {element.nowhere}"
        words = [", ".join(_explained(place, explained) for place in places)]
        rows = [self._rows[part.name] for part in self._parts(element) if part.name in self._rows]
        if rows:
            words.append(_counted(rows))
        if element.kind == "variable" and (writers := self._writers(element, places)):
            words.append(f"written by {', '.join(map(_link, writers))}")
        if numbers := self._about(element):
            words.append(f"departs: {', '.join(f'[{number}](#departure-{number})' for number in numbers)}")
        return "; ".join(words)

    def _places(self, element: Element) -> list[Place]:
        """Where it stands; or else where something stands in its place."""
        own = self._annotations.attributes.get(element.id) if element.kind == "variable" else None
        said = [place for each, place in self._annotations.here if each == element.id]
        # A row stands in its table; an attribute is a place of its own.
        attributes = self._annotations.attributes
        said += [attributes.get(part.name, part.place) for part in self._parts(element)]
        instead = [self._departures[number - 1].place for number in self._about(element)]
        return list(dict.fromkeys([*([own] if own else []), *said])) or instead

    def _parts(self, element: Element) -> list[Part]:
        return [part for part in self._annotations.parts if part.id == element.id]

    def _writers(self, element: Element, places: Sequence[Place]) -> list[Place]:
        """The operations that set a variable, in the order of the guide."""
        found = {place for name, place in self._annotations.writers if name == element.id} - set(places)
        return sorted(
            found, key=lambda place: self._first(id_ for id_, at in self._annotations.here if at == place)
        )

    def _about(self, element: Element) -> list[int]:
        return [number for number, each in enumerate(self._departures, 1) if element.id in each.ids]

    def _first(self, ids: Iterable[str]) -> int:
        return min((self._order[each] for each in ids if each in self._order), default=len(self._order))

    def _told(self, number: int, departure: Departure) -> str:
        about = ", ".join(self.elements[each].shown for each in self._order if each in departure.ids)
        text = departure.text[0].upper() + departure.text[1:]
        return f'{number}. <a id="departure-{number}"></a>**{about}.** {text} ({_link(departure.place)})'


def _counted(rows: Sequence[str]) -> str:
    if EVERY_ROW in rows:
        return EVERY_ROW
    return f"{'row' if len(rows) == 1 else 'rows'} {', '.join(rows)}"


def _explained(place: Place, explained: set[Place]) -> str:
    """With what it is, where a table names it for the first time."""
    summary = place.summary.replace("|", "\\|")
    words = "" if place in explained or not summary else f" ({summary})"
    explained.add(place)
    return _link(place) + words


def _link(place: Place) -> str:
    return f"[`{place.name}`](../{place.path})"
