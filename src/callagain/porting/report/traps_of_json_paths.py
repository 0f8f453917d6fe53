"""Traps of reading JSON by paths."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from callagain.porting.report.reading import Reading
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
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.script.syntax import (
    Assignment,
    Call,
    Expression,
    Global,
    Node,
    Operation,
    Operations,
    Statements,
)

_BARE_INDEX = re.compile(r"/\d{1,4}(?=/|\Z)")
# Members of a response that are there in some responses only.
_SOMETIMES_THERE = re.compile(r"/(tool_calls|function_call|refusal)(?=/|\Z)")
_ASKS_WHETHER_THERE = ("IsNull", "IfNull", "IfEmpty")
_ABSENT = ("null", "")
RESPONSE = "jitterbit.response"

Test = Callable[[ScriptTree, Node], bool]


@trap(
    "missing path",
    does="Where the path is not there, GetJSONString ends the script with an error.",
    chain="The response is decoded once, and a response without tool_calls is an answer.",
    script="In the mode guide GetJSONString gives the text null, in the mode strict it is an error.",
)
def missing_path(reading: Reading) -> Iterator[Finding]:
    """A GetJSONString, not inside Eval or IsValid, whose value is compared with "null" or otherwise asked
    whether it is there, whose path names what only some responses have, or what a tool need not be given."""
    optional = optional_arguments(reading)
    for tree in reading.trees:
        for call in tree.calls("GetJSONString"):
            if tree.is_caught(call):
                continue
            if (
                is_asked_for(tree, call, _is_tested_for_absence)
                or (_names_optional(tree, call) and not tree.is_conditional(call))
                or (_reads_arguments(reading, call) and _first_segment(tree, call) in optional)
            ):
                yield at_node(tree, call)


@trap(
    "index-style path",
    does="The path has a bare index, as the guide writes it; the reference has /choices/[0]/message.",
    chain="Nothing is read by a path: the response is decoded once.",
    script="Both forms are read alike.",
)
def index_style_path(reading: Reading) -> Iterator[Finding]:
    """A path of GetJSONString or GetJSONStringEx with a number that has no brackets."""
    for tree in reading.trees:
        for call in tree.calls("GetJSONString", "GetJSONStringEx"):
            if _BARE_INDEX.search(path_of(tree, call)):
                yield at_node(tree, call.arguments[1])


@trap(
    "undocumented response variable",
    does="$jitterbit.response is in no list of Jitterbit's variables; an agent may leave it null.",
    chain="LLM Call keeps the body of the answer, and Parse Response reads it.",
    script="It is a variable like others, and what runs the LLM Call sets it to the body of the response.",
)
def undocumented_response(reading: Reading) -> Iterator[Finding]:
    """Every use of $jitterbit.response, in JavaScript by GetVar."""
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Global) and node.name.lower() == RESPONSE:
                yield at_node(tree, node)
    for script in reading.javascripts:
        for position, name in script.by_name():
            if name.lower() == RESPONSE:
                yield at_position(script, position)


def path_of(tree: ScriptTree, call: Call) -> str:
    """The path of GetJSONString, with a * for what is known only when the script runs."""
    node = argument(call, 1)
    parts = operands(node) if isinstance(node, Operations) else (node,)
    return "".join("*" if (text := tree.constant(part)) is None else text for part in parts)


def _names_optional(tree: ScriptTree, call: Call) -> bool:
    return _SOMETIMES_THERE.search(path_of(tree, call)) is not None


def _first_segment(tree: ScriptTree, call: Call) -> str:
    return path_of(tree, call).strip("/").partition("/")[0]


def _reads_arguments(reading: Reading, call: Call) -> bool:
    return reading.is_global(argument(call, 0), "function_arguments")


def optional_arguments(reading: Reading) -> set[str]:
    """The names of arguments that tools of the design have, and that none of them must be given."""
    known: set[str] = set()
    needed: set[str] = set()
    for tool in reading.design.tools:
        known |= _names_in(tool.parameters.get("properties"))
        needed |= _names_in(tool.parameters.get("required"))
    return known - needed


def _names_in(value: object) -> set[str]:
    """The strings of a list, or the keys of an object; a schema may be anything."""
    names = cast("Iterable[object]", value) if isinstance(value, list | dict) else ()
    return {name for name in names if isinstance(name, str)}


def is_asked_for(tree: ScriptTree, node: Node, test: Test) -> bool:
    """Whether a value, or a variable that holds nothing else, is asked whether it is there."""
    if test(tree, node):
        return True
    holder = _holder(tree, node)
    if holder is None:
        return False
    return len(tree.assigned_to(holder)) == 1 and any(test(tree, other) for other in tree.uses(holder))


def _holder(tree: ScriptTree, node: Node) -> Variable | None:
    """The variable that a value is assigned to, perhaps trimmed."""
    while (parent := tree.parent(node)) is not None:
        if isinstance(parent, Assignment) and parent.value is node:
            return variable_of(parent.target)
        if not (isinstance(parent, Statements) or is_call(parent, "Trim", "TrimChars")):
            return None
        node = parent
    return None


def asks_whether_null(tree: ScriptTree, node: Node) -> bool:
    """Whether a value is given to IsNull, IfNull or IfEmpty, or compared with Null()."""
    parent = tree.parent(node)
    if isinstance(parent, Statements):
        outer = tree.parent(parent)
        return is_call(outer, *_ASKS_WHETHER_THERE) and argument_holding(outer, node) == 0
    return any(is_call(other, "Null") for other in _compared_with(tree, node))


def _compared_with(tree: ScriptTree, node: Node) -> list[Expression]:
    """What a value is compared with by == or !=."""
    parent = tree.parent(node)
    if isinstance(parent, Operation):
        parent = tree.parent(parent)
    if not isinstance(parent, Operations) or parent.rest[0].operator not in ("==", "!="):
        return []
    return [each for each in operands(parent) if each is not node]


def _is_tested_for_absence(tree: ScriptTree, node: Node) -> bool:
    """Whether a value is asked whether it is null, the text null, or empty."""
    compared = _compared_with(tree, node)
    return asks_whether_null(tree, node) or any(text_of(other) in _ABSENT for other in compared)
