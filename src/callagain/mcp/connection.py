"""The connection to one server: made when it is needed, and made anew after it was lost."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

import mcp_types
from mcp import Client, MCPError
from mcp.client import Transport
from pydantic import ValidationError

from callagain.mcp.errors import (
    NOT_MADE,
    REFUSED,
    SESSION_GONE,
    TOO_LONG,
    UNKNOWN,
    McpServerError,
    NoResultError,
    NotMadeError,
    OutcomeUnknownError,
    RefusedError,
    not_made,
    too_long,
)
from callagain.mcp.http import http_streams
from callagain.mcp.messages import NO_ANSWER, fault_of
from callagain.mcp.secrets import Secrets
from callagain.mcp.servers import Server, StdioServer
from callagain.mcp.stdio import Listener, stdio_streams

# The SDK logs what servers do wrong; without a handler of the program's, Python would print it on stderr.
for _name in ("mcp", "client"):
    logging.getLogger(_name).addHandler(logging.NullHandler())

MAX_TOOLS = 1_000
_MAX_PAGES = 50
CLOSE_SECONDS = 6.0


class _SessionGoneError(Exception):
    pass


class Connection:
    """All of it runs on one event loop."""

    def __init__(self, server: Server, secrets: Secrets) -> None:
        self._server = server
        self._secrets = secrets
        self._session: _Session | None = None
        self._opening = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connects, if it is not connected. Raises McpServerError."""
        await self._opened()

    async def listed(self) -> list[mcp_types.Tool]:
        """All tools that the server has now. Raises McpServerError."""
        session = await self._opened()
        try:
            async with asyncio.timeout(self._server.timeout):
                return await _all_tools(session.client)
        except TimeoutError:
            why = f"it did not list its tools within {self._server.timeout:g} s{session.strays()}"
            raise self._error(why) from None
        except Exception as error:
            why = f"its tools cannot be listed: {session.lost or _words(error)}"
            raise self._error(why, error) from None

    async def call(self, name: str, arguments: dict[str, Any], key: str) -> mcp_types.CallToolResult:
        """One call, sent once; key is its idempotency key.

        Raises NotMadeError, OutcomeUnknownError, NoResultError, or MCPError for an error that the server
        answered with.
        """
        for _ in range(2):
            # A server that was restarted, or has tidied up, takes nothing of a call: a new session will do.
            with contextlib.suppress(_SessionGoneError):
                return await self._call(name, arguments, key)
        raise NotMadeError("the server forgets its sessions")

    async def close(self) -> None:
        if self._session is not None:
            self._end(self._session)
        if self._ending:
            await asyncio.wait(self._ending, timeout=CLOSE_SECONDS)

    async def _call(self, name: str, arguments: dict[str, Any], key: str) -> mcp_types.CallToolResult:
        try:
            session = await self._opened()
        except McpServerError as error:
            raise not_made(error) from None
        # Servers that refuse to do one thing twice may know a call again by it.
        meta = cast("mcp_types.RequestParamsMeta", {"callagain/idempotencyKey": key})
        try:
            result = await session.client.call_tool(name, arguments, meta=meta)
        except MCPError as error:
            if error.code == SESSION_GONE:
                self._end(session)
                raise _SessionGoneError from None
            raise self._meaning(error, session) from None
        except (ValidationError, RuntimeError) as error:
            raise NoResultError(_words(error)) from None
        except Exception as error:
            raise OutcomeUnknownError(type(error).__name__) from None
        if (fault := fault_of(result)) is not None:
            raise NoResultError(fault)
        return result

    def _meaning(self, error: MCPError, session: "_Session") -> Exception:
        """Of an error that stands in place of a result; of one of the server's own, the error itself."""
        if error.code == REFUSED:
            return NotMadeError(error.message, _refused(error))
        if error.code == NOT_MADE:
            return NotMadeError(error.message)
        if error.code == TOO_LONG:
            return too_long(self._server.max_message_bytes)
        if error.code in NO_ANSWER or error.code == UNKNOWN:
            return session.lost or OutcomeUnknownError(error.message)
        return error

    async def _opened(self) -> "_Session":
        async with self._opening:
            if self._session is None or not self._session.is_open:
                if self._session is not None:
                    self._end(self._session)
                self._session = await self._new_session()
            return self._session

    async def _new_session(self) -> "_Session":
        """With the tools listed once: the SDK asks for them again after a call, if it has never seen them."""
        session = _Session(self._transport)
        try:
            async with asyncio.timeout(self._server.timeout):
                await _all_tools(await session.ready())
        except BaseException as error:
            self._end(session)
            if isinstance(error, TimeoutError):
                why = f"it gave no answer within {self._server.timeout:g} s{session.strays()}"
                raise self._error(why) from None
            if isinstance(error, Exception):
                raise self._error(str(session.lost or _words(error)), error) from None
            raise
        return session

    def _transport(self, listener: Listener) -> Transport:
        if isinstance(self._server, StdioServer):
            return cast("Transport", stdio_streams(self._server, self._secrets, listener))
        streams = http_streams(self._server, self._secrets)
        return cast("Transport", cast("AbstractAsyncContextManager[Any]", streams))

    def _end(self, session: "_Session") -> None:
        session.end()
        self._ending.add(session.task)
        session.task.add_done_callback(self._ending.discard)

    def _error(self, why: str, cause: Exception | None = None) -> McpServerError:
        message = self._secrets.hide(f"MCP server {self._server.name}: {why}")
        if isinstance(cause, MCPError) and cause.code == REFUSED:
            return RefusedError(message, _refused(cause))
        return McpServerError(message)


class _Session:
    """One time of being connected. A task of its own opens it, keeps it and closes it, as the SDK wants it.

    lost: why it was, as far as that is known.
    """

    def __init__(self, transport: Callable[[Listener], Transport]) -> None:
        self.lost: OutcomeUnknownError | None = None
        self._strays = 0
        self._stray = ""
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._is_over = asyncio.Event()
        self.task = asyncio.create_task(self._keep(transport(Listener(self._lose, self._note_stray))))

    @property
    def is_open(self) -> bool:
        return not (self.task.done() or self._is_over.is_set())

    @property
    def client(self) -> Client:
        return self._ready.result()

    async def ready(self) -> Client:
        """Connected. Raises whatever the SDK does if it cannot be."""
        return await asyncio.shield(self._ready)

    def strays(self) -> str:
        """What a server that does not answer has written to its output in place of messages."""
        if not self._strays:
            return ""
        lines = "1 line is no message" if self._strays == 1 else f"{self._strays} lines are no messages"
        return f"; of its stdout {lines} of the protocol, the last: {self._stray!r}"

    def end(self) -> None:
        self._is_over.set()
        if not self._ready.done() or self._ready.cancelled():
            self.task.cancel()

    async def _keep(self, transport: Transport) -> None:
        try:
            # No callbacks: a server gets no access to the model, to the user or to files.
            async with Client(transport, cache=None) as client:
                self._ready.set_result(client)
                await self._is_over.wait()
        except Exception as error:
            if not self._ready.done():
                self._ready.set_exception(error)
                # Nobody may be waiting for it any more.
                self._ready.exception()
        finally:
            self._is_over.set()
            self._ready.cancel()

    def _lose(self, why: OutcomeUnknownError) -> None:
        self.lost = why
        self._is_over.set()

    def _note_stray(self, line: str) -> None:
        self._strays += 1
        self._stray = line


async def _all_tools(client: Client) -> list[mcp_types.Tool]:
    found: list[mcp_types.Tool] = []
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        if len(found) > MAX_TOOLS:
            raise McpServerError(f"it has more than {MAX_TOOLS} tools")
        cursor = page.next_cursor
        if not cursor:
            return found
    raise McpServerError(f"its list of tools has more than {_MAX_PAGES} pages")


def _refused(error: MCPError) -> str:
    """That a request was turned away, without the advice: a model cannot check anything."""
    return error.message.partition(";")[0].removeprefix("it ")


def _words(error: BaseException) -> str:
    """The innermost of an error's groups, in one line of the SDK's words and of the system's."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    with contextlib.suppress(Exception):
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_input=False)[0]
            return f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"[:300]
        text = " ".join(str(error).split())
        if isinstance(error, MCPError | McpServerError):
            # Of pydantic, through the SDK: its values and links help nobody.
            return text.partition(" [type=")[0][:300]
        return f"{type(error).__name__}: {text}"[:300]
    return type(error).__name__
