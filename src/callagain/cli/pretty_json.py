"""A JSON text in lines, as it was written: not one number, escape or key of it is another one."""

import re
from collections.abc import Iterable, Iterator, Mapping

from callagain.cli.terminal import visible
from callagain.engine.json_text import JsonError, decode

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++')
_OPENING, _CLOSING = ("{", "["), ("}", "]")
_INDENT = "  "
# Of a string that is folded, so much is shown.
_FOLDED_CHARS = 160


def pretty(text: str, *, whole: bool, folded: Mapping[str, str] | None = None) -> Iterator[str]:
    """Its lines, with nothing in them that a terminal obeys; a text that is no JSON is shown as it stands.

    whole: long strings are shown in full, and not folded. folded: by the names of members of the object, what
    is shown in place of the lists and objects in them.
    """
    try:
        decode(text)
    except JsonError:
        return map(visible, (text if whole else _folded(text)).splitlines())
    tokens = _folding(_TOKEN.findall(text), folded or {})
    return (visible(line) for line in _lines(tokens, whole=whole))


def _folding(tokens: Iterable[str], folded: Mapping[str, str]) -> Iterator[str]:
    """The tokens, with one for all of a member of the outermost object that is folded."""
    words = {f'"{name}"': f"… {said}" for name, said in folded.items()}
    depth, member, before = 0, "", ""
    for token in tokens:
        depth -= token in _CLOSING
        hidden = depth > 1 or (depth == 1 and token in (*_OPENING, *_CLOSING))
        if depth == 1 and token == ":":
            member = before
        if member not in words or not hidden:
            yield token
        elif token in _OPENING and depth == 1:
            yield words[member]
        depth += token in _OPENING
        before = token


def _lines(tokens: Iterable[str], *, whole: bool) -> Iterator[str]:
    line, depth, before = "", 0, ""
    for token in tokens:
        if token in _CLOSING:
            depth -= 1
        # What is empty stays in its line.
        if before == "," or (before in _OPENING) != (token in _CLOSING):
            yield line
            line = _INDENT * depth
        if token in _OPENING:
            depth += 1
        line += _shown(token, whole=whole)
        before = token
    yield line


def _shown(token: str, *, whole: bool) -> str:
    if token == ":":
        return ": "
    if whole or not token.startswith('"'):
        return token
    folded = _folded(token[1:-1])
    return token if folded == token[1:-1] else f'"{folded}"'


def _folded(text: str) -> str:
    if len(text) <= _FOLDED_CHARS * 2:
        return text
    return f"{text[:_FOLDED_CHARS]}… ({len(text):,} chars)"
