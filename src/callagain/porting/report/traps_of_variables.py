"""Traps of variables: never set, missing in a dictionary, or two that are easily taken for one."""

from collections.abc import Iterator

from callagain.porting.report.dictionary_keys import DictionaryKeys
from callagain.porting.report.kinds import Kind
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree, argument, is_call, variable_of
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.report.traps_of_json_paths import (
    asks_whether_null,
    is_asked_for,
    optional_arguments,
)
from callagain.porting.script.syntax import Assignment, Call, Expression, Global, Index, Local, Node

_ASKS = ("IsNull", "IfNull", "IfEmpty", "IsValid")
_SETS_ARGUMENT = ("ArgumentList", "AddToDict", "MapCache")


@trap(
    "missing key",
    does="Reading a key that a dictionary does not have is a failure in Jitterbit; the script expects null.",
    script="In the mode guide it is null, in the mode strict an error; ask by HasKey before.",
)
def missing_key(reading: Reading) -> Iterator[Finding]:
    """A key that is read and asked whether it is null, that a tool need not be given, or that a dictionary
    of this design is never given; not inside Eval or IsValid, and not if the script asks for it by HasKey."""
    optional, given = optional_arguments(reading), DictionaryKeys(reading)
    for tree in reading.trees:
        asked = {(variable_of(argument(call, 0)), argument(call, 1)) for call in tree.calls("HasKey")}
        for node in tree.nodes:
            if not isinstance(node, Index) or tree.is_caught(node) or _is_target(tree, node):
                continue
            variable, key = variable_of(node.target), tree.constant(node.keys[-1])
            if (variable, node.keys[-1]) in asked:
                continue
            if (
                _expects_null(reading, tree, node)
                or (key in optional and _holds_arguments(reading, tree, node.target))
                or _is_never_given(given, tree, node)
            ):
                yield at_node(tree, node)


@trap(
    "local variable not set",
    does="A local variable that was never set is an error in Jitterbit.",
    script="It is the same error, with line and column.",
)
def local_not_set(reading: Reading) -> Iterator[Finding]:
    """A local variable that is read before the script sets it, or that it never sets; once for each name."""
    for tree in reading.trees:
        done: set[str] = set()
        for node in tree.nodes:
            if not isinstance(node, Local) or node.is_argument or node.name in done:
                continue
            if _sets(tree, node):
                if not _is_read_inside(tree, node):
                    done.add(node.name)
            elif not _is_excused(tree, node):
                done.add(node.name)
                yield at_node(
                    tree, node, f"The local variable '{node.name}' is read before it is set: an error."
                )


@trap(
    "names that clash",
    does="The names of two global variables are easily taken for one.",
    script="They stay two variables here.",
)
def names_that_clash(reading: Reading) -> Iterator[Finding]:
    """Global variables whose names differ only in capitals, or in a dot, hyphen or underscore; told at the
    first use of the one that comes later."""
    spellings: dict[str, str] = {}
    told: set[str] = set()
    for variable in reading.design.variables:
        spellings.setdefault(_folded(variable.name), variable.name)
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Global):
                first = spellings.setdefault(_folded(node.name), node.name)
                if first != node.name and node.name not in told:
                    told.add(node.name)
                    yield at_node(tree, node, _clash(first, node.name))
    for script in reading.javascripts:
        for match in script.find(r"\$(\w+)"):
            first = spellings.setdefault(_folded(match[1]), match[1])
            # A dotted name that is cut off at its dot is the trap of dotted names.
            if first != match[1] and match[1] not in told:
                told.add(match[1])
                yield at_position(script, match.start(), _clash(first, match[1]))


@trap(
    "dotted name in JavaScript",
    does="JavaScript reads $a.b as the member b of $a, and not as the global variable of that name.",
    script="It is the same in JavaScript here: use Jitterbit.GetVar and Jitterbit.SetVar.",
)
def dotted_name_in_javascript(reading: Reading) -> Iterator[Finding]:
    """A use of $a.b in JavaScript where the design has a global or project variable of that name, or one of
    Jitterbit's own."""
    dotted = {variable.name for variable in reading.design.variables if "." in variable.name}
    for tree in reading.trees:
        dotted |= {node.name for node in tree.nodes if isinstance(node, Global) and "." in node.name}
    for script in reading.javascripts:
        for match in script.find(r"\$(\w+(?:\.\w+)+)"):
            name = match[1]
            if name.startswith("jitterbit.") or any(f"{name}.".startswith(f"{each}.") for each in dotted):
                yield at_position(script, match.start())


def _is_target(tree: ScriptTree, node: Node) -> bool:
    parent = tree.parent(node)
    return isinstance(parent, Assignment) and parent.target is node and parent.operator == "="


def _expects_null(reading: Reading, tree: ScriptTree, node: Index) -> bool:
    """Whether an element of a dictionary is asked whether it is null; an array has numbers for keys."""
    is_dictionary = reading.kinds.of(tree, node.target) is Kind.DICTIONARY
    is_named = tree.constant(node.keys[-1]) is not None
    return (is_dictionary or is_named) and is_asked_for(tree, node, asks_whether_null)


def _is_never_given(given: DictionaryKeys, tree: ScriptTree, node: Index) -> bool:
    """Whether a dictionary that the design makes by Dict() never gets this key."""
    variable, key = variable_of(node.target), tree.constant(node.keys[0])
    if variable is None or key is None:
        return False
    keys = given.of(tree, variable)
    return keys is not None and key not in keys


def _holds_arguments(reading: Reading, tree: ScriptTree, node: Expression) -> bool:
    """Whether a value is what JSONParser gives for function_arguments."""
    if isinstance(node, Call) and is_call(node, "JSONParser"):
        return reading.is_global(argument(node, 0), "function_arguments")
    variable = variable_of(node)
    return variable is not None and any(
        isinstance(each.value, Call) and _holds_arguments(reading, tree, each.value)
        for each in tree.assigned_to(variable)
    )


def _sets(tree: ScriptTree, node: Local) -> bool:
    """Whether a variable is set here, or an element of it is, or an argument gets its name."""
    target: Node = node
    parent = tree.parent(target)
    if isinstance(parent, Index) and parent.target is target:
        target, parent = parent, tree.parent(parent)
    if isinstance(parent, Assignment) and parent.target is target and parent.operator == "=":
        return True
    return parent is not None and is_call(tree.parent(parent), *_SETS_ARGUMENT)


def _is_read_inside(tree: ScriptTree, node: Local) -> bool:
    """`x = x + 1`: what it is set to reads it, so it is not set yet."""
    parent = tree.parent(node)
    return isinstance(parent, Assignment) and any(each == node for each in tree.below(parent.value))


def _is_excused(tree: ScriptTree, node: Local) -> bool:
    """Whether an error of reading a variable is expected."""
    parent = tree.parent(node)
    outer = tree.parent(parent) if parent is not None else None
    return tree.is_caught(node) or is_call(outer, *_ASKS)


def _folded(name: str) -> str:
    return name.lower().replace(".", "_").replace("-", "_")


def _clash(first: str, second: str) -> str:
    return f"${second} and ${first} are two global variables; a script that means the other one gets null."
