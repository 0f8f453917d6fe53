"""Expressions of a script as expressions of Python.

Where the types of both sides are known and Python's operator gives the same, it is used; else one of
`callagain.porting.jitterbit`. The order in which Python evaluates is that of the script.
"""

from collections.abc import Sequence

from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Operation,
    Operations,
    Statements,
    Step,
    Unary,
)
from callagain.porting.translation.blocks import negated
from callagain.porting.translation.kinds import COUNTS, MOST_SMALL, NUMERIC, Kind
from callagain.porting.translation.layout import (
    AND,
    COMPARISON,
    OR,
    PRODUCT,
    SIGN,
    SUM,
    Atom,
    Called,
    Chain,
    Code,
    Display,
    Prefix,
    Text,
    Walrus,
    calls,
    literal,
)
from callagain.porting.translation.values import FALSE, NULL, TRUE, Coded
from callagain.porting.translation.work import Work, wants_statements

CONDITIONS = {
    "==": "equals",
    "!=": "differs",
    "<": "less",
    ">": "greater",
    "<=": "at_most",
    ">=": "at_least",
}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPERATORS = {"-": "subtract", "*": "multiply", "/": "divide", "^": "power"}
_NO_ARRAY = (Kind.NULL, Kind.BOOL, *NUMERIC, Kind.TEXT, Kind.DATE)


class Expressions(Work):
    """Translates expressions; what calls of functions become is added by the classes above this one."""

    def call(self, node: Call) -> Coded:
        raise NotImplementedError

    def held(self, node: Expression | Statements) -> Coded:
        """The value of what has to be written as statements, in a variable of its own."""
        raise NotImplementedError

    # Values

    def value(self, node: Expression) -> Coded:
        """The value of an expression. Statements may be written only before what is evaluated first."""
        match node:
            case Literal():
                return self._literal(node)
            case Local():
                coded = self.local(node)
            case Global():
                coded = self.global_(node.name)
            case ArrayLiteral():
                coded = self._array(node)
            case Index():
                coded = self._index(node)
            case Unary():
                coded = self._unary(node)
            case Operations():
                coded = self._operations(node)
            case Assignment():
                coded = self._assignment_inside(node)
            case Step():
                coded = self._step_inside(node)
            case Call():
                coded = self.call(node)
        self.may_write = False
        return coded

    def argument(self, statements: Statements) -> Coded:
        """The value of an argument, which may be a list of statements."""
        match statements.items:
            case ():
                return NULL
            case (only,):
                return self.value(only)
            case _:
                return self.held(statements)

    def arguments(self, nodes: Sequence[Statements]) -> list[Coded]:
        could_write, found = self.may_write, list[Coded]()
        for node in nodes:
            found = self.make_room(could_write, node, *found)
            found.append(self.argument(node))
        return found

    def values(self, nodes: Sequence[Expression]) -> list[Coded]:
        return [self.value(node) for node in nodes]

    def _literal(self, node: Literal) -> Coded:
        value = node.value
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, str):
            return Coded(Text(value), Kind.TEXT, pure=True, literal=True)
        kind = Kind.SMALL if isinstance(value, int) and value <= MOST_SMALL else Kind.NUMBER
        return Coded(Atom(repr(value).replace("e+", "e")), kind, pure=True, literal=True)

    def local(self, node: Local) -> Coded:
        if node.is_argument and node.name not in self.set_anywhere:
            position = str(int(node.name[1:]))
            return Coded(self.of_state("argument", Atom(position)), Kind.ANY, pure=True)
        if node.name not in self.set_before:
            advice = f"set it before, or write ${node.name} for a global one"
            self.refuse(f"the local variable '{node.name}' may not be set here; {advice}", node)
        kind = self.found.kinds.get(node.name, Kind.ANY)
        return Coded(Atom(self.name_of(node.name)), kind, pure=True, literal=node.name in self.found.literal)

    def global_(self, name: str) -> Coded:
        self.reads.add(name)
        return Coded(self.variable(name), Kind.ANY, pure=True)

    def variable(self, name: str) -> Atom:
        return Atom(f"state[{literal(name)}]")

    def _array(self, node: ArrayLiteral) -> Coded:
        items = self.arguments(node.items)
        code = Display(tuple(each.code for each in items))
        return Coded(code, Kind.ARRAY, pure=all(each.pure for each in items))

    def _index(self, node: Index) -> Coded:
        holder = self.value(node.target).code
        keys: list[Code] = []
        for key in self.values(node.keys):
            if not key.pure and keys:
                holder, keys = self.of_state("element", holder, *keys), []
            keys.append(key.code)
        return Coded(self.of_state("element", holder, *keys), Kind.ANY)

    def _unary(self, node: Unary) -> Coded:
        operand = self.value(node.operand)
        if node.operator == "!":
            if operand.kind in _NO_ARRAY:
                return Coded(negated(self.truth(operand)), Kind.BOOL, operand.pure, operand.literal)
            return Coded(self.runtime("negate", operand.code), Kind.ANY)
        if operand.kind in NUMERIC:
            if isinstance(operand.code, Prefix):
                return operand._replace(code=operand.code.operand)
            return Coded(Prefix("-", operand.code, SIGN), operand.kind, operand.pure, operand.literal)
        return Coded(self.runtime("minus", operand.code), Kind.ANY)

    # Conditions

    def condition(self, node: Expression | Statements) -> Code:
        """The value as a condition: an expression of the type bool."""
        if isinstance(node, Statements):
            if len(node.items) != 1:
                return self.truth(self.argument(node))
            node = node.items[0]
        match node:
            case Unary(operator="!"):
                return negated(self.condition(node.operand))
            case Operations() if node.rest[0].operator in ("&&", "||"):
                code = self._logical(node, node.rest[0].operator)
            case Operations() if len(node.rest) == 1 and node.rest[0].operator in CONDITIONS:
                code = self._compared(node.first, node.rest[0])
            case _:
                return self.truth(self.value(node))
        self.may_write = False
        return code

    def _compared(self, first: Expression, second: Operation) -> Code:
        could_write, left = self.may_write, self.value(first)
        (left,) = self.make_room(could_write, second.operand, left)
        right = self.value(second.operand)
        return self.comparison(left, second.operator, right, as_condition=True).code

    def truth(self, value: Coded) -> Code:
        if value.kind is Kind.BOOL:
            return value.code
        if value == NULL:
            return FALSE.code
        if value.kind in NUMERIC and not value.literal:
            return Chain(value.code, (("!=", Atom("0")),), COMPARISON)
        return self.runtime("truth", value.code)

    def _logical(self, node: Operations, operator: str) -> Code:
        word, power = ("and", AND) if operator == "&&" else ("or", OR)
        stops = FALSE.code if operator == "&&" else TRUE.code
        conditions = [self.condition(node.first)]
        before = set(self.set_before)
        self.may_write = False
        for each in node.rest:
            if conditions[-1] == stops:
                break
            conditions.append(self.condition(each.operand))
        # What is set on the right side is not set if that side is not evaluated.
        self.set_before = before
        if conditions[-1] == stops and not any(map(calls, conditions)):
            return stops
        kept = [each for each in conditions if each not in (TRUE.code, FALSE.code) or each == stops]
        if not kept:
            return conditions[-1]
        return Chain(kept[0], tuple((word, each) for each in kept[1:]), power) if kept[1:] else kept[0]

    def comparison(self, left: Coded, operator: str, right: Coded, *, as_condition: bool) -> Coded:
        if (native := self._native_comparison(left, operator, right)) is not None:
            return Coded(native, Kind.BOOL, left.pure and right.pure)
        if as_condition or (left.kind in _NO_ARRAY and right.kind in _NO_ARRAY):
            return Coded(self.runtime(CONDITIONS[operator], left.code, right.code), Kind.BOOL)
        return Coded(self.runtime("compare", left.code, Text(operator), right.code), Kind.ANY)

    def _native_comparison(self, left: Coded, operator: str, right: Coded) -> Code | None:
        is_equality = operator in ("==", "!=")
        both = {left.kind, right.kind}
        if both == {Kind.BOOL} and is_equality:
            for one, other in ((left, right), (right, left)):
                if other.code in (TRUE.code, FALSE.code):
                    same = (other.code == TRUE.code) is (operator == "==")
                    return one.code if same else negated(one.code)
        elif both != {Kind.TEXT} and not both <= set(NUMERIC):
            return None
        if is_equality and left.literal and right.literal:
            # A type checker knows the answer, and would find fault with the question.
            return None
        if both == {Kind.BOOL} and (left.code.power <= COMPARISON or right.code.power <= COMPARISON):
            return None
        if left.literal and not isinstance(left.code, Atom | Text):
            return None
        if isinstance(left.code, Text) or (isinstance(left.code, Atom) and not left.code.text[0].isalpha()):
            return Chain(right.code, ((_MIRRORED[operator], left.code),), COMPARISON)
        return Chain(left.code, ((operator, right.code),), COMPARISON)

    # Operators

    def _operations(self, node: Operations) -> Coded:
        operator = node.rest[0].operator
        if operator in ("&&", "||"):
            return Coded(self._logical(node, operator), Kind.BOOL)
        if operator in ("+", "-"):
            return self._sum(node)
        could_write, value = self.may_write, self.value(node.first)
        for each in node.rest:
            (value,) = self.make_room(could_write, each.operand, value)
            value = self._operated(value, each.operator, self.value(each.operand))
        return value

    def _operated(self, left: Coded, operator: str, right: Coded) -> Coded:
        if operator in CONDITIONS:
            return self.comparison(left, operator, right, as_condition=False)
        if operator == "*" and left.kind is right.kind is Kind.SMALL:
            code = Chain(left.code, (("*", right.code),), PRODUCT)
            return Coded(code, Kind.NUMBER, left.pure and right.pure, left.literal and right.literal)
        return Coded(self.runtime(_OPERATORS[operator], left.code, right.code), Kind.ANY)

    def _sum(self, node: Operations) -> Coded:
        """`a + b - c`: a run of `+` is one call of `add` from where a type is not known."""
        could_write = self.may_write
        first = self.value(node.first)
        terms: list[Coded] = [first]
        native: Coded | None = first
        may_grow = self.grows_in_a_loop(node)
        for each in node.rest:
            is_added = each.operator == "+"
            if not is_added or (could_write and wants_statements(each.operand)):
                (first,) = self.make_room(could_write, each.operand, native or self._added(terms))
                terms, native = [first], first
            term = self.value(each.operand)
            if not is_added:
                first = self._difference(first, term)
                terms, native = [first], first
                continue
            if native is None and not term.pure:
                # What is summed so far may fail before this term does anything.
                terms = [self._added(terms)]
            terms.append(term)
            native = self.plus(native, term) if native else None
            if native is not None and native.kind is Kind.TEXT and may_grow:
                native = None
        return native or self._added(terms)

    def _added(self, terms: list[Coded]) -> Coded:
        if len(terms) == 1:
            return terms[0]
        return Coded(self.runtime("add", *(term.code for term in terms)), Kind.ANY)

    def plus(self, left: Coded, right: Coded) -> Coded | None:
        """Python's own `left + right`, if it gives the same."""
        pure, known = left.pure and right.pure, left.literal and right.literal
        if left.kind in COUNTS and right.kind in COUNTS and Kind.SMALL in (left.kind, right.kind):
            return Coded(_chained(left.code, "+", right.code), Kind.WHOLE, pure, known)
        if Kind.TEXT not in (left.kind, right.kind):
            return None
        one, other = self._as_text(left), self._as_text(right)
        if one is None or other is None:
            return None
        return Coded(_chained(one, "+", other), Kind.TEXT, pure, known)

    def _as_text(self, value: Coded) -> Code | None:
        if value.kind is Kind.TEXT:
            return value.code
        if isinstance(value.code, Atom) and value.code.text.isdecimal():
            return Text(value.code.text)
        if value.kind in COUNTS:
            return Called("str", (value.code,))
        if value.kind in (Kind.BOOL, Kind.NUMBER, Kind.DATE):
            return self.runtime("text", value.code)
        return None

    def _difference(self, left: Coded, right: Coded) -> Coded:
        if left.kind in COUNTS and right.kind is Kind.SMALL:
            code = _chained(left.code, "-", right.code)
            return Coded(code, Kind.WHOLE, left.pure and right.pure, left.literal and right.literal)
        return Coded(self.runtime("subtract", left.code, right.code), Kind.ANY)

    # Variables that are set inside an expression

    def changed(self, target: Local | Global, operator: str, value: Expression) -> Coded:
        """What `target += value` and `target -= value` set the variable to."""
        could_write, old = self.may_write, self.value(target)
        (old,) = self.make_room(could_write, value, old)
        new = self.value(value)
        if operator == "-=":
            return self._difference(old, new)
        native = self.plus(old, new)
        if native is not None and not (native.kind is Kind.TEXT and self.grows_in_a_loop(target)):
            return native
        return Coded(self.runtime("add", old.code, new.code), Kind.ANY)

    def stepped(self, node: Step) -> Coded:
        """What `target++` and `target--` set the variable to."""
        old = self.value(node.target)
        if old.kind in COUNTS:
            return Coded(_chained(old.code, node.operator[0], Atom("1")), Kind.WHOLE, pure=True)
        name = "increased" if node.operator == "++" else "decreased"
        return Coded(self.runtime(name, old.code), Kind.ANY)

    def _assignment_inside(self, node: Assignment) -> Coded:
        if isinstance(node.target, Index):
            return self.held(node)
        if node.operator == "=":
            value = self.value(node.value)
        else:
            value = self.changed(node.target, node.operator, node.value)
        return self._set_inside(node.target, value)

    def _step_inside(self, node: Step) -> Coded:
        if not node.prefix or isinstance(node.target, Index):
            return self.held(node)
        return self._set_inside(node.target, self.stepped(node))

    def _set_inside(self, target: Local | Global, value: Coded) -> Coded:
        if isinstance(target, Local):
            self.set_inside(target.name, value)
            if self.before.passes and target.name not in self.before.read:
                return value
            return Coded(Walrus(self.name_of(target.name), value.code), value.kind, literal=value.literal)
        self.writes.add(target.name)
        code = self.of_state("assign", Text(target.name), value.code)
        return Coded(code, value.kind, literal=value.literal)


def _chained(left: Code, operator: str, right: Code) -> Code:
    if isinstance(left, Chain) and left.power == SUM:
        return Chain(left.first, (*left.rest, (operator, right)), SUM)
    return Chain(left, ((operator, right),), SUM)
