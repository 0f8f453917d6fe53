"""Types of the options and their values, for argparse. A wrong value is told in one line."""

import argparse
import functools
import math
from typing import Any, Protocol

from callagain.engine.json_text import Json, JsonError, decode

_MOST = 1e9
_MOST_DIGITS = 18
_BEGINNINGS_OF_JSON = ("{", "[", '"')


class Group(Protocol):
    """What options are added to: a parser, or a group of one."""

    def add_argument(self, *names: str, **settings: Any) -> object: ...


def whole_number(text: str, *, least: int = 0) -> int:
    """`least` or more, in digits that are no more than any limit has."""
    if len(text) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"must be a whole number of {_MOST_DIGITS} digits at the most")
    if not (text.isascii() and text.isdecimal() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"must be a whole number, {least} or more, not {text!r}")
    return int(text)


at_least_one = functools.partial(whole_number, least=1)
at_least_two = functools.partial(whole_number, least=2)


def number(text: str) -> float:
    """Any finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}")
    return value


def more_than_nothing(text: str, *, unit: str) -> float:
    """More than 0, and at most 1e9, as a loop takes it."""
    value = number(text)
    if not 0 < value <= _MOST:
        raise argparse.ArgumentTypeError(f"must be more than 0 {unit} and at most 1e9, not {text!r}")
    return value


seconds = functools.partial(more_than_nothing, unit="seconds")
dollars = functools.partial(more_than_nothing, unit="dollars")


def seconds_of_grace(text: str) -> float:
    """0 or more."""
    value = number(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, 0 or more, not {text!r}")
    return value


def port(text: str) -> int:
    """Of TCP; 0 stands for a free one."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"must be a port, 0 to 65535, not {text!r}")
    return int(text)


def price(text: str) -> float:
    """0 or more."""
    value = number(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be a number, 0 or more, not {text!r}")
    return value


def per_minute(text: str) -> float:
    """From 0.001 to 1e9, as a Throttle takes it."""
    value = number(text)
    if not 0.001 <= value <= _MOST:
        raise argparse.ArgumentTypeError(f"must be a number from 0.001 to 1e9, not {text!r}")
    return value


def path_of_a_file(text: str) -> str:
    """Anything but nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; give that of a file")
    return text


def json_or_text(text: str) -> Json:
    """The JSON value that the text is, or else the text. Raises JsonError if it begins as only JSON does."""
    try:
        return decode(text)
    except JsonError:
        if text.lstrip().startswith(_BEGINNINGS_OF_JSON):
            raise
        return text


def name_and_value(text: str) -> tuple[str, Json]:
    """`NAME=VALUE`, the value as `json_or_text` has it."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, as in seed=7, not {text!r}")
    try:
        return name, json_or_text(value)
    except JsonError as error:
        raise argparse.ArgumentTypeError(
            f"the value of {name} begins as JSON, but {error}; mend it, or put quotes around a text"
        ) from None
