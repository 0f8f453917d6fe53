"""Math functions. What has no finite result is an error here, where an agent gives `nan` or `inf`."""

import math
from collections.abc import Callable

from callagain.porting.script.errors import ScriptArgumentError, ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.numbers import rounded
from callagain.porting.script.operators import power
from callagain.porting.script.values import Value, as_double, number

MATH = Group("Math", "docs.jitterbit.com/studio/functions/math")


@MATH.of_values("int Ceiling(double d)")
def ceiling(d: float) -> Value:
    """The next whole number above."""
    return math.ceil(d)


@MATH.of_values("int Floor(double d)")
def floor(d: float) -> Value:
    """The next whole number below."""
    return math.floor(d)


@MATH.of_values("double Exp(double d)")
def exp(d: float) -> Value:
    """e to the power of d."""
    return _finite("Exp", math.exp, d)


@MATH.of_values("double Log(double d)")
def log(d: float) -> Value:
    """The natural logarithm."""
    return _finite("Log", math.log, d)


@MATH.of_values("double Log10(double d)")
def log10(d: float) -> Value:
    """The logarithm to the base 10."""
    return _finite("Log10", math.log10, d)


@MATH.of_values("double Sqrt(double d)")
def sqrt(d: float) -> Value:
    """The square root."""
    return _finite("Sqrt", math.sqrt, d)


@MATH.of_values("double Pow(double base, double exponent)")
def pow_(base: float, exponent: float) -> Value:
    """base to the power of exponent; Pow(0, 0) is 1."""
    return power(base, exponent)


@MATH.of_values("int Mod(int numerator, int denominator)")
def mod(numerator: int, denominator: int) -> Value:
    """The remainder of a division, with the sign of the numerator; the numerator if the denominator is 0."""
    if denominator == 0:
        return numerator
    remainder = abs(numerator) % abs(denominator)
    return -remainder if numerator < 0 else remainder


@MATH.of_values("string Round(double d[, int places])")
def round_(d: float, places: int = 0) -> Value:
    """The number with so many decimal places, as a string; a half is rounded away from zero."""
    if not 0 <= places <= 20:
        raise ScriptArgumentError(f"Round wants places to be from 0 to 20; it is {places}")
    return format(rounded(d, places), "f") if abs(d) < 1e15 else str(number(as_double(d)))


@MATH.of_values("int RoundToInt(double d)")
def round_to_int(d: float) -> Value:
    """The nearest whole number; a half is rounded up."""
    return math.floor(d) if d - math.floor(d) < 0.5 else math.ceil(d)


def _finite(name: str, function: Callable[[float], float], d: float) -> Value:
    try:
        return number(function(as_double(d)))
    except (ValueError, OverflowError):
        raise ScriptValueError(f"{name}({d}) is no finite number") from None
