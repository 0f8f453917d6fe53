"""What a script makes its variables of, found without running it: texts with holes.

A request that is concatenated, an object of JavaScript and a dictionary that is filled key by key are one
thing here: pieces of JSON text, and between them variables, parts of JSON and results of operations. So one
look finds `"role":"tool"` in all of them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

MAX_PIECES = 400
MAX_SOURCES = 20
MAX_CHARACTERS = 100_000
_FIRST_MARK = 0xE000
_MARKS = re.compile("[\ue000-\uf8ff]")
_UNQUOTED = re.compile(r"[^,}\]\s]*+")


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable (a local one where is_global is false) whose value the script does not say."""

    name: str
    is_global: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """What stands at a path in the JSON that a variable holds; None if it is no variable. `*`: any index."""

    variable: str | None
    path: tuple[str, ...]

    def below(self, *segments: str) -> "Part":
        return Part(self.variable, (*self.path, *segments))


@dataclass(frozen=True, slots=True)
class Ran:
    """Whether an operation succeeded that RunOperation ran, or the value of a script of RunScript."""

    name: str
    kind: str = "operation"


@dataclass(frozen=True, slots=True)
class Derived:
    """Computed out of others, in a way that does not matter here: a comparison, a length."""

    sources: "tuple[Source, ...]" = ()


Source: TypeAlias = Variable | Part | Ran
Piece: TypeAlias = str | Variable | Part | Ran | Derived
Constant: TypeAlias = bool | int | float


@dataclass(frozen=True, slots=True)
class Value:
    """Pieces one after the other. constant: the value of a number or of true and false."""

    pieces: tuple[Piece, ...] = ()
    constant: Constant | None = None

    @property
    def text(self) -> str | None:
        """The characters, if there is no hole in it and it is no number."""
        if self.constant is not None or len(self.pieces) != 1:
            return None
        return self.pieces[0] if isinstance(self.pieces[0], str) else None

    @property
    def only(self) -> Source | None:
        """The variable, part or result that this is, and nothing else."""
        piece = self.pieces[0] if len(self.pieces) == 1 else None
        return piece if isinstance(piece, Variable | Part | Ran) else None

    @property
    def sources(self) -> tuple[Source, ...]:
        """All that goes into it, each once."""
        found: dict[Source, None] = {}
        for piece in self.pieces:
            if isinstance(piece, Derived):
                found.update(dict.fromkeys(piece.sources))
            elif not isinstance(piece, str):
                found[piece] = None
        return tuple(found)

    @property
    def size(self) -> int:
        return sum(len(piece) if isinstance(piece, str) else 1 for piece in self.pieces)


NOTHING = Value(("",))


def text_of(characters: str) -> Value:
    return Value((characters,))


def constant_of(constant: Constant) -> Value:
    return Value((str(constant).lower(),), constant)


def derived_from(values: Iterable[Value]) -> Value:
    sources: dict[Source, None] = {}
    for value in values:
        sources.update(dict.fromkeys(value.sources))
        if len(sources) > MAX_SOURCES:
            break
    return Value((Derived(tuple(sources)[:MAX_SOURCES]),))


def joined(values: Iterable[Value]) -> Value:
    """One after the other; what is beyond all measure is cut off."""
    pieces: list[Piece] = []
    size = 0
    for value in values:
        for piece in value.pieces:
            size += len(piece) if isinstance(piece, str) else 1
            if size > MAX_CHARACTERS or len(pieces) >= MAX_PIECES:
                return Value(tuple(pieces))
            if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += piece
            else:
                pieces.append(piece)
    return Value(tuple(pieces))


def as_json(value: Value) -> Value:
    """As it stands in JSON: a string gets its quotes, unless it is JSON already."""
    first = value.pieces[0] if value.pieces and value.constant is None else None
    if not isinstance(first, str) or first[:1] in ("{", "["):
        return value
    pieces = [piece.replace('"', '\\"') if isinstance(piece, str) else piece for piece in value.pieces]
    return joined((text_of('"'), Value(tuple(pieces)), text_of('"')))


@dataclass(frozen=True, slots=True)
class Member:
    """What follows a key in a text: the characters of a string, or the beginning of something else.

    value: what fills the hole if there is nothing but one; Derived if it is text with holes.
    """

    position: int
    value: "Filling"
    fillings: tuple[Source, ...]


Filling: TypeAlias = str | Variable | Part | Ran | Derived


class Template:
    """A value as one text, in which every hole is one character; members are looked up in it by key."""

    def __init__(self, value: Value) -> None:
        self._holes: list[Variable | Part | Ran | Derived] = []
        parts: list[str] = []
        for piece in value.pieces:
            if isinstance(piece, str):
                parts.append(_MARKS.sub("?", piece))
            else:
                parts.append(chr(_FIRST_MARK + len(self._holes)))
                self._holes.append(piece)
        self.text = "".join(parts)

    def has(self, key: str) -> bool:
        return next(self.members(key), None) is not None

    def members(self, key: str, start: int = 0, end: int | None = None) -> Iterator[Member]:
        """The values of all members of this key, in the order of the text."""
        stop = len(self.text) if end is None else end
        for match in re.compile(rf'"{re.escape(key)}"\s*+:\s*+').finditer(self.text, start, stop):
            inside = self._value_at(match.end())
            holes = [self._holes[ord(mark) - _FIRST_MARK] for mark in _MARKS.findall(inside)]
            alone = holes[0] if len(inside) == 1 and holes else Derived()
            yield Member(match.start(), alone if holes else inside, _sources_of(holes))

    def member(self, key: str) -> Filling | None:
        """The value of the first member of this key."""
        found = next(self.members(key), None)
        return found.value if found else None

    def filling(self, key: str, start: int, end: int) -> Source | None:
        """What is put into the value of a member, perhaps with text around it."""
        found = next(self.members(key, start, end), None)
        return found.fillings[0] if found and found.fillings else None

    def message(self, role: str) -> tuple[int, int] | None:
        """From where to where the first message of a role stands."""
        roles = list(self.members("role"))
        for number, member in enumerate(roles):
            if member.value == role:
                start = max(self.text.rfind("{", 0, member.position), 0)
                following = roles[number + 1].position if number + 1 < len(roles) else len(self.text)
                return start, following
        return None

    def content(self, role: str) -> tuple[Piece, ...] | None:
        """What the content of the first message of a role is made of; None if there is none."""
        where = self.message(role)
        match = re.compile(r'"content"\s*+:\s*+').search(self.text, *where) if where else None
        if match is None:
            return None
        inside = self._value_at(match.end())
        parts = re.split(f"({_MARKS.pattern})", inside)
        return tuple(
            self._holes[ord(part) - _FIRST_MARK] if _MARKS.fullmatch(part) else part for part in parts if part
        )

    def first_filling(self, start: int) -> Source | None:
        """What fills the first hole from a position on."""
        match = _MARKS.search(self.text, start)
        fillings = _sources_of([self._holes[ord(match.group()) - _FIRST_MARK]]) if match else ()
        return next(iter(fillings), None)

    def _value_at(self, start: int) -> str:
        if not self.text.startswith('"', start):
            match = _UNQUOTED.match(self.text, start)
            return match.group() if match else ""
        end = start + 1
        while end < len(self.text) and self.text[end] != '"':
            end += 2 if self.text[end] == "\\" else 1
        return self.text[start + 1 : end]


def _sources_of(holes: Iterable[Variable | Part | Ran | Derived]) -> tuple[Source, ...]:
    """What fills the holes; a computed one by what it is computed from, if that is one thing."""
    found: list[Source] = []
    for hole in holes:
        if not isinstance(hole, Derived):
            found.append(hole)
        elif len(hole.sources) == 1:
            found.extend(hole.sources)
    return tuple(found)
