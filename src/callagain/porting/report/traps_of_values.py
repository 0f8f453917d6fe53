"""Traps of comparing values and of turning them into text."""

import re
from collections.abc import Iterator

from callagain.porting.design.model import StepKind
from callagain.porting.report.kinds import COMPARISONS, Kind
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree, argument, is_call, operands, text_of, variable_of
from callagain.porting.report.trap import Finding, at_node, trap
from callagain.porting.script.syntax import Call, Expression, Global, Literal, Node, Operations

_ORDER = ("<", "<=", ">", ">=")
_NUMERIC = re.compile(r"\s*-?\d+(\.\d*)?\s*")
_VARIABLES = """
    InAndOut non_tool_messages_json tools_messages tools_resp call_llm_again loop_count tool_call_id
    function_name function_arguments function_resp final_response toolsJson systemPrompt userMessage
    maxRetries attempt success
"""
GUIDE_VARIABLES = frozenset(_VARIABLES.split())
"""Variables that the guides set, or have set outside of scripts."""


@trap(
    "null comparison",
    does="Null is equal to nothing, not even to null: == is always false here, and != always true.",
    script="The same as in Jitterbit; write IsNull, or `is None` in Python.",
)
def null_comparison(reading: Reading) -> Iterator[Finding]:
    """A comparison with Null(), with a variable that is only ever null, or, in a design with operations, with
    a global variable that nothing sets."""
    for tree, node in _comparisons(reading):
        for operand in operands(node):
            if is_call(operand, "Null") or reading.kinds.of(tree, operand) is Kind.NULL:
                yield at_node(tree, node)
                break
            if isinstance(operand, Global) and is_never_set(reading, operand.name):
                does = f"Nothing sets ${operand.name}: it is null, and == with null is always false."
                yield at_node(tree, node, does)
                break


@trap(
    "string compared with number",
    does='A string is compared with a number by the number that it begins with, else 0: "abc" == 0 is true.',
    script="The same as in Jitterbit; write Int or Double around the string.",
)
def string_compared_with_number(reading: Reading) -> Iterator[Finding]:
    """A comparison of a string with a number, as far as their kinds show, or of which of two strings is the
    larger one where one of them is written as a number."""
    for tree, node in _comparisons(reading):
        sides = operands(node)
        kinds = {reading.kinds.of(tree, each) for each in sides}
        if kinds == {Kind.STRING, Kind.NUMBER}:
            yield at_node(tree, node)
        elif kinds == {Kind.STRING} and node.rest[0].operator in _ORDER and any(map(_is_numeric, sides)):
            does = 'Two strings are compared as text, though one is a number: "10" < "9" is true.'
            yield at_node(tree, node, does)


@trap(
    "boolean as text",
    does="A boolean becomes 1 or 0 in a text, and in what JSONStringify writes, not true or false.",
    script='The same as in Jitterbit: 1 or 0. Write If(x, "true", "false") where words are meant.',
)
def boolean_as_text(reading: Reading) -> Iterator[Finding]:
    """A boolean that is added to a text or given to String, and a boolean element of a dictionary that the
    same script gives to JSONStringify."""
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Operations) and node.rest[0].operator == "+":
                parts = operands(node)
                if any(reading.kinds.of(tree, each) is Kind.STRING for each in parts):
                    yield from (at_node(tree, part) for part in parts if _is_bool(reading, tree, part))
            elif isinstance(node, Call) and is_call(node, "String"):
                if (value := argument(node, 0)) is not None and _is_bool(reading, tree, value):
                    yield at_node(tree, value)
            elif isinstance(node, Call) and is_call(node, "JSONStringify"):
                yield from _boolean_elements(reading, tree, argument(node, 0))


def is_never_set(reading: Reading, name: str) -> bool:
    """Whether nothing in the design sets a global variable, and nothing that is not seen here could."""
    if name.lower().startswith("jitterbit.") or name in GUIDE_VARIABLES:
        return False
    if not reading.design.operations:
        return False  # loose scripts have variables from the project that they were taken from
    if name in reading.names.values() or name in reading.assigned or name in reading.set_elsewhere:
        return False
    if any(step.kind is StepKind.TRANSFORMATION for each in reading.design.operations for step in each.steps):
        return False
    return name not in reading.with_elements


def _comparisons(reading: Reading) -> Iterator[tuple[ScriptTree, Operations]]:
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Operations) and node.rest[0].operator in COMPARISONS:
                yield tree, node


def _is_numeric(node: Expression) -> bool:
    return isinstance(node, Literal) and _NUMERIC.fullmatch(text_of(node) or "") is not None


def _is_bool(reading: Reading, tree: ScriptTree, node: Node) -> bool:
    return reading.kinds.of(tree, node) is Kind.BOOL


def _boolean_elements(reading: Reading, tree: ScriptTree, node: Expression | None) -> Iterator[Finding]:
    variable = variable_of(node)
    for each in tree.elements_set:
        if each.variable == variable and _is_bool(reading, tree, each.value):
            yield at_node(tree, each.node)
