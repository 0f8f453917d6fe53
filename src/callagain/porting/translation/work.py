"""What a translation keeps while it goes through a script."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from callagain.porting import jitterbit
from callagain.porting.script.syntax import (
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Node,
    Script,
    Statements,
    Step,
    walk,
)
from callagain.porting.script.tokens import Comment, Place
from callagain.porting.translation.blocks import Block, Branch, Gap, Remark, Simple, Statement, negated
from callagain.porting.translation.comments import remark
from callagain.porting.translation.kinds import NUMERIC, Kind, annotation, joined
from callagain.porting.translation.layout import (
    AND,
    OR,
    Atom,
    Called,
    Chain,
    Choice,
    Code,
    Display,
    Prefix,
    Slice,
    Walrus,
    calls,
    parts,
)
from callagain.porting.translation.model import NeedsStatements, NotTranslatable
from callagain.porting.translation.names import Names, snake_case
from callagain.porting.translation.values import Coded

STATEMENTS = ("while", "eval", "isvalid", "argumentlist")
"""Functions that are statements in Python, in lower case."""

_CONSTANTS = ("True", "False", "None")


@dataclass
class Learned:
    """What one pass through a script found, for the next one.

    kinds: of each local variable the kind of all that it is set to. first: the kind it is set to first.
    settings: how often it is set. read: the local variables that are read. inside: those that are set inside
    an expression. literal: those that are set to a literal. passes: how many there have been.
    """

    kinds: dict[str, Kind] = field(default_factory=dict[str, Kind])
    first: dict[str, Kind] = field(default_factory=dict[str, Kind])
    settings: dict[str, int] = field(default_factory=dict[str, int])
    read: set[str] = field(default_factory=set[str])
    inside: set[str] = field(default_factory=set[str])
    literal: set[str] = field(default_factory=set[str])
    passes: int = field(default=0, compare=False)


class Work:
    """One pass through a script: where it writes, and what is known at this point."""

    def __init__(self, script: Script, before: Learned) -> None:
        self.script = script
        self.before = before
        self.found = Learned(kinds=dict(before.kinds), literal=set(before.literal))
        self.names = Names(("state", "error", *jitterbit.__all__))
        self.block: Block = []
        self.set_before: set[str] = set()
        """The local variables that are set at this point, whichever way led here."""
        self.may_write = True
        """Whether a statement may be written before the expression at hand."""
        self.loops: list[set[str]] = []
        """Of each loop around this point, the local variables that it may let grow."""
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.runs: dict[str, None] = {}
        self.notes: dict[str, None] = {}
        self.comments = list(script.comments)
        self._lines = script.source.text.split("\n")
        self._held = self._counters = 0
        self.set_anywhere = _set_locals(script.body)
        self.globals_set = _set_globals(script.body)

    # Saying why not, and what a porter should know

    def refuse(self, reason: str, node: Node) -> NoReturn:
        raise NotTranslatable(reason, node.place)

    def needs_statements(self, what: str, node: Node) -> NoReturn:
        reason = f"{what} stands inside an expression, behind a part that is evaluated before it"
        raise NeedsStatements(f"{reason}; give it a statement of its own", node.place)

    def note(self, text: str, node: Node) -> None:
        self.notes[f"line {node.place.line}: {text}"] = None

    # Writing

    def write(self, statement: Statement) -> None:
        self.block.append(statement)

    def evaluate(self, value: Coded) -> None:
        """Writes statements for what an expression does: an operator itself does nothing."""
        if not value.pure:
            self.block += _effects(value.code)

    @contextmanager
    def writing_to(self, block: Block) -> Generator[Block]:
        outer, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = outer

    def runtime(self, name: str, *arguments: Code) -> Called:
        """A call of a function of callagain.porting.jitterbit."""
        return Called(name, arguments)

    def of_state(self, name: str, *arguments: Code) -> Called:
        """A call of a method of the state."""
        return Called(name, arguments, Atom("state"))

    def remarks_before(self, place: Place) -> None:
        """Writes the comments that stand before a place, and a blank line where the script has one."""
        while self.comments and self.comments[0].place < place:
            self._remark(self.comments.pop(0))
        self._gap(place)

    def remarks_in(self, node: Expression) -> None:
        """Writes the comments before and inside of a statement that is written as one."""
        last = max(each.place.line for each, _ in walk(node))
        while self.comments and self.comments[0].place < node.place:
            self._remark(self.comments.pop(0))
        self._gap(node.place)
        while self.comments and self.comments[0].place.line <= last:
            self._remark(self.comments.pop(0), with_gap=False)

    def remarks_at_the_end(self) -> None:
        while self.comments:
            self._remark(self.comments.pop(0))

    def _remark(self, comment: Comment, *, with_gap: bool = True) -> None:
        if with_gap:
            self._gap(comment.place)
        if text := remark(comment):
            self.write(Remark(tuple(text)))

    def _gap(self, place: Place) -> None:
        above = place.line - 2
        if above >= 0 and not self._lines[above].strip() and self._starts_line(place):
            self.write(Gap())

    def _starts_line(self, place: Place) -> bool:
        return not self._lines[place.line - 1][: place.column - 1].strip()

    # Local variables

    def growing_locals(self, loop: Node) -> set[str]:
        """The local variables that a loop may let grow: what an iteration finds from the one before.

        A variable that is not set before the loop is set in each iteration before it is read, so it grows
        only by others. Numbers have no size.
        """
        growing = {
            name
            for name in _set_locals(loop) & self.set_before
            if self.found.kinds.get(name) not in (*NUMERIC, Kind.BOOL)
        }
        assignments = [node for node, _ in walk(loop) if isinstance(node, Assignment)]
        while True:
            reached = {
                each.target.name
                for each in assignments
                if isinstance(each.target, Local) and _locals_of(each.value) & growing
            }
            if reached <= growing:
                return growing
            growing |= reached

    def counter(self) -> str:
        """The name of the variable that counts the iterations of one more loop."""
        self._counters += 1
        return self.names.of(f"iterations {self._counters}", "iterations")

    def name_of(self, key: str) -> str:
        return self.names.of(key, snake_case(key, "value"))

    def hold(self, name: str = "value") -> str:
        """The key of a new variable that only the translation has; no name of a script has a space."""
        self._held += 1
        key = f"{name} {self._held}"
        self.names.of(key, name)
        return key

    def kept(self, value: Coded) -> Coded:
        """The value in a variable of its own, so that it is evaluated here and once; a literal as it is."""
        if value.literal and value.pure and not _is_variable(value.code):
            return value
        key = self.hold()
        self.set_local(key, value)
        return Coded(Atom(self.name_of(key)), self.found.kinds[key], pure=True, literal=True)

    def make_room(self, could_write: bool, node: Node, *before: Coded) -> list[Coded]:
        """Keeps what has been evaluated before a part that has to be written as statements, if it may be.

        could_write: whether statements could be written before the first of these values.
        """
        if self.may_write or not could_write or not wants_statements(node):
            return list(before)
        kept = [self.kept(each) for each in before]
        self.may_write = True
        return kept

    def set_local(self, key: str, value: Coded) -> None:
        """`name = value`. Of a variable that is never read only the value is evaluated."""
        self._learn(key, value)
        if self.before.passes and key not in self.before.read:
            self.evaluate(value)
            return
        name = self.name_of(key)
        declared = f": {self.annotation_of(key)}" if self._is_declared_here(key, value.kind) else ""
        self.write(Simple(f"{name}{declared} = ", value.code, name))

    def set_inside(self, key: str, value: Coded) -> None:
        """Notes that a variable is set inside an expression."""
        self._learn(key, value)
        self.found.inside.add(key)

    def _learn(self, key: str, value: Coded) -> None:
        found = self.found
        found.first.setdefault(key, value.kind)
        found.kinds[key] = joined(found.kinds.get(key), value.kind)
        found.settings[key] = found.settings.get(key, 0) + 1
        if value.literal:
            found.literal.add(key)
        self.set_before.add(key)

    def annotation_of(self, key: str) -> str:
        kind = self.before.kinds.get(key, Kind.ANY)
        return annotation(kind)

    def needs_annotation(self, key: str) -> bool:
        """Whether a type checker would take the first value for the type of the variable, and be wrong."""
        kind, first = self.before.kinds.get(key), self.before.first.get(key)
        if kind is None or first is None:
            return False
        if kind in (Kind.ARRAY, Kind.DICTIONARY) or annotation(kind) != annotation(first):
            return True
        return kind in (Kind.ANY, Kind.NUMBER) and self.before.settings.get(key, 0) > 1

    def _is_declared_here(self, key: str, kind: Kind) -> bool:
        if key in self.before.inside or self.found.settings[key] > 1:
            return False
        return self.needs_annotation(key) or kind in (Kind.ARRAY, Kind.DICTIONARY)

    def grows_in_a_loop(self, *nodes: Node) -> bool:
        """Whether a value of nodes depends on a variable that a loop around them sets."""
        used = set[str]().union(*map(_locals_of, nodes))
        return any(used & loop for loop in self.loops)


def _effects(code: Code) -> Block:
    """The calls of an expression as statements."""
    if not calls(code):
        return []
    match code:
        case Choice():
            return [Branch(code.condition, _effects(code.then), _effects(code.otherwise))]
        case Chain(power=power) if power in (AND, OR):
            *others, (word, last) = code.rest
            condition = Chain(code.first, tuple(others), power) if others else code.first
            return [Branch(condition if word == "and" else negated(condition), _effects(last))]
        case Chain() | Prefix() | Slice() | Display():
            return [statement for part in parts(code) for statement in _effects(part)]
        case Walrus():
            return [Simple(f"{code.name} = ", code.value, code.name)]
        case _:
            return [Simple("", code)]


def _locals_of(node: Node) -> set[str]:
    """The local variables that are named below a node."""
    return {each.name for each, _ in walk(node) if isinstance(each, Local)}


def variable_of_set(node: Call) -> Global | None:
    """The variable of `Set("name", value)`, which is an assignment."""
    match node.arguments:
        case (Statements(items=(Literal(value=str() as name),)), _) if name and node.name.lower() == "set":
            return Global(name.removeprefix("$"), node.place)
        case _:
            return None


def _is_variable(code: Code) -> bool:
    """Whether it is a variable, local or of the state, so that its value may change."""
    return isinstance(code, Atom) and (
        code.text.startswith("state[") or (code.text.isidentifier() and code.text not in _CONSTANTS)
    )


def wants_statements(node: Node) -> bool:
    """Whether a part of a node may have to be written as statements."""
    return any(_is_statement(each) for each, _ in walk(node))


def _is_statement(node: Node) -> bool:
    match node:
        case Call():
            return node.name.lower() in STATEMENTS or any(len(each.items) > 1 for each in node.arguments)
        case Step():
            return not node.prefix or isinstance(node.target, Index)
        case Assignment():
            return isinstance(node.target, Index)
        case Statements():
            return len(node.items) > 1
        case _:
            return False


def _set_locals(body: Node) -> set[str]:
    """The local variables that are set anywhere below a node, or elements of them."""
    found: set[str] = set()
    for node, _ in walk(body):
        match node:
            case Assignment(target=Local(name=name)) | Step(target=Local(name=name)):
                found.add(name)
            case (
                Assignment(target=Index(target=Local(name=name)))
                | Step(target=Index(target=Local(name=name)))
            ):
                found.add(name)
            case Call() if node.name.lower() == "argumentlist":
                found |= _locals_of(node)
            case _:
                pass
    return found


def _set_globals(body: Node) -> set[str]:
    """The global variables that are set whole anywhere below a node."""
    found: set[str] = set()
    for node, _ in walk(body):
        match node:
            case Assignment(target=Global(name=name)) | Step(target=Global(name=name)):
                found.add(name)
            case Call() if (variable := variable_of_set(node)) is not None:
                found.add(variable.name)
            case _:
                pass
    return found
