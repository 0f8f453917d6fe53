"""Matching the patterns of JSON schemas in a time that does not explode, whoever wrote pattern and text.

Python's `re` may go back and forth over 40 letters for years, and nothing else runs while it does. So
patterns are matched by the regular expressions of Rust that pydantic brings along, whose time is linear. What
those do not have (look-around, references back) is left to `re`, for short texts, unless it repeats what
repeats itself, or has many repeats in a row.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from callagain.engine.json_text import valid_unicode

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_CLASSES = re.compile(rf"\\.|({_CLASS})", re.DOTALL)
# A dollar sign that is neither escaped nor in brackets.
_DOLLAR = re.compile(rf"(\\.|{_CLASS})|\$", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<atom>\\.|{_CLASS})"
    r"|(?P<open>\((?:\?(?:P?<\w+>|<[=!]|P=\w+|[^)\w]|[a-zA-Z-]+:?))?)"
    r"|(?P<close>\))"
    r"|(?P<repeat>[*+?]|\{\d*(?:,\d*)?\})[?+]?"
    r"|(?P<either>\|)"
    r"|.",
    re.DOTALL,
)
# So often a part may repeat that can itself be read in several ways.
_FEW = 4
# So many parts may repeat one after the other, beside look-around: an address of mail has three.
_IN_A_ROW = 3
# Longer patterns are not gone through.
_LONGEST = 2_000
# Longer texts are not held against a pattern that only `re` can match: with three repeats in a row, the time
# grows as the fourth power of the length.
_LONGEST_TEXT = 250


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found in the text. `$` is the end of the text, as in ECMA 262, and not the place
    before a newline there. A long text is taken to fit a pattern that only `re` can match."""
    if (linear := _linear(pattern)) is not None:
        return linear.isinstance_python(valid_unicode(text))
    return len(text) > _LONGEST_TEXT or _backtracking(pattern).search(text) is not None


def may_explode(pattern: str, *, by_re: bool = False) -> bool:
    """Whether matching it may take far too long. by_re: it is matched by `re` in any case."""
    return (by_re or _linear(pattern) is None) and _repeats_repeats(pattern)


@lru_cache(1_000)
def _linear(pattern: str) -> "SchemaValidator | None":
    """None for a pattern that needs backtracking."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if any("--" in found[1] for found in _CLASSES.finditer(pattern) if found[1]):
        return None
    try:
        schema = core_schema.str_schema(
            pattern=_CLASSES.sub(_plain_class, pattern), regex_engine="rust-regex", strict=True
        )
        return SchemaValidator(schema)
    except SchemaError:
        return None


def _plain_class(found: re.Match[str]) -> str:
    """In Rust brackets within brackets, `&&` and `~~` have a meaning."""
    if found[1] is None:
        return found[0]
    return "[" + re.sub(r"(\\.)|([\[&~])", lambda each: each[1] or f"\\{each[2]}", found[1][1:])


@lru_cache(1_000)
def _backtracking(pattern: str) -> re.Pattern[str]:
    return re.compile(_DOLLAR.sub(lambda found: found[1] or r"\Z", pattern))


def _repeats_repeats(pattern: str) -> bool:
    """Whether a group in which something varies repeats more than a few times, as `(a+)+` or `(a|ab)*`, or
    too many repeats stand in a row, as `a*a*a*a*`."""
    if len(pattern) > _LONGEST:
        return True
    varies, in_a_row, looks_around = [False], [0], [False]
    last = False
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup
        if kind == "open":
            varies.append(False)
            in_a_row.append(0)
            looks_around.append(token["open"].startswith(("(?=", "(?!", "(?<=", "(?<!")))
        elif kind == "close" and len(varies) > 1:
            last = varies.pop()
            varies[-1] = varies[-1] or last
            inside = in_a_row.pop()
            in_a_row[-1] += 0 if looks_around.pop() else inside
            if in_a_row[-1] > _IN_A_ROW:
                return True
        elif kind == "repeat":
            least, most = _times(token["repeat"])
            if last and most > _FEW:
                return True
            varies[-1] = varies[-1] or least != most
            in_a_row[-1] += least != most and most > _FEW
            if in_a_row[-1] > _IN_A_ROW:
                return True
        elif kind == "either":
            varies[-1] = True
        if kind not in ("close", "repeat"):
            last = False
    return False


def _times(repeat: str) -> tuple[float, float]:
    if repeat in ("*", "+", "?"):
        return (1 if repeat == "+" else 0), (1 if repeat == "?" else float("inf"))
    least, comma, most = repeat.strip("{}").partition(",")
    lowest = float(least or 0)
    return lowest, (float(most) if most else float("inf")) if comma else lowest
