"""The lines of a layout: from the border of one node to that of another, in straight parts and soft bends."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from callagain.diagrams.layout import TRACK, Lane, Layout, Place
from callagain.diagrams.model import Shape
from callagain.diagrams.svg import Point, Step

ARROW = 9.0
_RADIUS = 12.0
_PORT = 15.0  # between two edges at one side of a node
_CORNER = 9.0  # of a node, where no edge begins


@dataclass(frozen=True, slots=True)
class Outline:
    """The visible border of a node: how far it reaches from its middle, without what stands around it."""

    shape: Shape
    along: float
    across: float

    def reach_along(self, across: float) -> float:
        """How far the border is from the middle, along, at this distance across."""
        return _reach(self.shape, self.along, self.across, across)

    def reach_across(self, along: float) -> float:
        return _reach(self.shape, self.across, self.along, along)


@dataclass(frozen=True, slots=True)
class Route:
    """A line as steps of an SVG path, with letter and points; the tip of its arrow; where its label is.

    Points are (along, across).
    """

    steps: tuple[Step, ...]
    tip: Point
    towards: Point
    label: Point


def routes(plan: Layout, edges: Sequence[tuple[int, int]], outlines: Sequence[Outline]) -> dict[int, Route]:
    """The line of each edge, by its number."""
    return _Router(plan, edges, outlines).routes()


def _reach(shape: Shape, own: float, other: float, offset: float) -> float:
    part = min(abs(offset) / other, 1.0) if other else 0.0
    if shape is Shape.DECISION:
        return own * (1 - part)
    if shape in (Shape.START, Shape.END):
        return own * math.sqrt(1 - part * part)
    return own


class _Router:
    def __init__(self, plan: Layout, edges: Sequence[tuple[int, int]], outlines: Sequence[Outline]) -> None:
        self._plan, self._edges, self._outlines = plan, edges, outlines
        self._lane_ports = self._ports_of_lanes()
        self._tracks: dict[int, int] = {}

    def routes(self) -> dict[int, Route]:
        found = {lane.edge: self._back(lane) for lane in self._plan.lanes}
        ports = {**self._ports(leaving=True), **self._ports(leaving=False)}
        for edge in self._plan.ways:
            found[edge] = self._on(edge, ports)
        return dict(sorted(found.items()))

    def _on(self, edge: int, ports: dict[tuple[int, bool], float]) -> Route:
        """Through the places of its way, with an arrow at the front of the target."""
        way = self._plan.ways[edge]
        source, target = self._edges[edge]
        start = self._port(source, ports[edge, True], 1)
        tip = self._port(target, ports[edge, False], -1)
        row = self._plan.row_of(source) + 1
        # Beside a node stand others, perhaps wider ones: bends are between the rows only.
        before = (self._plan.end[row - 1], start[1])
        steps: list[Step] = [("M", (start,)), ("L", (before,))]
        if by_corner := self._by_corner(edge, way):
            steps, before = by_corner, by_corner[-1][1][-1]
        for number, place in enumerate(way[1:-1], start=row):
            steps.extend(_bend(before, (self._plan.begin[number], place.across)))
            before = (self._plan.end[number], place.across)
            steps.append(("L", (before,)))
        steps.extend(_bend(before, (self._plan.begin[self._plan.row_of(target)] - ARROW, tip[1])))
        steps.append(("L", ((tip[0] - ARROW, tip[1]),)))
        return Route(tuple(steps), tip, (1, 0), (self._plan.middle(row), way[1].across))

    def _by_corner(self, edge: int, way: Sequence[Place]) -> list[Step] | None:
        """The way out of a decision by the corner beside, as the guide draws No; None if it is not free."""
        source = self._edges[edge][0]
        outline, place, row = self._outlines[source], way[0], self._plan.row_of(source)
        if outline.shape is not Shape.DECISION or self._plan.rows[row][-1] is not place:
            return None
        ways = [each for each in self._plan.ways if self._edges[each][0] == source]
        beside = [each for each in ways if self._offset(each) > 0]
        is_taken = any(lane.after and source in self._edges[lane.edge] for lane in self._plan.lanes)
        corner = (self._plan.middle(row), place.across + outline.across)
        if beside != [edge] or is_taken or way[1].across - corner[1] < _RADIUS:
            return None
        return list(_rounded([corner, (corner[0], way[1].across), (self._plan.end[row], way[1].across)]))

    def _offset(self, edge: int) -> float:
        way = self._plan.ways[edge]
        return way[1].across - way[0].across

    def _ports(self, *, leaving: bool) -> dict[tuple[int, bool], float]:
        """How far across from the middle of its node each edge that leads on leaves it, or comes to it."""
        at_node: dict[int, list[tuple[float, int]]] = {}
        for edge, way in self._plan.ways.items():
            end, near = (way[0], way[1]) if leaving else (way[-1], way[-2])
            node = self._edges[edge][0 if leaving else 1]
            at_node.setdefault(node, []).append((near.across - end.across, edge))
        ports: dict[tuple[int, bool], float] = {}
        for node, ends in at_node.items():
            ends.sort()
            before = [edge for offset, edge in ends if offset < -0.5]
            middle = [edge for offset, edge in ends if -0.5 <= offset <= 0.5]
            after = [edge for offset, edge in ends if offset > 0.5]
            if not middle and len(ends) % 2:
                # With none straight ahead, the one in the middle takes the middle.
                both = before + after
                half = len(both) // 2
                before, middle, after = both[:half], both[half : half + 1], both[half + 1 :]
            outline = self._outlines[node]
            # Where the picture ends, all come together.
            is_end = outline.shape in (Shape.START, Shape.END)
            step = 0.0 if is_end else _step(outline.across, max(len(before), len(after)), bool(middle))
            shift = 0.0 if middle else step / 2
            for count, edge in enumerate(reversed(before), start=1):
                ports[edge, leaving] = shift - step * count
            for edge in middle:
                ports[edge, leaving] = 0.0
            for count, edge in enumerate(after, start=1):
                ports[edge, leaving] = step * count - shift
        return ports

    def _port(self, node: int, across: float, side: int) -> Point:
        middle = self._plan.middle(self._plan.row_of(node))
        reach = self._outlines[node].reach_along(across)
        return middle + side * reach, self._plan.nodes[node].across + across

    def _ports_of_lanes(self) -> dict[tuple[int, bool], float]:
        """How far along from the middle of its node each lane leaves it, or comes to it, on its side."""
        at_side: dict[tuple[int, bool], list[tuple[tuple[int, int], tuple[int, bool]]]] = {}
        for number, lane in enumerate(self._plan.lanes):
            source, target = self._edges[lane.edge]
            if not lane.leaves_between:
                at_side.setdefault((source, lane.after), []).append(((0, number), (lane.edge, True)))
            if not lane.comes_between:
                at_side.setdefault((target, lane.after), []).append(((1, -number), (lane.edge, False)))
        ports: dict[tuple[int, bool], float] = {}
        for (node, _), ends in at_side.items():
            ends.sort()
            step = _step(self._outlines[node].along, len(ends) / 2, False)
            for count, (_, end) in enumerate(ends):
                ports[end] = step * (count - (len(ends) - 1) / 2)
        return ports

    def _back(self, lane: Lane) -> Route:
        """Out of its layer, back in its lane, and to its target."""
        source, target = self._edges[lane.edge]
        side = 1 if lane.after else -1
        start = self._leaves(lane, source, side)
        *approach, tip, towards = self._comes(lane, target, side)
        points = [*start, (start[-1][0], lane.across), *approach]
        short = (tip[0] - ARROW * towards[0], tip[1] - ARROW * towards[1])
        label = ((start[-1][0] + approach[0][0]) / 2, lane.across)
        return Route(tuple(_rounded([*points, short])), tip, towards, label)

    def _leaves(self, lane: Lane, node: int, side: int) -> list[Point]:
        row = self._plan.row_of(node)
        if lane.leaves_between:
            start = self._port(node, -side * 4.0, 1)
            return [start, (self._track(row + 1), start[1])]
        along = self._lane_ports[lane.edge, True]
        reach = self._outlines[node].reach_across(along)
        return [(self._plan.middle(row) + along, self._plan.nodes[node].across + side * reach)]

    def _comes(self, lane: Lane, node: int, side: int) -> list[Point]:
        """Where it leaves the lane, the tip, and the direction that the arrow points to."""
        row = self._plan.row_of(node)
        place = self._plan.nodes[node]
        if lane.comes_between:
            tip = self._port(node, side * 4.0, -1)
            return [(track := self._track(row), lane.across), (track, tip[1]), tip, (1.0, 0.0)]
        along = self._lane_ports[lane.edge, False]
        reach = self._outlines[node].reach_across(along)
        middle = self._plan.middle(row) + along
        return [(middle, lane.across), (middle, place.across + side * reach), (0.0, -float(side))]

    def _track(self, gap: int) -> float:
        """The next free track of the gap before the row of this number."""
        self._tracks[gap] = number = self._tracks.get(gap, 0) + 1
        begin = self._plan.begin[gap] if gap < len(self._plan.begin) else None
        if gap % 2 == 0 and begin is not None:
            # Before nodes, the last tracks: the arrows have room behind them.
            return begin - ARROW - 4 - TRACK * (number - 1)
        return self._plan.end[gap - 1] + TRACK * number - 4


def _step(half: float, count: float, has_middle: bool) -> float:
    room = max(half - _CORNER, half / 2)
    return min(_PORT, room / max(count if has_middle else count - 0.5, 0.5))


def _bend(start: Point, end: Point) -> Iterator[Step]:
    if abs(start[1] - end[1]) < 0.5:
        yield "L", (end,)
    else:
        middle = (start[0] + end[0]) / 2
        yield "C", ((middle, start[1]), (middle, end[1]), end)


def _rounded(points: Sequence[Point]) -> Iterator[Step]:
    """Straight lines through the points, the corners rounded."""
    yield "M", (points[0],)
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(_RADIUS, math.dist(before, corner) / 2, math.dist(corner, after) / 2)
        if radius < 0.5:
            yield "L", (corner,)
        else:
            yield "L", (_towards(corner, before, radius),)
            yield "Q", (corner, _towards(corner, after, radius))
    yield "L", (points[-1],)


def _towards(start: Point, end: Point, far: float) -> Point:
    part = far / math.dist(start, end)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
