"""What tests read in a drawing: the boxes of its nodes, the lines and tips of its edges, and its texts."""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass

from callagain.diagrams.text_size import width

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
SIZES = {"label": 12.0, "kind": 12.0, "said": 12.0, "count": 12.65}


@dataclass(frozen=True)
class Box:
    """A node by its middle, half of its width and height, and its shape: rect, path (a diamond) or circle."""

    id: str
    state: str
    classes: frozenset[str]
    tag: str
    middle: Point
    half: Point
    texts: tuple[str, ...]
    count: str

    def meets(self, other: "Box") -> bool:
        return all(
            abs(one - two) < half + other_half - 0.2
            for one, two, half, other_half in zip(
                self.middle, other.middle, self.half, other.half, strict=True
            )
        )

    def depth(self, point: Point) -> float:
        """0 at the middle, 1 at the border, more outside."""
        x, y = (
            abs(at - middle) / half for at, middle, half in zip(point, self.middle, self.half, strict=True)
        )
        if self.tag == "path":
            return x + y
        return (x * x + y * y) ** 0.5 if self.tag == "circle" else max(x, y)


@dataclass(frozen=True)
class Line:
    """An edge: points of its line, close to each other, and the tip of its arrow."""

    number: int
    classes: frozenset[str]
    points: tuple[Point, ...]
    tip: Point
    texts: tuple[str, ...]
    count: str


@dataclass(frozen=True)
class Text:
    """left, right: as wide as it is estimated to be. y: of its base line."""

    words: str
    kind: str
    left: float
    right: float
    y: float

    def meets(self, left: float, right: float, top: float, bottom: float) -> bool:
        return self.left < right and left < self.right and self.y - 8 < bottom and top < self.y


@dataclass(frozen=True)
class Picture:
    size: Point
    title: str
    boxes: dict[str, Box]
    lines: list[Line]
    texts: list[Text]


def picture(svg: str) -> Picture:
    root = ElementTree.fromstring(svg)
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    groups = [each for each in root.iter(f"{SVG}g") if "class" in each.attrib]
    boxes = [_box(each) for each in groups if "data-node" in each.attrib]
    return Picture(
        (wide, high),
        root.findtext(f"{SVG}title") or "",
        {box.id: box for box in boxes},
        [_line(each) for each in groups if "data-edge" in each.attrib],
        [_text(each) for each in root.iter(f"{SVG}text")],
    )


def _box(group: ElementTree.Element) -> Box:
    shape = group[0]
    tag = shape.tag.removeprefix(SVG)
    values = {name: float(value) for name, value in shape.attrib.items() if name not in ("class", "d")}
    if tag == "rect":
        half = values["width"] / 2, values["height"] / 2
        middle = values["x"] + half[0], values["y"] + half[1]
    elif tag == "circle":
        middle, half = (values["cx"], values["cy"]), (values["r"], values["r"])
    else:
        xs, ys = zip(*_numbers(shape.attrib["d"]), strict=True)
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        half = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
    classes = frozenset(group.attrib["class"].split())
    state = group.attrib.get("data-state", "")
    return Box(group.attrib["data-node"], state, classes, tag, middle, half, *_words(group))


def _line(group: ElementTree.Element) -> Line:
    drawn = {each.attrib["class"]: each.attrib["d"] for each in group if each.tag == f"{SVG}path"}
    return Line(
        int(group.attrib["data-edge"]),
        frozenset(group.attrib["class"].split()),
        tuple(_along(drawn["line"])),
        _numbers(drawn["arrow"])[0],
        *_words(group),
    )


def _words(group: ElementTree.Element) -> tuple[tuple[str, ...], str]:
    texts = group.findall(f"{SVG}text")
    counts = [each.text or "" for each in texts if each.get("class") == "count"]
    assert len(counts) == 1
    return tuple(each.text or "" for each in texts if each.get("class") != "count"), counts[0]


def _text(element: ElementTree.Element) -> Text:
    words, kind = element.text or "", element.get("class", "")
    wide, x = width(words, SIZES.get(kind, 14.0)), float(element.attrib["x"])
    left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.attrib["text-anchor"]]
    return Text(words, kind, left, left + wide, float(element.attrib["y"]))


def _numbers(path: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", path)]


def _along(path: str) -> Iterator[Point]:
    here = (0.0, 0.0)
    for letter, numbers in re.findall(r"([MLQC])([^MLQC]*)", path):
        points = [here, *_numbers(numbers)]
        if letter == "M":
            points = points[1:]
        yield from (_bezier(points, place / 10) for place in range(11))
        here = points[-1]


def _bezier(points: list[Point], part: float) -> Point:
    while len(points) > 1:
        points = [
            (x + (to_x - x) * part, y + (to_y - y) * part)
            for (x, y), (to_x, to_y) in itertools.pairwise(points)
        ]
    return points[0]
