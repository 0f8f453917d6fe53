"""Values as they are shown beside each other: in one line, shortened, and without secrets."""

import json
import re
from collections.abc import Iterable
from unicodedata import normalize

from callagain.diagrams.plain_text import one_line
from callagain.porting.parity.values import Missing
from callagain.porting.running.recorder import Recorder

WIDTH = 160
_BEFORE = 40
# A space behind another one, and every other space than the usual one: they would not be seen.
_UNSEEN = re.compile(r"(?<=\s)\s|[^\S ]")


class Shown:
    """Shows values. secrets: each is `***` wherever it stands."""

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = [form for secret in secrets for form in (secret, json.dumps(secret)[1:-1])]
        self._hide = Recorder(forms).hide

    def pair(self, design: object, python: object) -> tuple[str, str]:
        """The two, from shortly before the place where they begin to differ.

        Two that differ only in letters that look alike have an escape for each letter outside of ASCII.
        """
        texts = self._text(design), self._text(python)
        if _look_alike(*texts):
            texts = _ascii(texts[0]), _ascii(texts[1])
        pairs = enumerate(zip(*texts, strict=False))
        first = next((at for at, (one, other) in pairs if one != other), min(map(len, texts)))
        begin = first - _BEFORE if first > WIDTH - _BEFORE else 0
        return _cut(texts[0], begin), _cut(texts[1], begin)

    def line(self, text: str) -> str:
        """A text of the package or of the design, such as an error, in one line."""
        return _cut(one_line(self._hide(text)), 0, 2 * WIDTH)

    def _text(self, value: object) -> str:
        match value:
            case Missing():
                return repr(value)
            case str():
                text = json.dumps(self._hide(value), ensure_ascii=False)
            case _:
                text = self._hide(_json(value))
        return one_line(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()


def _look_alike(design: str, python: str) -> bool:
    return normalize("NFKC", design) == normalize("NFKC", python)


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        # An array that holds itself.
        return repr(value)


def _cut(text: str, begin: int, width: int = WIDTH) -> str:
    shown = text[begin : begin + width]
    return f"{'…' if begin else ''}{shown}{'…' if begin + width < len(text) else ''}"
