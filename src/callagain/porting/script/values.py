"""The values of scripts, and how one type becomes another.

| type | in Python | as a string | as a condition | as a number |
| --- | --- | --- | --- | --- |
| null | `None` | empty | false | 0 |
| bool | `bool` | `1` or `0` | itself | 1 or 0 |
| int, long, float, double | `int`, `float` | shortest form, `1.0` is `1` | not 0 | itself |
| string | `str` | itself | `true`, `t`, or it begins with a number but 0 | the number it begins with, or 0 |
| date | `datetime` in the agent's time, without zone | `yyyy-mm-dd HH:MM:SS` | false | seconds since 1970 |
| array | `list` | `{a,b,1}` | error | error |
| dictionary | `dict` with string keys | `[k=>"v",k2=>"v2"]` | error | error |
| binary | `bytes` | UTF-8 text, hexadecimal if it has null bytes | error | error |

A result of arithmetic is a double; one without a fraction is kept as an `int`, so that a counter stays a
counter for whoever reads the variables.

Sources: "Conversion functions" (docs.jitterbit.com/studio/functions/conversion) for String, Bool, Int and
Date; the JSON page for the form of arrays and dictionaries; `jitterbit-script` of M. Kapala for what strings
are as conditions and in comparisons with numbers.
"""

import math
import re
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from callagain.porting.script.errors import ScriptLimitError, ScriptValueError
from callagain.porting.script.limits import MAX_COLLECTION_TEXT, MAX_NESTED_VALUES

Value: TypeAlias = bool | int | float | str | bytes | datetime | list["Value"] | dict[str, "Value"] | None
"""A value of Jitterbit Script; an array is a list, null is None."""

EPOCH = datetime(1970, 1, 1)

_NUMBER_AT_START = re.compile(r"\s*(-?(?:\d++(?:\.\d*+)?|\.\d++))", re.ASCII)
_WHOLE_DOUBLE = 2.0**53


def type_name(value: Value) -> str:
    """The type of a value in Jitterbit's words."""
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "string"
        case bytes():
            return "binary"
        case datetime():
            return "date"
        case list():
            return "array"
        case dict():
            return "dictionary"


def number(value: float) -> int | float:
    """A result of arithmetic: a whole one as int. Raises ScriptValueError for infinities and no numbers."""
    if not math.isfinite(value):
        raise ScriptValueError("the result is no finite number")
    return int(value) if value.is_integer() and abs(value) <= _WHOLE_DOUBLE else value


def as_double(value: int | float) -> float:
    """The double nearest to a number, however many digits it has."""
    try:
        return float(value)
    except OverflowError:
        raise ScriptValueError("the number is too large for a double") from None


def to_text(value: Value) -> str:
    """The value as a string; see the table above."""
    match value:
        case str():
            return value
        case None:
            return ""
        case bool():
            return "1" if value else "0"
        case int() | float():
            return number_text(value)
        case datetime():
            return date_text(value)
        case bytes():
            return binary_text(value)
        case list() | dict():
            text = _CollectionText()
            text.write(value)
            return "".join(text.pieces)


class _CollectionText:
    """The text of an array or a dictionary; one array may stand in a value many times, so it is measured."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._left = MAX_COLLECTION_TEXT

    def write(self, value: Value, depth: int = 0) -> None:
        if isinstance(value, list):
            check_depth(depth)
            self._add("{")
            for position, each in enumerate(value):
                self._add("," if position else "")
                self.write(each, depth + 1)
            self._add("}")
        elif isinstance(value, dict):
            check_depth(depth)
            self._add("[")
            for position, (key, each) in enumerate(value.items()):
                self._add(f'{"," if position else ""}{key}=>"')
                self.write(each, depth + 1)
                self._add('"')
            self._add("]")
        else:
            self._add(to_text(value))

    def _add(self, text: str) -> None:
        self._left -= len(text) + 1
        if self._left < 0:
            limit = f"{MAX_COLLECTION_TEXT:,} characters"
            raise ScriptLimitError(f"the text of an array or a dictionary is longer than {limit}")
        self.pieces.append(text)


def number_text(value: int | float) -> str:
    """The shortest text of a number: no point for a whole one, an exponent from 1e21 on and below 1e-6."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**21 else number_text(as_double(value))
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    text = repr(value)
    if "e" not in text:
        return text
    digits, _, exponent = text.partition("e")
    if -7 < int(exponent) < 0:
        return f"{value:.{len(digits.lstrip('-').replace('.', '')) - 1 - int(exponent)}f}"
    return f"{digits}e{int(exponent):+d}"


def date_text(value: datetime) -> str:
    """`yyyy-mm-dd HH:MM:SS`, with `.fff` if there is a fraction of a second."""
    text = value.replace(tzinfo=None).isoformat(" ", "milliseconds")
    return text.removesuffix(".000")


def binary_text(value: bytes) -> str:
    """The bytes as UTF-8; as hexadecimal digits if there are null bytes, or if they are no UTF-8."""
    if b"\0" in value:
        return value.hex()
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.hex()


def to_truth(value: Value) -> bool:
    """The value as a condition. Raises ScriptValueError for arrays, dictionaries and binary values."""
    match value:
        case bool():
            return value
        case None | datetime():
            return False
        case int() | float():
            return value != 0
        case str():
            return value.lower() in ("true", "t") or number_at_start(value) != 0
        case _:
            name = type_name(value)
            raise ScriptValueError(
                f"a value of type {name} is no condition; use Length(x) > 0, or an element"
            )


def number_at_start(text: str) -> int | float:
    """The number with which a text begins, else 0; there are no exponents."""
    match = _NUMBER_AT_START.match(text, 0, 400)
    if match is None:
        return 0
    digits = match[1]
    return (
        as_double(int(digits)) if len(digits) > 18 and digits.lstrip("-").isdigit() else number(float(digits))
    )


def to_number(value: Value) -> int | float:
    """The value as a number; a text that begins with none is 0. Raises ScriptValueError for collections."""
    match value:
        case bool():
            return int(value)
        case int() | float():
            return value
        case None:
            return 0
        case str():
            return number_at_start(value)
        case datetime():
            return seconds_of(value)
        case _:
            raise ScriptValueError(f"a value of type {type_name(value)} is no number")


def to_whole(value: Value) -> int:
    """The value as a whole number, its fraction cut off."""
    result = to_number(value)
    if not math.isfinite(result):
        raise ScriptValueError("a number that is not finite is no whole number")
    return math.trunc(result)


def seconds_of(date: datetime) -> int:
    """Whole seconds since the beginning of 1970."""
    return math.floor((date.replace(tzinfo=None) - EPOCH).total_seconds())


def date_of_seconds(seconds: int | float) -> datetime:
    """The date so many seconds after the beginning of 1970."""
    try:
        return EPOCH + timedelta(seconds=math.trunc(seconds))
    except (OverflowError, ValueError):
        raise ScriptValueError(f"{number_text(seconds)} seconds after 1970 is no date") from None


def agent_time(moment: datetime) -> datetime:
    """A moment in the agent's time, which is UTC as that of all cloud agents, without a zone."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def check_depth(depth: int) -> None:
    """Refuses arrays and dictionaries that are nested too deeply, or that contain themselves."""
    if depth >= MAX_NESTED_VALUES:
        message = (
            f"arrays and dictionaries are nested more than {MAX_NESTED_VALUES} deep; does one contain itself?"
        )
        raise ScriptValueError(message)
