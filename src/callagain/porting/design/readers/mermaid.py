"""The flowcharts of Mermaid, as far as designs are drawn with them.

    flowchart   = ( "flowchart" | "graph" ) [ direction ] { statement }
    statement   = nodes { edge nodes }
    nodes       = node { "&" node }
    node        = ID [ shape ] [ ":::" CLASS ]
    edge        = ARROW [ "|" label "|" ] | "--" label ARROW

Statements end where the next begins: at a line break, a `;`, or only a space, since a flowchart is often
written in one line. A label in quotes may have line breaks of its own, or `<br>`. Comments are left out, and
lines that style, group or link: `subgraph`, `end`, `style`, `classDef`, `class`, `click`, `linkStyle`,
`direction`.
"""

import html
import re
from dataclasses import dataclass, field
from typing import NoReturn

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.limits import MAX_EDGES, MAX_NODES

HEADER = re.compile(r"(?:flowchart|graph)(?:[ \t]+(?:LR|RL|TD|TB|BT))?(?=[\s;]|$)", re.IGNORECASE)

_SPACE = re.compile(r"(?:[\s;]++|%%[^\n]*+)*+")
_SKIPPED = re.compile(
    r"(?:(?:subgraph|style|classDef|class|click|linkStyle|direction|accTitle|accDescr)\b(?![-=.~<\[({>:&])"
    r"|end[ \t]*(?=[\n;]|$))[^\n]*+"
)
_ID = re.compile(r"\w++(?:[-./]\w++)*+")
_SHAPES = tuple(
    (opening, re.compile("|".join(map(re.escape, closings))), closings[0])
    for opening, *closings in (
        ("(((", ")))"), ("((", "))"), ("([", "])"), ("(", ")"),
        ("[[", "]]"), ("[(", ")]"), ("[/", "/]", "\\]"), ("[\\", "\\]", "/]"), ("[", "]"),
        ("{{", "}}"), ("{", "}"), (">", "]"),
    )
)  # fmt: skip
_QUOTE = re.compile(r'\s*+"')
_QUOTED = re.compile(r'\s*+"[^"]*+"')
_AS_OBJECT = re.compile(r"@\{[^}]*+\}")
_LABEL_OF_OBJECT = re.compile(r'\blabel\s*:\s*"([^"]*+)"')
_SHAPE_OF_OBJECT = re.compile(r"\bshape\s*:\s*([\w-]+)")
_CLASS = re.compile(r":::[\w-]++")
_ARROW = re.compile(
    r"""
      (?: < | [ox](?=[-=.]{2,}[ox]\s) )?  (?: -{2,} | ={2,} | -\.+- )  (?: > | [ox](?=[\s|]) )
    | -{3,} | ={3,} | -\.+- | ~{3,}
    """,
    re.VERBOSE,
)
_LABELLED = re.compile(
    r"""
    <? (?: --(?![->]) | ==(?![=>]) | -\.(?![.-]) )
    (?P<label> \s*"[^"]*+"\s* | [^"\n|]+? )
    (?: (?: -{2,} | ={2,} | \.+- ) (?: > | [ox](?=\s) ) | -{3,} | ={3,} | \.+- )
    """,
    re.VERBOSE,
)
_BAR_LABEL = re.compile(r'\s*\|(?P<label>\s*"[^"]*+"\s*|[^|\n]*+)\|')
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:b|i|u|em|strong|small|sub|sup|span|div|p|code|center)(?:\s[^<>]*+)?/?>", re.IGNORECASE
)
_ENTITY = re.compile(r"#(\d{1,7}|[A-Za-z]{2,20});")
_DECISIONS = ("{", "diamond", "diam", "decision", "rhombus")


@dataclass(slots=True)
class Node:
    """A node: its label, lines parted by line breaks, and its edges as (label, id of the node)."""

    id: str
    line: int
    label: str = ""
    is_decision: bool = False
    edges: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def read_nodes(text: str, place: SourcePlace, first_line: int = 1) -> list[Node]:
    """The nodes of a flowchart, in the order in which they are first named.

    text: from `flowchart` on. first_line: where the text begins in its file. Raises DesignError with the
    line.
    """
    return _Reader(text, place, first_line).read()


class _Reader:
    """One pass over the text; `_position` is where it has come to."""

    def __init__(self, text: str, place: SourcePlace, first_line: int) -> None:
        self._text = text
        self._place = place
        self._first_line = first_line
        self._position = 0
        self._nodes: dict[str, Node] = {}
        self._edges = 0
        self._line_at = (0, 0)

    def read(self) -> list[Node]:
        header = self._take(HEADER)
        if header is None:
            self._fail("a flowchart begins with `flowchart` or `graph`")
        self._skip_space()
        while self._position < len(self._text):
            if self._take(_SKIPPED) is None:
                self._statement()
            self._skip_space()
        return list(self._nodes.values())

    def _statement(self) -> None:
        sources = self._group()
        while True:
            self._skip_space()
            label = self._edge()
            if label is None:
                return
            self._skip_space()
            targets = self._group()
            self._connect(sources, label, targets)
            sources = targets

    def _connect(self, sources: list[Node], label: str, targets: list[Node]) -> None:
        self._edges += len(sources) * len(targets)
        if self._edges > MAX_EDGES:
            self._fail(f"the flowchart has more than {MAX_EDGES:,} edges")
        for source in sources:
            source.edges += ((label, target.id) for target in targets)

    def _group(self) -> list[Node]:
        nodes = [self._node()]
        while True:
            before = self._position
            self._skip_space()
            if not self._text.startswith("&", self._position):
                self._position = before
                return nodes
            self._position += 1
            self._skip_space()
            nodes.append(self._node())

    def _node(self) -> Node:
        match = self._take(_ID)
        if match is None:
            shown = " ".join(self._text[self._position : self._position + 30].split()) or "the end"
            self._fail(f"a node or an arrow is expected here, and not {shown!r}")
        name = match.group()
        node = self._nodes.get(name)
        if node is None:
            node = self._nodes[name] = Node(name, self._line(match.start()), name)
            if len(self._nodes) > MAX_NODES:
                self._fail(f"the flowchart has more than {MAX_NODES:,} nodes")
        self._shape(node)
        self._take(_CLASS)
        return node

    def _shape(self, node: Node) -> None:
        as_object = self._take(_AS_OBJECT)
        if as_object is not None:
            label = _LABEL_OF_OBJECT.search(as_object.group())
            shape = _SHAPE_OF_OBJECT.search(as_object.group())
            node.label = _clean(label[1]) if label else node.label
            node.is_decision = shape is not None and shape[1] in _DECISIONS
            return
        for opening, closing, shown in _SHAPES:
            if self._text.startswith(opening, self._position):
                node.label = _clean(self._label(node.id, self._position + len(opening), closing, shown))
                node.is_decision = opening in _DECISIONS
                return

    def _label(self, name: str, start: int, closing: re.Pattern[str], shown: str) -> str:
        quoted = _QUOTED.match(self._text, start)
        if quoted is None and _QUOTE.match(self._text, start):
            self._fail(f'the label of {name!r} has no closing "')
        end = closing.search(self._text, quoted.end() if quoted else start)
        if end is None:
            self._fail(f"the label of {name!r} is not closed by {shown}")
        self._position = end.end()
        return self._text[start : end.start()]

    def _edge(self) -> str | None:
        """The label of the edge that begins here, empty for one without; None if no edge begins here."""
        if self._take(_ARROW) is not None:
            label = self._take(_BAR_LABEL)
            return _clean(label["label"]) if label else ""
        labelled = self._take(_LABELLED)
        return _clean(labelled["label"]) if labelled else None

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _skip_space(self) -> None:
        self._take(_SPACE)

    def _line(self, position: int) -> int:
        """Counted on from the last line that was asked for, since positions only grow."""
        at, line = self._line_at
        line += self._text.count("\n", at, position)
        self._line_at = (position, line)
        return self._first_line + line

    def _fail(self, problem: str) -> NoReturn:
        line = self._first_line + self._text.count("\n", 0, self._position)
        raise DesignError(SourcePlace(self._place.file, f"line {line}"), problem)


def _clean(label: str) -> str:
    """The text of a label: without quotes and markup, `<br>` as line break, entities as characters."""
    label = label.strip()
    if len(label) > 1 and label[0] == label[-1] == '"':
        label = label[1:-1].strip()
    if len(label) > 1 and label[0] == label[-1] == "`":
        label = label[1:-1]
    label = _MARKUP.sub("", _BREAK.sub("\n", label)).replace("\\n", "\n")
    label = html.unescape(
        _ENTITY.sub(lambda match: f"&{'#' if match[1].isdigit() else ''}{match[1]};", label)
    )
    return "\n".join(line for line in (" ".join(line.split()) for line in label.split("\n")) if line)
