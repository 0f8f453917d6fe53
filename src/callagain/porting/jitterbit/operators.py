"""The operators of Jitterbit Script, for values whose types are not known before the script runs.

Where both types are known, a translated script has Python's own operator. Arrays are taken element by element
by all of these; a comparison as a condition is an error then, as in a script.
"""

from callagain.porting.script import operators
from callagain.porting.script.limits import Limits, Meter
from callagain.porting.script.values import Value, to_text, to_truth

_LIMITS = Limits()


def add(first: Value, *others: Value) -> Value:
    """`first + a + b`, from left to right: a string and anything make a string, and null adds nothing."""
    result = first
    for other in others:
        result = operators.operate("+", result, other, Meter(_LIMITS))
    return result


def subtract(left: Value, right: Value) -> Value:
    """`left - right`."""
    return operators.operate("-", left, right, Meter(_LIMITS))


def multiply(left: Value, right: Value) -> Value:
    """`left * right`."""
    return operators.operate("*", left, right, Meter(_LIMITS))


def divide(left: Value, right: Value) -> Value:
    """`left / right`."""
    return operators.operate("/", left, right, Meter(_LIMITS))


def power(left: Value, right: Value) -> Value:
    """`left ^ right`."""
    return operators.operate("^", left, right, Meter(_LIMITS))


def compare(left: Value, symbol: str, right: Value) -> Value:
    """`left < right` and the like as a value: of arrays an array of answers."""
    return operators.operate(symbol, left, right, Meter(_LIMITS))


def equals(left: Value, right: Value) -> bool:
    """`left == right` as a condition. A null equals nothing; "5" equals 5."""
    return to_truth(compare(left, "==", right))


def differs(left: Value, right: Value) -> bool:
    """`left != right` as a condition."""
    return to_truth(compare(left, "!=", right))


def less(left: Value, right: Value) -> bool:
    """`left < right` as a condition."""
    return to_truth(compare(left, "<", right))


def greater(left: Value, right: Value) -> bool:
    """`left > right` as a condition."""
    return to_truth(compare(left, ">", right))


def at_most(left: Value, right: Value) -> bool:
    """`left <= right` as a condition."""
    return to_truth(compare(left, "<=", right))


def at_least(left: Value, right: Value) -> bool:
    """`left >= right` as a condition."""
    return to_truth(compare(left, ">=", right))


def negate(value: Value) -> Value:
    """`!value`; of an array an array."""
    return operators.negate(value, Meter(_LIMITS))


def minus(value: Value) -> Value:
    """`-value`; of a string the number at its beginning, as a string."""
    return operators.minus(value, Meter(_LIMITS))


def increased(value: Value) -> Value:
    """What `value++` leaves in a variable."""
    return operators.stepped("++", value)


def decreased(value: Value) -> Value:
    """What `value--` leaves in a variable."""
    return operators.stepped("--", value)


def truth(value: Value) -> bool:
    """The value as a condition: "true", "t" and strings that begin with a number but 0 are true."""
    return to_truth(value)


def text(value: Value) -> str:
    """The value as a string: null is empty, a boolean `1` or `0`."""
    return to_text(value)
