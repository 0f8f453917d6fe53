"""Diagrams as Mermaid text, https://mermaid.js.org: what GitHub and many editors show as a picture."""

import re
from collections.abc import Iterator, Sequence

from callagain.diagrams.model import Diagram, Node, Shape
from callagain.engine.json_text import valid_unicode

# What means something to one part of Mermaid or another, in quotes too, is written by its number.
_SIGN = re.compile(
    r"""["#$%&*:;<>@\\^`{|}~]"""  # an entity, a tag, a comment, a formula, the end of a statement
    r"|(?<=\])\("  # a link in Markdown
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis; inside a word an underscore means nothing
    r"|^[-+=]|(?<=\d)[.)](?= )"  # an item of a list, a heading
)
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")

# An empty pair of quotes is no text for Mermaid; a space that does not break is one.
_NO_TEXT = "#160;"

_PLAIN_WORD = re.compile(r"[A-Z][a-z]*")

_ENDS = (Shape.START, Shape.END)
_GENERAL_STYLE = "classDef general stroke-dasharray: 4"


def flowchart_text(diagram: Diagram) -> str:
    """A Mermaid flowchart from left to right; a node's text stands where the node is first named."""
    return _statements("flowchart LR", _flowchart_lines(diagram))


def state_diagram_text(diagram: Diagram) -> str:
    """A Mermaid state diagram; START and END are its `[*]`."""
    return _statements("stateDiagram-v2", _state_lines(diagram))


def _statements(kind: str, lines: Iterator[str]) -> str:
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


def _quoted(lines: Sequence[str]) -> str:
    return f'"{_text(lines)}"'


def _text(lines: Sequence[str]) -> str:
    return "<br/>".join(_escaped(line) for line in lines) or _NO_TEXT


def _escaped(line: str) -> str:
    """One line of any text, safe at every place where Mermaid takes text."""
    words = " ".join(_CONTROL_CHARACTER.sub(" ", valid_unicode(line)).split())
    return _SIGN.sub(lambda sign: f"#{ord(sign.group())};", words)
