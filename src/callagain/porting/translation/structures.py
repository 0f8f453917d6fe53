"""If, Case, While, Eval, IsValid, RaiseError and ArgumentList, which become statements of Python."""

from collections.abc import Callable, Sequence

from callagain.porting.script.syntax import Call, Local, Statements
from callagain.porting.translation.blocks import (
    Attempt,
    Block,
    Branch,
    Break,
    Loop,
    Raise,
    Simple,
    does,
    ends,
    negated,
)
from callagain.porting.translation.kinds import Kind
from callagain.porting.translation.layout import Atom
from callagain.porting.translation.statements import StatementTranslator
from callagain.porting.translation.values import (
    FALSE,
    NULL,
    TRUE,
    Coded,
    Destination,
    Discarded,
    Returned,
)

Pairs = Sequence[tuple[Statements, Statements]]


class Translator(StatementTranslator):
    """Translates a whole script."""

    def body(self) -> Block:
        """The statements of the function; what is left of the comments stands at its end."""
        self.into(self.script.body, Returned())
        self.remarks_at_the_end()
        return self.block

    def structure(self, node: Call) -> Callable[[Call, Destination], None] | None:
        structures = {
            "if": self._if_statement,
            "case": self._case_statement,
            "while": self._while,
            "eval": self._eval,
            "isvalid": self._is_valid,
            "raiseerror": self._raise_error,
            "argumentlist": self._argument_list,
        }
        return structures.get(node.name.lower())

    def _if_statement(self, node: Call, destination: Destination) -> None:
        condition, then, *otherwise = node.arguments
        self._branches([(condition, then)], otherwise[0] if otherwise else None, destination)

    def _case_statement(self, node: Call, destination: Destination) -> None:
        arguments = node.arguments
        self._branches(list(zip(arguments[::2], arguments[1::2], strict=True)), None, destination)

    def _branches(self, pairs: Pairs, otherwise: Statements | None, destination: Destination) -> None:
        if not pairs:
            self.into(otherwise, destination) if otherwise else self.deliver(NULL, destination)
            return
        self.may_write = True
        condition, (_, result) = self.condition(pairs[0][0]), pairs[0]
        if condition == TRUE.code:
            self.into(result, destination)
            return
        if condition == FALSE.code:
            self._branches(pairs[1:], otherwise, destination)
            return
        before = set(self.set_before)
        with self.writing_to([]) as then:
            self.into(result, destination)
        after_then, self.set_before = self.set_before, set(before)
        with self.writing_to([]) as other:
            self._branches(pairs[1:], otherwise, destination)
        self._meet((then, after_then), (other, self.set_before))
        self.write(Branch(condition, then, other))

    def _meet(self, *ways: tuple[Block, set[str]]) -> None:
        """What is set where ways meet: what each of them sets that comes so far."""
        arriving = [after for block, after in ways if not ends(block)]
        if arriving:
            self.set_before = arriving[0].intersection(*arriving)
        else:
            self.set_before = set[str]().union(*(after for _, after in ways))

    def _while(self, node: Call, destination: Destination) -> None:
        """`while`, with the limit of iterations; a condition that needs statements is looked at inside."""
        condition_node, body_node = node.arguments
        counter = self.counter()
        self.write(Simple(f"{counter} = ", self.of_state("iterations")))
        self.loops.append(self.growing_locals(node))
        with self.writing_to([]) as before:
            self.may_write = True
            condition = self.condition(condition_node)
        after = set(self.set_before)
        with self.writing_to([]) as body:
            self.write(Simple("", Atom(f"{counter}.count()")))
            self.into(body_node, Discarded())
        self.set_before = after
        self.loops.pop()
        if does(before):
            leave = Branch(negated(condition), [Break()])
            self.write(Loop(TRUE.code, [*before, leave, *body]))
        else:
            self.write(Loop(condition, body))
        self.deliver(NULL, destination)

    def _eval(self, node: Call, destination: Destination) -> None:
        expression, default = node.arguments
        before = set(self.set_before)
        with self.writing_to([]) as body:
            self.into(expression, destination)
        self._attempt(body, before, lambda: self.into(default, destination))

    def _is_valid(self, node: Call, destination: Destination) -> None:
        before = set(self.set_before)
        with self.writing_to([]) as body:
            self.into(node.arguments[0], Discarded())
            if not ends(body):
                self.deliver(TRUE, destination)
        self._attempt(body, before, lambda: self.deliver(FALSE, destination))

    def _attempt(self, body: Block, before: set[str], write_handler: Callable[[], None]) -> None:
        after, self.set_before = self.set_before, before
        with self.writing_to([]) as handler:
            self.write(Simple("", self.of_state("catch", Atom("error"))))
            write_handler()
        self._meet((body, after), (handler, self.set_before))
        if does(body):
            self.write(Attempt(body, handler))

    def _raise_error(self, node: Call, destination: Destination) -> None:  # noqa: ARG002
        message = self.argument(node.arguments[0])
        self.write(Raise(self.of_state("error", message.code)))

    def _argument_list(self, node: Call, destination: Destination) -> None:
        for position, argument in enumerate(node.arguments, 1):
            match argument.items:
                case (Local() as variable,):
                    code = self.of_state("argument", Atom(str(position)))
                    self.set_local(variable.name, Coded(code, Kind.ANY, pure=True))
                case _:
                    self.refuse("ArgumentList takes names of local variables, such as ArgumentList(id)", node)
        self.deliver(NULL, destination)
