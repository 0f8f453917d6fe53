"""What every request goes through before it is routed, and every response on its way out."""

import asyncio
import contextlib
import logging

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from callagain.serving.access import Access, is_open
from callagain.serving.limits import ServingLimits
from callagain.serving.problems import RequestProblem

LOGGER = logging.getLogger("callagain.serving")
# How long the rest of a body is thrown away, so that its sender gets to read the answer.
_LINGER_SECONDS = 1.0
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Door:
    """Lets in whoever may ask, and no more at the same time than the server can hold."""

    def __init__(self, app: ASGIApp, access: Access, limits: ServingLimits) -> None:
        self._app = app
        self._access = access
        self._limits = limits
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        self._inside += 1
        try:
            self._access.check(scope)
            if self._inside > self._limits.max_requests and not is_open(scope):
                raise RequestProblem(
                    503,
                    "the server has as many requests as it takes; ask again",
                    headers={"Retry-After": str(self._limits.retry_after)},
                )
            await self._app(scope, exchange.receive, exchange.send)
        except RequestProblem as problem:
            await problem.response()(scope, exchange.receive, exchange.send)
        except Exception:
            LOGGER.exception("%s %r failed", scope["method"], scope["path"])
            if not exchange.has_begun:
                bug = RequestProblem(500, "an error of the server; its log has it")
                await bug.response()(scope, exchange.receive, exchange.send)
        finally:
            self._inside -= 1


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
            await self._send({**message, "more_body": True})
            await self._throw_away()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _throw_away(self) -> None:
        """Closed at once, the connection would be reset, and the answer with it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                while not self._is_whole:
                    await self.receive()
