"""Which server: how it is started or reached, and what of that must not be told."""

import base64
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TypeAlias, cast
from urllib.parse import SplitResult, unquote, unquote_plus, urlsplit

from callagain.engine.errors import ConfigurationError
from callagain.mcp.secrets import secrets_of_environment, secrets_of_headers

Headers: TypeAlias = Mapping[str, str] | Callable[[], Mapping[str, str]]

MAX_MESSAGE_BYTES = 16 * 1024 * 1024


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
        return secrets_of_environment(self.env)


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

    @property
    def plain_url(self) -> str:
        """Without user, password and query, as it may stand in a log."""
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()

    @property
    def query(self) -> str:
        return urlsplit(self.url).query

    def headers_now(self) -> dict[str, str]:
        return dict(self.headers() if callable(self.headers) else self.headers)

    def headers_of_url(self) -> dict[str, str]:
        """What its user and password are as a header."""
        parts = urlsplit(self.url)
        if parts.username is None and parts.password is None:
            return {}
        words = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        return {"Authorization": f"Basic {base64.b64encode(words.encode()).decode()}"}

    def secrets(self) -> Iterator[str]:
        parts = urlsplit(self.url)
        yield unquote(parts.password or "")
        for pair in self.query.split("&"):
            value = pair.partition("=")[2]
            yield value
            yield unquote_plus(value)
        yield from secrets_of_headers(self.headers_of_url())
        if not callable(self.headers):
            yield from secrets_of_headers(self.headers)


Server: TypeAlias = StdioServer | HttpServer


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
