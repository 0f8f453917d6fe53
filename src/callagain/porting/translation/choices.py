"""If, Case, IfNull and IfEmpty as values: conditional expressions, where every branch is an expression."""

from collections.abc import Sequence

from callagain.porting.script.syntax import Call, Statements
from callagain.porting.translation.blocks import Branch
from callagain.porting.translation.expressions import Expressions
from callagain.porting.translation.kinds import Kind, joined
from callagain.porting.translation.layout import Atom, Choice, calls
from callagain.porting.translation.model import NeedsStatements
from callagain.porting.translation.values import FALSE, NULL, TRUE, Coded

Pairs = Sequence[tuple[Statements, Statements]]


class Choices(Expressions):
    """Translates what is a choice between values."""

    def if_value(self, node: Call) -> Coded:
        condition, then = node.arguments[:2]
        otherwise = node.arguments[2] if len(node.arguments) == 3 else None
        return self._chosen(node, ((condition, then),), otherwise)

    def case_value(self, node: Call) -> Coded:
        arguments = list(node.arguments)
        pairs = tuple(zip(arguments[::2], arguments[1::2], strict=True))
        return self._chosen(node, pairs, None)

    def _chosen(self, node: Call, pairs: Pairs, otherwise: Statements | None) -> Coded:
        """A conditional expression, or statements before, if a branch has more than one of them."""
        could_write, before, position = self.may_write, set(self.set_before), len(self.block)
        comments = list(self.comments)
        try:
            return self._choice(pairs, otherwise)
        except NeedsStatements:
            if not could_write:
                raise
        self.may_write, self.set_before, self.comments = True, before, comments
        del self.block[position:]
        return self.held(node)

    def _choice(self, pairs: Pairs, otherwise: Statements | None) -> Coded:
        if not pairs:
            return NULL if otherwise is None else self._arm(otherwise)
        condition = self.condition(pairs[0][0])
        self.may_write = False
        if condition == TRUE.code:
            return self._arm(pairs[0][1])
        if condition == FALSE.code:
            return self._choice(pairs[1:], otherwise)
        before = set(self.set_before)
        then = self._arm(pairs[0][1])
        self.set_before = set(before)
        other = self._choice(pairs[1:], otherwise)
        self.set_before = before
        if (then.code, other.code) == (TRUE.code, FALSE.code):
            return Coded(condition, Kind.BOOL)
        kind, is_literal = joined(then.kind, other.kind), then.literal or other.literal
        return Coded(Choice(then.code, condition, other.code), kind, literal=is_literal)

    def _arm(self, statements: Statements) -> Coded:
        if len(statements.items) > 1:
            self.needs_statements("a list of statements", statements)
        value = self.argument(statements)
        if value.kind is Kind.NULL and calls(value.code):
            self.needs_statements("a call that gives nothing", statements)
        return value

    def if_null_value(self, node: Call) -> Coded:
        of_null = node.name.lower() == "ifnull"
        could_write = self.may_write
        value = self.argument(node.arguments[0])
        with self.writing_to([]) as before:
            default = self.argument(node.arguments[1])
        if default.pure and not before:
            name = "if_null" if of_null else "if_empty"
            return Coded(self.runtime(name, value.code, default.code), Kind.ANY)
        if not could_write:
            self.needs_statements(f"'{node.name}'", node)
        return self._default_in_statements(node, value, "is_null" if of_null else "is_empty")

    def _default_in_statements(self, node: Call, value: Coded, test: str) -> Coded:
        """A default that does something: it is evaluated only where it is needed."""
        key = self.hold()
        self.set_local(key, value)
        name = Atom(self.name_of(key))
        before = set(self.set_before)
        with self.writing_to([]) as block:
            self.may_write = True
            self.set_local(key, self.argument(node.arguments[1]))
        self.set_before = before
        self.write(Branch(self.runtime(test, name), block))
        self.may_write = True
        return Coded(name, self.found.kinds[key], pure=True, literal=True)
