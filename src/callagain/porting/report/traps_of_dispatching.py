"""The trap of a dispatcher that has no answer for a name it does not know."""

from collections.abc import Iterator

from callagain.porting.recognition.model import PromptBasedRouting
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import (
    Assigned,
    ScriptTree,
    argument,
    is_call,
    operands,
    target_of,
    text_of,
    variable_of,
)
from callagain.porting.report.trap import Finding, at_node, trap
from callagain.porting.script import read_tag
from callagain.porting.script.syntax import (
    Call,
    Expression,
    Global,
    Literal,
    Local,
    Node,
    Operations,
    Statements,
)

_RUNS = ("RunOperation", "RunScript")


@trap(
    "dispatcher without default",
    does="For a name that no branch has, nothing runs, and function_resp of the round before is sent.",
    chain="A name that no tool has is answered as such, with the names that there are.",
    script="The same: function_resp keeps its value. Set it to an error message in a last branch.",
)
def dispatcher_without_default(reading: Reading) -> Iterator[Finding]:
    """A Case or If over function_name whose branches run operations or set function_resp, without a branch
    for other names that does so too or raises an error; not if function_resp is set anew before each
    dispatch. Once for each script."""
    for tree in reading.trees:
        dispatches = [call for call in tree.calls("Case", "If") if _dispatches(reading, tree, call)]
        if dispatches and not _has_default(reading, tree, dispatches):
            yield at_node(tree, dispatches[0])


def _dispatches(reading: Reading, tree: ScriptTree, call: Call) -> bool:
    """Whether a call chooses by the name, and does something in a branch."""
    if not any(_asks_for_name(reading, tree, each) for each in _conditions(call)):
        return False
    results = call.arguments[1::2] if is_call(call, "Case") else call.arguments[1:]
    return any(_acts(reading, tree, each) for each in results)


def _conditions(call: Call) -> tuple[Statements, ...]:
    return call.arguments[::2] if is_call(call, "Case") else call.arguments[:1]


def _acts(reading: Reading, tree: ScriptTree, branch: Statements) -> bool:
    return any(
        is_call(node, *_RUNS) or _is_tag(node) or target_of(node) == reading.variable("function_resp")
        for node in tree.below(branch)
    )


def _is_tag(node: Node) -> bool:
    """Whether a node is a tag, which is run after the choice."""
    return read_tag(text_of(node) or "") is not None


def _asks_for_name(reading: Reading, tree: ScriptTree, condition: Statements) -> bool:
    """Whether a condition compares the name with a text."""
    for node in tree.below(condition):
        if isinstance(node, Operations) and node.rest[0].operator == "==":
            sides = operands(node)
        elif isinstance(node, Call) and is_call(node, "Equal"):
            sides = tuple(side for n in (0, 1) if (side := argument(node, n)) is not None)
        else:
            continue
        has_text = any(text_of(side) is not None for side in sides)
        if has_text and any(_is_name(reading, tree, side) for side in sides):
            return True
    return False


def _is_name(reading: Reading, tree: ScriptTree, node: Node) -> bool:
    """function_name, a local variable that holds it, or in a dispatcher by prompts any variable."""
    inner: Node | None = node
    while isinstance(inner, Call) and inner.arguments:
        inner = argument(inner, 0)
    if reading.is_global(inner, "function_name"):
        return True
    if isinstance(inner, Local | Global) and tree.name in _dispatchers_by_prompt(reading):
        return True
    return isinstance(inner, Local) and any(
        reading.is_global(_inmost(each.value), "function_name")
        for each in tree.assigned_to(variable_of(inner))
    )


def _inmost(node: Expression | None) -> Node | None:
    while isinstance(node, Call) and node.arguments:
        node = argument(node, 0)
    return node


def _dispatchers_by_prompt(reading: Reading) -> set[str]:
    shapes = reading.recognition.shapes
    return {shape.dispatcher for shape in shapes if isinstance(shape, PromptBasedRouting)}


def _has_default(reading: Reading, tree: ScriptTree, dispatches: list[Call]) -> bool:
    if any(_has_branch_for_others(reading, tree, call) for call in dispatches):
        return True
    return any(
        _is_set_anew(reading, tree, each) for each in reading.assigned.get(reading.named("function_resp"), [])
    )


def _has_branch_for_others(reading: Reading, tree: ScriptTree, call: Call) -> bool:
    """Whether a branch is taken for all other names, and has an answer for them."""
    if is_call(call, "Case"):
        conditions, results = call.arguments[::2], call.arguments[1::2]
        last = conditions[len(results) - 1]
        if not _is_true(last) and _asks_for_name(reading, tree, last):
            return False
        return _answers(reading, tree, results[-1])
    if len(call.arguments) < 3:
        return False
    # Another question of the same kind is no answer to what is left.
    items = call.arguments[2].items
    asks_again = all(isinstance(item, Call) and _dispatches(reading, tree, item) for item in items)
    return not asks_again and _answers(reading, tree, call.arguments[2])


def _answers(reading: Reading, tree: ScriptTree, branch: Statements) -> bool:
    ends = any(is_call(node, "RaiseError", "CancelOperationChain") for node in tree.below(branch))
    return ends or _acts(reading, tree, branch)


def _is_true(condition: Statements) -> bool:
    last = condition.items[-1] if condition.items else None
    return isinstance(last, Literal) and bool(last.value)


def _is_set_anew(reading: Reading, tree: ScriptTree, each: Assigned) -> bool:
    """Whether function_resp is set in this script whatever the name is, or cleared in each round."""
    if each.tree is tree:
        branch = tree.branch(each.node)
        outer = tree.parent(branch) if branch is not None else None
        return not (isinstance(outer, Call) and _dispatches(reading, tree, outer))
    cleared = text_of(each.value) is not None or is_call(each.value, "Null")
    if not cleared:
        return False
    in_controller = any(each.tree.is_below(each.node, loop) for loop in reading.llm_loops(each.tree))
    loop = reading.recognition.loop
    in_parser = loop is not None and each.tree.name == loop.response_parser
    return in_controller or in_parser
