"""Logical functions: the language has no statements that branch or repeat, these take their place."""

from callagain.porting.script.errors import ScriptArgumentError, ScriptLimitError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.operators import equal
from callagain.porting.script.syntax import Statements
from callagain.porting.script.values import Value

LOGICAL = Group("Logical", "docs.jitterbit.com/studio/functions/logical")


@LOGICAL.of_expressions("type If(bool condition, type trueResult[, type falseResult])")
def if_(run: Run, condition: Statements, then: Statements, otherwise: Statements | None = None) -> Value:
    """The one result or the other; only that one is evaluated, and without a third argument it is null."""
    if run.is_true(condition):
        return run.value_of(then)
    return run.value_of(otherwise) if otherwise is not None else None


@LOGICAL.of_expressions("type Case(bool condition, type result, ...)")
def case(run: Run, *pairs: Statements) -> Value:
    """The result after the first condition that is true, or null; nothing behind it is evaluated.

    The condition `true` as the last one makes a default.
    """
    if len(pairs) % 2:
        raise ScriptArgumentError(
            f"Case takes pairs of a condition and a result, and got {len(pairs)} arguments; write true "
            "before a default"
        )
    for condition, result in zip(pairs[::2], pairs[1::2], strict=True):
        if run.is_true(condition):
            return run.value_of(result)
    return None


@LOGICAL.of_expressions("null While(bool condition, type expression)")
def while_(run: Run, condition: Statements, body: Statements) -> Value:
    """Evaluates the body as long as the condition is true, and gives null.

    After 50,000 iterations it is an error; `$jitterbit.scripting.while.max_iterations` sets another limit.
    """
    most = run.limit("jitterbit.scripting.while.max_iterations", run.meter.limits.iterations)
    iterations = 0
    while run.is_true(condition):
        if iterations >= most:
            raise ScriptLimitError(
                f"the loop reached {most:,} iterations; check its condition, or set "
                "$jitterbit.scripting.while.max_iterations"
            )
        iterations += 1
        run.value_of(body)
    return None


@LOGICAL.of_run("bool Equal(type x, type y)")
def equal_(run: Run, x: Value, y: Value) -> Value:
    """Whether two values are equal; arrays and dictionaries are compared member by member, with conversions.

    Arrays of different sizes are not equal. `Equal(0, "")` is true, as 0 == "" is.
    """
    return equal(x, y, run.meter)
