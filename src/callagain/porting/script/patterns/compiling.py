"""From a pattern to a program of instructions."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from callagain.porting.script.errors import ScriptArgumentError

MOST_INSTRUCTIONS = 2_000
MOST_GROUPS_INSIDE = 30
MOST_REPEATS = 1_000


class Does(Enum):
    """What an instruction does."""

    TAKE = "take a character of a set"
    SPLIT = "go on at the first place, and later at the second"
    JUMP = "go on elsewhere"
    SAVE = "keep the position"
    ASSERT = "look at what is around the position"
    FOUND = "the whole pattern has matched"


class Around(Enum):
    """What an ASSERT wants."""

    LINE_START = "^"
    LINE_END = "$"
    TEXT_START = "A"
    TEXT_END = "z"
    WORD_EDGE = "b"
    NO_WORD_EDGE = "B"


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """Single characters, ranges, and tests; `takes` remembers what it has answered."""

    ranges: tuple[tuple[str, str], ...] = ()
    tests: tuple[Callable[[str], bool], ...] = ()
    negated: bool = False
    ignores_case: bool = False
    answers: dict[str, bool] = field(default_factory=dict[str, bool], compare=False, repr=False)

    def takes(self, character: str) -> bool:
        answer = self.answers.get(character)
        if answer is None:
            answer = self.answers[character] = self._holds(character)
        return answer

    def _holds(self, character: str) -> bool:
        forms = {character, character.lower(), character.upper()} if self.ignores_case else {character}
        found = any(first <= each <= last for each in forms for first, last in self.ranges)
        return (found or any(test(character) for test in self.tests)) is not self.negated


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of a program; `to` and `other` are places in it, or the slot of a SAVE."""

    does: Does
    to: int = 0
    other: int = 0
    characters: CharacterSet | None = None
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled pattern, and how many groups it has."""

    instructions: tuple[Instruction, ...]
    groups: int


def compile_pattern(pattern: str) -> Program:
    """The program of a pattern. Raises ScriptArgumentError with the position of what is wrong."""
    compiler = _Compiler(pattern)
    body = compiler.alternatives()
    if compiler.at < len(pattern):
        raise compiler.error("a ')' that closes nothing")
    code = [Instruction(Does.SAVE, 0), *body, Instruction(Does.SAVE, 1), Instruction(Does.FOUND)]
    return Program(_absolute(code), compiler.groups)


_Code = list[Instruction]


def _absolute(code: _Code) -> tuple[Instruction, ...]:
    """While code is put together, its places are relative, so that it can be moved."""
    return tuple(
        Instruction(each.does, place + each.to, place + each.other)
        if each.does in (Does.SPLIT, Does.JUMP)
        else each
        for place, each in enumerate(code)
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": lambda c: "0" <= c <= "9",
    "w": _is_word,
    "s": str.isspace,
    "l": str.islower,
    "u": str.isupper,
}
_POSIX: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": _CLASSES["d"],
    "alnum": str.isalnum,
    "space": str.isspace,
    "upper": str.isupper,
    "lower": str.islower,
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "word": _is_word,
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "e": "\x1b", "0": "\0", "a": "\a"}
_AROUND = {"b": Around.WORD_EDGE, "B": Around.NO_WORD_EDGE, "A": Around.TEXT_START, "z": Around.TEXT_END}
_ANY = CharacterSet(negated=True)
_COUNTS = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}", re.ASCII)


class _Compiler:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups = 0
        self._inside = 0
        self._ignores_case = False

    def error(self, what: str) -> ScriptArgumentError:
        shown = self.pattern if len(self.pattern) <= 60 else f"{self.pattern[:57]}..."
        return ScriptArgumentError(f"the regular expression '{shown}' has {what} at position {self.at}")

    def alternatives(self) -> _Code:
        branches = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            branches.append(self._sequence())
        code = branches.pop()
        for branch in reversed(branches):
            split = Instruction(Does.SPLIT, 1, len(branch) + 2)
            code = self._limited([split, *branch, Instruction(Does.JUMP, len(code) + 1), *code])
        return code

    def _sequence(self) -> _Code:
        code: _Code = []
        while self._next() not in ("", "|", ")"):
            code = self._limited(code + self._repeated(self._atom()))
        return code

    def _next(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def _limited(self, code: _Code) -> _Code:
        if len(code) > MOST_INSTRUCTIONS:
            raise self.error("more in it than is allowed; make it shorter, or its repeats smaller,")
        return code

    # Atoms

    def _atom(self) -> _Code:
        character = self._next()
        self.at += 1
        if character == "(":
            return self._group()
        if character == "[":
            return self._take(self._set())
        if character == "\\":
            return self._escape()
        if character == ".":
            return self._take(_ANY)
        if character in "^$":
            return [Instruction(Does.ASSERT, around=Around(character))]
        if character in "*+?":
            self.at -= 1
            raise self.error(f"a '{character}' that repeats nothing")
        return self._take(self._single(character))

    def _take(self, characters: CharacterSet) -> _Code:
        return [Instruction(Does.TAKE, characters=characters)]

    def _single(self, character: str) -> CharacterSet:
        return CharacterSet(((character, character),), ignores_case=self._ignores_case)

    def _group(self) -> _Code:
        before = self._ignores_case
        slot = self._opened()
        if slot is None:
            return []
        self._inside += 1
        if self._inside > MOST_GROUPS_INSIDE:
            raise self.error("too many groups inside each other")
        code = self.alternatives()
        if self._next() != ")":
            raise self.error("a '(' that is not closed")
        self.at += 1
        self._inside -= 1
        self._ignores_case = before
        if slot == 0:
            return code
        return [Instruction(Does.SAVE, 2 * slot), *code, Instruction(Does.SAVE, 2 * slot + 1)]

    def _opened(self) -> int | None:
        """The number of a group, 0 for one that is not kept, None for `(?i)`, which is no group."""
        rest = self.pattern[self.at : self.at + 4]
        if not rest.startswith("?"):
            self.groups += 1
            return self.groups
        for mark, ignores_case in (("?i)", True), ("?-i)", False)):
            if rest.startswith(mark):
                self.at += len(mark)
                self._ignores_case = ignores_case
                return None
        for mark in ("?:", "?i:"):
            if rest.startswith(mark):
                self.at += len(mark)
                self._ignores_case = self._ignores_case or mark == "?i:"
                return 0
        raise self.error(f"'({rest[:2]}', which is not supported here,")

    def _escape(self) -> _Code:
        character = self._next()
        if character in _AROUND:
            self.at += 1
            return [Instruction(Does.ASSERT, around=_AROUND[character])]
        if character == "Z":
            self.at += 1
            return [Instruction(Does.ASSERT, around=Around.TEXT_END)]
        if character.isdigit() and character != "0":
            raise self.error(f"the back reference '\\{character}', which is not supported here,")
        return self._take(self._escaped())

    def _escaped(self) -> CharacterSet:
        """The set of an escape: a class such as `\\d`, a control character, a code, or the character."""
        character = self._next()
        self.at += 1
        if not character:
            raise self.error("a '\\' with nothing behind it")
        if character.lower() in _CLASSES:
            return CharacterSet(tests=(_CLASSES[character.lower()],), negated=character.isupper())
        if character == "x":
            return self._single(self._coded())
        if character in _CONTROLS:
            return self._single(_CONTROLS[character])
        if character.isalpha():
            self.at -= 1
            raise self.error(f"the escape '\\{character}', which is not supported here,")
        return self._single(character)

    def _coded(self) -> str:
        match = re.compile(r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,5})\}").match(self.pattern, self.at)
        if match is None:
            raise self.error("a '\\x' without two hexadecimal digits")
        self.at = match.end()
        return chr(int(match[1] or match[2], 16))

    def _set(self) -> CharacterSet:
        negated = self._next() == "^"
        self.at += negated
        ranges: list[tuple[str, str]] = []
        tests: list[Callable[[str], bool]] = []
        is_first = True
        while is_first or self._next() != "]":
            if not self._next():
                raise self.error("a '[' that is not closed")
            is_first = False
            item = self._item()
            tests += [item.takes] if item.tests else []
            if (
                item.ranges
                and self._next() == "-"
                and self.pattern[self.at + 1 : self.at + 2] not in ("", "]")
            ):
                self.at += 1
                last = self._item()
                if not last.ranges or last.ranges[0][0] < item.ranges[0][0]:
                    raise self.error("a range that has no order")
                ranges.append((item.ranges[0][0], last.ranges[0][0]))
            else:
                ranges += item.ranges
        self.at += 1
        return CharacterSet(tuple(ranges), tuple(tests), negated, self._ignores_case)

    def _item(self) -> CharacterSet:
        """One item of a set in brackets: a character, an escape, or a class such as `[:alpha:]`."""
        character = self._next()
        if self.pattern.startswith("[:", self.at):
            name, _, rest = self.pattern[self.at + 2 : self.at + 12].partition(":]")
            if name in _POSIX and self.pattern.startswith(f"{name}:]", self.at + 2):
                self.at += len(name) + 4
                return CharacterSet(tests=(_POSIX[name],))
            raise self.error(f"'[:{(name or rest)[:8]}', which is no class of characters,")
        self.at += 1
        if character == "\\":
            if self._next() == "b":
                self.at += 1
                return self._single("\b")
            return self._escaped()
        return self._single(character)

    # Repeats

    def _repeated(self, atom: _Code) -> _Code:
        counts = self._counts()
        if counts is None:
            return atom
        least, most = counts
        lazy = self._next() == "?"
        self.at += lazy
        if self._next() in ("*", "+") or (self._next() == "?" and not lazy):
            raise self.error("a repeat of a repeat")
        size = len(atom) + 2
        if size * (least + (1 if most is None else most - least)) > MOST_INSTRUCTIONS:
            raise self.error("repeats that are too large")
        if most is None:
            return atom * least + _loop(atom, lazy)
        optional: _Code = []
        for _ in range(most - least):
            inside = atom + optional
            optional = [_split(1, len(inside) + 1, lazy), *inside]
        return atom * least + optional

    def _counts(self) -> tuple[int, int | None] | None:
        character = self._next()
        if character and character in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[character]
        match = _COUNTS.match(self.pattern, self.at) if character == "{" else None
        if match is None:
            return None
        self.at = match.end()
        least = int(match[1])
        most = least if not match[2] else int(match[3]) if match[3] else None
        if least > MOST_REPEATS or (most is not None and not least <= most <= MOST_REPEATS):
            raise self.error("repeats that are too large, or in the wrong order,")
        return least, most


def _split(inside: int, behind: int, lazy: bool) -> Instruction:
    return Instruction(Does.SPLIT, behind, inside) if lazy else Instruction(Does.SPLIT, inside, behind)


def _loop(atom: _Code, lazy: bool) -> _Code:
    return [_split(1, len(atom) + 2, lazy), *atom, Instruction(Does.JUMP, -len(atom) - 1)]
