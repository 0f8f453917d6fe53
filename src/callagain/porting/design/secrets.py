"""What is a secret: by the name that it has, and by the form of its value.

A name that says password, secret, token or key is taken for a secret even where it is none. Then a value has
to be entered anew; the other mistake would publish it.
"""

import re
from enum import Enum
from functools import lru_cache

MASK = "***"
# Tells a mask from three stars of the text, as long as the text is looked at.
MARK = "\x00"
MARKED = f"{MARK}{MASK}"


class Certainty(Enum):
    """How sure a name says that its value is a secret. A `key` alone is mostly that of a record."""

    NONE = "none"
    PERHAPS = "perhaps"
    SURE = "sure"


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# What stands behind such a word says that the value is about a secret, and is none.
_ABOUT = (
    "budget", "changed", "check", "column", "consent", "count", "counts", "date", "endpoint", "error",
    "exists", "expired", "expires", "expiry", "field", "header", "help", "hint", "label", "length", "limit",
    "max", "message", "min", "missing", "name", "names", "ok", "path", "placeholder", "policy", "prompt",
    "required", "rule", "rules", "size", "status", "type", "url", "usage", "valid",
)  # fmt: skip
_NOT_ABOUT = rf"(?!_?(?:{'|'.join(_ABOUT)})(?:_|$))"
# Of a name in the form x_api_key.
_SURE = re.compile(
    rf"""
      (?: passwords? | passwd | passphrase | secrets?(?!ar) | credentials?
        | (?:api|access|private|subscription|account|encryption|signing|shared|master)_?key(?!s?_?board)
        | (?:api|access|auth|bearer|refresh|security|session)_?token
      ){_NOT_ABOUT}
    | (?:^|_)(?:authorization|bearer|cookie|jwt|passcode|pin|pw|pwd)(?=_|$){_NOT_ABOUT}
    """,
    re.VERBOSE,
)
_PERHAPS = re.compile(rf"(?:^|(?P<before>[a-z]+)_)(?:\d+_)?(?:key|token)(?=_|$){_NOT_ABOUT}")
_HARMLESS_BEFORE = {
    "cache", "completion", "dictionary", "external", "foreign", "idempotency", "input", "max", "output",
    "partition", "primary", "sort", "total",
}  # fmt: skip

_REFERENCE = re.compile(r"\s*\[[\w.$ -]+(?:\{\})?\]\s*")
_FORMS = re.compile(
    r"""
      \$00[A-Za-z0-9+/=]{8,}
    | (?<![\w-])sk-[A-Za-z0-9_-]{16,}
    | (?<![\w-])gh[opsur]_[A-Za-z0-9]{20,}
    | (?<![\w-])xox[abeprs]-[A-Za-z0-9-]{10,}
    | (?<![\w-])AKIA[0-9A-Z]{16}\b
    | (?<![\w-])AIza[A-Za-z0-9_-]{30,}
    | (?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----(?:[^-]*-----END[ ][A-Z ]*PRIVATE[ ]KEY-----)?
    | (?i:\b(?:bearer|basic)[ ]+)(?=[^\s"']*\d)[A-Za-z0-9+/._~=-]{12,}
    | (?<=://)[^/\s:@"'\[\]]{1,100}:[^/\s@"'\[\]]{1,200}(?=@)
    """,
    re.VERBOSE,
)
_QUERY = re.compile(r"""(?<=[?&])(?P<name>[\w.-]{1,60})=(?P<value>[^&\s"'\\\[\]<>$*\x00]{3,})""")
_SIGNATURES = {"sig", "signature"}


@lru_cache(maxsize=4096)
def certainty_of(name: str) -> Certainty:
    """Whether a value of this name is one to keep, and how sure that is."""
    words = "_".join(word.lower() for word in _WORD.findall(name[:300]))
    if _SURE.search(words):
        return Certainty.SURE
    perhaps = any(match["before"] not in _HARMLESS_BEFORE for match in _PERHAPS.finditer(words))
    return Certainty.PERHAPS if perhaps else Certainty.NONE


def is_secret_name(name: str) -> bool:
    """Whether a value of this name is one to keep: `email_senderPassword`, `gpt.apiKey`, `X-Api-Key`."""
    return certainty_of(name) is not Certainty.NONE


def has_secret_form(value: str) -> bool:
    """Whether a value is or holds an encrypted text, an API key, a token or a password in a URL."""
    return MARK in mask_forms(value.replace(MARK, ""))


def mask_forms(text: str) -> str:
    """The text with MARKED in the place of what is a secret by its form."""
    return _QUERY.sub(_mask_query, _FORMS.sub(MARKED, text))


def _mask_query(match: re.Match[str]) -> str:
    name, value = match["name"], match["value"]
    is_code = name.lower() == "code" and len(value) >= 20
    if is_code or name.lower() in _SIGNATURES or is_secret_name(name):
        return f"{name}={MARKED}"
    return match.group()


def is_reference(value: str) -> bool:
    """Whether a value is nothing but the name of a variable, as in `[gpt.apiKey]`: no secret itself."""
    return _REFERENCE.fullmatch(value) is not None
