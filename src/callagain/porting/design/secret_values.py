"""Which literal beside the name of a secret is a secret, and which is plain text: a separator, a label."""

import re

from callagain.porting.design.secrets import MARK, Certainty, certainty_of

# What is put in from elsewhere: `[name]`, `${name}`, `<TAG>…</TAG>`.
_PUT_IN = re.compile(r"\[[\w.$ -]+(?:\{\})?\]|\$\{[^}]*\}|<TAG>[^<]*</TAG>|\{\{[\w.$ ]+\}\}", re.IGNORECASE)
_SCHEME = re.compile(r"\s*(?:bearer|basic|digest|token|apikey)?\s*", re.IGNORECASE)
# JSON, XML, a URL, attributes, or a label such as `JSESSIONID=`: what they hold is looked at by itself.
_STRUCTURE = re.compile(r"\s*(?:[{\[<;,]|https?:|\w+://)|[?&\s]*[A-Za-z_.-]{1,30}[=:]\s*\\*[\"']?\s*\Z")
_PATH = re.compile(r"/[A-Za-z_]\w*(?:/\w+)*/?")
_PLAIN_WORDS = {
    "array", "basic", "bearer", "boolean", "default", "denied", "digest", "empty", "error", "expired",
    "false", "failed", "hidden", "integer", "invalid", "masked", "missing", "none", "null", "number",
    "object", "omitted", "optional", "redacted", "required", "string", "true", "undefined", "unknown",
    "valid", "not found", "not given", "not set", "is empty", "is missing", "is required",
}  # fmt: skip
_LAST_OF_A_SENTENCE = ".:?…"


def is_secret_value(literal: str, certainty: Certainty, *, is_whole: bool = True) -> bool:
    """Whether a literal that belongs to the name of a secret is one itself.

    literal: the text between the quotes, as it is written. is_whole: whether it is the whole value, and not
    an argument or a part of it; of a part, and of a name that is no sure sign, only what looks like chance
    is a secret: characters in one row with a digit among them, or many of them.
    """
    value = _SCHEME.sub("", _PUT_IN.sub("", literal), count=1).strip()
    if certainty is Certainty.NONE or MARK in literal or len(value) < 4 or not re.search(r"\w", value):
        return False
    if value.lower().strip("<>()[]. ") in _PLAIN_WORDS or _STRUCTURE.match(literal):
        return False
    if _PATH.fullmatch(value):
        return False
    if certainty is Certainty.SURE and is_whole:
        return not _is_prose(value)
    return _looks_like_chance(value)


def _is_name(value: str) -> bool:
    """Whether a text is the name of a secret, and no value."""
    return certainty_of(value) is not Certainty.NONE and re.fullmatch(r"[\w.$-]+", value) is not None


def _is_prose(value: str) -> bool:
    if " " not in value or any(map(str.isdigit, value)):
        return False
    return value[-1] in _LAST_OF_A_SENTENCE or any(_is_name(word) for word in value.split())


def _looks_like_chance(value: str) -> bool:
    if any(map(str.isspace, value)) or "=" in value.rstrip("="):
        return False
    has_digit, has_letter = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    if has_digit and has_letter:
        return len(value) >= 6
    return value.isalnum() and len(value) >= (8 if has_digit else 20)
