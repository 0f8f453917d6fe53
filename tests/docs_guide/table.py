"""The list of the guide's elements, joined with what the code says of them: tables, and problems."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs_guide.annotations import Annotations, Departure, Place

ELEMENTS = Path(__file__).with_name("guide_elements.toml")
BLOCK = re.compile(r"(?P<begin><!-- elements: (?P<part>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)

# These begin with their kind, which has a column of its own; others would say too little without it.
_WITHOUT_KIND = ("node", "link", "operation")
_AS_CODE = ("variable", "local variable", "function", "setting")
_HEADING = "| in the guide | is a | what it is | in callagain |\n| --- | --- | --- | --- |"


@dataclass(frozen=True, slots=True)
class Element:
    """Something that is in the guide.

    id: how docstrings name it. kind: what it is there. part: the part of the guide that has it first.
    words: what it is for.
    """

    id: str
    kind: str
    part: str
    words: str

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
    return [Element(id_, kind, part, words) for part in parts for id_, kind, words in parts[part]["elements"]]


class GuideTable:
    """Each element with the places where it stands in the code, and the departures that are about it."""

    def __init__(self, elements: Sequence[Element], annotations: Annotations) -> None:
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
            yield f"{place}: write `Guide: ELEMENT, ELEMENT.` once, or `Departs from the guide in ELEMENT: …`"
        named = [*said.here, *((each, other.place) for other in said.departures for each in other.ids)]
        for each, place in named:
            if each not in self.elements:
                yield f"{place}: there is no element {each!r} in {ELEMENTS.name}"
        for element in self.elements.values():
            if not self._places(element):
                yield f"{ELEMENTS.name}: no docstring names {element.id!r}"

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
        words = [", ".join(_explained(place, explained) for place in places)]
        if element.kind == "variable" and (writers := self._writers(element, places)):
            words.append(f"written by {', '.join(map(_link, writers))}")
        if numbers := self._about(element):
            words.append(f"departs: {', '.join(f'[{number}](#departure-{number})' for number in numbers)}")
        return "; ".join(words)

    def _places(self, element: Element) -> list[Place]:
        """Where it stands; or else where something stands in its place."""
        own = self._annotations.attributes.get(element.id) if element.kind == "variable" else None
        said = [place for each, place in self._annotations.here if each == element.id]
        instead = [self._departures[number - 1].place for number in self._about(element)]
        return [*([own] if own else []), *said] or instead

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


def _explained(place: Place, explained: set[Place]) -> str:
    """With what it is, where a table names it for the first time."""
    summary = place.summary.replace("|", "\\|")
    words = "" if place in explained or not summary else f" ({summary})"
    explained.add(place)
    return _link(place) + words


def _link(place: Place) -> str:
    return f"[`{place.name}`](../{place.path})"
