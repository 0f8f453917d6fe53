"""What must not be told of a connection."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast
from urllib.parse import quote, quote_plus, unquote

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json

HIDDEN = "***"
# Shorter values that are secret by their name alone are left: they would hide words.
_SHORTEST_GUESSED = 8
_SHORTEST_NAMED = 4
_MOST_GUESSED = 1_000
# What is a secret by its name: DB_PASS and GITHUB_PAT too, and not PATH or PWD.
_SECRET_NAME = re.compile(
    r"key|token|secret|passw|passphrase|pass(?![a-z])|[_-]pwd|(?<![a-z])pat(?![a-z])"
    r"|credential|auth|cookie|session",
    re.IGNORECASE,
)
# `postgres://me:password@db`, and `host=db password=…`.
_OF_A_URL = re.compile(r"(://[^\s:/@]*:)([^\s/]+)@")
_OF_A_DSN = re.compile(r"(?:password|pwd)=([^\s;&]+)", re.IGNORECASE)


class Secrets:
    """Values, in each form that they may be quoted in: as they are, as in JSON, and as in a URL.

    guessed: of those with fewer than 8 characters none is hidden. named: by the program, hidden in any case.
    """

    def __init__(self, guessed: Iterable[str], named: Sequence[str] = ()) -> None:
        # In their order, for tokens that change: the oldest are forgotten.
        self._guessed: tuple[str, ...] = ()
        self._named = tuple(named)
        self._forms: tuple[str, ...] = ()
        self.add(guessed)

    def add(self, values: Iterable[str]) -> None:
        """What is a secret by its name."""
        found = [value for value in values if len(value) >= _SHORTEST_GUESSED]
        guessed = tuple(dict.fromkeys([*self._guessed, *found]))[-_MOST_GUESSED:]
        if guessed != self._guessed or not self._forms:
            self._guessed = guessed
            forms = {form for value in (*guessed, *self._named) for form in _forms(value)}
            self._forms = tuple(sorted(forms, key=len, reverse=True))

    def hide(self, text: str) -> str:
        """The text with *** in place of them."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def hidden(self, value: Json) -> Json:
        """The value with *** in place of them, in all its texts and keys."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self.hidden(member) for member in value]
        if isinstance(value, dict):
            return {self.hide(key): self.hidden(member) for key, member in value.items()}
        return value


def checked_secrets(secrets: object) -> Sequence[str]:
    """Raises ConfigurationError, without the values."""
    is_list = isinstance(secrets, Sequence) and not isinstance(secrets, str | bytes)
    values = list(cast("Sequence[object]", secrets)) if is_list else [None]
    if not all(isinstance(value, str) and len(value) >= _SHORTEST_NAMED for value in values):
        raise ConfigurationError(f"secrets= must be a list of texts of {_SHORTEST_NAMED} characters or more")
    return cast("list[str]", values)


def secrets_of_headers(headers: Mapping[str, str]) -> Iterator[str]:
    """Values, and their parts: of `Bearer abc` the key stands alone where somebody quotes it."""
    for name, value in headers.items():
        if _SECRET_NAME.search(name):
            yield value
            yield from value.split()


def secrets_of_environment(environment: Mapping[str, str]) -> Iterator[str]:
    """Values that are secret by their name, and passwords within the addresses of databases."""
    for name, value in environment.items():
        if _SECRET_NAME.search(name):
            yield value
        for password in (*(found[2] for found in _OF_A_URL.finditer(value)), *_OF_A_DSN.findall(value)):
            yield password
            yield unquote(password)


def without_passwords(text: str) -> str:
    """A line of somebody else's, without the passwords of URLs and addresses of databases in it."""
    text = _OF_A_URL.sub(rf"\1{HIDDEN}@", text)
    return _OF_A_DSN.sub(lambda found: found[0].removesuffix(found[1]) + HIDDEN, text)


def _forms(value: str) -> Iterator[str]:
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    # Of a variable of the environment not every byte need be a character.
    encoded = value.encode(errors="surrogatepass")
    yield quote(encoded)
    yield quote(encoded, safe="")
    yield quote_plus(encoded)
