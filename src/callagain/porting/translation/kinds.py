"""What is known of the types of values before a script runs."""

from enum import Enum


class Kind(Enum):
    """The type of a value. SMALL, WHOLE: whole numbers for which Python's own arithmetic is right.

    Jitterbit counts in doubles, so beyond 2**53 whole numbers differ. A SMALL one is at most 2**24, as is
    each literal that a loop adds; a WHOLE one is a sum of these, which no loop takes as far.
    """

    NULL = "null"
    BOOL = "bool"
    SMALL = "small"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    ARRAY = "array"
    DICTIONARY = "dictionary"
    DATE = "date"
    BINARY = "binary"
    ANY = "any"


NUMERIC = (Kind.SMALL, Kind.WHOLE, Kind.NUMBER)
COUNTS = (Kind.SMALL, Kind.WHOLE)
MOST_SMALL = 2**24

OF_DECLARED = {
    "string": Kind.TEXT,
    "int": Kind.NUMBER,
    "long": Kind.NUMBER,
    "double": Kind.NUMBER,
    "float": Kind.NUMBER,
    "bool": Kind.BOOL,
    "array": Kind.ARRAY,
    "dict": Kind.DICTIONARY,
    "date": Kind.DATE,
    "binary": Kind.BINARY,
    "null": Kind.NULL,
    "type": Kind.ANY,
}
"""The kind of a function's value by the type in its declaration."""

_ANNOTATIONS = {
    Kind.BOOL: "bool",
    Kind.SMALL: "int",
    Kind.WHOLE: "int",
    Kind.NUMBER: "float",
    Kind.TEXT: "str",
    Kind.ARRAY: "list[Value]",
    Kind.DICTIONARY: "dict[str, Value]",
}


def annotation(kind: Kind) -> str:
    """The type of Python for a variable that holds values of a kind."""
    return _ANNOTATIONS.get(kind, "Value")


def joined(one: Kind | None, other: Kind) -> Kind:
    """The kind of a value that is of the one or of the other."""
    if one is None or one is other:
        return other
    if one in NUMERIC and other in NUMERIC:
        return max(one, other, key=NUMERIC.index)
    return Kind.ANY
