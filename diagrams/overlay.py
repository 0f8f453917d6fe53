"""What a run adds to a picture of its chain: how often it went where, how long it took, and where it is."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from callagain.diagrams.model import Diagram, Edge, Node, Shape
from callagain.diagrams.walk import Walk
from callagain.diagrams.words import title
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, FINAL_STATES, Link


@dataclass(frozen=True, slots=True)
class Overlay:
    """nodes: how often each was come to, by its id. edges: how often each was taken, by its number.

    seconds: what the commands of a node's operation took, where anybody measured it. here: the node at which
    the run stands; of a run that ended in a state which is not drawn, the node that it ended in.
    """

    nodes: Mapping[str, int]
    edges: tuple[int, ...]
    seconds: Mapping[str, float]
    here: str | None

    def said_of_node(self, node: Node) -> str:
        """Like "3×, 120 ms"; empty for a node that stands for no state."""
        if not node.state:
            return ""
        seconds = self.seconds.get(node.id)
        return times(self.nodes[node.id]) + (f", {duration(seconds)}" if seconds is not None else "")

    def said_of_edge(self, number: int, edge: Edge) -> str:
        """Like "3×"; empty for an edge from where the picture begins, or to where it ends."""
        return times(self.edges[number]) if edge.links else ""


def chain_of(drawn: Chain | Walk) -> Chain:
    return drawn.chain if isinstance(drawn, Walk) else drawn


def laid_over(diagram_of: Callable[[Chain], Diagram], drawn: Chain | Walk) -> tuple[Diagram, Overlay | None]:
    """The diagram of the chain, and what a walk through it adds."""
    diagram = diagram_of(chain_of(drawn))
    return diagram, overlay(diagram, drawn) if isinstance(drawn, Walk) else None


def overlay(diagram: Diagram, walk: Walk) -> Overlay:
    """What the walk adds to a flowchart or a state diagram of its chain."""
    visits = _visits(walk)
    nodes = {node.id: node for node in diagram.nodes}
    edges = tuple(
        sum(visits[link] for link in edge.links) if edge.links else _begun_or_ended(nodes, edge, walk)
        for edge in diagram.edges
    )
    counts = {node.id: _count(diagram, node, edges, walk) for node in diagram.nodes}
    return Overlay(counts, edges, _seconds(diagram, walk), _here(diagram, walk))


def with_overlay(diagram: Diagram, laid: Overlay) -> Diagram:
    """The diagram with the counts and times as further lines of its texts."""
    nodes = [
        dataclasses.replace(node, lines=(*node.lines, said)) if (said := laid.said_of_node(node)) else node
        for node in diagram.nodes
    ]
    edges = [
        dataclasses.replace(edge, label=f"{edge.label}\n{said}".lstrip("\n"))
        if (said := laid.said_of_edge(number, edge))
        else edge
        for number, edge in enumerate(diagram.edges)
    ]
    return Diagram(tuple(nodes), tuple(edges))


def taken(walk: Walk) -> dict[Link, tuple[int, float | None]]:
    """Of each row of the table: how often it was taken, and the seconds of the operations left by it."""
    counts = _visits(walk)
    seconds: dict[Link, float] = {}
    for each, took in walk.timed():
        row = _row(walk.chain, each.link)
        seconds[row] = seconds.get(row, 0.0) + took
    return {link: (counts[link], seconds.get(link)) for link in walk.chain.links}


def stand(walk: Walk) -> str:
    """Where the run is, like "run 4f1c: completed after 9 operations"."""
    count = len(walk.steps)
    if walk.state in FINAL_STATES:
        where = walk.state
    else:
        where = f"{'suspended' if walk.outcome == 'suspended' else 'stands'} in {title(walk.state)}"
    return f"run {walk.inputs.run_id}: {where} after {count} operation{'' if count == 1 else 's'}"


def times(count: int) -> str:
    return f"{count}×"


def duration(seconds: float) -> str:
    """Three figures of it: 0.310 ms, 31.0 ms, 310 ms, 3.10 s, 310 s."""
    value, unit = (seconds, "s") if seconds >= 1 else (seconds * 1_000, "ms")
    places = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{places}f} {unit}"


def _visits(walk: Walk) -> Counter[Link]:
    """By the links as a flowchart has them, and by the rows of the table, as a state diagram has them."""
    visits = walk.visits
    for link, count in list(visits.items()):
        if (row := _row(walk.chain, link)) != link:
            visits[row] += count
    return visits


def _row(chain: Chain, link: Link) -> Link:
    """The row of the table; a general one is taken as if it were the operation's own."""
    return link if link in chain.links else dataclasses.replace(link, source=ANY_OPERATION)


def _begun_or_ended(nodes: Mapping[str, Node], edge: Edge, walk: Walk) -> int:
    source = nodes[edge.source]
    return int(source.shape is Shape.START or source.state == walk.state)


def _count(diagram: Diagram, node: Node, edges: tuple[int, ...], walk: Walk) -> int:
    coming = [edges[number] for number, edge in enumerate(diagram.edges) if edge.target == node.id]
    if not node.state:
        leaving = [edges[number] for number, edge in enumerate(diagram.edges) if edge.source == node.id]
        return max([*coming, *leaving], default=0)
    if _decision_before(diagram, node) is not None:
        return sum(coming)
    if node.state in FINAL_STATES:
        return sum(each.step.target == node.state for each in walk.steps)
    # It has come to where it stands, too.
    return sum(each.step.operation == node.state for each in walk.steps) + (walk.state == node.state)


def _decision_before(diagram: Diagram, node: Node) -> Node | None:
    """The question of the operation whose box this is."""
    if node.shape is Shape.DECISION:
        return None
    decisions = (each for each in diagram.nodes if each.shape is Shape.DECISION)
    return next((each for each in decisions if each.state == node.state), None)


def _seconds(diagram: Diagram, walk: Walk) -> dict[str, float]:
    by_state: dict[str, float] = {}
    for each, took in walk.timed():
        by_state[each.step.operation] = by_state.get(each.step.operation, 0.0) + took
    drawn = _drawn(diagram)
    return {drawn[state]: took for state, took in by_state.items() if state in drawn}


def _here(diagram: Diagram, walk: Walk) -> str | None:
    drawn = _drawn(diagram)
    if walk.state in drawn:
        return drawn[walk.state]
    if not walk.steps:
        return None
    last = walk.steps[-1]
    before = drawn.get(last.step.operation)
    behind_a_decision = (
        node.id
        for edge in diagram.edges
        for node in diagram.nodes
        if edge.source == before and edge.target == node.id and last.link in edge.links
        if node.state == last.step.operation
    )
    return next(behind_a_decision, before)


def _drawn(diagram: Diagram) -> dict[str, str]:
    """The node of each state; of an operation with a question that one, as every visit comes to it."""
    return {node.state: node.id for node in reversed(diagram.nodes) if node.state}
