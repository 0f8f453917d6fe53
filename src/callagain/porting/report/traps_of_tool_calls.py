"""Traps of reading the model's calls of tools."""

import re
from collections.abc import Iterator

from callagain.porting.report.first_calls import first_call_alone, first_call_alone_in_javascript
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import Assigned, ScriptTree, Variable, text_of, variable_of
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.script.syntax import Expression

_ONE_CALL_A_ROUND = re.compile(r'parallel_tool_calls\\?"\s*:\s*false')
_IN_JAVASCRIPT_OFF = r"parallel_tool_calls\b.{0,3}\s*[:=]\s*false"
# In JavaScript, and not to an empty text.
_IS_SET = r"\s*=(?!=)(?!\s*(?:\"\"|''))"
_TOOLS = re.compile(r'"tools"\s*:')


@trap(
    "first call only",
    does="Only the first call of a response is answered; the API refuses a request that leaves others open.",
    chain="Every call of a response is run and answered, at the same time where the tools allow it.",
    script="The same: only the first call is run. Send parallel_tool_calls false, or use a tool loop.",
)
def first_call_only(reading: Reading) -> Iterator[Finding]:
    """A path, an index or a member that leads to the first of the tool_calls, in a script that reads no
    others, if no request has parallel_tool_calls false; once for each script."""
    if not _forbids_parallel_calls(reading):
        for tree in reading.trees:
            if (node := first_call_alone(tree)) is not None:
                yield at_node(tree, node)
        for script in reading.javascripts:
            if (position := first_call_alone_in_javascript(script)) is not None:
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
    for tree in reading.trees:
        set_by_call = [
            each for each in tree.assigned_to(reading.variable("tool_call_id")) if not _clears(each)
        ]
        for first in tree.assigned_to(reading.variable("tools_resp")):
            if not _clears(first) and any(_comes_before(tree, first, each) for each in set_by_call):
                yield at_node(tree, first.node)
                break
    response, id_ = (re.escape(reading.named(name)) for name in ("tools_resp", "tool_call_id"))
    for script in reading.javascripts:
        first_set = next(script.find(rf"\${response}{_IS_SET}"), None)
        last_id = max((match.start() for match in script.find(rf"\${id_}{_IS_SET}")), default=0)
        if first_set is not None and first_set.start() < last_id:
            yield at_position(script, first_set.start())


def _forbids_parallel_calls(reading: Reading) -> bool:
    if any(getattr(shape, "parallel_tool_calls", None) is False for shape in reading.recognition.shapes):
        return True
    texts = [text for tree in reading.trees for node in tree.nodes if (text := text_of(node))]
    # A request may be pasted together with the value apart from its name.
    if any(_ONE_CALL_A_ROUND.search(text) for text in texts):
        return True
    return any(re.search(_IN_JAVASCRIPT_OFF, script.script.text) for script in reading.javascripts)


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
    sources = _sources(tree, first.value) | {first.variable}
    return bool(sources & _sources(tree, later.value))


def _sources(tree: ScriptTree, value: Expression | None) -> set[Variable]:
    """The variables that an expression reads, and those that its local variables were set from."""
    found: set[Variable] = set()
    waiting = [value]
    while waiting:
        expression = waiting.pop()
        read = map(variable_of, tree.below(expression)) if expression is not None else ()
        for variable in read:
            if variable is not None and variable not in found:
                found.add(variable)
                if not variable.is_global:
                    waiting += [each.value for each in tree.assigned_to(variable)]
    return found
