"""How much room a text takes: estimated, and rather too much than too little, as no font is at hand."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from callagain.diagrams.plain_text import one_line

# Widths as parts of the size of the font, of usual sans-serif fonts.
_NARROW, _SLIM, _USUAL, _BROAD, _WIDE = 0.34, 0.45, 0.63, 0.8, 1.1
_WIDTHS = {
    **dict.fromkeys("ijl.,:;'|! ", _NARROW),
    **dict.fromkeys('()[]{}"-rtfI/\\`', _SLIM),
    **dict.fromkeys("mwMW@%", 1.0),
    **dict.fromkeys("<>+=~^#", 0.86),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&", _BROAD),
}
# Ligatures that stand for whole phrases.
_PHRASES = re.compile("[\ufdf0-\ufdff\U00012000-\U000123ff]")
_PHRASE = 9.0


def width(text: str, size: float) -> float:
    """Pixels that the text takes in a font of this size."""
    return size * sum(map(_width, text))


def wrapped(lines: Sequence[str], size: float, most: float) -> list[str]:
    """The lines, each at most so many pixels wide: broken between words, or else within one."""
    return [part for line in lines for part in _parts(one_line(line), size, most)]


def _parts(line: str, size: float, most: float) -> Iterator[str]:
    begun = ""
    for word in _words(line, size, most):
        longer = f"{begun} {word}" if begun else word
        if begun and width(longer, size) > most:
            yield begun
            begun = word
        else:
            begun = longer
    if begun:
        yield begun


def _words(line: str, size: float, most: float) -> Iterator[str]:
    for word in line.split():
        begun, taken = "", 0.0
        for letter in word:
            wide = width(letter, size)
            # A mark belongs to the letter before it.
            if begun and taken + wide > most and not unicodedata.combining(letter):
                yield begun
                begun, taken = "", 0.0
            begun += letter
            taken += wide
        yield begun


def _width(letter: str) -> float:
    if letter.isascii():
        return _WIDTHS.get(letter, _USUAL)
    if unicodedata.combining(letter):
        return 0.0
    if _PHRASES.match(letter):
        return _PHRASE
    known = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS.get(known, _USUAL) if known.isascii() else _WIDE
