"""What the operators do with values of all types.

Sources: "Jitterbit Script", section Operators (docs.jitterbit.com/studio/scripts/jitterbit-script): a string
and anything become strings, arguments are converted where that makes the operation possible, else an error;
"Logical functions" for arrays, which are taken element by element; `jitterbit-script` of M. Kapala for null
and for comparisons of mixed types.
"""

import operator
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.limits import Meter
from callagain.porting.script.values import (
    Value,
    as_double,
    check_depth,
    number,
    number_at_start,
    seconds_of,
    to_number,
    to_text,
    to_truth,
    type_name,
)

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_ORDER = frozenset(("<", ">", "<=", ">="))
_WORDS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "^": "raise"}
_INT64 = 2**63


def operate(symbol: str, left: Value, right: Value, meter: Meter, depth: int = 0) -> Value:
    """`left symbol right` for all operators but `&&` and `||`. Raises ScriptValueError."""
    if isinstance(left, list) or isinstance(right, list):
        check_depth(depth)
        return [operate(symbol, a, b, meter, depth + 1) for a, b in _pairs(symbol, left, right, meter)]
    if symbol in _COMPARISONS:
        if isinstance(left, str) and isinstance(right, str):
            meter.step(min(len(left), len(right)) >> 10)
        return _compare(symbol, left, right)
    return _add(left, right, meter) if symbol == "+" else _ARITHMETIC[symbol](left, right)


def equal(left: Value, right: Value, meter: Meter, depth: int = 0) -> bool:
    """One answer for two values of any type: arrays and dictionaries are compared member by member.

    Two nulls are equal here, as in `Equal`, and not by `==`.
    """
    meter.step()
    if isinstance(left, list) and isinstance(right, list):
        check_depth(depth)
        return len(left) == len(right) and all(
            equal(a, b, meter, depth + 1) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, dict) and isinstance(right, dict):
        check_depth(depth)
        return left.keys() == right.keys() and all(
            equal(left[key], right[key], meter, depth + 1) for key in left
        )
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        return False
    return (left is None and right is None) or _compare("==", left, right)


def negate(value: Value, meter: Meter, depth: int = 0) -> Value:
    """`!value`; of an array, element by element."""
    if isinstance(value, list):
        check_depth(depth)
        meter.step(len(value))
        return [negate(each, meter, depth + 1) for each in value]
    return not to_truth(value)


def minus(value: Value, meter: Meter, depth: int = 0) -> Value:
    """`-value`: of a number a number, of a string the number at its beginning as a string."""
    match value:
        case bool() | None:
            pass
        case int() | float():
            return -value
        case str():
            return to_text(-number_at_start(value))
        case list():
            check_depth(depth)
            meter.step(len(value))
            return [minus(each, meter, depth + 1) for each in value]
        case _:
            pass
    raise ScriptValueError(f"there is no negative of a value of type {type_name(value)}; use a number")


def stepped(symbol: str, value: Value) -> Value:
    """The value after `++` or `--`, of a number or a string with one; of a bool true, or its opposite."""
    difference = 1 if symbol == "++" else -1
    match value:
        case bool():
            return True if symbol == "++" else not value
        case int() | float():
            return number(as_double(value) + difference)
        case str():
            return to_text(number(as_double(number_at_start(value)) + difference))
        case None:
            raise ScriptValueError(f"'{symbol}' of a variable that is null; set it to 0 before")
        case _:
            raise ScriptValueError(f"'{symbol}' of a value of type {type_name(value)}; use a number")


def _pairs(symbol: str, left: Value, right: Value, meter: Meter) -> list[tuple[Value, Value]]:
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            sizes = f"{len(left)} and {len(right)} elements"
            raise ScriptValueError(f"'{symbol}' on two arrays with {sizes}; make them the same size")
        pairs: list[tuple[Value, Value]] = list(zip(left, right, strict=True))
    elif isinstance(left, list):
        pairs = [(each, right) for each in left]
    elif isinstance(right, list):
        pairs = [(left, each) for each in right]
    else:
        pairs = []
    meter.step(len(pairs))
    return pairs


def _compare(symbol: str, left: Value, right: Value) -> bool:
    """A null is equal to nothing and in no order to anything."""
    if left is None or right is None:
        return symbol == "!="
    compare = _COMPARISONS[symbol]
    if isinstance(left, str) and isinstance(right, str):
        return compare(left, right)
    if isinstance(left, bytes) and isinstance(right, bytes) and symbol not in _ORDER:
        return compare(left, right)
    if isinstance(left, bytes | dict) or isinstance(right, bytes | dict):
        if symbol in _ORDER or isinstance(left, bytes) or isinstance(right, bytes):
            raise _cannot_compare(symbol, left, right)
        return (left is right) is (symbol == "==")
    if isinstance(left, bool) or isinstance(right, bool):
        return _compare_with_bool(symbol, left, right)
    if isinstance(left, datetime) and isinstance(right, datetime):
        return compare(left, right)
    return compare(to_number(left), to_number(right))


def _compare_with_bool(symbol: str, left: Value, right: Value) -> bool:
    if symbol not in _ORDER:
        return _COMPARISONS[symbol](to_truth(left), to_truth(right))
    if isinstance(left, bool) and isinstance(right, bool):
        raise ScriptValueError(f"'{symbol}' between two booleans; they can only be compared by == and !=")
    return _COMPARISONS[symbol](to_number(left), to_number(right))


def _cannot_compare(symbol: str, left: Value, right: Value) -> ScriptValueError:
    return ScriptValueError(
        f"'{symbol}' cannot compare {type_name(left)} and {type_name(right)}; convert one, or use Equal(a, b)"
    )


def _add(left: Value, right: Value, meter: Meter) -> Value:
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, str) or isinstance(right, str):
        if isinstance(left, dict | bytes) or isinstance(right, dict | bytes):
            raise _illegal("+", left, right, "write String(x)")
        a, b = to_text(left), to_text(right)
        meter.check_size(len(a) + len(b))
        return a + b
    if _is_number(left) and _is_number(right):
        return number(as_double(to_number(left)) + as_double(to_number(right)))
    if isinstance(left, datetime) and _is_number(right):
        return _moved(left, to_number(right))
    if isinstance(right, datetime) and _is_number(left):
        return _moved(right, to_number(left))
    raise _illegal("+", left, right, "convert one by Int or String")


def _subtract(left: Value, right: Value) -> Value:
    if right is None and (left is None or _is_number(left) or isinstance(left, datetime)):
        return left
    if (left is None or _is_number(left)) and _is_number(right):
        return number(as_double(to_number(left)) - as_double(to_number(right)))
    if isinstance(left, datetime) and isinstance(right, datetime):
        return seconds_of(left) - seconds_of(right)
    if isinstance(left, datetime) and _is_number(right):
        return _moved(left, -to_number(right))
    raise _illegal("-", left, right, "convert strings by Int or Double")


def _multiply(left: Value, right: Value) -> Value:
    if (left is None and _is_number(right)) or (right is None and _is_number(left)):
        return 0
    if _is_number(left) and _is_number(right):
        return number(as_double(to_number(left)) * as_double(to_number(right)))
    raise _illegal("*", left, right, "convert strings by Int or Double")


def _divide(left: Value, right: Value) -> Value:
    if (left is None or _is_number(left)) and _is_number(right):
        if right == 0:
            raise ScriptValueError("division by 0; compare with 0 before")
        return number(as_double(to_number(left)) / as_double(to_number(right)))
    raise _illegal("/", left, right, "convert strings by Int or Double")


def _raise(left: Value, right: Value) -> Value:
    if not (_is_number(left) and _is_number(right)):
        raise _illegal("^", left, right, "convert strings by Int or Double")
    return power(to_number(left), to_number(right))


def power(base: int | float, exponent: int | float) -> int | float:
    """`base ^ exponent`; of two integers an integer, as long as it has 64 bits."""
    if isinstance(base, int) and isinstance(exponent, int) and _fits(base, exponent):
        exact: int = base**exponent
        if abs(exact) < _INT64:
            return exact
    try:
        result = as_double(base) ** as_double(exponent)
    except (OverflowError, ZeroDivisionError):
        raise ScriptValueError(f"{to_text(base)} ^ {to_text(exponent)} is no finite number") from None
    if isinstance(result, complex):
        raise ScriptValueError(f"{to_text(base)} ^ {to_text(exponent)} is no real number")
    return number(result)


def _fits(base: int, exponent: int) -> bool:
    """Whether the power has 64 bits or a few more, so that it may be computed exactly."""
    return 0 <= exponent * max(1, abs(base).bit_length() - 1) <= 64


def _moved(date: datetime, seconds: int | float) -> datetime:
    try:
        return date + timedelta(seconds=int(seconds))
    except (OverflowError, ValueError):
        raise ScriptValueError("the date would be outside of the years 1 to 9999") from None


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _illegal(symbol: str, left: Value, right: Value, advice: str) -> ScriptValueError:
    return ScriptValueError(
        f"cannot {_WORDS[symbol]} {type_name(left)} {symbol} {type_name(right)}: illegal operation; {advice}"
    )


_ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "^": _raise,
}
