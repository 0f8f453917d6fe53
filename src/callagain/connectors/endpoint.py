"""An LLM endpoint, through the `openai` client: OpenAI, Azure, and every compatible base URL.

The client is given ready bytes and gives the raw answer back, so that what is sent is InAndOut to the letter,
and no type of the client's enters the loop. It does no retries of its own: one exchange is one request.
"""

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from callagain.connectors.clients import Client, ClientOrFactory, Clients
from callagain.connectors.connection_errors import proxy_advice, why_no_answer
from callagain.connectors.credentials import NO_KEY, Credentials
from callagain.engine.errors import ConfigurationError
from callagain.engine.wire.wire_format import WireFormat

if TYPE_CHECKING:
    from openai._types import RequestOptions

HIDDEN = "***"
_SHORTEST_SECRET = 8


class Endpoint:
    """Where requests go, and by which clients; any number of threads and event loops may use it at once.

    wire: the API. client: a client of the openai package, or a function that makes one; without one it is
    made from base_url and api_key, or the usual environment variables. timeout: seconds that the connection
    may be silent; the driver holds the time for the request as a whole.

    Raises ConfigurationError if there is no client, no key and no base URL, or one that cannot be used; and
    at the first request, if the client cannot be made.

    Guide: HTTP v2, connection and authentication, Azure OpenAI.
    """

    def __init__(
        self,
        wire: WireFormat,
        model: str,
        *,
        client: ClientOrFactory | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = 60.0,
    ) -> None:
        if client is not None and (base_url or api_key):
            raise ConfigurationError("give either client= or base_url= and api_key=, not both")
        self.wire = wire
        self.timeout = timeout
        self._model = model
        self._credentials = None if client is not None else Credentials.found(base_url, api_key)
        self.clients = Clients(client, self._credentials)
        self._given = client
        self.secrets: frozenset[str] = frozenset()
        given_key = getattr(client, "api_key", "")
        for secret in self._credentials.secrets if self._credentials else [given_key]:
            self._keep_secret(secret)

    def __repr__(self) -> str:
        return f"Endpoint(api={self.wire.name!r}, model={self._model!r})"

    @property
    def base_url(self) -> str | None:
        """As far as it is known before a client is made; None for OpenAI's own, and for a factory's."""
        if self._credentials is not None:
            return self._credentials.base_url
        url = getattr(self._given, "base_url", None)
        return None if url is None else str(url)

    @property
    def is_given_by_factory(self) -> bool:
        """Whether nobody can know the base URL before the first request."""
        return callable(self._given)

    def is_async(self, *, prefer_async: bool) -> bool:
        """Whether requests are awaited: as the client that was given does, or else as preferred."""
        return self.clients.is_async(prefer_async=prefer_async)

    def prepare(self) -> None:
        """Makes the client that threads use. Raises ConfigurationError where none can be made.

        Called before a run goes on: it would be too late to find out after a tool has run.
        """
        if not self.is_async(prefer_async=False):
            self.clients.sync()

    async def aprepare(self) -> None:
        """The same for the running event loop."""
        if self.is_async(prefer_async=True):
            await self.clients.of_loop()

    def options(self) -> "RequestOptions":
        """What the client is told for each request: one attempt, and no conversation for another host."""
        return {"max_retries": 0, "timeout": self.timeout, "follow_redirects": False}

    def path(self, client: Client) -> str:
        """Azure's older URLs name the deployment, which the client cannot read from ready bytes."""
        from openai import AsyncAzureOpenAI, AzureOpenAI

        named = "/deployments/" in str(client.base_url)
        if isinstance(client, AzureOpenAI | AsyncAzureOpenAI) and not named and self.wire.is_of_a_deployment:
            return f"/deployments/{quote(self._model, safe='')}{self.wire.path}"
        return self.wire.path

    def hide_secrets(self, text: str) -> str:
        """The text with *** in place of the key, should it stand in it."""
        for secret in self.secrets:
            text = _spelled_anyhow(secret).sub(HIDDEN, text)
        return text

    def keep_key_of(self, client: Client) -> None:
        """The key that a client uses by now; a given one may change it."""
        self._keep_secret(client.api_key)

    def why_no_answer(self, error: Exception, client: Client) -> str:
        """What the client or the connection raised, in words that hold no secret."""
        why = why_no_answer(error, str(client.base_url), self.timeout)
        # A client that was given may have its own idea of proxies.
        own_url = self._credentials.base_url if self._credentials else None
        if own_url is not None and (advice := proxy_advice(own_url)) is not None:
            why = f"{why}; {advice}"
        self.keep_key_of(client)
        return self.hide_secrets(why)

    def _keep_secret(self, key: object) -> None:
        if isinstance(key, str) and len(key := key.strip()) >= _SHORTEST_SECRET and key != NO_KEY:
            self.secrets |= {key}


@cache
def _spelled_anyhow(secret: str) -> re.Pattern[str]:
    """Finds the secret as it is, and as JSON or a URL may spell it: `\\/` or `\\u002f` or `%2F` for `/`."""
    spellings: list[str] = []
    for one in secret:
        plain, code = re.escape(one), ord(one)
        escaped = rf"(?:{plain}|\\{plain}|\\u(?i:{code:04x})|%(?i:{code:02x}))"
        # Nobody escapes letters and digits, and a pattern that begins with some is found quickly.
        spellings.append(plain if one.isalnum() else escaped)
    return re.compile("".join(spellings))
