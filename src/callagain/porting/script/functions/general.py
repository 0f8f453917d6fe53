"""General functions: nulls, errors that are caught, variables by name, chance."""

import uuid

from callagain.porting.script.array_texts import read_array
from callagain.porting.script.elements import element, set_element
from callagain.porting.script.errors import ScriptArgumentError, ScriptError
from callagain.porting.script.functions.conversions import converter_named
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.operators import equal
from callagain.porting.script.syntax import Expression, Global, Local, Statements
from callagain.porting.script.values import Value, to_text

GENERAL = Group("General", "docs.jitterbit.com/studio/functions/general")

_ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@GENERAL.of_expressions("type Eval(type expToEvaluate, type defaultResult)")
def eval_(run: Run, expression: Statements, default: Statements) -> Value:
    """The first argument, or the second one if evaluating the first fails: a try and catch.

    The reference says that the result is a string. Here it keeps its type, so that a number stays a number.
    Limits, unknown functions and wrong syntax are not caught.
    """
    try:
        return run.value_of(expression)
    except ScriptError as error:
        if not error.caught_by_eval:
            raise
        run.set_last_error(error.message)
        return run.value_of(default)


@GENERAL.of_expressions("bool IsValid(type x)")
def is_valid(run: Run, expression: Statements) -> Value:
    """True if the argument is evaluated without an error."""
    try:
        run.value_of(expression)
    except ScriptError as error:
        if not error.caught_by_eval:
            raise
        run.set_last_error(error.message)
        return False
    return True


@GENERAL.of_values("null Null()")
def null() -> Value:
    """Null."""
    return None


@GENERAL.of_values("bool IsNull(type x)")
def is_null(x: Value) -> Value:
    """True if the argument is null. `x == Null()` is never true."""
    return x is None


@GENERAL.of_expressions("type IfNull(type x, type default)")
def if_null(run: Run, x: Statements, default: Statements) -> Value:
    """The first argument, or the default if it is null."""
    value = run.value_of(x)
    return run.value_of(default) if value is None else value


@GENERAL.of_expressions("type IfEmpty(type x, type default)")
def if_empty(run: Run, x: Statements, default: Statements) -> Value:
    """The first argument, or the default if it is null or its string is empty.

    An empty array is not empty here.
    """
    value = run.value_of(x)
    is_empty = value is None or (not isinstance(value, list | dict) and to_text(value) == "")
    return run.value_of(default) if is_empty else value


@GENERAL.of_values("int Length(type x)")
def length(x: Value) -> Value:
    """Characters of a string, elements of an array, bytes of binary data; 0 for null, else of its string."""
    if isinstance(x, str | list | bytes):
        return len(x)
    return len(to_text(x))


@GENERAL.of_values("bool IsInteger(type x)")
def is_integer(x: Value) -> Value:
    """True for an integer, and for what becomes one without loss: 5.0 and "5"."""
    if isinstance(x, str):
        digits = x.strip().removeprefix("-")
        return digits.isascii() and digits.isdigit()
    return isinstance(x, int | float) and not isinstance(x, bool) and (isinstance(x, int) or x.is_integer())


@GENERAL.of_run("int InList(type x[, type arg1, ...])")
def in_list(run: Run, x: Value, *arguments: Value) -> Value:
    """The position of the first argument that is equal to x, from 1 on; 0 if there is none."""
    matches = (position for position, each in enumerate(arguments, 1) if equal(x, each, run.meter))
    return next(matches, 0)


@GENERAL.of_expressions("type Get(string name[, int index, ...])")
def get(run: Run, name: Statements, *indexes: Statements) -> Value:
    """The global variable of a name (without `$`), or an element of it, or of an array that is given."""
    first = run.value_of(name)
    value = first if isinstance(first, list) else run.variables.get(_name_of(first))
    for index in indexes:
        value = element(value, run.value_of(index), run.mode)
    return value


@GENERAL.of_expressions("type Set(string name, type value[, int index, ...])")
def set_(run: Run, name: Statements, value: Statements, *indexes: Statements) -> Value:
    """Sets the global variable of a name (without `$`), or an element of an array, and gives the value.

    The index -1 appends to the array.
    """
    first, new = run.value_of(name), run.value_of(value)
    keys = [run.value_of(index) for index in indexes]
    if not keys:
        run.variables[_name_of(first)] = new
        return new
    holder = first if isinstance(first, list) else run.variables.get(_name_of(first))
    if holder is None:
        holder = run.variables[_name_of(first)] = []
    for key in keys[:-1]:
        holder = element(holder, key, run.mode)
    set_element(holder, keys[-1], new, run.mode, run.meter)
    return new


@GENERAL.of_expressions("null ArgumentList(var var1[, var var2, ...])")
def argument_list(run: Run, *names: Statements) -> Value:
    """Gives the arguments that RunScript passed names of their own: the first name is `_1`, and so on."""
    for position, statements in enumerate(names, 1):
        node = _only(statements)
        if not isinstance(node, Local):
            raise ScriptArgumentError(
                "ArgumentList takes names of local variables, such as ArgumentList(id, city)"
            )
        run.assign(node, run.scope.argument(position))
    return None


@GENERAL.of_expressions("string GetName(type x)")
def get_name(run: Run, x: Statements) -> Value:
    """The name of a variable, without `$`; an empty string for what has none."""
    node = _only(x)
    if isinstance(node, Local | Global):
        return node.name
    run.value_of(x)
    return ""


@GENERAL.of_run("string GUID()")
def guid(run: Run) -> Value:
    """A new UUID of version 4, as 36 characters."""
    return str(uuid.UUID(int=run.host.chance.getrandbits(128), version=4))


@GENERAL.of_run("int Random(int min, int max)")
def random_(run: Run, least: int, most: int) -> Value:
    """A whole number from min to max, both included."""
    if least > most:
        raise ScriptArgumentError(f"Random wants min to be at most max; it got {least} and {most}")
    return run.host.chance.randint(least, most)


@GENERAL.of_run("string RandomString(int length[, string chars])")
def random_string(run: Run, size: int, characters: str = _ALPHANUMERIC) -> Value:
    """Random characters: letters and digits, or those of the second argument."""
    run.meter.check_size(size)
    run.meter.step(max(0, size))
    if not characters:
        raise ScriptArgumentError("RandomString wants chars to have at least one character")
    return "".join(run.host.chance.choices(characters, k=max(0, size)))


@GENERAL.of_run("array ReadArrayString(string arrayString[, string type])")
def read_array_string(run: Run, text: str, of_type: str = "string") -> Value:
    """The array that a string such as `{1,2}` or `{{a,"b,c"},{d}}` writes; a `""` inside quotes is one quote.

    The elements are strings, or of the type named: int, long, double, float, bool.
    """
    run.meter.step(len(text) >> 2)
    return read_array(text, converter_named(of_type))


@GENERAL.of_run("null Sleep(int seconds)")
def sleep(run: Run, seconds: int) -> Value:
    """Waits for seconds; the host may do without."""
    seconds = max(0, seconds)
    run.meter.wait(seconds)
    run.host.sleep(seconds)
    return None


def _name_of(value: Value) -> str:
    if not isinstance(value, str) or not value:
        raise ScriptArgumentError('the name of a global variable is a string such as "loop_count", without $')
    return value.removeprefix("$")


def _only(statements: Statements) -> Expression | None:
    return statements.items[0] if len(statements.items) == 1 else None
