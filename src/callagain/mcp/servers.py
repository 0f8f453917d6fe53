"""Which server: how it is started or reached, and what of that must not be told."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeAlias, cast
from urllib.parse import SplitResult, unquote, urlsplit

from callagain.engine.errors import ConfigurationError

Headers: TypeAlias = Mapping[str, str] | Callable[[], Mapping[str, str]]

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
HIDDEN = "***"
_SHORTEST_SECRET = 8
_MOST_SECRETS = 1_000
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth|cookie|session", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class _Server:
    """name: in messages. timeout: seconds for a connection with its list of tools. max_message_bytes: the
    most that the server may send in one message."""

    name: str
    timeout: float
    max_message_bytes: int

    def __post_init__(self) -> None:
        if not (_is_number(self.timeout) and math.isfinite(self.timeout) and self.timeout > 0):
            raise ConfigurationError(f"timeout={self.timeout!r} must be a number of seconds above 0")
        if not (_is_number(self.max_message_bytes) and self.max_message_bytes >= 1024):
            raise ConfigurationError(f"max_message_bytes={self.max_message_bytes!r} must be 1024 or more")


@dataclass(frozen=True, kw_only=True)
class StdioServer(_Server):
    """A program that is started, and talks by its standard input and output."""

    command: Sequence[str] = field(repr=False)
    env: Mapping[str, str] = field(repr=False)
    cwd: str | Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_texts(self.env, "env")

    @staticmethod
    def checked_command(command: object) -> list[str]:
        if isinstance(command, str) or not isinstance(command, Sequence) or not command:
            raise ConfigurationError('the command of an MCP server is a list, as in ["python", "server.py"]')
        return [str(part) for part in cast("Sequence[object]", command)]

    @staticmethod
    def usual_name(command: Sequence[str]) -> str:
        """The program alone: arguments may hold a key."""
        return PurePath(command[0]).name

    def secrets(self) -> Iterator[str]:
        return (value for name, value in self.env.items() if _SECRET_NAME.search(name))


@dataclass(frozen=True, kw_only=True)
class HttpServer(_Server):
    """A streamable HTTP endpoint. headers: sent with every request; a function is asked at every request."""

    url: str = field(repr=False)
    headers: Headers = field(repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.headers):
            _check_texts(self.headers, "headers")

    @staticmethod
    def checked_url(url: object) -> str:
        parts = _split(url)
        if (
            not isinstance(url, str)
            or parts is None
            or parts.scheme not in ("http", "https")
            or not parts.netloc
        ):
            raise ConfigurationError(
                "the url of an MCP server begins with http:// or https://, and names a host"
            )
        return url

    @staticmethod
    def usual_name(url: str) -> str:
        """The host: everything else may hold a key."""
        return urlsplit(url).netloc.rpartition("@")[2]

    def headers_now(self) -> dict[str, str]:
        return dict(self.headers() if callable(self.headers) else self.headers)

    def secrets(self) -> Iterator[str]:
        parts = urlsplit(self.url)
        yield unquote(parts.password or "")
        yield from (pair.partition("=")[2] for pair in parts.query.split("&"))
        if not callable(self.headers):
            yield from secrets_of_headers(self.headers)


Server: TypeAlias = StdioServer | HttpServer


def secrets_of_headers(headers: Mapping[str, str]) -> Iterator[str]:
    """Values, and their parts: of `Bearer abc` the key stands alone where somebody quotes it."""
    for name, value in headers.items():
        if _SECRET_NAME.search(name):
            yield value
            yield from value.split()


class Secrets:
    """What must not be told of a connection. Short values are left: they would hide words."""

    def __init__(self, values: Iterator[str]) -> None:
        # In their order, for tokens that change: the oldest are forgotten.
        self._values: tuple[str, ...] = ()
        self.add(values)

    def add(self, values: Iterator[str]) -> None:
        found = [value for value in values if len(value) >= _SHORTEST_SECRET]
        self._values = tuple(dict.fromkeys([*self._values, *found]))[-_MOST_SECRETS:]

    def hide(self, text: str) -> str:
        """The text with *** in place of them."""
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, HIDDEN)
        return text


def _check_texts(given: object, option: str) -> None:
    """Without the values: they may be secret."""
    pairs = cast("Mapping[object, object]", given).items() if isinstance(given, Mapping) else [(None, None)]
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise ConfigurationError(f"{option}= must be a mapping of texts to texts")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _split(url: object) -> SplitResult | None:
    try:
        return urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        return None
