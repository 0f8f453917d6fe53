"""The transport of a server behind a URL: the SDK's, with a client that tells what became of a request.

The SDK gives up a whole connection, and all calls on it, when one request cannot be sent. With this client
every request has an answer: where none came, a JSON-RPC error says whether the server may have seen it.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, cast

import httpx2
import mcp_types
from mcp.client.streamable_http import streamable_http_client

from callagain.mcp.errors import NOT_MADE, SESSION_GONE, UNKNOWN
from callagain.mcp.servers import HttpServer, Secrets, secrets_of_headers

_SESSION = "mcp-session-id"
# While a server restarts there is nobody to connect to; nothing is sent twice by trying again.
PATIENCE_SECONDS = (0.1, 0.3, 0.6)
_FAREWELL_SECONDS = 2.0
_REQUEST_TIMEOUT = 408
_UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)


@contextlib.asynccontextmanager
async def http_streams(server: HttpServer, secrets: Secrets) -> AsyncGenerator[Any]:
    """Read and write stream of a connection."""
    async with (
        _HttpClient(server, secrets) as client,
        streamable_http_client(
            server.url, http_client=client, max_sse_event_size=server.max_message_bytes
        ) as streams,
    ):
        yield streams


class _HttpClient(httpx2.AsyncClient):
    def __init__(self, server: HttpServer, secrets: Secrets) -> None:
        # How long an answer may take is the affair of the tool's timeout.
        super().__init__(timeout=httpx2.Timeout(server.timeout, read=None))
        self._server = server
        self._secrets = secrets
        self._has_answered = False

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """An answer in any case."""
        try:
            headers = self._server.headers_now()
            self._secrets.add(secrets_of_headers(headers))
            request.headers.update(headers)
        except Exception as error:
            return _answer(request, NOT_MADE, f"headers= cannot be used ({type(error).__name__})")
        # What is compressed may become any size.
        request.headers["accept-encoding"] = "identity"
        try:
            # The farewell of a session may take a while, and not more.
            async with asyncio.timeout(_FAREWELL_SECONDS if request.method == "DELETE" else None):
                response = await self._sent(request, options)
            if response.headers.get("content-encoding", "identity") != "identity":
                await response.aclose()
                return _answer(request, UNKNOWN, "its answer is compressed, though that was not asked for")
            is_refused = response.status_code >= 400
            if is_refused or "event-stream" not in response.headers.get("content-type", ""):
                stream = cast("httpx2.AsyncByteStream", response.stream)
                response.stream = _BoundedBody(stream, self._server.max_message_bytes)
            return await _refusal(request, response) if is_refused else response
        except _UNSENT as error:
            return _answer(request, NOT_MADE, f"no connection ({type(error).__name__})")
        except (httpx2.TransportError, httpx2.StreamError, TimeoutError) as error:
            return _answer(request, UNKNOWN, f"no whole answer came ({type(error).__name__})")

    async def _sent(self, request: httpx2.Request, options: dict[str, Any]) -> httpx2.Response:
        """A server that has answered before, and is not there, may be restarting."""
        for seconds in PATIENCE_SECONDS if self._has_answered else ():
            try:
                return await super().send(request, **options)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                await asyncio.sleep(seconds)
        response = await super().send(request, **options)
        self._has_answered = True
        return response


class _BoundedBody(httpx2.AsyncByteStream):
    """A body that may not grow without end. The SDK reads what is no stream of events as a whole."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        try:
            async for chunk in self._stream:
                received += len(chunk)
                if received > self._limit:
                    raise httpx2.StreamError("the answer is too long")
                yield chunk
        except httpx2.TransportError as error:
            # The kind of error that the SDK takes for the end of this one request.
            raise httpx2.StreamError(f"the answer broke off ({type(error).__name__})") from None

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _refusal(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """What a status says of the request: with 4xx it was turned away, and with the others nobody knows."""
    await response.aread()
    await response.aclose()
    if response.status_code == 404 and _SESSION in request.headers:
        return _answer(request, SESSION_GONE, "the server has forgotten the session")
    if _is_json_rpc_error(response.content):
        return response
    is_turned_away = response.status_code < 500 and response.status_code != _REQUEST_TIMEOUT
    code = NOT_MADE if is_turned_away else UNKNOWN
    return _answer(request, code, f"it answered with HTTP status {response.status_code}")


def _is_json_rpc_error(content: bytes) -> bool:
    try:
        message = mcp_types.jsonrpc_message_adapter.validate_json(content, by_name=False)
    except ValueError:
        return False
    return isinstance(message, mcp_types.JSONRPCError)


def _answer(request: httpx2.Request, code: int, message: str) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return httpx2.Response(503, json=error, request=request)
