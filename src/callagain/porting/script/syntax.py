"""The tree of a script: what the parser gives, and the interpreter and a translator read.

Every node knows its place, which does not count when two trees are compared. A chain of operators of one
precedence is one node (`a + b - c` is Operations), so that a long concatenation is not deep. Parentheses are
in the shape of the tree and not kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from callagain.porting.script.errors import Source
from callagain.porting.script.tokens import Comment, Place


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a string, `true` or `false`."""

    value: int | float | str | bool
    place: Place = field(compare=False)

    def __eq__(self, other: object) -> bool:
        """1, 1.0 and true are three literals."""
        return isinstance(other, Literal) and (type(self.value), self.value) == (
            type(other.value),
            other.value,
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Local:
    """A local variable; `_1`, `_2` and so on are the arguments that RunScript passed."""

    name: str
    place: Place = field(compare=False)

    @property
    def is_argument(self) -> bool:
        return self.name[0] == "_" and self.name[1:].isdecimal()


@dataclass(frozen=True, slots=True)
class Global:
    """A global, project or Jitterbit variable, its name without the `$`."""

    name: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """`target[key][key]`: an element of an array or of a dictionary; there is at least one key."""

    target: "Expression"
    keys: tuple["Expression", ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`{a, b, c}`."""

    items: tuple["Statements", ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`Name(a, b)`, the name as it is written; an argument is a list of statements, perhaps an empty one."""

    name: str
    arguments: tuple["Statements", ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """`!a` or `-a`."""

    operator: str
    operand: "Expression"
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """`++a`, `--a`, `a++` or `a--`; a prefix one has the new value, a postfix one the old value."""

    operator: str
    target: "Target"
    prefix: bool
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its right side, in a chain; `&` is `&&` here and `|` is `||`."""

    operator: str
    operand: "Expression"
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Operations:
    """`first op a op b`, operators of one precedence from left to right; there is at least one."""

    first: "Expression"
    rest: tuple[Operation, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target = value`, `target += value`, `target -= value`."""

    target: "Target"
    operator: str
    value: "Expression"
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Statements:
    """`a; b; c`: its value is that of the last one, and null if there is none."""

    items: tuple["Expression", ...]
    place: Place = field(compare=False)


Target: TypeAlias = Local | Global | Index
Expression: TypeAlias = (
    Literal | Local | Global | Index | ArrayLiteral | Call | Unary | Step | Operations | Assignment
)
Node: TypeAlias = Expression | Operation | Statements


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed script: its body, and the comments in the order of the text."""

    source: Source = field(compare=False)
    body: Statements
    comments: tuple[Comment, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        return self.source.name

    def calls(self) -> Iterator[Call]:
        """All calls of functions, in no order."""
        return (node for node, _ in walk(self.body) if isinstance(node, Call))


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, from left to right."""
    match node:
        case Index():
            return (node.target, *node.keys)
        case ArrayLiteral() | Statements():
            return node.items
        case Call():
            return node.arguments
        case Unary() | Operation():
            return (node.operand,)
        case Step():
            return (node.target,)
        case Operations():
            return (node.first, *node.rest)
        case Assignment():
            return (node.target, node.value)
        case Literal() | Local() | Global():
            return ()


def walk(node: Node) -> Iterator[tuple[Node, int]]:
    """A node and all nodes below it, each with its depth; the node itself has depth 1."""
    waiting = [(node, 1)]
    while waiting:
        current, depth = waiting.pop()
        yield current, depth
        waiting.extend((child, depth + 1) for child in children(current))
