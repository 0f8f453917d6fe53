"""Which nodes of a graph stand beside each other: a layer for each node, and the edges that lead back.

A graph is given by the number of its nodes and by its ties, pairs of node numbers in the order in which
they are drawn.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

Tie = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layers:
    """layer: of each node, from 0. backward: the ties, by number, that do not lead to a later layer.

    row: the nodes of the main way, from the first node on; they are drawn in one straight line.
    """

    layer: list[int]
    backward: frozenset[int]
    row: tuple[int, ...]


def layers(nodes: int, ties: Sequence[Tie]) -> Layers:
    """Each node stands behind all that lead to it, the ties that close a circle left aside."""
    backward = _backward(nodes, ties)
    ahead: list[list[int]] = [[] for _ in range(nodes)]
    behind: list[list[int]] = [[] for _ in range(nodes)]
    for number, (source, target) in enumerate(ties):
        if number not in backward:
            ahead[source].append(target)
            behind[target].append(source)
    order = _topological(ahead, behind)
    layer = [0] * nodes
    for node in order:
        layer[node] = max((layer[each] + 1 for each in behind[node]), default=0)
    row = tuple(_row(layer, ahead))
    _move_ahead(layer, ahead, behind, order, row)
    return Layers(layer, backward, row)


def _backward(nodes: int, ties: Sequence[Tie]) -> frozenset[int]:
    """The ties to a node that the way there came from: a walk in depth meets them, in order, from node 0."""
    leaving: list[list[int]] = [[] for _ in range(nodes)]
    for number, (source, _) in enumerate(ties):
        leaving[source].append(number)
    backward: set[int] = set()
    met: set[int] = set()
    for first in range(nodes):
        if first in met:
            continue
        met.add(first)
        way, on_the_way = [(first, iter(leaving[first]))], {first}
        while way:
            node, left = way[-1]
            tie = next(left, None)
            if tie is None:
                way.pop()
                on_the_way.discard(node)
                continue
            target = ties[tie][1]
            if target in on_the_way:
                backward.add(tie)
            elif target not in met:
                met.add(target)
                way.append((target, iter(leaving[target])))
                on_the_way.add(target)
    return frozenset(backward)


def _topological(ahead: Sequence[Sequence[int]], behind: Sequence[Sequence[int]]) -> list[int]:
    open_ties = [len(each) for each in behind]
    ready = [node for node, count in enumerate(open_ties) if not count]
    order: list[int] = []
    while ready:
        order.append(node := ready.pop())
        for target in ahead[node]:
            open_ties[target] -= 1
            if not open_ties[target]:
                ready.append(target)
    return order


def _row(layer: Sequence[int], ahead: Sequence[Sequence[int]]) -> Iterator[int]:
    """From node 0 by the first tie, one to the very next layer before one that passes some by."""
    node: int | None = 0 if layer else None
    while node is not None:
        yield node
        here = layer[node]
        node = next((each for each in ahead[node] if layer[each] == here + 1), next(iter(ahead[node]), None))


def _move_ahead(
    layer: list[int],
    ahead: Sequence[Sequence[int]],
    behind: Sequence[Sequence[int]],
    order: Sequence[int],
    row: Collection[int],
) -> None:
    """Moves nodes beside the row as far on as they can without longer ties: outcomes come to one layer."""
    for node in reversed(order):
        if node not in row and ahead[node] and len(behind[node]) <= len(ahead[node]):
            layer[node] = min(layer[each] for each in ahead[node]) - 1
