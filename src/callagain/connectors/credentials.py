"""Which endpoint, and by which key: from the arguments, or from the usual environment variables."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit
from urllib.request import getproxies

from callagain.connectors.certificates import shared_ssl_context
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI, OpenAI

# Of what urllib calls proxies: a list of exceptions, and one for another protocol.
_NO_PROXIES = frozenset({"no", "ftp"})

# Servers on one's own machine need no key, but the client of the openai package wants one.
NO_KEY = "no-key"

NOTHING_FOUND = (
    "no endpoint: set OPENAI_API_KEY, or base_url= (OPENAI_BASE_URL) for a compatible server, or "
    "AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY, or pass client="
)

# What of a base URL may stand in a message: a password or a key can stand in all the rest.
_SCHEME_HOST_PORT = re.compile(r"([a-z]+://[\w.-]+(:\d+)?|[\w.-]+:\d+)(?=[/?#]|$)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credentials:
    """base_url None: OpenAI's own. azure: an Azure resource whose URLs name the deployment and api_version.

    Azure's newer kind of URL, …/openai/v1/, is an ordinary base URL. The key is in no repr.
    """

    base_url: str | None
    api_key: str = field(repr=False)
    azure: bool = False

    @classmethod
    def found(cls, base_url: str | None = None, api_key: str | None = None) -> "Credentials":
        """Arguments first, then OPENAI_BASE_URL and OPENAI_API_KEY, then AZURE_OPENAI_ENDPOINT and its key.

        Raises ConfigurationError if there is neither a key nor a base URL, or one of them cannot be used.
        No message of it holds a key, a password or the query of a URL.
        """
        url = _checked_url(base_url) or _checked_url(os.environ.get("OPENAI_BASE_URL"))
        key = _checked_key("api_key=", api_key) or _key_of_environment("OPENAI_API_KEY")
        if url is None and key is None:
            return cls._of_azure()
        return cls(url, key or NO_KEY)

    @classmethod
    def _of_azure(cls) -> "Credentials":
        endpoint = _checked_url(os.environ.get("AZURE_OPENAI_ENDPOINT"))
        if endpoint is None:
            raise ConfigurationError(NOTHING_FOUND)
        key = _key_of_environment("AZURE_OPENAI_API_KEY")
        if key is None:
            raise ConfigurationError("AZURE_OPENAI_ENDPOINT is set: set AZURE_OPENAI_API_KEY too")
        if not os.environ.get("OPENAI_API_VERSION"):
            raise ConfigurationError("AZURE_OPENAI_ENDPOINT is set: set OPENAI_API_VERSION too")
        return cls(endpoint, key, azure=True)

    def client(self) -> "tuple[OpenAI, httpx2.Client]":
        """A new client for this endpoint, and its HTTP client; what else it needs is in the environment."""
        from openai import AzureOpenAI, DefaultHttpxClient, OpenAI

        http_client = DefaultHttpxClient(verify=shared_ssl_context())
        if self.azure:
            return AzureOpenAI(http_client=http_client, **self._of_azure_client()), http_client
        return OpenAI(http_client=http_client, **self._of_client()), http_client

    def async_client(self) -> "tuple[AsyncOpenAI, httpx2.AsyncClient]":
        """The same for an event loop; on aiohttp if that is installed, which has many requests at once for a
        fraction of the time (docs/performance.md)."""
        from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAioHttpClient, DefaultAsyncHttpxClient

        http_client = None
        if self._goes_by_aiohttp:
            # An aiohttp that is too old for the openai package does not count.
            with suppress(RuntimeError):
                http_client = DefaultAioHttpClient(verify=shared_ssl_context())
        http_client = http_client or DefaultAsyncHttpxClient(verify=shared_ssl_context())
        if self.azure:
            return AsyncAzureOpenAI(http_client=http_client, **self._of_azure_client()), http_client
        return AsyncOpenAI(http_client=http_client, **self._of_client()), http_client

    @property
    def _goes_by_aiohttp(self) -> bool:
        """It takes no key beside a password in the URL, and has its own ideas of proxies."""
        has_password = "@" in urlsplit(self.base_url or "").netloc
        has_proxy = not _NO_PROXIES.issuperset(getproxies())
        return not has_password and not has_proxy and find_spec("aiohttp") is not None

    def _of_azure_client(self) -> dict[str, Any]:
        return {"azure_endpoint": self.base_url, "api_key": self.api_key}

    def _of_client(self) -> dict[str, Any]:
        if self.base_url is None:
            return {"api_key": self.api_key}
        # The client would put the path of a request after the query.
        parts = urlsplit(self.base_url)
        url = urlunsplit((*parts[:3], "", ""))
        return {"base_url": url, "api_key": self.api_key, "default_query": dict(parse_qsl(parts.query))}

    @property
    def secrets(self) -> list[str]:
        """What of the key and of the base URL nobody is to see."""
        parts = urlsplit(self.base_url or "")
        return [self.api_key, unquote(parts.password or ""), *dict(parse_qsl(parts.query)).values()]


def fits_a_header(key: str) -> bool:
    """Whether a key can be sent: printable ASCII without white space around it."""
    return key.isascii() and key.isprintable() and key == key.strip()


def _key_of_environment(name: str) -> str | None:
    return _checked_key(name, os.environ.get(name))


def _checked_key(name: str, key: object) -> str | None:
    """The key without the white space around it, such as the line break at the end of a file."""
    if key is None:
        return None
    if not isinstance(key, str):
        raise ConfigurationError(f"{name} must be a text, not {type(key).__name__}")
    key = key.strip()
    if not fits_a_header(key):
        raise ConfigurationError(
            f"the key in {name} holds a control character or one outside ASCII; copy it once more"
        )
    return key or None


def _checked_url(url: object) -> str | None:
    if url is None or url == "":
        return None
    if not isinstance(url, str):
        raise ConfigurationError(f"the base URL must be a text, not {type(url).__name__}")
    if not url.isprintable() or " " in url:
        raise ConfigurationError("the base URL holds a space, a line break or a control character; remove it")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ConfigurationError("the base URL names no host; write it as http://HOST:PORT/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        shown = _SCHEME_HOST_PORT.match(url) if "@" not in url else None
        where = f": {shown.group()!r}" if shown else ""
        raise ConfigurationError(f"the base URL must begin with http:// or https:// and name a host{where}")
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ConfigurationError("the port in the base URL must be a number from 1 to 65535")
    return url
