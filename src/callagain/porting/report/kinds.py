"""What kinds of values the variables and expressions of a design have, as far as its text tells."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from callagain.porting.report.script_tree import (
    Assigned,
    ScriptTree,
    Variable,
    operands,
    text_of,
    variable_of,
)
from callagain.porting.script.functions import FUNCTIONS
from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Global,
    Literal,
    Local,
    Node,
    Operations,
    Statements,
    Step,
    Unary,
)


class Kind(StrEnum):
    """What kind of value an expression has, as far as its text tells."""

    STRING = "a string"
    NUMBER = "a number"
    BOOL = "a boolean"
    DICTIONARY = "a dictionary"
    ARRAY = "an array"
    NULL = "null"
    UNKNOWN = "unknown"


COLLECTIONS = (Kind.DICTIONARY, Kind.ARRAY)
COMPARISONS = ("<", ">", "==", "!=", "<=", ">=")

_RESULTS = {
    "string": Kind.STRING,
    "int": Kind.NUMBER,
    "long": Kind.NUMBER,
    "float": Kind.NUMBER,
    "double": Kind.NUMBER,
    "bool": Kind.BOOL,
    "dict": Kind.DICTIONARY,
    "array": Kind.ARRAY,
    "null": Kind.NULL,
}
_NAME = re.compile(r"\$?([A-Za-z_][\w.]*)")
# Expressions in each other, and variables that are set to each other; beyond that a kind is unknown.
_DEEPEST = 80


def variables_set_by_name(tree: ScriptTree) -> set[str]:
    """Globals that a function sets by the name it is given as a text, such as the groups of RegExMatch."""
    names: set[str] = set()
    for call in tree.calls("RegExMatch", "Set"):
        texts = (text_of(each.items[0]) for each in call.arguments if len(each.items) == 1)
        names |= {match[1] for text in texts if text and (match := _NAME.fullmatch(text))}
    return names


class Kinds:
    """The kinds of expressions of a design; a variable has a kind if all that is assigned to it has it.

    assigned: the assignments of global variables by name. unknown: globals that are set where no kind shows.
    """

    def __init__(self, assigned: Mapping[str, Sequence[Assigned]], unknown: frozenset[str]) -> None:
        self._assigned = assigned
        self._unknown = unknown
        self._known: dict[tuple[str, Variable], Kind] = {}
        self._depth = 0

    def of(self, tree: ScriptTree, node: Node | None) -> Kind:
        """The kind of an expression of a script."""
        if self._depth > _DEEPEST:
            return Kind.UNKNOWN
        self._depth += 1
        kind = self._of(tree, node)
        self._depth -= 1
        return kind

    def _of(self, tree: ScriptTree, node: Node | None) -> Kind:
        match node:
            case Literal(value=value):
                return _kind_of_literal(value)
            case Unary(operator="!"):
                return Kind.BOOL
            case Unary() | Step():
                return Kind.NUMBER
            case ArrayLiteral():
                return Kind.ARRAY
            case Operations():
                return self._of_operations(tree, node)
            case Assignment(operator="="):
                return self.of(tree, node.value)
            case Statements():
                return self.of(tree, node.items[-1]) if node.items else Kind.NULL
            case Call():
                return self._of_call(tree, node)
            case Local() | Global() as variable:
                return self._of_variable(tree, Variable(variable.name, isinstance(variable, Global)))
            case _:
                return Kind.UNKNOWN

    def _of_operations(self, tree: ScriptTree, node: Operations) -> Kind:
        operator = node.rest[0].operator
        if operator in ("&&", "||"):
            return Kind.BOOL
        kinds = [self.of(tree, each) for each in operands(node)]
        if any(kind is Kind.ARRAY for kind in kinds):
            return Kind.ARRAY
        if operator in COMPARISONS:
            return Kind.BOOL
        if operator in ("+", "-") and Kind.STRING in kinds:
            return Kind.STRING
        return Kind.NUMBER if all(kind is Kind.NUMBER for kind in kinds) else Kind.UNKNOWN

    def _of_call(self, tree: ScriptTree, call: Call) -> Kind:
        name = call.name.lower()
        if name == "if" and len(call.arguments) == 3:
            kinds = {self.of(tree, each) for each in call.arguments[1:]}
            return kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN
        if name == "jsonparser":
            return Kind.DICTIONARY
        if name == "runscript":
            return Kind.UNKNOWN
        if name == "round":
            return Kind.NUMBER  # a string by its declaration, and one that is a number
        function = FUNCTIONS.get(name)
        return _RESULTS.get(function.declaration.split()[0], Kind.UNKNOWN) if function else Kind.UNKNOWN

    def _of_variable(self, tree: ScriptTree, variable: Variable) -> Kind:
        key = ("" if variable.is_global else tree.name, variable)
        if key not in self._known:
            self._known[key] = Kind.UNKNOWN  # what it is while it is set to something of itself
            self._known[key] = self._combined(tree, variable)
        return self._known[key]

    def _combined(self, tree: ScriptTree, variable: Variable) -> Kind:
        if variable.is_global and variable.name in self._unknown:
            return Kind.UNKNOWN
        everywhere = self._assigned.get(variable.name, [])
        assigned = everywhere if variable.is_global else tree.assigned_to(variable)
        kinds = {self._of_assigned(each) for each in assigned}
        return kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN

    def _of_assigned(self, each: Assigned) -> Kind:
        if each.value is None:
            return Kind.NUMBER
        if each.operator == "=" and _counts_itself(each):
            return Kind.NUMBER
        return self.of(each.tree, each.value)


def _counts_itself(each: Assigned) -> bool:
    """`x = x + 1`: it keeps its kind, and a number is what is counted."""
    if not isinstance(each.value, Operations) or each.value.rest[0].operator not in ("+", "-"):
        return False
    first, *others = operands(each.value)
    numbers = (isinstance(other, Literal) and not isinstance(other.value, str) for other in others)
    return variable_of(first) == each.variable and all(numbers)


def _kind_of_literal(value: float | str | bool) -> Kind:
    if isinstance(value, bool):
        return Kind.BOOL
    return Kind.STRING if isinstance(value, str) else Kind.NUMBER
