"""Traps of reading the model's calls of tools."""

import re
from collections.abc import Iterator
from itertools import pairwise

from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import Assigned, ScriptTree, operands, text_of, variable_of
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.script.syntax import Index, Literal, Node, Operations

_FIRST_CALL = re.compile(r"tool_calls/(\[0\]|0)(?=/|\Z)")
_LATER_CALL = re.compile(r"tool_calls/\[?\Z")
_ONE_CALL_A_ROUND = re.compile(r'parallel_tool_calls\\?"\s*:\s*false')
_IN_JAVASCRIPT_OFF = r"parallel_tool_calls\b.{0,3}\s*[:=]\s*false"
_TOOLS = re.compile(r'"tools"\s*:')


@trap(
    "first call only",
    does="Only the first call of a response is answered; the API refuses a request that leaves others open.",
    chain="Every call of a response is run and answered, at the same time where the tools allow it.",
    script="The same: only the first call is run. Send parallel_tool_calls false, or use a tool loop.",
)
def first_call_only(reading: Reading) -> Iterator[Finding]:
    """A path, an index or a member tool_calls/0 in a script that goes through no others, if no request has
    parallel_tool_calls false; once for each script."""
    if not _forbids_parallel_calls(reading):
        for tree in reading.trees:
            if (node := _first_call(tree)) is not None:
                yield at_node(tree, node)
        for script in reading.javascripts:
            if (position := _first_call_in_javascript(script)) is not None:
                yield at_position(script, position)


@trap(
    "parallel calls not forbidden",
    does="The request lets the model call several tools at once, and the scripts handle the first call only.",
    chain="Several calls at once are welcome: each is run and answered. parallel_tool_calls can be set.",
    script="The request is the same; add parallel_tool_calls false to it.",
)
def parallel_calls_not_forbidden(reading: Reading) -> Iterator[Finding]:
    """A request with tools that is written as text without parallel_tool_calls, in a design that has the trap
    "first call only"."""
    if any(True for _ in first_call_only.find(reading)):
        for tree in reading.trees:
            tools = (node for node in tree.nodes if _TOOLS.search(text_of(node) or ""))
            if (node := next(tools, None)) is not None:
                yield at_node(tree, node)


@trap(
    "tools_resp overwritten before the id is read",
    does="tools_resp is set before the id is read: they can be of two responses, which the API refuses.",
    chain="Parse Response takes the id and the response from one place, and they change together.",
    script="The order is the same; read tool_call_id first, or both in the branch that has a call.",
)
def response_before_id(reading: Reading) -> Iterator[Finding]:
    """An assignment of tools_resp before one of tool_call_id that runs in the same way, or in a branch below
    it; not if both stand in the branch of one condition and are read from the same response."""
    response, id_ = reading.named("tools_resp"), reading.named("tool_call_id")
    for tree in reading.trees:
        set_by_call = [
            each for each in tree.assigned_to(reading.variable("tool_call_id")) if not _clears(each)
        ]
        for first in tree.assigned_to(reading.variable("tools_resp")):
            if not _clears(first) and any(_comes_before(tree, first, each) for each in set_by_call):
                yield at_node(tree, first.node)
                break
    for script in reading.javascripts:
        set_first = next(script.find(rf"\${re.escape(response)}\s*=(?!=)"), None)
        if set_first and any(
            match.start() > set_first.start() for match in script.find(rf"\${re.escape(id_)}\s*=(?!=)")
        ):
            yield at_position(script, set_first.start())


def _forbids_parallel_calls(reading: Reading) -> bool:
    if any(getattr(shape, "parallel_tool_calls", None) is False for shape in reading.recognition.shapes):
        return True
    texts = [text for tree in reading.trees for node in tree.nodes if (text := text_of(node))]
    # A request may be pasted together with the value apart from its name.
    if any(_ONE_CALL_A_ROUND.search(text) for text in texts):
        return True
    return any(re.search(_IN_JAVASCRIPT_OFF, script.script.text) for script in reading.javascripts)


def _first_call(tree: ScriptTree) -> Node | None:
    """Where the first call is read, None if others are too."""
    first: Node | None = None
    for node in tree.nodes:
        if isinstance(node, Operations) and _reads_later_calls(node):
            return None
        if isinstance(node, Index) and (position := _after_tool_calls(node)) is not None:
            key = node.keys[position] if position < len(node.keys) else None
            if key != Literal(0, node.place):
                return None
            first = first or node
        elif _FIRST_CALL.search(text_of(node) or ""):
            first = first or node
    return first


def _reads_later_calls(node: Operations) -> bool:
    """`"/choices/0/message/tool_calls/" + i + "/id"`."""
    texts = [text_of(each) for each in operands(node)]
    return any(
        text is not None and _LATER_CALL.search(text) and after is None for text, after in pairwise(texts)
    )


def _after_tool_calls(node: Index) -> int | None:
    """The position of the key after "tool_calls"."""
    return next((n + 1 for n, key in enumerate(node.keys) if text_of(key) == "tool_calls"), None)


def _first_call_in_javascript(script: JavaScriptText) -> int | None:
    """The same in JavaScript: tool_calls[0], and neither a loop nor a method that goes through all."""
    goes_through = r"\bfor\s*\(|\bwhile\s*\(|\.(forEach|map|reduce|filter|some|every)\s*\("
    match = next(script.find(r"\btool_calls\s*\[\s*0\s*\]"), None)
    return None if match is None or script.has(goes_through) else match.start()


def _clears(each: Assigned) -> bool:
    return text_of(each.value) == ""


def _comes_before(tree: ScriptTree, first: Assigned, later: Assigned) -> bool:
    if tree.position(first.node) > tree.position(later.node):
        return False
    branch, other = tree.branch(first.node), tree.branch(later.node)
    if branch is None:
        return True
    return branch is other and not _read_from_same(tree, first, later)


def _read_from_same(tree: ScriptTree, first: Assigned, later: Assigned) -> bool:
    """Whether the id is read from what tools_resp is set to, or from tools_resp itself."""
    if first.value is None or later.value is None:
        return False
    read = list(tree.below(later.value))
    return any(node == first.value for node in read) or any(
        variable_of(node) == first.variable for node in read
    )
