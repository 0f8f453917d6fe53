"""What is a secret: by the name that it has, and by the form of its value.

A name that says password, secret, token or key is taken for a secret even where it is none. Then a value has
to be entered anew; the other mistake would publish it.
"""

import re

MASK = "***"
# Tells a mask from three stars of the text, as long as the text is looked at.
_MARK = "\x00"
_MARKED = f"{_MARK}{MASK}"

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = {
    "apikey", "authorization", "bearer", "credential", "credentials", "passcode", "passphrase", "passwd",
    "password", "passwords", "pwd", "secret", "secrets",
}  # fmt: skip
_SECRET_PARTS = ("password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey",
                 "accesstoken", "authtoken", "refreshtoken", "credential")  # fmt: skip
# A key or a token is a secret, save where the word beside it says that it is something else.
_KEY_WORDS = {"key", "token"}
_HARMLESS_BEFORE = {
    "cache",
    "dictionary",
    "external",
    "foreign",
    "idempotency",
    "partition",
    "primary",
    "sort",
}
_HARMLESS_AFTER = {
    "budget", "column", "count", "counts", "endpoint", "expires", "expiry", "field", "length", "limit",
    "name", "names", "path", "size", "type", "url", "usage",
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
    | (?i:(?<=[?&])(?:api[_-]?key|access_token|token|key|secret|sig|signature|password)=)[^&\s"'\[\]]{6,}
    """,
    re.VERBOSE,
)
_ASSIGNED = re.compile(
    r"""(?P<before>
          \$(?P<name>[\w.]{1,200})\s{0,20}=\s{0,20}
        | (?i:\bset(?:var)?)\(\s{0,20}["']\$?(?P<set_name>[\w.]{1,200})["']\s{0,20},\s{0,20}
        )
        (?P<quote>["'])(?P<value>[A-Za-z0-9+/_.=~$!@\#%^&*-]{8,})(?P=quote)""",
    re.VERBOSE,
)


def is_secret_name(name: str) -> bool:
    """Whether a value of this name is one to keep: `email_senderPassword`, `gpt.apiKey`, `X-Api-Key`."""
    words = [word.lower() for word in _WORD.findall(name)]
    if any(word in _SECRET_WORDS for word in words) or any(part in "".join(words) for part in _SECRET_PARTS):
        return True
    around = zip(["", *words], words, [*words[1:], ""], strict=False)
    return any(
        word in _KEY_WORDS and before not in _HARMLESS_BEFORE and after not in _HARMLESS_AFTER
        for before, word, after in around
    )


def has_secret_form(value: str) -> bool:
    """Whether a value is or holds an encrypted text, an API key, a token or a password in a URL."""
    return _FORMS.search(value) is not None


def is_reference(value: str) -> bool:
    """Whether a value is nothing but the name of a variable, as in `[gpt.apiKey]`: no secret itself."""
    return _REFERENCE.fullmatch(value) is not None


def mask_secrets(text: str) -> tuple[str, list[int]]:
    """The text of a script with its literal secrets as `***`, and the lines, from 1, where they are now."""

    def mask_assigned(match: re.Match[str]) -> str:
        name, value = match["name"] or match["set_name"], match["value"]
        if not is_secret_name(name) or not any(character.isdigit() for character in value):
            return match.group()
        return f"{match['before']}{match['quote']}{_MARKED}{match['quote']}"

    marked = _ASSIGNED.sub(mask_assigned, _FORMS.sub(_MARKED, text.replace(_MARK, "")))
    lines = [number for number, line in enumerate(marked.split("\n"), 1) if _MARK in line]
    return (marked.replace(_MARKED, MASK), lines) if lines else (text, [])
