"""XML as plain elements, without what makes it dangerous: a DOCTYPE, and entities of the document's own."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.limits import MAX_XML_DEPTH, MAX_XML_ELEMENTS


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, the text that stands directly in it, and its children."""

    name: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list["Element"])
    pieces: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def get(self, attribute: str) -> str:
        """The value of an attribute, whatever the case of its name; empty if it is not there."""
        found = self.attributes.get(attribute)
        if found is None:
            lower = attribute.lower()
            found = next((value for name, value in self.attributes.items() if name.lower() == lower), "")
        return found

    def all(self, name: str) -> Iterator["Element"]:
        """The elements of a name below this one, at any depth, in the order of the document."""
        waiting = self.children[::-1]
        while waiting:
            element = waiting.pop()
            if element.name == name:
                yield element
            waiting += reversed(element.children)


def read_xml(content: bytes, place: SourcePlace) -> Element:
    """The root of a document. Raises DesignError with the line."""
    builder = _Builder(place)
    try:
        builder.parser.Parse(content, True)
    except expat.ExpatError as error:
        raise DesignError(
            builder.place_of(error.lineno), f"is no valid XML: {expat.ErrorString(error.code)}"
        ) from None
    except (ValueError, LookupError) as error:
        if isinstance(error, DesignError):
            raise
        raise DesignError(place, f"is no XML in an encoding that is known: {error}") from None
    return builder.root


class _Builder:
    """Takes what the parser meets, and refuses what a project has no use for."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place
        self._open: list[Element] = []
        self._count = 0
        self.root = Element("", {})
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.ExternalEntityRefHandler = self._refuse_entity

    def place_of(self, line: int) -> SourcePlace:
        inside = f"{self._place.inside}, line {line}" if self._place.inside else f"line {line}"
        return SourcePlace(self._place.file, inside)

    def _error(self, problem: str) -> DesignError:
        return DesignError(self.place_of(self.parser.CurrentLineNumber), problem)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_XML_DEPTH:
            raise self._error(f"has elements more than {MAX_XML_DEPTH} deep inside each other")
        self._count += 1
        if self._count > MAX_XML_ELEMENTS:
            raise self._error(f"has more than {MAX_XML_ELEMENTS:,} elements")
        element = Element(name, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._open[-1].pieces.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise self._error("has a DOCTYPE, which is not read: it may define entities; remove it")

    def _refuse_entity(self, *_: object) -> bool:
        raise self._error("has entities of its own, which are not read; remove them")
