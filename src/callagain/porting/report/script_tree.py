"""The tree of a script with the way up: what a node stands in, and what stands beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeGuard

from callagain.porting.design.model import Script as DesignScript
from callagain.porting.script import Tag, read_tag
from callagain.porting.script.syntax import (
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Node,
    Operations,
    Script,
    Statements,
    Step,
    children,
)

_CONSTANT_DEPTH = 6
_CATCHING = ("eval", "isvalid")
_BRANCHING = ("if", "case", "while")


class Variable(NamedTuple):
    """A variable by its name, without the `$` of a global one."""

    name: str
    is_global: bool


class Assigned(NamedTuple):
    """A variable, and what it is set to: None where it only goes up or down by one."""

    tree: "ScriptTree"
    node: Node
    variable: Variable
    value: Expression | None
    operator: str = "="


class ElementSet(NamedTuple):
    """An element of a variable that is set: by an assignment, AddToDict or MapCache."""

    node: Node
    variable: Variable
    key: Expression
    value: Expression


@dataclass(frozen=True, eq=False)
class ScriptTree:
    """A parsed script of a design. nodes: all of them, in the order of the text."""

    script: DesignScript
    tree: Script
    nodes: tuple[Node, ...] = field(init=False, repr=False)
    _parents: dict[int, Node] = field(init=False, repr=False)
    _positions: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        nodes: list[Node] = []
        parents: dict[int, Node] = {}
        waiting: list[Node] = [self.tree.body]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            below = children(node)
            parents.update((id(child), node) for child in below)
            waiting.extend(reversed(below))
        object.__setattr__(self, "nodes", tuple(nodes))
        object.__setattr__(self, "_parents", parents)
        object.__setattr__(self, "_positions", {id(node): position for position, node in enumerate(nodes)})

    @property
    def name(self) -> str:
        return self.script.name

    @property
    def body(self) -> Statements:
        return self.tree.body

    def parent(self, node: Node) -> Node | None:
        return self._parents.get(id(node))

    def above(self, node: Node) -> Iterator[Node]:
        """What a node stands in, from the inside out."""
        current = self.parent(node)
        while current is not None:
            yield current
            current = self.parent(current)

    def below(self, node: Node) -> Iterator[Node]:
        """A node and all below it, in the order of the text."""
        waiting = [node]
        while waiting:
            current = waiting.pop()
            yield current
            waiting.extend(reversed(children(current)))

    def is_below(self, node: Node, other: object) -> bool:
        """Whether a node is the other one, or stands in it."""
        return node is other or any(each is other for each in self.above(node))

    def position(self, node: Node) -> int:
        """Where a node is in the order of the text."""
        return self._positions[id(node)]

    def calls(self, *names: str) -> list[Call]:
        """The calls of functions of these names, in the order of the text."""
        if len(names) == 1:
            return self._calls.get(names[0].lower(), [])
        found = [call for name in names for call in self._calls.get(name.lower(), [])]
        return sorted(found, key=self.position)

    @cached_property
    def _calls(self) -> dict[str, list[Call]]:
        found: dict[str, list[Call]] = {}
        for node in self.nodes:
            if isinstance(node, Call):
                found.setdefault(node.name.lower(), []).append(node)
        return found

    @cached_property
    def assigned(self) -> tuple[Assigned, ...]:
        """All that sets a variable as a whole, in the order of the text."""
        found: list[Assigned] = []
        for node in self.nodes:
            match node:
                case Assignment(target=Local() | Global() as target):
                    found.append(Assigned(self, node, _variable(target), node.value, node.operator))
                case Step(target=Local() | Global() as target):
                    found.append(Assigned(self, node, _variable(target), None, node.operator))
                case Call() if is_call(node, "Set") and len(node.arguments) == 2:
                    name, value = text_of(argument(node, 0)), argument(node, 1)
                    if name is not None and value is not None:
                        found.append(Assigned(self, node, Variable(name.removeprefix("$"), True), value))
                case _:
                    pass
        return tuple(found)

    @cached_property
    def _assigned_to(self) -> dict[Variable, list[Assigned]]:
        found: dict[Variable, list[Assigned]] = {}
        for each in self.assigned:
            found.setdefault(each.variable, []).append(each)
        return found

    def assigned_to(self, variable: Variable | None) -> list[Assigned]:
        """All that sets this variable."""
        return self._assigned_to.get(variable, []) if variable is not None else []

    @cached_property
    def _uses(self) -> dict[Variable, list[Node]]:
        found: dict[Variable, list[Node]] = {}
        for node in self.nodes:
            if isinstance(node, Local | Global):
                found.setdefault(_variable(node), []).append(node)
        return found

    def uses(self, variable: Variable) -> list[Node]:
        """All nodes that are this variable, in the order of the text."""
        return self._uses.get(variable, [])

    @cached_property
    def elements_set(self) -> tuple[ElementSet, ...]:
        """All that sets an element of a variable."""
        found: list[ElementSet] = []
        for node in self.nodes:
            match node:
                case Assignment(target=Index(target=Local() | Global() as holder, keys=(key,))):
                    found.append(ElementSet(node, _variable(holder), key, node.value))
                case Call() if is_call(node, "AddToDict", "MapCache") and len(node.arguments) == 3:
                    held = variable_of(argument(node, 0))
                    named, given = argument(node, 1), argument(node, 2)
                    if held is not None and named is not None and given is not None:
                        found.append(ElementSet(node, held, named, given))
                case _:
                    pass
        return tuple(found)

    def constant(self, node: Node | None, depth: int = 0) -> str | None:
        """The text that an expression always is: written there, put together, or in a variable set once."""
        if depth > _CONSTANT_DEPTH:
            return None
        match node:
            case Literal(value=str() as text):
                return text
            case Local():
                assigned = self.assigned_to(_variable(node))
                return self.constant(assigned[0].value, depth + 1) if len(assigned) == 1 else None
            case Operations() if node.rest[0].operator == "+":
                parts = [self.constant(each, depth + 1) for each in operands(node)]
                known = [part for part in parts if part is not None]
                return "".join(known) if len(known) == len(parts) else None
            case _:
                return None

    def tag(self, call: Call) -> Tag | None:
        """The tag that is the first argument of a call."""
        return read_tag(self.constant(argument(call, 0)) or "")

    def is_caught(self, node: Node) -> bool:
        """Whether Eval or IsValid catches an error of this node."""
        inner = node
        for outer in self.above(node):
            if isinstance(outer, Call) and outer.name.lower() in _CATCHING and outer.arguments[0] is inner:
                return True
            inner = outer
        return False

    def branch(self, node: Node) -> Statements | None:
        """The branch of an If, a Case or a While that a node stands in, None if it runs always."""
        inner = node
        for outer in self.above(node):
            if (
                isinstance(outer, Call)
                and outer.name.lower() in _BRANCHING
                and outer.arguments[0] is not inner
            ):
                return inner if isinstance(inner, Statements) else None
            inner = outer
        return None

    def is_conditional(self, node: Node) -> bool:
        """Whether it depends on a condition that a node is evaluated."""
        inner = node
        for outer in self.above(node):
            if (
                isinstance(outer, Operations)
                and outer.rest[0].operator in ("&&", "||")
                and inner is not outer.first
            ):
                return True
            inner = outer
        return self.branch(node) is not None


def argument(call: Call, position: int) -> Expression | None:
    """The last statement of an argument, which is its value; None if it was not given or is empty."""
    if position < len(call.arguments) and call.arguments[position].items:
        return call.arguments[position].items[-1]
    return None


def argument_holding(call: Node | None, node: Node) -> int | None:
    """The position of the argument whose value a node is."""
    if isinstance(call, Call):
        for position, each in enumerate(call.arguments):
            if each.items and each.items[-1] is node:
                return position
    return None


def operands(node: Operations) -> tuple[Expression, ...]:
    """What stands between the operators of a chain."""
    return (node.first, *(rest.operand for rest in node.rest))


def text_of(node: Node | None) -> str | None:
    """The string that a node is, if it is written there."""
    return node.value if isinstance(node, Literal) and isinstance(node.value, str) else None


def is_call(node: Node | None, *names: str) -> TypeGuard[Call]:
    """Whether a node is a call of one of these functions; capitals do not count."""
    return isinstance(node, Call) and node.name.lower() in {name.lower() for name in names}


def variable_of(node: Node | None) -> Variable | None:
    """The variable that a node is."""
    return _variable(node) if isinstance(node, Local | Global) else None


def target_of(node: Node) -> Variable | None:
    """The variable that an assignment, `++` or `--` sets."""
    return variable_of(node.target) if isinstance(node, Assignment | Step) else None


def _variable(node: Local | Global) -> Variable:
    return Variable(node.name, isinstance(node, Global))
