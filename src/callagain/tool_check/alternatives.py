"""Values that a description lists, as in “open or closed”: what an enum would say better.

Lists of examples are not meant, nor are lists that go on, nor words that merely stand beside an “or”, as in
“Search term: name or email” or “State or province”. So values count only where something says that the set is
closed: the form of the list, the words before it, or the property's name.
"""

import re
from collections.abc import Iterator

from callagain.tool_check.words import CLOSED_SETS, last_word, name_words, vocabulary

# A quoted value has no more than 60 characters, so that a mark without its partner is not searched for long.
_QUOTED = r"""(?:(?<!\w)'[^']{1,60}'(?!\w)|"[^"]{1,60}"|`[^`]{1,60}`|“[^”]{1,60}”|‘[^’]{1,60}’)"""
_PLAIN = r"(?<![\w-])[^\W_][\w-]*+"
_BETWEEN = r"(?:\s*,\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+|\s*[|/]\s*)"
_PLAIN_LIST = rf"(?P<list>{_PLAIN}(?:{_BETWEEN}{_PLAIN})++)"

# Lists that are closed by their form.
_QUOTED_LIST = re.compile(f"{_QUOTED}(?:{_BETWEEN}{_QUOTED})++")
_BARS = re.compile(rf"(?P<list>{_PLAIN}(?:\|{_PLAIN})++)")
_ONE_OF = re.compile(rf"\bone\s+of:?\s+{_PLAIN_LIST}", re.IGNORECASE)
# Lists that may be so, and are if they stand beside the name of a closed set.
_BEHIND_A_MARK = re.compile(rf"(?<![\w-])(?P<before>[\w-]*+)\s*[:(]\s*{_PLAIN_LIST}")
_EITHER = re.compile(rf"\beither\s+{_PLAIN_LIST}", re.IGNORECASE)
_NOTHING_ELSE = re.compile(rf"{_PLAIN_LIST}\.?")

_EXAMPLES_FOLLOW = re.compile(
    r"(?:\b(?:such\s+as|as|as\s+in|like|say|for\s+(?:example|instance)|examples?|includ(?:es?|ing)|eg|ex)|e\.g\.?)"
    r"\s*[,:]?\s*$",
    re.IGNORECASE,
)
_MORE_FOLLOW = re.compile(
    r"\(?\s*(?:etc\b|…|\.\.\.|(?:or|and)\s+(?:any|more|others?|similar|so)\b)", re.IGNORECASE
)
# Characters that such words take, beside a list.
_NEAR = 20
_VALUE = re.compile(f"{_QUOTED}|{_PLAIN}")
_JOINING = frozenset({"or", "and"})
_A_NAME = re.compile(r"\d|\b[A-Z][a-z]")
_NO_VALUES = CLOSED_SETS | vocabulary("""
    another any bool boolean etc false float int integer list more none null number object other
    others str string true
""")


def listed_values(name: str, description: str) -> list[str]:
    """The values that the description of a property lists as the only ones; empty if it lists none."""
    for found in _lists(name, description):
        begin, end = found.span()
        if _is_whole(description[max(0, begin - _NEAR) : begin], description[end : end + _NEAR].lstrip()):
            text = found.groupdict().get("list") or found.group()
            values = [value.strip("'\"`“”‘’") for value in _VALUE.findall(text) if value not in _JOINING]
            if _NO_VALUES.union(name_words(name)).isdisjoint(value.casefold() for value in values):
                return values
    return []


def _is_whole(before: str, after: str) -> bool:
    """Whether a list ends with a clause, does not go on, and is not of examples."""
    ends = not after or after[0] in ".;()]"
    return ends and not _MORE_FOLLOW.match(after) and not _EXAMPLES_FOLLOW.search(before)


def _lists(name: str, description: str) -> Iterator[re.Match[str]]:
    is_closed = last_word(name) in CLOSED_SETS
    for found in _QUOTED_LIST.finditer(description):
        if is_closed or _is_choice(found.group()):
            yield found
    yield from _BARS.finditer(description)
    yield from _ONE_OF.finditer(description)
    for found in _BEHIND_A_MARK.finditer(description):
        if is_closed or last_word(found["before"]) in CLOSED_SETS:
            yield found
    if is_closed:
        yield from _EITHER.finditer(description)
        if nothing_else := _NOTHING_ELSE.fullmatch(description):
            yield nothing_else


def _is_choice(quoted: str) -> bool:
    """Whether an “or” stands between the values, and they are no names or numbers: those are examples."""
    between = re.sub(_QUOTED, "", quoted)
    return bool(re.search(r"or|[|/]", between)) and not _A_NAME.search(quoted)
