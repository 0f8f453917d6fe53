"""Statements of a script as statements of Python."""

from collections.abc import Callable

from callagain.porting.script.syntax import (
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Statements,
    Step,
    Unary,
    walk,
)
from callagain.porting.translation.blocks import (
    Return,
    Simple,
    ends,
)
from callagain.porting.translation.calls import Calls
from callagain.porting.translation.kinds import Kind
from callagain.porting.translation.layout import (
    Atom,
    Called,
    Code,
    Text,
    flat,
    sets_variable,
)
from callagain.porting.translation.values import (
    NULL,
    Assigned,
    Coded,
    Destination,
    Discarded,
    Held,
    Returned,
)
from callagain.porting.translation.work import variable_of_set

_DISCARDED = Discarded()


class StatementTranslator(Calls):
    """Translates statements; what becomes a structure of Python is added by the class above this one."""

    def structure(self, node: Call) -> Callable[[Call, Destination], None] | None:
        """What writes a call as `if`, `while`, `try` or `raise`; None for another function."""
        raise NotImplementedError

    def into(self, statements: Statements, destination: Destination) -> None:
        """Writes statements; the value of the last one goes to the destination."""
        if not statements.items:
            self.deliver(NULL, destination)
            return
        *first, last = statements.items
        for each in first:
            self.statement(each, _DISCARDED)
            if ends(self.block):
                self.note("what follows is never reached", each)
                return
        self.statement(last, destination)

    def statement(self, node: Expression, destination: Destination) -> None:
        self.may_write = True
        if isinstance(node, Call) and (write := self.structure(node)) is not None:
            self.remarks_before(node.place)
            self.check(node)
            write(node, destination)
            return
        self.remarks_in(node)
        match node:
            case Assignment():
                self._assignment(node, destination)
            case Step():
                self._step(node, destination)
            case Call() if (variable := variable_of_set(node)) is not None:
                value = self.argument(node.arguments[1])
                self.deliver(value, Assigned(variable))
                self._pass_on(variable, destination, value)
            case _:
                self.deliver(self.value(node), destination)

    def deliver(self, value: Coded, destination: Destination) -> None:
        """Writes where a value goes; of a call that gives nothing, null goes there behind the call."""
        if value.kind is Kind.NULL and not isinstance(destination, Discarded):
            self.evaluate(value)
            value = NULL
        match destination:
            case Discarded():
                self.evaluate(value)
            case Returned():
                self.write(Return(value.code))
            case Held(key):
                self.set_local(key, value)
            case Assigned(target) if isinstance(target, Local):
                self.set_local(target.name, value)
            case Assigned(target):
                self.writes.add(target.name)
                self.write(Simple(f"{self.variable(target.name).text} = ", value.code))

    def held(self, node: Expression | Statements) -> Coded:
        if not self.may_write:
            what = f"'{node.name}'" if isinstance(node, Call) else "a change of a variable"
            self.needs_statements("a list of statements" if isinstance(node, Statements) else what, node)
        if isinstance(node, Step) and not node.prefix and not isinstance(node.target, Index):
            return self._stepped_later(node, node.target)
        is_valid = isinstance(node, Call) and node.name.lower() == "isvalid"
        key = self.hold("valid" if is_valid else "value")
        if isinstance(node, Statements):
            self.into(node, Held(key))
        else:
            self.statement(node, Held(key))
        self.may_write = True
        return Coded(Atom(self.name_of(key)), self.found.kinds.get(key, Kind.ANY), pure=True, literal=True)

    def _stepped_later(self, node: Step, target: Local | Global) -> Coded:
        """The value of `target++`, which is the old one."""
        old = self.kept(self.value(target))
        self.deliver(self.stepped(node), Assigned(target))
        self.may_write = True
        return old

    # Assignments

    def _assignment(self, node: Assignment, destination: Destination) -> None:
        target = node.target
        if isinstance(target, Index):
            self._element_assignment(node, target, destination)
            return
        if isinstance(destination, Returned) and isinstance(target, Local):
            self._return_assigned(node, target)
            return
        if node.operator != "=":
            value = self.changed(target, node.operator, node.value)
            self.deliver(value, Assigned(target))
        elif isinstance(node.value, Assignment | Step) or self._wants_statements(node.value):
            inner = self._value_by_statements(node.value, target)
            if inner is None:
                self._pass_on(target, destination)
                return
            value = inner
            self.deliver(value, Assigned(target))
        else:
            value = self.value(node.value)
            self.deliver(value, Assigned(target))
        self._pass_on(target, destination, value)

    def _return_assigned(self, node: Assignment, target: Local) -> None:
        """A local variable that would be set last of all: only its value counts."""
        if node.operator == "=":
            self.statement(node.value, Returned())
        else:
            self.deliver(self.changed(target, node.operator, node.value), Returned())

    def _wants_statements(self, node: Expression) -> bool:
        """Whether a value is written as statements that each set the target."""
        return isinstance(node, Call) and (
            node.name.lower() in ("eval", "isvalid")
            or (node.name.lower() in ("if", "case") and any(len(each.items) > 1 for each in node.arguments))
        )

    def _value_by_statements(self, node: Expression, target: Local | Global) -> Coded | None:
        """The value of an inner assignment; None if the statements have set the target themselves."""
        if isinstance(node, Call):
            self.statement(node, Assigned(target))
            return None
        if isinstance(node, Assignment) and not isinstance(node.target, Index):
            self._assignment(node, _DISCARDED)
            return self.value(node.target)
        return self.value(node)

    def _pass_on(self, target: Local | Global, destination: Destination, value: Coded | None = None) -> None:
        """Gives the value that a variable was set to."""
        if isinstance(destination, Discarded):
            return
        if value is not None and value.pure and isinstance(value.code, Atom | Text):
            self.deliver(value, destination)
        elif isinstance(target, Global):
            self.deliver(Coded(self.variable(target.name), Kind.ANY, pure=True), destination)
        else:
            self.deliver(self.value(target), destination)

    def _element_assignment(self, node: Assignment, target: Index, destination: Destination) -> None:
        if node.operator == "=":
            value = self.value(node.value)
            keys = self.values(target.keys)
        else:
            keys = self.values(target.keys)
            holder = self.value(target.target)
            if not holder.pure:
                self.refuse("the array is computed twice; give it a variable", target)
            old = self.of_state("element", holder.code, *(key.code for key in keys))
            new = self.value(node.value)
            name = "add" if node.operator == "+=" else "subtract"
            value = Coded(self.runtime(name, old, new.code), Kind.ANY)
            self._refuse_effects(keys, node, new)
        if sets_variable(value.code) or (not isinstance(destination, Discarded) and not value.pure):
            value = self.kept(value)
        self._set_element(target, value, keys)
        if not isinstance(destination, Discarded):
            self.deliver(value, destination)

    def _refuse_effects(self, keys: list[Coded], node: Expression, value: Coded = NULL) -> None:
        """Refuses indexes that are evaluated twice and may not give the same."""
        if not all(key.pure for key in keys):
            self.refuse("an index that is computed by a call is used twice; set a variable before", node)
        if not value.pure and any(_may_change(key.code, value.code) for key in keys):
            self.refuse("the value may change a variable that is an index here; set it before", node)

    def _set_element(self, target: Index, value: Coded, keys: list[Coded]) -> None:
        """`target[key] = value`; the keys have been evaluated behind the value."""
        holder, codes = target.target, [key.code for key in keys]
        if isinstance(holder, Global):
            self.reads.add(holder.name)
            self.writes.add(holder.name)
            self.write(Simple("", self.of_state("set_element", Text(holder.name), value.code, *codes)))
            return
        if any(isinstance(each, Assignment | Step) for key in target.keys for each, _ in walk(key)):
            self.refuse("an index sets a variable; set it before", target)
        if isinstance(holder, Local) and not self._is_set(holder):
            self.set_local(holder.name, NULL)
        held = self.value(holder)
        if not held.pure:
            self.refuse("the array is computed behind the value that is set; give it a variable", target)
        name = held.code.text if isinstance(held.code, Atom) else ""
        if held.kind is Kind.DICTIONARY and len(keys) == 1 and keys[0].kind is Kind.TEXT:
            self.write(Simple(f"{name}[{flat(codes[0])}] = ", value.code))
        elif held.kind is Kind.ARRAY and len(keys) == 1 and _is_minus_one(target.keys[0]):
            self.write(Simple("", Called("append", (value.code,), held.code)))
        else:
            self._write_with_element(holder, held, value, codes)

    def _write_with_element(self, holder: Expression, held: Coded, value: Coded, keys: list[Code]) -> None:
        code = self.of_state("with_element", held.code, value.code, *keys)
        if held.kind in (Kind.ARRAY, Kind.DICTIONARY) or not isinstance(holder, Local):
            self.write(Simple("", code))
        else:
            self.set_local(holder.name, Coded(code, Kind.ANY))

    def _is_set(self, local: Local) -> bool:
        if local.name in self.set_before:
            return True
        if local.is_argument and local.name not in self.set_anywhere:
            return True
        may_be_set = local.name in self.found.settings or bool(self.loops)
        if local.is_argument or may_be_set:
            self.refuse(
                f"whether '{local.name}' is set here depends on the way; set it by Array() before", local
            )
        return False

    def _step(self, node: Step, destination: Destination) -> None:
        target = node.target
        if isinstance(target, Index):
            self._element_step(node, target, destination)
        elif node.prefix or isinstance(destination, Discarded):
            self.deliver(self.stepped(node), Assigned(target))
            self._pass_on(target, destination)
        else:
            self.deliver(self._stepped_later(node, target), destination)

    def _element_step(self, node: Step, target: Index, destination: Destination) -> None:
        keys = self.values(target.keys)
        self._refuse_effects(keys, node)
        holder = self.value(target.target)
        if not holder.pure:
            self.refuse("the array is computed twice; give it a variable", target)
        old = Coded(self.of_state("element", holder.code, *(key.code for key in keys)), Kind.ANY)
        if not isinstance(destination, Discarded):
            old = self.kept(old)
        name = "increased" if node.operator == "++" else "decreased"
        new = Coded(self.runtime(name, old.code), Kind.ANY)
        if isinstance(destination, Discarded):
            self._set_element(target, new, keys)
            return
        new = self.kept(new)
        self._set_element(target, new, keys)
        self.deliver(new if node.prefix else old, destination)


def _is_minus_one(node: Expression) -> bool:
    return isinstance(node, Unary) and node.operator == "-" and node.operand == Literal(1, node.place)


def _may_change(key: Code, value: Code) -> bool:
    """Whether evaluating a value may change what a key gives: a literal never, a local variable by `:=`."""
    if isinstance(key, Text) or (isinstance(key, Atom) and key.text[0].isdecimal()):
        return False
    return sets_variable(value) or not (isinstance(key, Atom) and key.text.isidentifier())
