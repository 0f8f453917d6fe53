"""A JSON text in lines, as it was written: not one number, escape or key of it is another one."""

import re
from collections.abc import Iterator

from callagain.cli.terminal import visible
from callagain.engine.json_text import JsonError, decode

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++')
_OPENING, _CLOSING = ("{", "["), ("}", "]")
_INDENT = "  "
# Of a string that is folded, so much is shown.
_FOLDED_CHARS = 160


def pretty(text: str, *, whole: bool) -> Iterator[str]:
    """Its lines, with nothing in them that a terminal obeys; a text that is no JSON is shown as it stands.

    whole: long strings are shown in full, and not folded.
    """
    try:
        decode(text)
    except JsonError:
        return map(visible, (text if whole else _folded(text)).splitlines())
    return (visible(line) for line in _lines(text, whole=whole))


def _lines(text: str, *, whole: bool) -> Iterator[str]:
    line, depth, before = "", 0, ""
    for token in _TOKEN.findall(text):
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
