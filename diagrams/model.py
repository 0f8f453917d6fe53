"""What a diagram says, whatever it is written in: nodes with text, and edges between them."""

from dataclasses import dataclass
from enum import Enum

from callagain.engine.links import Link


class Shape(Enum):
    """What a node stands for. A renderer decides how that looks."""

    BOX = "box"
    DECISION = "decision"
    STATE = "state"
    GENERAL = "general"  # stands for every operation, in the links that all of them share
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Node:
    """`id` is unique in its diagram; `lines` is the text, any text, none for START and END.

    state: the operation or the final state that it stands for, if it stands for one.
    """

    id: str
    shape: Shape
    lines: tuple[str, ...] = ()
    state: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes, given by their ids. `label` may have several lines.

    links: the rows of the table of which a run goes one when it goes this way; in a state diagram a general
    one still has "any operation" as its source.
    """

    source: str
    target: str
    label: str = ""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes and edges in the order in which they are written; the same chain gives the same order."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
