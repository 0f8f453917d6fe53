"""The flowchart of Jitterbit's guide "Implement an LLM tool-calling loop", for any chain.

The rules:

1.  An operation is a box that shows its `kind` and its `title`.
2.  Only On Success between operations is drawn. On Fail and the final states are in the state diagram.
3.  An operation that has a `question`, and links that depend on `call_llm_again`, is a decision. Yes is
    the way on which `call_llm_again` holds; it passes through the operation's own box. No is the other.
4.  Links of one operation that lead to the same node are one edge.
5.  Where still more than one way leads on, the edges say under which guards.

Nodes are lettered in the order in which a reader meets them, the Yes way before the No way.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from callagain.diagrams.model import Diagram, Edge, Node, Shape
from callagain.engine.chain import Chain
from callagain.engine.links import FINAL_STATES, ON_SUCCESS, Link, decisions, links_from

_YES_GUARD = "call_llm_again"
_NO_GUARD = f"not {_YES_GUARD}"


@dataclass(frozen=True, slots=True)
class _Part:
    """What is drawn of an operation: its box, or the question that stands before it."""

    operation: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class _Way:
    """An edge to be drawn; `source` is None where the walk begins."""

    source: _Part | None
    label: str
    target: _Part
    links: tuple[Link, ...] = ()


def flowchart(chain: Chain) -> Diagram:
    """The chain as the guide draws it; the rules are at the top of this file.

    An operation that only On Fail leads to stands in a box that no arrow reaches.
    """
    ids: dict[_Part, str] = {}
    edges: list[Edge] = []
    letters = _letters()
    beginnings = [chain.initial, *chain.operations]
    waiting = [_Way(None, "", _first_part(chain, name)) for name in reversed(beginnings)]
    while waiting:
        way = waiting.pop()
        if way.target not in ids:
            ids[way.target] = next(letters)
            waiting.extend(reversed(_ways_on(chain, way.target)))
        if way.source is not None:
            edges.append(Edge(ids[way.source], ids[way.target], way.label, way.links))
    nodes = tuple(
        Node(letter, part.shape, _lines(chain, part), part.operation) for part, letter in ids.items()
    )
    return Diagram(nodes, tuple(edges))


def _letters() -> Iterator[str]:
    """A to Z, then A1 to Z1, and so on: none of them is a word of Mermaid."""
    for turn in itertools.count():
        for letter in ascii_uppercase:
            yield f"{letter}{turn or ''}"


def _first_part(chain: Chain, name: str) -> _Part:
    return _Part(name, Shape.DECISION if _decides(chain, name) else Shape.BOX)


def _decides(chain: Chain, name: str) -> bool:
    guards = {name for link in _links_that_fire(chain, name) for name in link.guards}
    return bool(chain.operations[name].question) and _YES_GUARD in guards


def _links_that_fire(chain: Chain, state: str) -> list[Link]:
    """In table order, without a general link that never has its turn."""
    own, general = links_from(chain.links, state, ON_SUCCESS)
    firing = {link for _, links in decisions(chain.links, state, ON_SUCCESS) for link in links}
    return [link for link in (*own, *general) if link in firing]


def _lines(chain: Chain, part: _Part) -> tuple[str, ...]:
    operation = chain.operations[part.operation]
    if part.shape is Shape.DECISION:
        return tuple(operation.question.splitlines())
    title = operation.title or part.operation
    return (*operation.kind.splitlines(), *title.splitlines())


def _ways_on(chain: Chain, part: _Part) -> list[_Way]:
    """The edges that leave a part, in the order in which they are drawn."""
    firing = _links_that_fire(chain, part.operation)
    links = [link for link in firing if link.target not in FINAL_STATES]
    if part.shape is Shape.DECISION:
        through = tuple(link for link in firing if _YES_GUARD in link.when)
        yes = _Way(part, "Yes", _Part(part.operation, Shape.BOX), through)
        return [yes, *_ways(chain, part, [link for link in links if _YES_GUARD not in link.when], _NO_GUARD)]
    if _decides(chain, part.operation):
        return _ways(chain, part, [link for link in links if _YES_GUARD in link.when], _YES_GUARD)
    return _ways(chain, part, links, None)


def _ways(chain: Chain, part: _Part, links: Sequence[Link], answer: str | None) -> list[_Way]:
    """One way for each target. `answer` is the guard that the decision has answered on this side of it."""
    by_target: dict[str, list[Link]] = {}
    for link in links:
        by_target.setdefault(link.target, []).append(link)
    several = len(by_target) > 1
    return [
        _Way(part, _label(joined, answer, several), _first_part(chain, target), tuple(joined))
        for target, joined in by_target.items()
    ]


def _label(links: Sequence[Link], answer: str | None, several: bool) -> str:
    conditions = [" and ".join(word for word in link.when if word != answer) for link in links]
    condition = " or ".join(conditions) if all(conditions) else ""
    if answer != _NO_GUARD:
        return condition if several else ""
    if not all(answer in link.when for link in links):
        return condition
    return f"No, {condition}" if condition and several else "No"
