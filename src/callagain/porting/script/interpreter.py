"""Evaluates the tree of a script.

Every expression has a value; that of a script is the one of its last statement. Errors get the place of the
expression that raised them. What a function does is in `functions`; those that decide what is evaluated at
all (If, While, Eval …) get expressions and ask `value_of`.
"""

from collections.abc import Callable, MutableMapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from callagain.porting.script.elements import element, inner_of, new_holder, set_element
from callagain.porting.script.errors import ScriptError, ScriptLimitError, Source
from callagain.porting.script.functions import FUNCTIONS, Function
from callagain.porting.script.host import Host
from callagain.porting.script.limits import MAX_DEPTH, Meter, levels_that_fit_the_stack, size_of
from callagain.porting.script.modes import Mode
from callagain.porting.script.operators import minus, negate, operate, stepped
from callagain.porting.script.scopes import Scope
from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Operations,
    Script,
    Statements,
    Step,
    Target,
    Unary,
)
from callagain.porting.script.tokens import Place
from callagain.porting.script.unknown import unknown_function
from callagain.porting.script.values import Value, agent_time, to_number, to_truth

_FRAMES_OF_A_NODE = 5

LAST_ERROR = "jitterbit.operation.last_error"


class Interpreter:
    """One run of one script; the functions see it as the run they belong to."""

    def __init__(
        self, script: Script, host: Host, mode: Mode, meter: Meter, arguments: Sequence[Value], nesting: int
    ) -> None:
        self.source: Source = script.source
        self.host = host
        self.mode = mode
        self.nesting = nesting
        self.scope = Scope(arguments)
        self.meter = meter
        self.last_error = ""
        self._body = script.body
        self._depth = 0
        self._deepest = min(MAX_DEPTH, levels_that_fit_the_stack(_FRAMES_OF_A_NODE))

    def run(self) -> Value:
        """The value of the last statement."""
        if self.nesting > self.limit("jitterbit.scripting.nesting.max", self.meter.limits.nesting):
            raise self.too_nested().placed(Place(1, 1), self.source)
        return self.value_of(self._body)

    # What functions use

    @property
    def variables(self) -> MutableMapping[str, Value]:
        """The global variables, by name without `$`."""
        return self.host.variables

    def value_of(self, statements: Statements) -> Value:
        """The value of an argument or a body: that of its last statement, null if it is empty."""
        value: Value = None
        for item in statements.items:
            value = self.evaluate(item)
        return value

    def is_true(self, statements: Statements) -> bool:
        """The value as a condition."""
        value = self.value_of(statements)
        try:
            return to_truth(value)
        except ScriptError as error:
            raise error.placed(statements.place, self.source) from None

    def limit(self, variable: str, default: int) -> int:
        """A limit that a Jitterbit variable may set, as a whole number."""
        value = self.host.variables.get(variable)
        return default if value is None else int(to_number(value))

    def too_nested(self) -> ScriptLimitError:
        return ScriptLimitError(
            f"scripts and operations run each other {self.nesting} deep; look for two that call each other, "
            "or set $jitterbit.scripting.nesting.max"
        )

    def set_last_error(self, message: str) -> None:
        """What GetLastError gives in this script, and `$jitterbit.operation.last_error` in others."""
        self.last_error = message
        self.host.variables[LAST_ERROR] = message

    def now(self) -> datetime:
        return agent_time(self.host.now())

    def assign(self, target: Target, value: Value) -> None:
        """Sets a variable or an element."""
        match target:
            case Local():
                self.scope.set(target.name, value)
            case Global():
                self.host.variables[target.name] = value
            case Index():
                self._assign_element(target, value, [self.evaluate(key) for key in target.keys])
        self.made(value)

    def made(self, value: Value) -> None:
        """Counts a new value against the limits."""
        if not isinstance(value, str | list | dict | bytes):
            return
        self.meter.made(value, self.scope.locals, self.host.variables)

    # Evaluation

    def evaluate(self, node: Expression) -> Value:
        """The value of an expression. Raises a ScriptError with its place."""
        self._depth += 1
        meter = self.meter
        meter.steps_left -= 1
        try:
            if meter.steps_left < 0:
                meter.step()
            if self._depth > self._deepest:
                raise ScriptLimitError(
                    "this is nested too deeply to be evaluated here; run a part as a script"
                )
            return _EVALUATORS[type(node)](self, node)
        except ScriptError as error:
            raise error.placed(node.place, self.source) from None
        finally:
            self._depth -= 1

    def _literal(self, node: Literal) -> Value:
        return node.value

    def _local(self, node: Local) -> Value:
        return self.scope.get(node)

    def _global(self, node: Global) -> Value:
        return self.host.variables.get(node.name)

    def _index(self, node: Index) -> Value:
        value = self.evaluate(node.target)
        for key in node.keys:
            value = element(value, self.evaluate(key), self.mode)
        return value

    def _array(self, node: ArrayLiteral) -> Value:
        values = [self.value_of(item) for item in node.items]
        self.meter.check_size(sum(map(size_of, values)))
        return values

    def _unary(self, node: Unary) -> Value:
        value = self.evaluate(node.operand)
        return negate(value, self.meter) if node.operator == "!" else minus(value, self.meter)

    def _step(self, node: Step) -> Value:
        keys = self._keys_of(node.target)
        old = self._read(node.target, keys)
        new = stepped(node.operator, old)
        self._write(node.target, keys, new)
        return new if node.prefix else old

    def _operations(self, node: Operations) -> Value:
        value = self.evaluate(node.first)
        for each in node.rest:
            try:
                if each.operator in ("&&", "||"):
                    stops = each.operator == "||"
                    value = to_truth(value)
                    if value is not stops:
                        value = to_truth(self.evaluate(each.operand))
                else:
                    value = operate(each.operator, value, self.evaluate(each.operand), self.meter)
                    self.made(value)
            except ScriptError as error:
                raise error.placed(each.place, self.source) from None
        return value

    def _assignment(self, node: Assignment) -> Value:
        if node.operator == "=":
            value = self.evaluate(node.value)
            self.assign(node.target, value)
            return value
        keys = self._keys_of(node.target)
        old = self._read(node.target, keys)
        value = operate(node.operator[0], old, self.evaluate(node.value), self.meter)
        self._write(node.target, keys, value)
        return value

    def _call(self, node: Call) -> Value:
        function = FUNCTIONS.get(node.name.lower())
        if function is None:
            raise unknown_function(node.name)
        function.check_count(len(node.arguments), node.name)
        if function.takes_expressions:
            # What is made inside has been counted when it was made.
            value: Value = function.body(self, *node.arguments)
            return value
        value = function.body(*self._converted(function, node))
        self.made(value)
        return value

    def _converted(self, function: Function, node: Call) -> list[Any]:
        values = [self.value_of(argument) for argument in node.arguments]
        size = sum(map(size_of, values))
        self.meter.check_size(size)
        self.meter.step(size >> 10)
        converted: list[Any] = [self] if function.takes_run else []
        for position, value in enumerate(values):
            try:
                argument = function.converted(position, value)
                if isinstance(argument, str) and not isinstance(value, str):
                    self.meter.step(len(argument) >> 2)
                converted.append(argument)
            except ScriptError as error:
                raise error.placed(node.arguments[position].place, self.source) from None
        return converted

    # Targets that are read and written: their keys are evaluated once

    def _keys_of(self, target: Target) -> list[Value]:
        return [self.evaluate(key) for key in target.keys] if isinstance(target, Index) else []

    def _read(self, target: Target, keys: list[Value]) -> Value:
        value = self.evaluate(target.target if isinstance(target, Index) else target)
        for key in keys:
            value = element(value, key, self.mode)
        return value

    def _write(self, target: Target, keys: list[Value], value: Value) -> None:
        if isinstance(target, Index):
            self._assign_element(target, value, keys)
            self.made(value)
        else:
            self.assign(target, value)

    def _assign_element(self, target: Index, value: Value, keys: list[Value]) -> None:
        holder = self._holder(target.target, keys[0])
        for key, following in pairwise(keys):
            inner = inner_of(holder, key)
            if inner is None:
                inner = new_holder(following)
                set_element(holder, key, inner, self.mode, self.meter)
            holder = inner
        set_element(holder, keys[-1], value, self.mode, self.meter)

    def _holder(self, node: Expression, key: Value) -> Value:
        """The array or dictionary to write into; a variable that is not set yet becomes an array."""
        unset_local = isinstance(node, Local) and node.name not in self.scope.locals and not node.is_argument
        holder = None if unset_local else self.evaluate(node)
        if holder is None and isinstance(node, Local | Global):
            holder = new_holder(key)
            self.assign(node, holder)
        return holder


_EVALUATORS: dict[type[Expression], Callable[[Interpreter, Any], Value]] = {
    Literal: Interpreter._literal,  # pyright: ignore[reportPrivateUsage]
    Local: Interpreter._local,  # pyright: ignore[reportPrivateUsage]
    Global: Interpreter._global,  # pyright: ignore[reportPrivateUsage]
    Index: Interpreter._index,  # pyright: ignore[reportPrivateUsage]
    ArrayLiteral: Interpreter._array,  # pyright: ignore[reportPrivateUsage]
    Unary: Interpreter._unary,  # pyright: ignore[reportPrivateUsage]
    Step: Interpreter._step,  # pyright: ignore[reportPrivateUsage]
    Operations: Interpreter._operations,  # pyright: ignore[reportPrivateUsage]
    Assignment: Interpreter._assignment,  # pyright: ignore[reportPrivateUsage]
    Call: Interpreter._call,  # pyright: ignore[reportPrivateUsage]
}
