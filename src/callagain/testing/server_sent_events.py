"""Server-sent events, and how the texts of an answer are parted for them. Pure.

Source: the HTML standard, "Server-sent events".
"""

import math
from collections.abc import Mapping

from callagain.engine.json_text import encode

CONTENT_TYPE = "text/event-stream; charset=utf-8"

DONE = b"data: [DONE]\n\n"
"""Ends a stream of Chat Completions."""

_CHARACTERS_OF_A_PIECE = 4
_MOST_PIECES = 64


def event(data: Mapping[str, object], name: str | None = None) -> bytes:
    """One event with a JSON object as its data. Raises JsonError for what is no JSON."""
    line = b"" if name is None else f"event: {name}\n".encode()
    return line + b"data: " + encode(dict(data)) + b"\n\n"


def pieces(text: str) -> list[str]:
    """The text in pieces of about a token, in larger ones where there would be very many; none if empty."""
    size = max(_CHARACTERS_OF_A_PIECE, math.ceil(len(text) / _MOST_PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]
