"""How a script reads the model's calls of tools: the first one alone, or all of them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.script_tree import (
    ScriptTree,
    Variable,
    argument,
    argument_holding,
    is_call,
    operands,
    text_of,
    variable_of,
)
from callagain.porting.report.traps_of_json_paths import path_of
from callagain.porting.script.syntax import Expression, Index, Literal, Node, Operations

_PART = "tool_calls"
_NUMBERED_CALL = re.compile(r"(?<!\w)tool_calls/\[?(\d+)\]?(?=/|\Z)")
_ANY_CALL = re.compile(r"(?<!\w)tool_calls/\[?\Z")
_ALL_CALLS = re.compile(r"(?<!\w)tool_calls/?\Z")
_LEADING_NUMBER = re.compile(r"/?\[?(\d+)\]?(?=/|\Z)")
_READS = ("GetJSONString", "GetJSONStringEx")
_GOES_THROUGH = r"\bfor\s*\(|\bwhile\s*\(|\.(forEach|map|reduce|filter|some|every)\s*\("
_FIRST_IN_JAVASCRIPT = r"\btool_calls\s*\[\s*0\s*\]"
_HELD_IN_JAVASCRIPT = r"(?<![\w$.])([\w$]+)\s*=(?!=)[^;\n=]*\btool_calls\s*(?:\|\|\s*\[\s*\]\s*)?(?=[;\n]|\Z)"


def first_call_alone(tree: ScriptTree) -> Node | None:
    """Where a script reads the first call, None if it reads none, or others too."""
    first: Node | None = None
    for node, is_first in _reads(tree):
        if not is_first:
            return None
        if first is None or tree.position(node) < tree.position(first):
            first = node
    return first


def first_call_alone_in_javascript(script: JavaScriptText) -> int | None:
    """The position of `tool_calls[0]`, or of `x[0]` for a variable that holds the calls; None if there is a
    loop, or a method that goes through all."""
    if script.has(_GOES_THROUGH):
        return None
    positions = [match.start() for match in script.find(_FIRST_IN_JAVASCRIPT)]
    for held in script.find(_HELD_IN_JAVASCRIPT):
        name = re.escape(held[1])
        positions += [match.start() for match in script.find(rf"(?<![\w$.]){name}\s*\[\s*0\s*\]")]
    return min(positions, default=None)


def _reads(tree: ScriptTree) -> Iterator[tuple[Node, bool]]:
    """Where calls are read, and whether it is the first."""
    for node in tree.nodes:
        if isinstance(node, Operations):
            texts = [text_of(each) for each in operands(node)]
            if any(_ANY_CALL.search(text or "") and after is None for text, after in pairwise(texts)):
                yield node, False
        elif isinstance(node, Index):
            for part, key in pairwise(node.keys):
                if text_of(part) == _PART:
                    yield node, _is_zero(key)
        elif match := _NUMBERED_CALL.search(text_of(node) or ""):
            yield node, int(match[1]) == 0
    for variable in _holders(tree):
        for use in tree.uses(variable):
            yield from _read_of(tree, use)


def _holders(tree: ScriptTree) -> set[Variable]:
    """The variables that hold all calls, as text or parsed."""
    found: set[Variable] = set()
    # A text first, then what is parsed of it.
    for _ in range(2):
        found |= {each.variable for each in tree.assigned if _is_all_calls(tree, each.value, found)}
    return found


def _is_all_calls(tree: ScriptTree, node: Expression | None, holders: set[Variable]) -> bool:
    if isinstance(node, Index):
        return text_of(node.keys[-1]) == _PART
    if is_call(node, "JSONParser"):
        inner = argument(node, 0)
        return variable_of(inner) in holders or _is_all_calls(tree, inner, holders)
    return is_call(node, *_READS) and _ALL_CALLS.search(path_of(tree, node)) is not None


def _read_of(tree: ScriptTree, use: Node) -> Iterator[tuple[Node, bool]]:
    """What is read of a variable that holds all calls: `calls[0]`, or `GetJSONString(calls, "/0/id")`."""
    parent = tree.parent(use)
    if isinstance(parent, Index) and parent.target is use:
        yield parent, _is_zero(parent.keys[0])
        return
    outer = tree.parent(parent) if parent is not None else None
    if is_call(outer, *_READS) and argument_holding(outer, use) == 0:
        match = _LEADING_NUMBER.match(path_of(tree, outer))
        yield outer, match is not None and int(match[1]) == 0


def _is_zero(node: Expression) -> bool:
    return isinstance(node, Literal) and node.value == 0
