"""A JavaScript step as text: which of its characters are code, which are strings, which are comments.

There is no parser of JavaScript here. A search in `code` finds nothing in comments and strings, which is as
much as these traps need.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from callagain.porting.design.model import Script as DesignScript
from callagain.porting.script import Place

# A regular expression begins where a value may begin; elsewhere / divides.
_PIECES = re.compile(
    r"""
      (?P<comment>//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z))
    | (?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)
    | (?P<pattern>(?:(?<=[=(,:;!&|?{}\[~^<>%])|(?<=\breturn)|(?<=\btypeof)|(?<=\bcase)|\A)\s*+
        /(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/\w*+)
    """,
    re.VERBOSE | re.DOTALL,
)
_ASSIGNED = re.compile(r"\$(?P<name>\w+)\s*=(?!=)")
_SET_BY_NAME = re.compile(r"Jitterbit\s*\.\s*SetVar\s*\(\s*\Z")
_GIVEN_BY_NAME = re.compile(r"Jitterbit\s*\.\s*[GS]etVar\s*\(\s*\Z")
_LONGEST_CALL = 60
_NAME = re.compile(r"\$([\w.]+)")


@dataclass(frozen=True)
class JavaScriptText:
    """A script, and its text with blanks in place of comments and of what stands in strings.

    code has the length and the lines of the text, so that places in both are the same.
    """

    script: DesignScript
    code: str = field(init=False, repr=False)
    strings: tuple[tuple[int, str], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        text = self.script.text
        strings = [(match.start(), match[0][1:-1]) for match in _PIECES.finditer(text) if match["string"]]
        object.__setattr__(self, "strings", tuple(strings))
        object.__setattr__(self, "code", _PIECES.sub(_blanked, text))

    @property
    def name(self) -> str:
        return self.script.name

    def place(self, position: int) -> Place:
        """Line and column of a position in the text."""
        before = self.script.text[:position]
        return Place(before.count("\n") + 1, position - before.rfind("\n"))

    def find(self, pattern: str) -> Iterator[re.Match[str]]:
        """What a pattern finds in the code; strings are there as their quotes."""
        return re.finditer(pattern, self.code)

    def has(self, pattern: str) -> bool:
        return re.search(pattern, self.code) is not None

    def by_name(self) -> Iterator[tuple[int, str]]:
        """Globals that GetVar and SetVar name: the position of the text, and the name without its `$`."""
        for position, text in self.strings:
            if self._follows(_GIVEN_BY_NAME, position) and (match := _NAME.fullmatch(text)):
                yield position, match[1]

    @property
    def assigned(self) -> set[str]:
        """The globals that the script sets."""
        names = {match["name"] for match in _ASSIGNED.finditer(self.code)}
        for position, text in self.strings:
            if self._follows(_SET_BY_NAME, position) and (match := _NAME.fullmatch(text)):
                names.add(match[1])
        return names

    def _follows(self, call: re.Pattern[str], position: int) -> bool:
        return call.search(self.code, max(0, position - _LONGEST_CALL), position) is not None

    @property
    def used(self) -> set[str]:
        """The globals that the script names as variables."""
        return {match[1] for match in re.finditer(r"\$(\w+)", self.code)}


def _blanked(match: re.Match[str]) -> str:
    text = match[0]
    if match["string"]:
        return text[0] + _blanks(text[1:-1]) + text[-1]
    return _blanks(text)


def _blanks(text: str) -> str:
    return "".join(character if character == "\n" else " " for character in text)
