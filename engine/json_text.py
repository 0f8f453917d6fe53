"""JSON as text: the one encoder and the one strict decoder of the whole product.

Strict means that whatever is accepted can be written again and read by anyone: no NaN, no infinities
(spelled or by overflow), no integer too long to convert, nothing nested deeper than MAX_DEPTH.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any, TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
JsonObject: TypeAlias = dict[str, "Json"]

MAX_DEPTH = 64

# Possessive, and content with a string that does not end: whatever the text, it is gone through once.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_ALL_BUT_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^"\[\]{}]+', re.DOTALL)
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonError(ValueError):
    """The text is not JSON that can be passed on; the message says what is wrong and where."""


def encode(value: object) -> bytes:
    """Compact UTF-8 JSON in the order given; a lone surrogate becomes U+FFFD, since it has no UTF-8 form.

    Raises JsonError for NaN, infinities and anything that is no JSON value.

    Guide: JSON.stringify, Replace, escapedResp.
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(f"cannot be written as JSON: {error}") from None
    return to_utf8(text)


def canonical(value: object) -> str:
    """One text for one value, whatever the order of its keys: the form that digests and comparisons use."""
    return valid_unicode(_CANONICAL_ENCODER.encode(value))


def decode(text: str, *, unique_keys: bool = False, max_depth: int = MAX_DEPTH) -> Json:
    """The value of a JSON text.

    unique_keys also refuses an object that names one key twice: readers disagree about which one counts.
    max_depth: levels of nesting, for a text that holds values which may have MAX_DEPTH of their own.
    Raises JsonError, and nothing else, for any text.

    Guide: JSON.parse.
    """
    if text.count("{") + text.count("[") > max_depth:
        _refuse_deep_nesting(text, max_depth)
    try:
        value: Json = (_DECODER_OF_UNIQUE_KEYS if unique_keys else _DECODER).decode(text)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(f"{error.msg.removesuffix(' at')} at position {error.pos}") from None
    except ValueError:
        raise JsonError("an integer has too many digits") from None
    return value


def to_utf8(text: str) -> bytes:
    """The text as UTF-8, lone surrogates replaced by U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return valid_unicode(text).encode()


def valid_unicode(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _refuse_deep_nesting(text: str, max_depth: int) -> None:
    brackets = _ALL_BUT_BRACKETS.sub("", text)
    if max(accumulate(map(_DEEPER.__getitem__, brackets)), default=0) <= max_depth:
        return
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match.group()
        if token in "[{":
            depth += 1
            if depth > max_depth:
                raise JsonError(f"nested deeper than {max_depth} levels at position {match.start()}")
        elif token in "]}":
            depth -= 1


def _refuse_constant(name: str) -> None:
    raise JsonError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonError(f"the number {text[:40]} is too large")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {key!r} stands twice in one object")
            seen.add(key)
    return result


# Made once: json.loads and json.dumps would make one for every text.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_CANONICAL_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True
)
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_DECODER_OF_UNIQUE_KEYS = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_unique
)
