"""The state diagram of a chain: the whole table, with the final states and every link.

A general link ("any operation") is drawn once, from a state of that name that stands for all operations, as
the table writes it; an operation's own links come before it. Drawn from each operation, it would hide the
rest of the picture behind arrows to `failed`.
"""

import re
from collections.abc import Sequence

from callagain.diagrams.model import Diagram, Edge, Node, Shape
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, Link

_START = "(start)"
_END = "(end)"

# A name of this form is its own id, save the words that begin a statement of Mermaid.
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_RESERVED = frozenset(
    (
        *("accdescr", "acctitle", "class", "classdef", "click", "default"),
        *("href", "note", "scale", "state", "statediagram", "style"),
    )
)


def state_diagram(chain: Chain) -> Diagram:
    """All states and all links, the links in the order of the table; labels give the event and the guards."""
    general = [ANY_OPERATION] if any(link.source == ANY_OPERATION for link in chain.links) else []
    ids = _ids([*chain.operations, *chain.final_states, *general])
    nodes = [Node(_START, Shape.START)]
    for name, state_id in ids.items():
        shape = Shape.GENERAL if name == ANY_OPERATION else Shape.STATE
        state = "" if name == ANY_OPERATION else name
        nodes.append(Node(state_id, shape, tuple(name.splitlines()), state))
    nodes.append(Node(_END, Shape.END))
    edges = [Edge(_START, ids[chain.initial])]
    edges.extend(Edge(ids[link.source], ids[link.target], _label(link), (link,)) for link in chain.links)
    edges.extend(Edge(ids[state], _END) for state in chain.final_states)
    return Diagram(tuple(nodes), tuple(edges))


def _label(link: Link) -> str:
    return f"{link.event}\n[{' and '.join(link.when)}]" if link.when else link.event


def _ids(names: Sequence[str]) -> dict[str, str]:
    """An id for each name that can be written without quotes: the name itself, if it is plain."""
    ids: dict[str, str] = {}
    for number, name in enumerate(names, start=1):
        plain = name.replace(" ", "_")
        ids[name] = plain if _is_plain(plain) and plain not in ids.values() else f"State{number}"
    return ids


def _is_plain(name: str) -> bool:
    return name not in _RESERVED and _PLAIN_NAME.fullmatch(name) is not None
