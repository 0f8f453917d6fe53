"""Which endpoint, and by which key: from the arguments, or from the usual environment variables."""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

# Servers on one's own machine need no key, but the client of the openai package wants one.
NO_KEY = "no-key"

NOTHING_FOUND = (
    "no endpoint: set OPENAI_API_KEY, or base_url= (OPENAI_BASE_URL) for a compatible server, or "
    "AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY, or pass client="
)


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

        Raises ConfigurationError if there is neither a key nor a base URL, or a base URL is none.
        """
        env = os.environ
        base_url = base_url or env.get("OPENAI_BASE_URL") or None
        key = api_key or env.get("OPENAI_API_KEY")
        if base_url is None and not key and (endpoint := env.get("AZURE_OPENAI_ENDPOINT")):
            azure_key = env.get("AZURE_OPENAI_API_KEY")
            if not azure_key:
                raise ConfigurationError("AZURE_OPENAI_ENDPOINT is set: set AZURE_OPENAI_API_KEY too")
            if not env.get("OPENAI_API_VERSION"):
                raise ConfigurationError("AZURE_OPENAI_ENDPOINT is set: set OPENAI_API_VERSION too")
            return cls(_checked(endpoint), azure_key, azure=True)
        if base_url is None and not key:
            raise ConfigurationError(NOTHING_FOUND)
        return cls(None if base_url is None else _checked(base_url), key or NO_KEY)

    def client(self, *, asynchronous: bool) -> "OpenAI | AsyncOpenAI":
        """A new client for this endpoint; what else it needs it takes from the environment itself."""
        from openai import AsyncAzureOpenAI, AsyncOpenAI, AzureOpenAI, OpenAI

        if self.azure and self.base_url is not None:
            azure = AsyncAzureOpenAI if asynchronous else AzureOpenAI
            return azure(azure_endpoint=self.base_url, api_key=self.api_key)
        plain = AsyncOpenAI if asynchronous else OpenAI
        return plain(base_url=self.base_url, api_key=self.api_key)


def _checked(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            f"the base URL must begin with http:// or https:// and name a host: {base_url!r}"
        )
    return base_url
