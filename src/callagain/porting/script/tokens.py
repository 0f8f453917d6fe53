"""What the lexer gives and the parser reads: tokens, comments, and the places where they stand."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Place(NamedTuple):
    """A place in the text of a script; the first line and the first column are 1."""

    line: int
    column: int


class TokenKind(Enum):
    """What a token is, in the words of an error message."""

    NUMBER = "a number"
    STRING = "a string"
    NAME = "a name"
    GLOBAL = "a global variable"
    SYMBOL = "a symbol"
    END = "the end of the script"


class Token(NamedTuple):
    """One token: its kind, its text as it is written, what it stands for, and where it begins.

    value: the number, the characters of a string with their escapes resolved, the name of a variable without
    its `$`, or the symbol.
    """

    kind: TokenKind
    text: str
    value: int | float | str
    place: Place

    @property
    def described(self) -> str:
        """The token as a message shows it: cut, so that a long string does not hide the message."""
        if self.kind is TokenKind.END:
            return "the end of the script"
        text = self.text if len(self.text) <= 30 else f"{self.text[:27]}..."
        return f"'{text.replace(chr(10), ' ')}'"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, without its marks and the spaces around it. `block` is one of the form `/* */`."""

    text: str
    place: Place
    block: bool = False


@dataclass(frozen=True, slots=True)
class Lexed:
    """A whole text: the tokens, an END last, and the comments, both in the order of the text."""

    tokens: tuple[Token, ...]
    comments: tuple[Comment, ...]
