"""Where the nodes and edges of a diagram go: layer behind layer, the main way in one straight row.

It is thought of in two directions: `along` leads from layer to layer, `across` is the order within one. The
caller says which of them is x. What the parts of the picture keep free of each other:

1.  A row of nodes and a row of labels take turns. Each edge that leads on has a place for its label in the
    row behind its source, and a place of its own in every row that it passes by, so that it meets no node.
2.  What is on the main way is at across 0, and the first of its row; the rest stands after it.
3.  An edge that leads back goes around: it leaves its layer, goes back in a lane of its own before or after
    everything else, and comes to its target from there.
"""

import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from callagain.diagrams.layers import Layers, layers

_BESIDE = 10.0  # between two that stand in one row
_GAP = 14.0  # between two rows
_FOR_AN_ARROW = 5.0
_MOST_GAP = 60.0
_STEEPNESS = 5.0  # of a curve between two rows: across by along
TRACK = 12.0  # for each edge that leaves a row or comes to it between the rows
_SETTLING_ROUNDS = 8
_STRAIGHTENING_ROUNDS = 4
_JOG = 30.0


@dataclass(frozen=True, slots=True)
class Size:
    """How far it reaches from its middle: along it to both sides, across it before and after."""

    along: float
    before: float
    after: float


@dataclass(slots=True)
class Place:
    """Something in a row: a node, the label of an edge, or where an edge passes by."""

    size: Size
    node: int | None = None
    edge: int | None = None
    on_the_row: bool = False
    across: float = 0.0
    behind: "list[Place]" = field(default_factory=list["Place"])
    ahead: "list[Place]" = field(default_factory=list["Place"])


@dataclass(frozen=True, slots=True)
class Lane:
    """The way of an edge that leads back. after: behind all rows across, not before them.

    across: of its line. leaves_between, comes_between: through the gap beside its row, since something
    stands in the way.
    """

    edge: int
    after: bool
    across: float
    leaves_between: bool
    comes_between: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """rows: in their order, each in its order. begin, end: of each row, along. ways: of each edge that leads
    on, its places from the source to the target. lanes: of each that leads back, the inner ones first.
    """

    layers: Layers
    rows: list[list[Place]]
    begin: list[float]
    end: list[float]
    nodes: list[Place]
    ways: dict[int, list[Place]]
    lanes: list[Lane]

    def row_of(self, node: int) -> int:
        return 2 * self.layers.layer[node]

    def middle(self, row: int) -> float:
        return (self.begin[row] + self.end[row]) / 2


def layout(nodes: Sequence[Size], edges: Sequence[tuple[int, int]], labels: Sequence[Size]) -> Layout:
    """edges: pairs of node numbers. labels: the room that the label of each edge takes."""
    found = layers(len(nodes), edges)
    rows, places, ways = _rows(found, nodes, edges, labels)
    _put_in_order(rows)
    _settle(rows)
    lanes = list(_lanes(found, rows, places, edges, labels))
    begin, end = _along(found, rows, edges, lanes)
    return Layout(found, rows, begin, end, places, ways, lanes)


def _rows(
    found: Layers, nodes: Sequence[Size], edges: Sequence[tuple[int, int]], labels: Sequence[Size]
) -> tuple[list[list[Place]], list[Place], dict[int, list[Place]]]:
    rows: list[list[Place]] = [[] for _ in range(2 * max(found.layer, default=0) + 1)]
    main = dict.fromkeys(itertools.pairwise(found.row))
    places = [Place(size, node, on_the_row=node in found.row) for node, size in enumerate(nodes)]
    for node in dict.fromkeys((*found.row, *range(len(nodes)))):
        rows[2 * found.layer[node]].append(places[node])
    ways: dict[int, list[Place]] = {}
    for edge, (source, target) in enumerate(edges):
        if edge in found.backward:
            continue
        between = range(2 * found.layer[source] + 1, 2 * found.layer[target])
        is_main = (source, target) in main
        main.pop((source, target), None)
        passing = [
            Place(labels[edge] if number == between[0] else Size(0, 5, 5), edge=edge, on_the_row=is_main)
            for number in between
        ]
        for number, place in zip(between, passing, strict=True):
            rows[number].append(place)
        ways[edge] = [places[source], *passing, places[target]]
        for before, after in itertools.pairwise(ways[edge]):
            before.ahead.append(after)
            after.behind.append(before)
    return rows, places, ways


def _put_in_order(rows: list[list[Place]]) -> None:
    """Each place as near as can be to what it hangs together with, by the mean of their numbers."""
    for row in rows:
        row.sort(key=lambda place: not place.on_the_row)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for turn in range(_SETTLING_ROUNDS):
        if not fewest:
            break
        from_behind = turn % 2 == 0
        for row in rows if from_behind else reversed(rows):
            _sort(row, rows, from_behind=from_behind)
        if (crossings := _crossings(rows)) < fewest:
            best, fewest = [list(row) for row in rows], crossings
    rows[:] = best


def _sort(row: list[Place], rows: Sequence[Sequence[Place]], *, from_behind: bool) -> None:
    number = {id(place): index for each in rows for index, place in enumerate(each)}

    def wanted(place: Place) -> tuple[bool, float]:
        near = place.behind if from_behind else place.ahead
        mean = sum(number[id(each)] for each in near) / len(near) if near else number[id(place)]
        return not place.on_the_row, mean

    row.sort(key=wanted)


def _crossings(rows: Sequence[Sequence[Place]]) -> int:
    count = 0
    for row, following in itertools.pairwise(rows):
        number = {id(place): index for index, place in enumerate(following)}
        ends = [end for place in row for end in sorted(number[id(each)] for each in place.ahead)]
        count += sum(first > second for at, first in enumerate(ends) for second in ends[at + 1 :])
    return count


def _settle(rows: Sequence[Sequence[Place]]) -> None:
    """Gives each place its across: near to what it hangs together with, and clear of its neighbours."""
    for row in rows:
        _spread(row, [0.0] * len(row))
    for _ in range(_SETTLING_ROUNDS):
        for row in reversed(rows):
            _spread(row, [_middle(place.ahead, place) for place in row])
        # From behind in the end: an edge with room for it is straight as far as its target.
        _follow(rows)
    _straighten(rows)
    # What several edges lead to comes to the middle of them.
    _follow(rows)
    _straighten(rows)


def _follow(rows: Sequence[Sequence[Place]]) -> None:
    for row in rows:
        _spread(row, [_middle(place.behind, place) for place in row])


def _straighten(rows: Sequence[Sequence[Place]]) -> None:
    """Takes small bends out of what could be straight, by moving one end, and what comes after it, on."""
    for _ in range(_STRAIGHTENING_ROUNDS):
        for row in (*rows, *reversed(rows)):
            for place in row:
                jogs = (
                    each.across for each in _only_neighbours(place) if abs(each.across - place.across) < _JOG
                )
                if not place.on_the_row:
                    place.across = max([place.across, *jogs])
            for before, place in itertools.pairwise(row):
                place.across = max(place.across, before.across + _distance(before, place))


def _only_neighbours(place: Place) -> Iterator[Place]:
    """Those that hang together with nothing else on that side, as it does not with anything but them."""
    if len(place.behind) == 1 and len(place.behind[0].ahead) == 1:
        yield place.behind[0]
    if len(place.ahead) == 1 and len(place.ahead[0].behind) == 1:
        yield place.ahead[0]


def _distance(first: Place, second: Place) -> float:
    return first.size.after + _BESIDE + second.size.before


def _middle(near: Sequence[Place], place: Place) -> float:
    """Where it is in the middle of these; what hangs on the main way alone stays where it is."""
    beside = [each.across for each in near if not each.on_the_row]
    return statistics.median(beside) if beside else place.across


def _spread(row: Sequence[Place], wanted: Sequence[float]) -> None:
    """The places of a row, in order and clear of each other, as near to what is wanted as can be.

    Places that would come too close move as one: least squares by pooling, with the main way as good as
    fixed.
    """
    shifts = [0.0]
    for first, second in itertools.pairwise(row):
        shifts.append(shifts[-1] + _distance(first, second))
    pools: list[tuple[float, float, int]] = []
    for place, want, shift in zip(row, wanted, shifts, strict=False):
        at, weight, count = (0.0 if place.on_the_row else want) - shift, 1e6 if place.on_the_row else 1.0, 1
        while pools and pools[-1][0] >= at:
            other, other_weight, other_count = pools.pop()
            at = (at * weight + other * other_weight) / (weight + other_weight)
            weight, count = weight + other_weight, count + other_count
        pools.append((at, weight, count))
    starts = [at for at, _, count in pools for _ in range(count)]
    for place, start, shift in zip(row, starts, shifts, strict=False):
        place.across = 0.0 if place.on_the_row else start + shift


def _lanes(
    found: Layers,
    rows: Sequence[Sequence[Place]],
    places: Sequence[Place],
    edges: Sequence[tuple[int, int]],
    labels: Sequence[Size],
) -> Iterator[Lane]:
    before = min((place.across - place.size.before for row in rows for place in row), default=0.0)
    after = max((place.across + place.size.after for row in rows for place in row), default=0.0)

    def is_first(node: int) -> bool:
        return rows[2 * found.layer[node]][0] is places[node]

    def is_last(node: int) -> bool:
        return rows[2 * found.layer[node]][-1] is places[node]

    def span(edge: int) -> int:
        source, target = edges[edge]
        return abs(found.layer[source] - found.layer[target])

    for edge in sorted(found.backward, key=lambda edge: (span(edge), edge)):
        source, target = edges[edge]
        goes_after = is_last(source) + is_last(target) > is_first(source) + is_first(target)
        is_free = is_last if goes_after else is_first
        room = labels[edge]
        if goes_after:
            line = after + _BESIDE + room.before
            after = line + room.after
        else:
            line = before - _BESIDE - room.after
            before = line - room.before
        yield Lane(edge, goes_after, line, not is_free(source), not is_free(target))


def _along(
    found: Layers, rows: Sequence[Sequence[Place]], edges: Sequence[tuple[int, int]], lanes: Sequence[Lane]
) -> tuple[list[float], list[float]]:
    """Begin and end of each row. A gap is the wider the farther its edges go across."""
    tracks = [0] * (len(rows) + 1)
    for lane in lanes:
        source, target = edges[lane.edge]
        tracks[2 * found.layer[source] + 1] += lane.leaves_between
        tracks[2 * found.layer[target]] += lane.comes_between
    begin: list[float] = []
    end: list[float] = []
    at = tracks[0] * TRACK
    for number, row in enumerate(rows):
        begin.append(at)
        end.append(at := at + 2 * max((place.size.along for place in row), default=0.0))
        far = max((abs(place.across - each.across) for place in row for each in place.ahead), default=0.0)
        # Between labels and nodes there are arrows, too.
        gap = _GAP + _FOR_AN_ARROW if number % 2 else _GAP
        at += min(gap + far / _STEEPNESS, _MOST_GAP) + tracks[number + 1] * TRACK
    return begin, end
