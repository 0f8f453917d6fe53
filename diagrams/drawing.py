"""A diagram as SVG that needs nothing else: no font, no program, no network.

What a page may count on: each node is a `<g class="node box" data-node="A" data-state="llm_call">`, with its
shape as a class, each edge a `<g class="edge" data-edge="0">` with its number in the diagram, and both have a
`<text class="count">`, which is empty where no run is drawn. What a run never came to has the class
`unvisited`, and where it is, `current`. Colours are custom properties; `theme.py` has them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.layout import Size, layout
from callagain.diagrams.model import Diagram, Node, Shape
from callagain.diagrams.overlay import Overlay, chain_of, laid_over, stand
from callagain.diagrams.routes import ARROW, Outline, Route, routes
from callagain.diagrams.states import state_diagram
from callagain.diagrams.svg import Point, circle, escaped, path, rectangle, text, whole_svg
from callagain.diagrams.text_size import width, wrapped
from callagain.diagrams.theme import Theme, css
from callagain.diagrams.walk import Walk
from callagain.engine.chain import Chain

Direction = Literal["LR", "TB"]

# Sizes of fonts and heights of lines, in pixels, as the rules of `theme.py` have them.
_TEXT, _SMALL, _COUNT = 14.0, 12.0, 11.0
_BOLD = 1.15  # of a bold font, by which counts are wider
_LINE, _SMALL_LINE = 19.0, 16.0
# Longer lines are broken.
_MOST_TEXT, _MOST_LABEL = 200.0, 170.0
_PADDING = 13.0
_MARGIN = 16.0
# Between a line and what is written beside it.
_BESIDE = 6.0
# Where no run is drawn there is room for a count nevertheless, which a page may put there.
_LEAST_COUNT = 26.0
_LEAST_HALF_WIDTH = 52.0
_END_RADIUS = 8.0
_ENDS = (Shape.START, Shape.END)


def flowchart_svg(
    drawn: Chain | Walk, *, direction: Direction = "LR", theme: Theme = "auto", style: bool = True
) -> str:
    """The guide's flowchart of a chain, as SVG; see `flowchart` for what it shows.

    Of a walk it is the flowchart of its chain, with how often the run came where, how long it took, and where
    it is.
    direction: LR from left to right, TB from top to bottom. theme: auto is dark where the reader's system is.
    style: without it the picture has no CSS and no background; the page that it stands in has them.
    """
    return _svg("Flowchart", flowchart, drawn, direction, css(theme) if style else None)


def state_diagram_svg(
    drawn: Chain | Walk, *, direction: Direction = "LR", theme: Theme = "auto", style: bool = True
) -> str:
    """All states and links of a chain, as SVG; see `state_diagram` for what it shows, and `flowchart_svg`."""
    return _svg("State diagram", state_diagram, drawn, direction, css(theme) if style else None)


def _svg(
    kind: str,
    diagram_of: Callable[[Chain], Diagram],
    drawn: Chain | Walk,
    direction: Direction,
    rules: str | None,
) -> str:
    diagram, laid = laid_over(diagram_of, drawn)
    of_a_run = f", {stand(drawn)}" if isinstance(drawn, Walk) else ""
    name = f"{kind.lower().replace(' ', '-')}-title-{direction.lower()}"
    drawing = _Drawing(diagram, laid, direction)
    return whole_svg(name, f"{kind} of {chain_of(drawn).name}{of_a_run}", drawing.size, rules, drawing.body())


class _Drawing:
    """Half sizes are those from the middle to the border: of width, and of height."""

    def __init__(self, diagram: Diagram, laid: Overlay | None, direction: Direction) -> None:
        self._diagram, self._laid, self._direction = diagram, laid, direction
        self._texts = [wrapped(node.lines, _TEXT, _MOST_TEXT) for node in diagram.nodes]
        self._labels = [wrapped(edge.label.splitlines(), _SMALL, _MOST_LABEL) for edge in diagram.edges]
        self._halves = [self._half(number) for number in range(len(diagram.nodes))]
        self._rooms = [self._room(number) for number in range(len(diagram.edges))]
        numbers = {node.id: number for number, node in enumerate(diagram.nodes)}
        edges = [(numbers[edge.source], numbers[edge.target]) for edge in diagram.edges]
        self._plan = layout([self._size(half) for half in self._halves], edges, self._rooms)
        outlines = [
            Outline(node.shape, *self._turned(half))
            for node, half in zip(diagram.nodes, self._halves, strict=True)
        ]
        self._routes = routes(self._plan, edges, outlines)
        self._corner, self.size = self._bounds()

    def body(self) -> Iterator[str]:
        """Nodes after edges, so that they lie on top of them."""
        yield '<g class="edges">'
        for number in range(len(self._diagram.edges)):
            yield from self._edge(number)
        yield "</g>"
        yield '<g class="nodes">'
        for number, node in enumerate(self._diagram.nodes):
            yield from self._node(number, node)
        yield "</g>"

    def _half(self, number: int) -> tuple[float, float]:
        node, lines = self._diagram.nodes[number], self._texts[number]
        if node.shape in _ENDS:
            return _END_RADIUS, _END_RADIUS
        wide = max((width(line, _TEXT) for line in lines), default=0.0) / 2
        high = max(len(lines), 1) * _LINE / 2
        # The count stands in the half on the right.
        least = max(_LEAST_HALF_WIDTH, width(self._said_of_node(node), _COUNT * _BOLD) + 2 * _BESIDE)
        if node.shape is Shape.DECISION:
            # The corners of the text are inside if wide / half width + high / half height is at most 1.
            return max(wide * 1.5 + _PADDING, least), high * 3 + _PADDING / 2
        return max(wide + _PADDING, least), high + _PADDING - 3

    def _size(self, half: tuple[float, float]) -> Size:
        """The room of a node, with the count above it."""
        wide, high = half
        if self._direction == "LR":
            return Size(wide, high + _SMALL_LINE, high + 4)
        return Size(high + 2, wide + 4, wide + 4)

    def _room(self, number: int) -> Size:
        """The room of an edge's texts: the label on one side of the line, the count on the other."""
        lines = self._labels[number]
        wide = max((width(line, _SMALL) for line in lines), default=0.0)
        high = len(lines) * _SMALL_LINE
        said = max(width(self._said_of_edge(number), _COUNT * _BOLD), _LEAST_COUNT)
        if self._direction == "LR":
            return Size(max(wide, said) / 2 + 4, high + _BESIDE, _SMALL_LINE)
        return Size(max(high, _SMALL_LINE) / 2 + 2, wide + _BESIDE + 2, said + _BESIDE + 2)

    def _said_of_node(self, node: Node) -> str:
        return "" if self._laid is None else self._laid.said_of_node(node)

    def _said_of_edge(self, number: int) -> str:
        return "" if self._laid is None else self._laid.said_of_edge(number, self._diagram.edges[number])

    def _bounds(self) -> tuple[Point, tuple[float, float]]:
        """The corner at the left above, and width and height."""
        points = [
            self._turned(point)
            for route in self._routes.values()
            for _, part in route.steps
            for point in part
        ]
        for number, (wide, high) in enumerate(self._halves):
            x, y = self._turned(self._middle(number))
            points += [(x - wide, y - high - _SMALL_LINE), (x + wide, y + high)]
        for number, room in enumerate(self._rooms):
            along, across = self._routes[number].label
            points.append(self._turned((along - room.along, across - room.before)))
            points.append(self._turned((along + room.along, across + room.after)))
        left, top = (min(values) - _MARGIN for values in zip(*points, strict=True))
        right, bottom = (max(values) + _MARGIN for values in zip(*points, strict=True))
        return (left, top), (right - left, bottom - top)

    def _turned(self, pair: tuple[float, float]) -> tuple[float, float]:
        """(x, y) as (along, across), and the reverse."""
        return pair if self._direction == "LR" else (pair[1], pair[0])

    def _middle(self, number: int) -> Point:
        return self._plan.middle(self._plan.row_of(number)), self._plan.nodes[number].across

    def _at(self, point: Point) -> Point:
        """Where a point of the layout is in the picture."""
        x, y = self._turned(point)
        return x - self._corner[0], y - self._corner[1]

    def _node(self, number: int, node: Node) -> Iterator[str]:
        x, y = self._at(self._middle(number))
        wide, high = self._halves[number]
        state = f' data-state="{escaped(node.state)}"' if node.state else ""
        yield f'<g class="node {node.shape.value}{self._marks(node)}" data-node="{escaped(node.id)}"{state}>'
        yield from _shape(node.shape, (x, y), wide, high)
        lines = self._texts[number]
        first = y - (len(lines) - 1) * _LINE / 2 + _TEXT * 0.35
        has_kind = node.shape is Shape.BOX and len(lines) > 1
        for place, line in enumerate(lines):
            yield text((x, first + place * _LINE), line, "kind" if has_kind and not place else "")
        said = self._said_of_node(node)
        if node.shape is Shape.DECISION:
            yield text((x + 2 * _BESIDE, y - high + 2), said, "count", "start")
        else:
            yield text((x + wide - 1, y - high - 5), said, "count", "end")
        yield "</g>"

    def _marks(self, node: Node) -> str:
        if self._laid is None:
            return ""
        if node.id == self._laid.here:
            return " current"
        return "" if self._laid.nodes[node.id] else " unvisited"

    def _edge(self, number: int) -> Iterator[str]:
        route = self._routes[number]
        never = " unvisited" if self._laid is not None and not self._laid.edges[number] else ""
        yield f'<g class="edge{never}" data-edge="{number}">'
        yield path("line", [(letter, map(self._at, points)) for letter, points in route.steps])
        yield path("arrow", [("M", map(self._at, _arrow(route))), ("Z", ())])
        yield from self._texts_of_edge(number, self._at(route.label))
        yield "</g>"

    def _texts_of_edge(self, number: int, at: Point) -> Iterator[str]:
        (x, y), lines, said = at, self._labels[number], self._said_of_edge(number)
        if self._direction == "LR":
            first = y - _BESIDE - (len(lines) - 1) * _SMALL_LINE
            for place, line in enumerate(lines):
                yield text((x, first + place * _SMALL_LINE), line, "label")
            yield text((x, y + _COUNT + 2), said, "count")
        else:
            first = y + _SMALL * 0.35 - (len(lines) - 1) * _SMALL_LINE / 2
            for place, line in enumerate(lines):
                yield text((x - _BESIDE, first + place * _SMALL_LINE), line, "label", "end")
            yield text((x + _BESIDE, y + _COUNT * 0.35), said, "count", "start")


def _shape(shape: Shape, middle: Point, wide: float, high: float) -> Iterator[str]:
    x, y = middle
    if shape is Shape.DECISION:
        yield path("shape", [("M", [(x, y - high), (x + wide, y), (x, y + high), (x - wide, y)]), ("Z", ())])
    elif shape in _ENDS:
        yield circle("shape", middle, _END_RADIUS)
        if shape is Shape.END:
            yield circle("dot", middle, _END_RADIUS / 2)
    else:
        radius = 4.0 if shape is Shape.BOX else 10.0
        yield rectangle("shape", (x - wide, y - high), (2 * wide, 2 * high), radius)


def _arrow(route: Route) -> Sequence[Point]:
    (along, across), (forward, sideways) = route.tip, route.towards
    back, half = (along - ARROW * forward, across - ARROW * sideways), ARROW * 0.45
    return [
        route.tip,
        (back[0] + half * sideways, back[1] + half * forward),
        (back[0] - half * sideways, back[1] - half * forward),
    ]
