"""Calls the functions of Jitterbit Script from Python, with the conversions that a script's call has."""

from collections.abc import Iterable
from typing import Any, cast

from callagain.porting.script.functions import FUNCTIONS
from callagain.porting.script.functions.run import Run
from callagain.porting.script.host import LocalHost
from callagain.porting.script.interpreter import Interpreter
from callagain.porting.script.limits import Limits, Meter
from callagain.porting.script.modes import GUIDE
from callagain.porting.script.parser import parse
from callagain.porting.script.syntax import Expression, Literal, Statements
from callagain.porting.script.tokens import Place
from callagain.porting.script.values import Value

NOWHERE = Place(1, 1)
NO_SCRIPT = parse("", "translated script")

_NO_LIMITS = Limits()


def alone() -> Interpreter:
    """A run for a function that needs none but for its limits."""
    return Interpreter(NO_SCRIPT, LocalHost(), GUIDE, Meter(_NO_LIMITS), (), 1)


def called(name: str, run: Run, *values: Value) -> Any:
    """What a function of values gives. Raises ScriptError, and TypeError for a wrong number of arguments."""
    function = FUNCTIONS[name.lower()]
    arguments = [function.converted(position, value) for position, value in enumerate(values)]
    return function.body(run, *arguments) if function.takes_run else function.body(*arguments)


def called_with(name: str, run: Run, expressions: Iterable[Expression]) -> Any:
    """What a function gives that evaluates its arguments itself."""
    return FUNCTIONS[name.lower()].body(run, *(Statements((each,), NOWHERE) for each in expressions))


def given(value: Value) -> Literal:
    """An expression that has this value. The interpreter gives the value of a literal as it stands."""
    return Literal(cast("str", value), NOWHERE)
