"""A design from its flowchart, as a skeleton: an operation for each node that is no decision.

The guides draw a node with its kind in the first line of the label, and what it does in the next ones:
`B["HTTP v2<br>LLM call"]`. The kind is the kind of the step; there are no texts of scripts in a flowchart.
"""

import re
from pathlib import PurePath

from callagain.porting.design.errors import DesignError
from callagain.porting.design.gathering import Gathered
from callagain.porting.design.model import Activity, Design, Flow, Operation, SourcePlace, Step, StepKind
from callagain.porting.design.readers.limits import MAX_FLOWCHART_CHARACTERS
from callagain.porting.design.readers.mermaid import HEADER, Node, read_nodes

FORM = "Mermaid flowchart"
DECISION = "Decision"

_FENCE = re.compile(
    r"^[ ]{0,3}(?P<mark>`{3,}|~{3,})[ \t]*mermaid\b[^\n]*\n(?P<text>.*?)^[ ]{0,3}(?P=mark)", re.M | re.S
)
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n.*?\n---[ \t]*\n", re.S)
_SPACE = re.compile(r"\s*")
_COMMENT = re.compile(r"%%[^\n]*")
_DIRECTIVE, _END_OF_DIRECTIVE = "%%{", "}%%"
_LINE_WITH_HEADER = re.compile(r"^[ \t]*(?:flowchart[ \t]|graph[ \t]+(?:LR|RL|TD|TB|BT)\b)", re.M)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

_KINDS = {
    "script": StepKind.SCRIPT,
    "javascript": StepKind.SCRIPT,
    "jitterbit script": StepKind.SCRIPT,
    "dispatcher": StepKind.SCRIPT,
    "controller": StepKind.SCRIPT,
    "transformation": StepKind.TRANSFORMATION,
    "operation": StepKind.OPERATION,
    "invoke operation": StepKind.OPERATION,
    "email": StepKind.EMAIL,
    "email notification": StepKind.EMAIL,
}
_ON_SUCCESS, _ON_FAIL = "on success", ("on fail", "on failure", "on error")


def holds_flowchart(text: str) -> bool:
    """Whether a text is a flowchart, or has one in a fence or among other lines.

    Of a text that is too long only the beginning is looked at.
    """
    return _find(_with_plain_line_breaks(text[:MAX_FLOWCHART_CHARACTERS])) is not None


def read_flowchart(text: str, path: PurePath) -> Design:
    """The skeleton that a text draws. Raises DesignError with the line."""
    place = SourcePlace(str(path))
    if len(text) > MAX_FLOWCHART_CHARACTERS:
        raise DesignError(
            place, f"is larger than {MAX_FLOWCHART_CHARACTERS:,} characters, the most for a flowchart"
        )
    text = _with_plain_line_breaks(text)
    start_and_text = _find(text)
    if start_and_text is None:
        raise DesignError(
            place, "has no Mermaid flowchart; it begins with `flowchart`, in a .md file in a fence"
        )
    start, drawn = start_and_text
    found = Gathered(path.stem, FORM, SourcePlace(path.name), has_scripts=False)
    if len(_FENCE.findall(text)) > 1:
        found.guess("there are several Mermaid diagrams; the first flowchart was read", found.place)
    nodes = read_nodes(drawn, place, text.count("\n", 0, start) + 1)
    if not nodes:
        raise DesignError(place, "the flowchart has no nodes")
    by_id = {node.id: node for node in nodes}
    for node in nodes:
        _add_node(node, by_id, path.name, found)
    found.guess("a flowchart has no texts of scripts; each operation is a stub to be filled in", found.place)
    return found.design()


def _find(text: str) -> tuple[int, str] | None:
    """Where the flowchart begins, and its text: in a fence, as the whole text, or up to a blank line."""
    for fence in _FENCE.finditer(text):
        start = fence.start("text") + _before_header(fence["text"])
        if HEADER.match(text, start):
            return start, text[start : fence.end("text")]
    start = _before_header(text)
    if HEADER.match(text, start):
        return start, text[start:]
    line = _LINE_WITH_HEADER.search(text)
    if line is None:
        return None
    start = line.end() - len(line.group().lstrip())
    blank = _BLANK_LINE.search(text, start)
    return start, text[start : blank.start() if blank else len(text)]


def _before_header(text: str) -> int:
    """The length of what may stand before the header: front matter, directives, comments, space."""
    front_matter = _FRONT_MATTER.match(text)
    position = front_matter.end() if front_matter else 0
    last_directive = text.rfind(_END_OF_DIRECTIVE)
    while True:
        position += len(_match(_SPACE, text, position))
        if text.startswith(_DIRECTIVE, position) and position < last_directive:
            position = text.index(_END_OF_DIRECTIVE, position) + len(_END_OF_DIRECTIVE)
        elif comment := _match(_COMMENT, text, position):
            position += len(comment)
        else:
            return position


def _with_plain_line_breaks(text: str) -> str:
    return text.replace("\r\n", "\n")


def _match(pattern: re.Pattern[str], text: str, position: int) -> str:
    match = pattern.match(text, position)
    return match.group() if match else ""


def _add_node(node: Node, by_id: dict[str, Node], file: str, found: Gathered) -> None:
    kind, name = _what_and_name(node)
    place = SourcePlace(file, f"line {node.line}")
    found.flowchart.append(Flow(node.id, kind, name, place, tuple(node.edges)))
    if node.is_decision:
        return
    if not kind:
        text = f"the node {node.id!r} ({name!r}) has no kind in its first line; its step is unknown"
        found.guess(text, place)
    step_kind = _step_kind(kind)
    found.operations.append(
        Operation(name, (Step(step_kind, name),), place, *_links(node, by_id, place, found))
    )
    if step_kind is StepKind.ACTIVITY:
        found.activities.append(Activity(name, kind, "", "", place))


def _what_and_name(node: Node) -> tuple[str, str]:
    """The first line and the others; a decision is one as a whole, and a single line is a name."""
    if node.is_decision:
        return DECISION, " ".join(node.label.split("\n"))
    first, *others = node.label.split("\n")
    if others:
        return first, " ".join(others)
    return (first, first) if first.lower() in _KINDS else ("", first)


def _step_kind(kind: str) -> StepKind:
    """A kind that is none of Jitterbit's tools is the name of a connector."""
    return _KINDS.get(kind.lower(), StepKind.ACTIVITY if kind else StepKind.UNKNOWN)


def _links(
    node: Node, by_id: dict[str, Node], place: SourcePlace, found: Gathered
) -> tuple[str | None, str | None]:
    """On Success and On Fail by the labels of the edges. An edge without a label is On Success."""
    links: dict[str, str] = {}
    for label, target in node.edges:
        lower = label.lower()
        link = "On Fail" if lower in _ON_FAIL else "On Success" if lower in ("", _ON_SUCCESS) else ""
        if not link or by_id[target].is_decision:
            continue
        name = _what_and_name(by_id[target])[1]
        if links.setdefault(link, name) != name:
            text = f"the node {node.id!r} has several edges {link}; the operation has no link to {name!r}"
            found.guess(text, place)
    return links.get("On Success"), links.get("On Fail")
