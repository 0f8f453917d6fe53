"""What every request goes through before it is routed, and every response on its way out."""

import asyncio
import contextlib
import logging
from collections.abc import Generator

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from callagain.serving.access import Access, is_open
from callagain.serving.limits import ServingLimits
from callagain.serving.problems import RequestProblem
from callagain.serving.sse import is_watching

LOGGER = logging.getLogger("callagain.serving")
# How long the rest of a body is thrown away, so that its sender gets to read the answer.
_LINGER_SECONDS = 1.0
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Door:
    """Lets in whoever may ask, and no more at the same time than the server can hold.

    Whoever may not ask takes no place: else strangers could fill the server without a token.
    """

    def __init__(self, app: ASGIApp, access: Access, limits: ServingLimits) -> None:
        self._app = app
        self._access = access
        self._limits = limits
        # Requests within: those that watch events, which take long, and the others.
        self._inside = {True: 0, False: 0}
        self._lingering = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        try:
            self._access.check(scope)
            with self._place(scope):
                await self._app(scope, exchange.receive, exchange.send)
        except RequestProblem as problem:
            await problem.response()(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            # uvicorn breaks off what is left at its end, and would log each with a traceback.
            if not exchange.has_begun:
                ended = RequestProblem(503, "the server is shutting down")
                await ended.response()(scope, exchange.receive, exchange.send)
            await exchange.close()
            return
        except Exception:
            LOGGER.exception("%s %r failed", scope["method"], scope["path"])
            if not exchange.has_begun:
                bug = RequestProblem(500, "an error of the server; its log has it")
                await bug.response()(scope, exchange.receive, exchange.send)
        await self._end(exchange)

    @contextlib.contextmanager
    def _place(self, scope: Scope) -> Generator[None, None, None]:
        """Raises RequestProblem if there is none left."""
        watches, most = is_watching(scope), self._limits.requests_at_once
        if self._inside[watches] >= most and not is_open(scope):
            raise RequestProblem(
                503,
                f"the server has as many requests as it takes ({most}); ask again",
                headers={"Retry-After": str(self._limits.retry_after)},
            )
        self._inside[watches] += 1
        try:
            yield
        finally:
            self._inside[watches] -= 1

    async def _end(self, exchange: "_Exchange") -> None:
        """Nobody waits for a place meanwhile; and of those that linger there are no more than of others."""
        if self._lingering >= self._limits.requests_at_once:
            await exchange.close()
            return
        self._lingering += 1
        try:
            await exchange.end(linger_seconds=_LINGER_SECONDS)
        finally:
            self._lingering -= 1


class _Exchange:
    """A request and its response. Whoever is answered before the body has come is not read any further."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        self._is_whole = length.strip("0") == "" and "transfer-encoding" not in headers
        # Whoever waits for a word before they send the body does not send it after a refusal.
        self._sends_at_once = "100-continue" not in headers.get("expect", "").lower()
        self._receive = receive
        self._send = send
        self.has_begun = False
        self._is_held_open = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            self._is_whole = True
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            headers.update(_HEADERS)
            if not self._is_whole:
                headers["Connection"] = "close"
        elif not message.get("more_body", False) and not self._is_whole and self._sends_at_once:
            self._is_held_open = True
            message = {**message, "more_body": True}
        await self._send(message)

    async def end(self, linger_seconds: float) -> None:
        """Ends a response that came before the body: closed at once, the connection would be reset, and the
        answer with it.
        """
        if not self._is_held_open:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(linger_seconds):
                while not self._is_whole:
                    await self.receive()
        await self.close()

    async def close(self) -> None:
        if self._is_held_open:
            self._is_held_open = False
            await self._send({"type": "http.response.body", "body": b""})
