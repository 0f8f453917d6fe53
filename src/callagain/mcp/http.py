"""The transport of a server behind a URL: the SDK's, with a client that tells what became of a request.

The SDK gives up a whole connection, and all calls on it, when one request cannot be sent. With this client
every request has an answer: where none came, a JSON-RPC error says whether the server may have seen it.
Each message goes through `mended` before the SDK reads it.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, cast

import httpx2
import mcp_types
from mcp.client.streamable_http import streamable_http_client

from callagain.mcp.errors import NOT_MADE, REFUSED, SESSION_GONE, TOO_LONG, UNKNOWN, too_long
from callagain.mcp.messages import mended
from callagain.mcp.secrets import Secrets, secrets_of_headers
from callagain.mcp.servers import HttpServer

_SESSION = "mcp-session-id"
_KEPT = ("content-type", _SESSION)
# While a server restarts there is nobody to connect to; nothing is sent twice by trying again.
PATIENCE_SECONDS = (0.1, 0.3, 0.6)
_FAREWELL_SECONDS = 2.0
_REQUEST_TIMEOUT = 408
_ADVICE = {
    401: "; check headers=",
    403: "; check headers=",
    404: "; check the URL",
    405: "; check the URL",
    429: "; try again later",
}
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
        # How long an event may be is looked at below.
        streamable_http_client(server.plain_url, http_client=client, max_sse_event_size=None) as streams,
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
            request.headers.update(self._server.headers_of_url())
            request.headers.update(headers)
        except Exception as error:
            return _answer(request, NOT_MADE, f"headers= cannot be used ({type(error).__name__})")
        # Of a request that follows a redirection the content is not there yet.
        await request.aread()
        # A redirection brings its own query, which may hold the key once more.
        query = request.url.query or self._server.query.encode()
        if query:
            request.url = _UntoldUrl(request.url, query=query)
        # What is compressed may become any size.
        request.headers["accept-encoding"] = "identity"
        try:
            # The farewell of a session may take a while, and not more.
            async with asyncio.timeout(_FAREWELL_SECONDS if request.method == "DELETE" else None):
                return await self._read(request, await self._sent(request, options))
        except _UNSENT as error:
            return _answer(request, NOT_MADE, f"no connection ({type(error).__name__})")
        except _TooLongError as error:
            return _answer(request, TOO_LONG, str(error))
        except (httpx2.TransportError, httpx2.StreamError, TimeoutError) as error:
            return _answer(request, UNKNOWN, f"no whole answer came ({type(error).__name__})")

    async def _read(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        """The response as the SDK may have it; of a stream of events, before they have come."""
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            return _answer(request, UNKNOWN, "its answer is compressed, though that was not asked for")
        stream, limit = cast("httpx2.AsyncByteStream", response.stream), self._server.max_message_bytes
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code < 400 and kind == "text/event-stream":
            response.stream = _Events(stream, limit, self._secrets)
            return response
        response.stream = _BoundedBody(stream, limit)
        body = await response.aread()
        # The SDK decides which redirections it follows.
        if response.next_request is not None:
            return response
        content = mended(body, self._secrets)
        await response.aclose()
        if response.status_code >= 400:
            return _refusal(request, response, content)
        is_json = kind == "application/json" and content.lstrip().startswith(b"{")
        status = response.status_code
        if _is_question(request) and (status == 202 or not is_json):
            words = f"it answered with HTTP status {status} ({kind or 'nothing'}), and no result"
            return _answer(request, UNKNOWN, words)
        kept = {name: response.headers[name] for name in _KEPT if name in response.headers}
        return httpx2.Response(status, headers=kept, content=content, request=request)

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


class _UntoldUrl(httpx2.URL):
    """It is sent with its query, and told without: clients and servers write addresses into their logs."""

    def __str__(self) -> str:
        return str(self.copy_with(query=None))

    def __repr__(self) -> str:
        return repr(self.copy_with(query=None))


class _TooLongError(httpx2.StreamError):
    pass


class _BoundedBody(httpx2.AsyncByteStream):
    """A body that may not grow without end."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        async for chunk in self._stream:
            received += len(chunk)
            if received > self._limit:
                raise _TooLongError(str(too_long(self._limit)))
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Events(httpx2.AsyncByteStream):
    """A stream of whole events, each message in them mended; in place of one that is too long, an error."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int, secrets: Secrets) -> None:
        self._stream = stream
        self._limit = limit
        self._secrets = secrets

    async def __aiter__(self) -> AsyncIterator[bytes]:
        event, rest = bytearray(), bytearray()
        async for chunk in self._stream:
            rest += chunk
            if b"\n" in chunk or b"\r" in chunk:
                *lines, last = bytes(rest + b".").splitlines(keepends=True)
                rest = bytearray(last[:-1])
                for line in lines:
                    event += self._mended(line)
                    # An empty line ends an event.
                    if not line.strip(b"\r\n"):
                        yield bytes(event)
                        event.clear()
            if len(event) + len(rest) > self._limit:
                error = _error(TOO_LONG, str(too_long(self._limit)))
                yield f"data: {json.dumps(error)}\n\n".encode()
                return

    def _mended(self, line: bytes) -> bytes:
        if not line.startswith(b"data:"):
            return line
        text = line.rstrip(b"\r\n")
        return b"data: " + mended(text[5:].lstrip(), self._secrets) + line[len(text) :]

    async def aclose(self) -> None:
        await self._stream.aclose()


def _is_question(request: httpx2.Request) -> bool:
    """Whether it waits for an answer, as a notification does not."""
    if request.method != "POST":
        return False
    message = json.loads(request.content)
    return "id" in message and "method" in message


def _refusal(request: httpx2.Request, response: httpx2.Response, content: bytes) -> httpx2.Response:
    """What a status says of the request: with 4xx it was turned away, and with the others nobody knows."""
    status = response.status_code
    if status == 404 and _SESSION in request.headers:
        return _answer(request, SESSION_GONE, "the server has forgotten the session")
    if _is_json_rpc_error(content):
        headers = {"content-type": "application/json"}
        return httpx2.Response(status, headers=headers, content=content, request=request)
    if status < 500 and status != _REQUEST_TIMEOUT:
        words = f"it refused the request with HTTP status {status}{_ADVICE.get(status, '')}"
        return _answer(request, REFUSED, words)
    return _answer(request, UNKNOWN, f"it answered with HTTP status {status}")


def _is_json_rpc_error(content: bytes) -> bool:
    try:
        message = mcp_types.jsonrpc_message_adapter.validate_json(content, by_name=False)
    except ValueError:
        return False
    return isinstance(message, mcp_types.JSONRPCError)


def _answer(request: httpx2.Request, code: int, message: str) -> httpx2.Response:
    return httpx2.Response(503, json=_error(code, message), request=request)


def _error(code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
