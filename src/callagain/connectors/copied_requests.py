"""Requests that differ from one that was sent in nothing but the body.

The client of the openai package makes the first request of a connection pool: URL, headers, key, timeouts. To
have it make all of them takes as long as to send them (docs/performance.md), so the next ones are copies.
"""

import httpx2


class CopiedRequests:
    """The requests of one client that we have made, and whose HTTP client we have therefore.

    What an HTTP client raises is raised as it is; an answer that is no success is an answer.
    """

    def __init__(self, http_client: httpx2.Client | httpx2.AsyncClient) -> None:
        self._http_client = http_client
        self._first: httpx2.Request | None = None

    @property
    def are_known(self) -> bool:
        return self._first is not None

    def learn(self, request: httpx2.Request) -> None:
        """This request was sent, and was answered."""
        self._first = request

    def send(self, body: bytes) -> httpx2.Response:
        """The response, whose body has not been read."""
        assert isinstance(self._http_client, httpx2.Client)
        return self._http_client.send(self._copy(body), stream=True, follow_redirects=False)

    async def send_async(self, body: bytes) -> httpx2.Response:
        """The same, awaited."""
        assert isinstance(self._http_client, httpx2.AsyncClient)
        return await self._http_client.send(self._copy(body), stream=True, follow_redirects=False)

    def _copy(self, body: bytes) -> httpx2.Request:
        first = self._first
        assert first is not None
        headers = first.headers.copy()
        headers["content-length"] = str(len(body))
        return httpx2.Request(
            first.method, first.url, headers=headers, content=body, extensions=first.extensions
        )
