"""Requests that differ from one that was sent in nothing but the body.

The client of the openai package makes the first request of a connection pool: URL, headers, key, timeouts. To
have it make all of them takes as long as to send them (docs/performance.md), so the next ones are copies.
"""

from dataclasses import dataclass
from typing import Any

import httpx2

# The length is that of the body.
_OF_ITS_OWN = {"content-length"}


@dataclass(frozen=True, slots=True)
class _Request:
    """All of a request but its body, which is not kept."""

    method: str
    url: httpx2.URL
    headers: dict[str, str]
    extensions: Any


class CopiedRequests:
    """The requests of one client that we have made, and whose HTTP client we have therefore.

    What an HTTP client raises is raised as it is; an answer that is no success is an answer.
    has_own_cookie: every request has the same, as OPENAI_CUSTOM_HEADERS may say; otherwise cookies are those
    that the HTTP client has been given by then.
    """

    def __init__(
        self, http_client: httpx2.Client | httpx2.AsyncClient, *, has_own_cookie: bool = False
    ) -> None:
        self._http_client = http_client
        self._left_out = _OF_ITS_OWN if has_own_cookie else {*_OF_ITS_OWN, "cookie"}
        self._like: _Request | None = None

    @property
    def are_known(self) -> bool:
        return self._like is not None

    def learn(self, request: httpx2.Request) -> None:
        """This request was sent, and was answered."""
        headers = {name: value for name, value in request.headers.items() if name not in self._left_out}
        self._like = _Request(request.method, request.url, headers, request.extensions)

    def send(self, body: bytes) -> httpx2.Response:
        """The response, whose body has not been read."""
        assert isinstance(self._http_client, httpx2.Client)
        return self._http_client.send(self._copy(body), stream=True, follow_redirects=False)

    async def send_async(self, body: bytes) -> httpx2.Response:
        """The same, awaited."""
        assert isinstance(self._http_client, httpx2.AsyncClient)
        return await self._http_client.send(self._copy(body), stream=True, follow_redirects=False)

    def _copy(self, body: bytes) -> httpx2.Request:
        like = self._like
        assert like is not None
        copy = httpx2.Request(
            like.method, like.url, headers=like.headers, content=body, extensions=like.extensions
        )
        if cookies := self._http_client.cookies:
            cookies.set_cookie_header(copy)
        return copy
