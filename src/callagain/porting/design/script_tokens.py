"""The tokens of a script in either language, for a look at its literals.

Lenient, unlike the lexer of Jitterbit Script: JavaScript and what does not parse are read too. The tokens
joined are the text again.
"""

import re
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    SPACE = "space"
    COMMENT = "comment"
    TAG = "tag"
    STRING = "string"
    NAME = "name"
    NUMBER = "number"
    PATTERN = "pattern"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its text. content: of a string, what stands between the quotes, escapes as written."""

    kind: Kind
    text: str

    @property
    def content(self) -> str:
        return self.text[1 : len(self.text) - len(self.closing)]

    @property
    def closing(self) -> str:
        """The quote at the end of a string; empty if it does not end."""
        is_closed = len(self.text) > 1 and self.text[-1] == self.text[0]
        return self.text[0] if is_closed else ""

    def is_symbol(self, *symbols: str) -> bool:
        return self.kind is Kind.SYMBOL and self.text in symbols


# Possessive, so that any text is gone through once. A string or comment without end goes to the end.
_TOKEN = re.compile(
    r"""
      (?P<space>\s++)
    | (?P<comment>//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z))
    | (?P<tag><TAG>[^<]*+</TAG>)
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)
                |'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)
                |`[^`\\]*+(?:\\.[^`\\]*+)*+(?:`|\\?\Z))
    | (?P<name>\$?+[^\W\d]\w*+(?:\??\.[^\W\d]\w*+)*+ | \$\d\w*+)
    | (?P<number>\d++(?:\.\d++)?+)
    | (?P<symbol>=>|[=!]==?|[<>]=|\+\+|--|[-+*/]=|&&|\|\|=?|\?\?=?|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PATTERN = re.compile(r"/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,1000}+/\w*+")
_AFTER_VALUE = (Kind.NAME, Kind.NUMBER, Kind.STRING, Kind.TAG, Kind.PATTERN)


def tokens_of(text: str) -> list[Token]:
    """All tokens, spaces and comments too."""
    tokens: list[Token] = []
    position = 0
    after_value = False
    while position < len(text):
        pattern = None if after_value or text[position] != "/" else _PATTERN.match(text, position)
        match = pattern or _TOKEN.match(text, position)
        if match is None:
            break
        kind = Kind.PATTERN if pattern else Kind(str(match.lastgroup))
        tokens.append(Token(kind, match.group()))
        if kind not in (Kind.SPACE, Kind.COMMENT):
            after_value = kind in _AFTER_VALUE or tokens[-1].is_symbol(")", "]", "}")
        position = match.end()
    return tokens
