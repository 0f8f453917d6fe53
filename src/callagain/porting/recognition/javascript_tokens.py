"""JavaScript as tokens: as much as it takes to look at a script, and any text has some."""

import re
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    STRING = "string"
    NUMBER = "number"
    NAME = "name"
    SYMBOL = "symbol"
    END = "end"


class JavaScriptToken(NamedTuple):
    """value: the characters of a string, else the text. breaks: whether a line ends before it."""

    kind: Kind
    value: str
    line: int
    breaks: bool = False


MAX_TOKENS = 200_000

# Every alternative is possessive, so that any text is gone through once.
_TOKEN = re.compile(
    r"""
      (?P<space>\s++)
    | (?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+)
    | (?P<string>"(?:[^"\\\n]|\\.)*+"?+|'(?:[^'\\\n]|\\.)*+'?+|`(?:[^`\\]|\\.)*+`?+)
    | (?P<number>\d[\w.]*+)
    | (?P<name>[^\W\d][\w$]*+|\$[\w$]*+)
    | (?P<mark></?(?i:javascript)>)
    | (?P<symbol>===|!==|=>|==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/\w*+")
_BEFORE_A_REGEX = frozenset(("", "(", ",", "=", ":", "[", "!", "&&", "||", "?", "{", "}", ";", "return"))
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def tokens_of(text: str) -> list[JavaScriptToken]:
    """The tokens of a text, an END last; of more than MAX_TOKENS the first ones."""
    tokens: list[JavaScriptToken] = []
    position, line, breaks = 0, 1, False
    while position < len(text) and len(tokens) < MAX_TOKENS:
        before = tokens[-1].value if tokens else ""
        match = _REGEX.match(text, position) if text[position] == "/" and before in _BEFORE_A_REGEX else None
        group = "regex"
        if match is None:
            match = _TOKEN.match(text, position)
            group = str(match.lastgroup) if match else ""
        if match is None:
            break
        found = match.group()
        if group in ("space", "comment", "mark"):
            breaks = breaks or "\n" in found
        else:
            tokens.append(_token(group, found, line, breaks))
            breaks = False
        line += found.count("\n")
        position = match.end()
    tokens.append(JavaScriptToken(Kind.END, "", line, True))
    return tokens


def _token(group: str, found: str, line: int, breaks: bool) -> JavaScriptToken:
    match group:
        case "string":
            inside = found[1:-1] if len(found) > 1 and found[-1] == found[0] else found[1:]
            value = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), inside)
            return JavaScriptToken(Kind.STRING, value, line, breaks)
        case "regex":
            return JavaScriptToken(Kind.STRING, "", line, breaks)
        case "number":
            return JavaScriptToken(Kind.NUMBER, found, line, breaks)
        case "name":
            return JavaScriptToken(Kind.NAME, found, line, breaks)
        case _:
            return JavaScriptToken(Kind.SYMBOL, found, line, breaks)
