"""The Chat Completions endpoint, through the `openai` client: OpenAI, Azure, and every compatible base URL.

The client is given ready bytes and gives the raw answer back, so that what is sent is InAndOut to the letter,
and no type of the client's enters the loop. It does no retries of its own: one command is one request.
"""

from typing import TYPE_CHECKING
from urllib.parse import quote

from callagain.connectors.clients import Client, ClientOrFactory, Clients
from callagain.connectors.connection_errors import proxy_advice, why_no_answer
from callagain.connectors.credentials import NO_KEY, Credentials
from callagain.engine.errors import ConfigurationError
from callagain.engine.wire.http_answer import HttpAnswer

if TYPE_CHECKING:
    import httpx2
    from openai._types import RequestOptions

PATH = "/chat/completions"
HIDDEN = "***"
_SHORTEST_SECRET = 8


class ChatCompletions:
    """Sends request bodies; any number of threads and event loops may use it at once.

    client: a client of the openai package, or a function that makes one; without one it is made from
    base_url and api_key, or the usual environment variables. timeout: seconds that the connection may be
    silent; the driver holds the time for the request as a whole.

    Raises ConfigurationError if there is no client, no key and no base URL, or one that cannot be used; and
    at the first request, if the client cannot be made.
    """

    def __init__(
        self,
        model: str,
        *,
        client: ClientOrFactory | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = 60.0,
    ) -> None:
        if client is not None and (base_url or api_key):
            raise ConfigurationError("give either client= or base_url= and api_key=, not both")
        self._model = model
        self._timeout = timeout
        self._credentials = None if client is not None else Credentials.found(base_url, api_key)
        self._clients = Clients(client, self._credentials)
        self._secrets: frozenset[str] = frozenset()
        self._keep_secret(self._credentials.api_key if self._credentials else getattr(client, "api_key", ""))

    def __repr__(self) -> str:
        return f"ChatCompletions(model={self._model!r})"

    def is_async(self, *, prefer_async: bool) -> bool:
        """Whether requests go by `send_async`: as the client that was given does, or else as preferred."""
        return self._clients.is_async(prefer_async=prefer_async)

    def send(self, body: bytes) -> HttpAnswer:
        """Sends the body, and waits for the answer. What an endpoint or a network does is in the answer."""
        import httpx2

        client = self._clients.sync()
        try:
            response = client.post(
                self._path(client), cast_to=httpx2.Response, content=body, options=self._options()
            )
        except Exception as error:
            return self._answer_of_error(error, client)
        return self._answer(response, client)

    async def send_async(self, body: bytes) -> HttpAnswer:
        """The same, awaited."""
        client = await self._clients.of_loop()
        import httpx2

        try:
            response = await client.post(
                self._path(client), cast_to=httpx2.Response, content=body, options=self._options()
            )
        except Exception as error:
            return self._answer_of_error(error, client)
        return self._answer(response, client)

    def hide_secrets(self, text: str) -> str:
        """The text with *** in place of the key, should it stand in it."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def _options(self) -> "RequestOptions":
        return {"max_retries": 0, "timeout": self._timeout}

    def _path(self, client: Client) -> str:
        """Azure's older URLs name the deployment, which the client cannot read from ready bytes."""
        from openai import AsyncAzureOpenAI, AzureOpenAI

        named = "/deployments/" in str(client.base_url)
        if isinstance(client, AzureOpenAI | AsyncAzureOpenAI) and not named:
            return f"/deployments/{quote(self._model, safe='')}{PATH}"
        return PATH

    def _answer(self, response: "httpx2.Response", client: Client) -> HttpAnswer:
        body = response.content.decode("utf-8", "replace")
        content_type = response.headers.get("content-type", "")
        self._keep_secret(client.api_key)
        return HttpAnswer(response.status_code, content_type, self.hide_secrets(body))

    def _answer_of_error(self, error: Exception, client: Client) -> HttpAnswer:
        from openai import APIStatusError

        if isinstance(error, APIStatusError):
            return self._answer(error.response, client)
        why = why_no_answer(error, str(client.base_url), self._timeout)
        # A client that was given may have its own idea of proxies.
        own_url = self._credentials.base_url if self._credentials else None
        if own_url is not None and (advice := proxy_advice(own_url)) is not None:
            why = f"{why}; {advice}"
        self._keep_secret(client.api_key)
        return HttpAnswer.missing("provider_unavailable", self.hide_secrets(why))

    def _keep_secret(self, key: object) -> None:
        if isinstance(key, str) and len(key := key.strip()) >= _SHORTEST_SECRET and key != NO_KEY:
            self._secrets |= {key}
