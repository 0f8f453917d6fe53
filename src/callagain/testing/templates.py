"""Placeholders in a script's texts and arguments. Pure.

    {city}  {1}              a named or numbered group of the rule's regular expression
    {result}                 the newest round's first tool result
    {results.1.temperature}  a field of its second one; {result.temperature} of its first one
    {1:number}               the same as a number
    {{city}}                 the text {city} itself

A string that is one placeholder and nothing else keeps the value's JSON type; within a longer text, a str
stands as it is and anything else as JSON. What was put in is never searched for placeholders again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, decode, encode

_PATH = r"(?:[A-Za-z_]\w*|\d+)(?:\.[\w-]+)*(?::number)?"
_PLACEHOLDER = re.compile(rf"\{{\{{(?P<literal>{_PATH})\}}\}}|\{{(?P<path>{_PATH})\}}")
_RESULTS = ("result", "results")

Values: TypeAlias = Mapping[str, Json]
"""The groups by name and number, `results` (a list), and `result` (its first, if there is one)."""


class MissingValueError(LookupError):
    """A placeholder names something that this conversation does not have; the message is the placeholder."""


def check(value: object, pattern: re.Pattern[str]) -> None:
    """Raises ConfigurationError for a placeholder that names no group of the pattern and no result."""
    known = {*pattern.groupindex, *(str(number) for number in range(pattern.groups + 1)), *_RESULTS}
    for text in _texts(value):
        for match in _PLACEHOLDER.finditer(text):
            path = match["path"]
            if path is not None and re.split("[.:]", path)[0] not in known:
                raise ConfigurationError(
                    f"{{{path}}} names no group of the rule's regular expression {pattern.pattern!r} "
                    f"and no result; write {{{{{path}}}}} for the text itself"
                )


def fill(value: object, values: Values) -> object:
    """The value with every placeholder in its strings replaced; keys of objects stay as they are.

    Raises MissingValueError.
    """
    match value:
        case str():
            whole = _PLACEHOLDER.fullmatch(value)
            return _look_up(whole["path"], values) if whole and whole["path"] else fill_text(value, values)
        case Mapping():
            return fill_items(cast("Mapping[str, object]", value), values)
        case list() | tuple():
            return [fill(item, values) for item in cast("Sequence[object]", value)]
        case _:
            return value


def fill_items(items: Mapping[str, object], values: Values) -> dict[str, object]:
    """`fill` for an object. Raises MissingValueError."""
    return {key: fill(item, values) for key, item in items.items()}


def fill_text(text: str, values: Values) -> str:
    """The text with every placeholder replaced. Raises MissingValueError."""

    def replacement(match: re.Match[str]) -> str:
        if match["literal"] is not None:
            return f"{{{match['literal']}}}"
        found = _look_up(match["path"], values)
        return found if isinstance(found, str) else encode(found).decode()

    return _PLACEHOLDER.sub(replacement, text)


def _look_up(path: str, values: Values) -> Json:
    names, _, conversion = path.partition(":")
    found: Json = dict(values)
    for name in names.split("."):
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            raise MissingValueError(f"{{{path}}}")
    return _number(found, path) if conversion else found


def _number(value: Json, path: str) -> int | float:
    try:
        number = decode(value) if isinstance(value, str) else value
    except JsonError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise MissingValueError(f"{{{path}}}")
    return number


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for item in cast("Mapping[str, object]", value).values():
                yield from _texts(item)
        case list() | tuple():
            for item in cast("Sequence[object]", value):
                yield from _texts(item)
        case _:
            pass
