"""The text of a script as a component or a file holds it, and its marks `<trans>` and `<javascript>`."""

import re
from dataclasses import dataclass

from callagain.porting.design.model import Language

_OPENING = re.compile(r"<(trans|javascript)>\r?\n?", re.IGNORECASE)
_LANGUAGES = {"trans": Language.JITTERBIT_SCRIPT, "javascript": Language.JAVASCRIPT}
_TAGS = {language: tag for tag, language in _LANGUAGES.items()}


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A script without its marks. is_marked: whether it had any. outside: whether there was text around."""

    text: str
    language: Language
    is_marked: bool
    outside: bool = False


def is_marked(raw: str) -> bool:
    """Whether a text has a mark of its language."""
    return _OPENING.search(raw) is not None


def unwrap(raw: str, language: Language | None = None) -> Unwrapped:
    """The text between the marks, and the language that they say.

    language: of a text without marks; Jitterbit Script if it is not known either. The line break after the
    opening and the one before the closing mark belong to the marks. A text whose mark is not closed goes to
    its end.
    """
    opening = _OPENING.search(raw)
    if opening is None:
        return Unwrapped(raw, language or Language.JITTERBIT_SCRIPT, is_marked=False)
    closing_mark = f"</{opening[1].lower()}>"
    end = raw.lower().rfind(closing_mark)
    if end < opening.end():
        return Unwrapped(
            raw[opening.end() :], _LANGUAGES[opening[1].lower()], True, bool(raw[: opening.start()].strip())
        )
    around = raw[: opening.start()] + raw[end + len(closing_mark) :]
    text = raw[opening.end() : end]
    text = text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")
    return Unwrapped(text, _LANGUAGES[opening[1].lower()], True, bool(around.strip()))


def wrap(text: str, language: Language) -> str:
    """The text between the marks of its language, from which `unwrap` gets the same text again."""
    tag = _TAGS[language]
    end = "\r\n" if "\r\n" in text or text.endswith("\r") else "\n"
    return f"<{tag}>{end}{text}{end}</{tag}>{end}"
