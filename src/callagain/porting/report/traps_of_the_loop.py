"""Traps of loops: what ends them, and what is left when they end."""

from collections.abc import Iterator

from callagain.porting.report.kinds import Kind
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
from callagain.porting.script.syntax import Call, Expression, Literal, Node, Operations, Step

SANE_ROUNDS = 25
"""Rounds of a tool-calling loop. The guide starts with 5, and says that most need one or two."""

JITTERBIT_ROUNDS = 50_000
_ORDER = ("<", "<=", ">", ">=")
_RUNS = ("RunOperation", "RunScript")


@trap(
    "stale final_response at the limit",
    does="At the limit only a line is logged; final_response is still that of an earlier run, or not set.",
    chain="The outcome of such a run is limit; final_response begins anew with each run, and is then None.",
    script="The same as in Jitterbit: set final_response at the limit, or clear it before the loop.",
)
def stale_final_response(reading: Reading) -> Iterator[Finding]:
    """A loop over call_llm_again with a limit, in a script that neither sets final_response nor raises an
    error, in a design that clears final_response in no script before; the place is the If after the loop."""
    if any(_is_cleared(each) for each in reading.assigned.get(reading.named("final_response"), [])):
        return
    for tree in reading.trees:
        loop = next(reading.llm_loops(tree), None)
        if loop is None or _limit(reading, tree, loop) is None:
            continue
        after = [call for call in tree.calls("If", "RaiseError") if _comes_after(tree, call, loop)]
        asking = [call for call in after if is_call(call, "If") and _asks(reading, tree, call)]
        assigned = tree.assigned_to(reading.variable("final_response"))
        is_set = any(not tree.is_below(each.node, loop) for each in assigned)
        if not is_set and not any(is_call(call, "RaiseError") for call in after):
            yield at_node(tree, asking[0] if asking else loop)


@trap(
    "loop without limit",
    does="Nothing counts the rounds: only the model, or Jitterbit's limit of 50,000, ends the loop.",
    chain="max_iterations ends every run, after 5 rounds if nothing else is set.",
    script="The loop ends as in Jitterbit, after 50,000 rounds with an error: count its rounds.",
)
def loop_without_limit(reading: Reading) -> Iterator[Finding]:
    """A While that runs operations or scripts, asks call_llm_again, or is always true, and whose condition
    compares no variable that is counted."""
    for tree in reading.trees:
        llm_loops = list(reading.llm_loops(tree))
        running = {id(outer) for each in tree.calls(*_RUNS) for outer in tree.above(each)}
        for call in tree.calls("While"):
            endless = _is_true(argument(call, 0))
            if (id(call) in running or endless or call in llm_loops) and _limit(reading, tree, call) is None:
                yield at_node(tree, call)


@trap(
    "limit too high",
    does=f"The limit is above {SANE_ROUNDS} rounds: a run that has gone astray goes on that long.",
    chain="max_iterations is the design's number; repeat_limit and the budgets can end a run before it.",
    script="The limit is the design's own; lower it.",
)
def limit_too_high(reading: Reading) -> Iterator[Finding]:
    """A loop over call_llm_again whose limit is a number above 25, or any loop with one above 50,000."""
    for tree in reading.trees:
        llm_loops = list(reading.llm_loops(tree))
        for call in tree.calls("While"):
            limit = _limit(reading, tree, call)
            number = _number_of(reading, tree, limit)
            if number is None or limit is None:
                continue
            if call in llm_loops and number > SANE_ROUNDS:
                yield at_node(tree, call)
            elif number > JITTERBIT_ROUNDS:
                does = (
                    f"The limit is above the {JITTERBIT_ROUNDS:,} rounds after which Jitterbit ends a loop."
                )
                yield at_node(tree, call, does)


def _comes_after(tree: ScriptTree, node: Node, loop: Call) -> bool:
    return tree.position(node) > tree.position(loop) and not tree.is_below(node, loop)


def _limit(reading: Reading, tree: ScriptTree, loop: Call) -> Expression | None:
    """What a counted variable is compared with: in the condition of a loop, or in an If in its body that sets
    a variable of the condition."""
    if not loop.arguments:
        return None
    limit = _counted_against(reading, tree, loop.arguments[0], (*_ORDER, "!="))
    if limit is not None or len(loop.arguments) < 2:
        return limit
    asked = {variable_of(node) for node in tree.below(loop.arguments[0])} - {None}
    for node in tree.below(loop.arguments[1]):
        if isinstance(node, Call) and is_call(node, "If") and len(node.arguments) > 1:
            ends = any(target_of(each) in asked for each in tree.below(node.arguments[1]))
            if ends and (limit := _counted_against(reading, tree, node.arguments[0], (*_ORDER, "=="))):
                return limit
    return None


def _counted_against(
    reading: Reading, tree: ScriptTree, condition: Node, operators: tuple[str, ...]
) -> Expression | None:
    """What a counted variable is compared with in a condition."""
    for node in tree.below(condition):
        if isinstance(node, Operations) and node.rest[0].operator in operators:
            left, right = operands(node)[:2]
            if _is_counted(reading, tree, left):
                return right
            if _is_counted(reading, tree, right):
                return left
    return None


def _is_counted(reading: Reading, tree: ScriptTree, node: Node) -> bool:
    """Whether a variable goes up or down, in this script or, if it is a global one, in another; or `i++`."""
    if isinstance(node, Step):
        return target_of(node) is not None
    variable = variable_of(node)
    if variable is None:
        return False
    if any(map(_counts, tree.assigned_to(variable))):
        return True
    return variable.is_global and (
        any(variable.name in script.assigned for script in reading.javascripts)
        or any(map(_counts, reading.assigned.get(variable.name, [])))
    )


def _counts(each: Assigned) -> bool:
    if each.operator != "=":
        return True
    return isinstance(each.value, Operations) and any(
        variable_of(operand) == each.variable for operand in operands(each.value)
    )


def _number_of(reading: Reading, tree: ScriptTree, node: Node | None) -> float | None:
    """The number that a limit is: a literal, or a variable that is set to one literal."""
    if isinstance(node, Literal):
        return float(node.value) if reading.kinds.of(tree, node) is Kind.NUMBER else None
    variable = variable_of(node)
    if variable is None:
        return None
    everywhere = reading.assigned.get(variable.name, [])
    assigned = everywhere if variable.is_global else tree.assigned_to(variable)
    if len(assigned) == 1 and isinstance(assigned[0].value, Literal):
        return _number_of(reading, tree, assigned[0].value)
    return None if assigned or not variable.is_global else _default_number(reading, variable.name)


def _default_number(reading: Reading, name: str) -> float | None:
    """The value of a project variable that no script sets, if it is a number."""
    default = next((each.default for each in reading.design.variables if each.name == name), None)
    return float(default) if default is not None and default.strip().isdecimal() else None


def _is_cleared(each: Assigned) -> bool:
    """Whether a variable is set to an empty text or null, whatever the model answered."""
    empty = text_of(each.value) == "" or is_call(each.value, "Null")
    return empty and not each.tree.is_conditional(each.node)


def _asks(reading: Reading, tree: ScriptTree, call: Call) -> bool:
    return bool(call.arguments) and any(
        reading.is_global(node, "call_llm_again") or reading.is_global(node, "loop_count")
        for node in tree.below(call.arguments[0])
    )


def _is_true(node: Expression | None) -> bool:
    return isinstance(node, Literal) and bool(node.value)
