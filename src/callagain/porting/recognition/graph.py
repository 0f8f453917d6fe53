"""Which operations and scripts lead to which: by steps, by On Success, by RunOperation and RunScript."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from callagain.porting.design.model import Design, Operation, StepKind
from callagain.porting.recognition.facts import Facts, Run


class Node(NamedTuple):
    """kind: "operation" or "script"."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A node, and the nodes that it leads to, in their order. Links of On Fail are not among them."""

    leads_to: Mapping[Node, tuple[Node, ...]]

    def reached(self, starts: Iterable[Node]) -> frozenset[Node]:
        """The starts and all that they lead to."""
        return frozenset(self.distances(starts))

    def distances(self, starts: Iterable[Node]) -> dict[Node, int]:
        """All that is reached, with how many links it takes from the nearest start."""
        found = dict.fromkeys(starts, 0)
        waiting = list(found)
        for node in waiting:
            for following in self.leads_to.get(node, ()):
                if following not in found:
                    found[following] = found[node] + 1
                    waiting.append(following)
        return found

    def following(self, node: Node) -> tuple[Node, ...]:
        return self.leads_to.get(node, ())

    def circle_of(self, node: Node) -> frozenset[Node]:
        """The nodes from which a node is reached again that it leads to; empty if it is on no circle."""
        after = self.reached(self.following(node))
        if node not in after:
            return frozenset()
        comes_from: dict[Node, list[Node]] = {}
        for each, following in self.leads_to.items():
            for target in following:
                comes_from.setdefault(target, []).append(each)
        backwards = Graph({each: tuple(before) for each, before in comes_from.items()})
        return after & backwards.reached((node,))


def graph_of(design: Design, scripts: Mapping[str, Facts]) -> Graph:
    leads_to: dict[Node, tuple[Node, ...]] = {}
    for operation in design.operations:
        leads_to.setdefault(Node("operation", operation.name), tuple(_links(operation)))
    for facts in scripts.values():
        runs = sorted(facts.runs.values(), key=lambda run: run.line)
        leads_to[Node("script", facts.name)] = tuple(dict.fromkeys(nodes_of(runs)))
    return Graph(leads_to)


def nodes_of(runs: Iterable[Run]) -> list[Node]:
    return [Node(run.kind, run.name) for run in runs if run.name is not None]


def _links(operation: Operation) -> Iterable[Node]:
    for step in operation.steps:
        if step.kind in (StepKind.SCRIPT, StepKind.OPERATION):
            yield Node(step.kind.value, step.name)
    if operation.on_success is not None:
        yield Node("operation", operation.on_success)
