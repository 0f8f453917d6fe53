"""What a model is told when a call of it cannot be answered."""

import re
from collections.abc import Callable

from callagain.engine.json_text import valid_unicode

MAX_EXCEPTION_CHARS = 500

_TRACEBACK = re.compile(r"Traceback \(most recent call last\):[^\n]*(?:\n[ \t]+[^\n]*)*\n?")
_FRAME = re.compile(r'[ \t]*File "[^"\n]*", line \d+(?:, in [^\n]*)?')
# An absolute path of two parts or more; the slashes of a URL stand behind a letter, a colon or a slash.
_PATH = re.compile(
    r"file://\S+|(?<![\w/:.\\])(?:[A-Za-z]:[\\/]|/)(?:[^\s/\\:'\"<>|]+[\\/])+([^\s/\\:'\"<>|]*)"
)


class ToolProblem(Exception):
    """A call that is answered with `{"error": {"code": code, "message": message}}`; the loop goes on.

    A tool may raise it to choose its own words. `code` is one of the codes in docs/tools.md,
    `message` says what the model can do about it.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def _as_it_is(text: str) -> str:
    return text


def exception_text(error: BaseException, hide: Callable[[str], str] = _as_it_is) -> str:
    """The error in words for the model: its class and its text, or the class alone when it has no text.

    At most 500 characters, without traceback and without directories: of a file path only the name is left.
    hide takes secrets out of the text, before it is cut.
    """
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:
        return kind
    text = _TRACEBACK.sub("", text)
    text = _FRAME.sub("", text)
    text = _PATH.sub(lambda match: match.group(1) or "(path)", text).strip()
    if not text:
        return kind
    return clip(valid_unicode(hide(f"{kind}: {text}")), MAX_EXCEPTION_CHARS)


def first_sentence(error: BaseException) -> str:
    """What a library says is wrong, without its advice about settings that do not apply here."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].partition(". ")[0]


def clip(text: str, limit: int) -> str:
    """The text, cut to at most `limit` characters; an ellipsis shows the cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
