"""Diagrams as Mermaid text, https://mermaid.js.org: what GitHub and many editors show as a picture."""

import re
from collections.abc import Iterable, Iterator, Sequence

from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.model import Diagram, Node, Shape
from callagain.diagrams.overlay import Overlay, laid_over, with_overlay
from callagain.diagrams.plain_text import one_line
from callagain.diagrams.states import state_diagram
from callagain.diagrams.walk import Walk
from callagain.engine.chain import Chain

# What means something to one part of Mermaid or another, in quotes too, is written by its number.
_SIGN = re.compile(
    r"""["#$%&*:;<>@\\^`{|}~]"""  # an entity, a tag, a comment, a formula, the end of a statement
    r"|(?<=\])\("  # a link in Markdown
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis; inside a word an underscore means nothing
    r"|^[-+=]|(?<=\d)[.)](?= )"  # an item of a list, a heading
)

# In the texts of a sequence diagram less means something, and what tools are told is full of quotes.
_SIGN_IN_A_SEQUENCE = re.compile(r"[#$%&;<>\\`]|(?<=^wrap):|(?<=^nowrap):")

# An empty pair of quotes is no text for Mermaid; a space that does not break is one.
_NO_TEXT = "#160;"

_PLAIN_WORD = re.compile(r"[A-Z][a-z]*")

_ENDS = (Shape.START, Shape.END)
_GENERAL_STYLE = "classDef general stroke-dasharray: 4"
_FAINT = "opacity:0.35"
_HERE = "stroke:#1a7f37,stroke-width:3px"


def flowchart_mermaid(drawn: Chain | Walk) -> str:
    """The guide's flowchart of a chain, from left to right; see `flowchart` for what it shows.

    Of a walk it is the flowchart of its chain, with how often the run came where, how long it took, and where
    it is.
    """
    diagram, laid = laid_over(flowchart, drawn)
    if laid is None:
        return statements("flowchart LR", _flowchart_lines(diagram))
    never = [str(number) for number, count in enumerate(laid.edges) if not count]
    faint = [f"linkStyle {','.join(never)} {_FAINT}"] if never else []
    lines = [*_flowchart_lines(with_overlay(diagram, laid)), *faint, *_marks(diagram, laid)]
    return statements("flowchart LR", lines)


def state_diagram_mermaid(drawn: Chain | Walk) -> str:
    """All states and links of a chain; see `state_diagram` for what it shows, and `flowchart_mermaid`.

    Mermaid cannot draw a single arrow of it otherwise: one that was never taken says 0×.
    """
    diagram, laid = laid_over(state_diagram, drawn)
    if laid is None:
        return statements("stateDiagram-v2", _state_lines(diagram))
    lines = [*_state_lines(with_overlay(diagram, laid)), *_marks(diagram, laid)]
    return statements("stateDiagram-v2", lines)


def statements(kind: str, lines: Iterable[str]) -> str:
    """A whole Mermaid text."""
    return "".join([f"{kind}\n", *(f"    {line}\n" for line in lines)])


def _flowchart_lines(diagram: Diagram) -> Iterator[str]:
    unnamed = {node.id: node for node in diagram.nodes}

    def named(node_id: str) -> str:
        node = unnamed.pop(node_id, None)
        return node_id if node is None else node_id + _box(node)

    for edge in diagram.edges:
        arrow = f"-->|{_edge_label(edge.label)}|" if edge.label else "-->"
        yield f"{named(edge.source)} {arrow} {named(edge.target)}"
    for node in unnamed.values():
        yield node.id + _box(node)


def _box(node: Node) -> str:
    text = _quoted(node.lines)
    return f"{{{text}}}" if node.shape is Shape.DECISION else f"[{text}]"


def _edge_label(label: str) -> str:
    return label if _PLAIN_WORD.fullmatch(label) else _quoted(label.splitlines())


def _state_lines(diagram: Diagram) -> Iterator[str]:
    shapes = {node.id: node.shape for node in diagram.nodes}
    for node in diagram.nodes:
        if node.shape not in _ENDS and node.lines != (node.id,):
            yield f"state {_quoted(node.lines)} as {node.id}"
    for edge in diagram.edges:
        source, target = (
            "[*]" if shapes[node_id] in _ENDS else node_id for node_id in (edge.source, edge.target)
        )
        label = f" : {_text(edge.label.splitlines())}" if edge.label else ""
        yield f"{source} --> {target}{label}"
    general = [node.id for node in diagram.nodes if node.shape is Shape.GENERAL]
    if general:
        yield _GENERAL_STYLE
        yield f"class {','.join(general)} general"


def _marks(diagram: Diagram, laid: Overlay) -> Iterator[str]:
    """The classes of what a run never came to, and of where it is."""
    never = [node.id for node in diagram.nodes if node.shape not in _ENDS and not laid.nodes[node.id]]
    if never:
        yield f"classDef unvisited {_FAINT}"
        yield f"class {','.join(never)} unvisited"
    if laid.here is not None:
        yield f"classDef current {_HERE}"
        yield f"class {laid.here} current"


def name_in_a_sequence(line: str) -> str:
    """One line of any text, as the name of a participant."""
    return _escaped(line) or _NO_TEXT


def text_in_a_sequence(line: str) -> str:
    """One line of any text, behind the colon of a message or a note."""
    return _escaped(line, _SIGN_IN_A_SEQUENCE) or _NO_TEXT


def _quoted(lines: Sequence[str]) -> str:
    return f'"{_text(lines)}"'


def _text(lines: Sequence[str]) -> str:
    return "<br/>".join(_escaped(line) for line in lines) or _NO_TEXT


def _escaped(line: str, sign: re.Pattern[str] = _SIGN) -> str:
    return sign.sub(lambda found: f"#{ord(found.group())};", one_line(line))
