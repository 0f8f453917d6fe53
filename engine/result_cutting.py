"""A tool's result cut to the length that the model is told, and marked as cut.

Source: "Protegendo a execução de ferramentas" in the document on agents and guards: results are truncated
before they go back, so that one huge result does not use up the context window.

A text keeps its head and its tail. JSON stays JSON, for it is read as what it is: strings, arrays and objects
keep their beginnings. How much of each follows from one number, the breadth, and the largest breadth that
fits is found by a few attempts.
"""

import unicodedata
from dataclasses import dataclass
from itertools import islice
from math import isqrt
from typing import TypeAlias

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode

_Container: TypeAlias = list[Json] | JsonObject

# At this breadth strings keep 20 characters, arrays 1 element, objects 10 keys, and only two levels below
# the top keep anything. With less, the two ends of the text say more than its JSON.
_LEAST_BREADTH = 20
# Each attempt halves the logarithm of what is in question: these find the breadth to about 1 in 100.
_ATTEMPTS = 10

_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA_CLASS = 9
_MARKS = ("Mn", "Mc", "Me")
_REGIONAL_INDICATORS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
# What continues a character and is no mark: joiners, Hangul vowels and finals, skin tones, the tags of flags.
_CONTINUING = frozenset(
    map(chr, (0x200C, 0x200D, *range(0x1160, 0x1200), *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)))
)


def cut_result(text: str, limit: int) -> str:
    """The text in at most `limit` characters, unchanged if it is no longer than that.

    A text keeps about two thirds of the limit from its head and one third from its tail; the marker between
    them says "truncated", the full length and how much is left out, in characters. Where the limit has no
    room for the marker, only the head is left. A character that consists of several code points is kept
    whole or left out.

    The JSON of an object or an array becomes compact JSON of the same kind. If that is not enough, long
    strings end in "…", and what arrays and objects lose at their ends is counted in a last element, or under
    a last key "truncated"; the one at the top also says the full length of the text. Keys are never
    shortened. JSON that is too large even so is cut as a text.
    """
    if len(text) <= limit:
        return text
    value = _container(text)
    cut = None if value is None else _cut_json(value, len(text), limit)
    return _cut_text(text, limit) if cut is None else cut


def _cut_text(text: str, limit: int) -> str:
    full = len(text)
    room = limit - len(_text_marker(full, full))
    if room < 0:
        return text[: _boundary_before(text, limit)]
    tail = room // 3
    head_ends = _boundary_before(text, room - tail)
    tail_begins = _boundary_after(text, full - tail)
    return text[:head_ends] + _text_marker(full, tail_begins - head_ends) + text[tail_begins:]


def _text_marker(full: int, left_out: int) -> str:
    return f"\n{_marker(f'{full} characters in full, {left_out} left out')}\n"


def _marker(note: str) -> str:
    return f"[… truncated: {note} …]"


def _boundary_before(text: str, index: int) -> int:
    while not _is_boundary(text, index):
        index -= 1
    return max(index, 0)


def _boundary_after(text: str, index: int) -> int:
    while not _is_boundary(text, index):
        index += 1
    return index


def _is_boundary(text: str, index: int) -> bool:
    """Whether a new character, as readers see it, begins at the index.

    The rules of https://www.unicode.org/reports/tr29/ in short: whatever may belong together stays together.
    """
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    if before == "\r":
        return after != "\n"
    if before == _ZERO_WIDTH_JOINER or unicodedata.combining(before) == _VIRAMA_CLASS:
        return False
    if before in _REGIONAL_INDICATORS and after in _REGIONAL_INDICATORS:
        # Two of them are a flag.
        run = index - len(text[:index].rstrip(_REGIONAL_INDICATORS))
        return run % 2 == 0
    return unicodedata.category(after) not in _MARKS and after not in _CONTINUING


def _container(text: str) -> _Container | None:
    """The object or array of which the text is the JSON, if it is one."""
    # Most texts are no JSON, and mostly their two ends show it.
    stripped = text.strip()
    if not (stripped.startswith(("{", "[")) and stripped.endswith(("}", "]"))):
        return None
    try:
        value = decode(text)
    except JsonError:
        return None
    return value if isinstance(value, list | dict) else None


def _cut_json(value: _Container, full: int, limit: int) -> str | None:
    """Compact JSON within the limit; None if that cannot be had. full: the characters of the text."""
    compact = encode(value).decode()
    if len(compact) <= limit:
        return compact
    best = _attempt(value, full, limit, _LEAST_BREADTH)
    if best is None:
        return None
    # An array keeps a twentieth of the breadth, and no more elements than there are characters can fit.
    fits, too_much = _LEAST_BREADTH, 20 * limit
    for _ in range(_ATTEMPTS):
        breadth = isqrt(fits * too_much)
        attempt = _attempt(value, full, limit, breadth)
        if attempt is None:
            too_much = breadth
        else:
            best, fits = attempt, breadth
    return best


def _attempt(value: _Container, full: int, limit: int, breadth: int) -> str | None:
    try:
        cut = _Cut(breadth, room=limit).top(value, full)
    except _DoesNotFitError:
        return None
    text = encode(cut).decode()
    return text if len(text) <= limit else None


class _DoesNotFitError(Exception):
    """The value needs more than the room."""


@dataclass(slots=True)
class _Cut:
    """One attempt at a value. room: the characters left, by a rough count, quotes and escapes aside.

    The count ends a hopeless attempt early: the work grows with the limit, and not with the value.
    """

    breadth: int
    room: int

    def top(self, value: _Container, full: int) -> Json:
        kept = self._members(value, 0)
        note = f"{full} characters in full"
        left_out = _left_out(value, kept)
        return _with_note(kept, value, f"{note}, {left_out}" if left_out else note)

    def _value(self, value: Json, level: int) -> Json:
        self._use(1)
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, list | dict):
            kept = self._members(value, level)
            left_out = _left_out(value, kept)
            return _with_note(kept, value, left_out) if left_out else kept
        return value

    def _string(self, text: str) -> str:
        self._use(min(len(text), self.breadth))
        if len(text) <= self.breadth:
            return text
        return text[: _boundary_before(text, self.breadth - 1)] + "…"

    def _members(self, value: _Container, level: int) -> _Container:
        """The first members. What lies deep gives way first, or a tree would grow beyond any limit."""
        is_deep = level > self.breadth // 10
        if isinstance(value, list):
            elements = 0 if is_deep else self.breadth // 20
            return [self._value(each, level + 1) for each in value[:elements]]
        keys = 0 if is_deep else self.breadth // 2
        members: JsonObject = {}
        for key, each in islice(value.items(), keys):
            self._use(len(key))
            members[key] = self._value(each, level + 1)
        return members

    def _use(self, characters: int) -> None:
        self.room -= characters
        if self.room < 0:
            raise _DoesNotFitError


def _left_out(value: _Container, kept: _Container) -> str:
    """Such as "12 more elements left out"; empty if nothing is."""
    count = len(value) - len(kept)
    member = "element" if isinstance(value, list) else "key"
    return f"{count} more {member}{'' if count == 1 else 's'} left out" if count else ""


def _with_note(kept: _Container, value: _Container, note: str) -> Json:
    if isinstance(kept, list):
        return [*kept, _marker(note)]
    key = "truncated"
    while key in value:
        key += "…"
    return {**kept, key: note}
