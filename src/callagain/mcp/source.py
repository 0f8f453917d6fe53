"""McpTools: the tools of one MCP server."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from callagain.connectors.tools import Tool, ToolOptions
from callagain.engine.errors import ConfigurationError, DuplicateToolError
from callagain.mcp.errors import McpServerError
from callagain.mcp.loop_thread import LoopThread
from callagain.mcp.servers import MAX_MESSAGE_BYTES, Headers, HttpServer, Secrets, Server, StdioServer

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self, Unpack

    import mcp_types

    from callagain.mcp.connection import Connection

Value = TypeVar("Value")
# Names, or a function that says of a name whether the tool is wanted; None takes all.
Allow: TypeAlias = Collection[str] | Callable[[str], bool] | None
ToolList: TypeAlias = list[Tool]

_CLOSE_SECONDS = 10.0
# Options that are the server's to say, or that a call over a connection cannot keep.
_NOT_HERE = ("name", "description", "output_schema", "in_caller_thread")


class McpTools:
    """An MCP server as a source of tools, for synchronous and asynchronous programs.

    Made by `stdio` or `http`; used in a `with` or an `async with`, or until `close()`. The connection is made
    when it is first needed, and made anew when the server was restarted. Threads, event loops and runs may
    share it; processes may not.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._secrets = Secrets(server.secrets())
        self._thread: LoopThread | None = None
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    @classmethod
    def stdio(
        cls,
        command: Sequence[str],
        *,
        name: str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        timeout: float = 30.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
    ) -> "McpTools":
        """A server that is started as a process, such as `["python", "server.py"]`.

        name: in messages; the program's unless set. env: for the server, which gets nothing else of this
        program's environment but what no program can do without (PATH, HOME and the like). timeout: seconds
        for a start with the list of tools; a call has the timeout of its tool. max_message_bytes: a longer
        message ends the connection.

        Raises ConfigurationError.
        """
        checked = StdioServer.checked_command(command)
        server = StdioServer(
            name=name or StdioServer.usual_name(checked),
            timeout=timeout,
            max_message_bytes=max_message_bytes,
            command=checked,
            env={} if env is None else env,
            cwd=cwd,
        )
        return cls(server)

    @classmethod
    def http(
        cls,
        url: str,
        *,
        name: str | None = None,
        headers: Headers | None = None,
        timeout: float = 30.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
    ) -> "McpTools":
        """A streamable HTTP server, such as `https://example.com/mcp`.

        headers: sent with every request; a function is asked at every request, for tokens that expire. The
        others are as for `stdio`; the usual name is the URL's host.

        Raises ConfigurationError.
        """
        checked = HttpServer.checked_url(url)
        server = HttpServer(
            name=name or HttpServer.usual_name(checked),
            timeout=timeout,
            max_message_bytes=max_message_bytes,
            url=checked,
            headers={} if headers is None else headers,
        )
        return cls(server)

    def __repr__(self) -> str:
        return f"McpTools({self._server.name!r})"

    def list(
        self,
        *,
        allow: Allow = None,
        prefix: str = "",
        trust_hints: bool = False,
        **options: "Unpack[ToolOptions]",
    ) -> ToolList:
        """The server's tools, as it lists them now, for `ToolLoop(tools=…)`.

        allow: names of the server's that are wanted, or a function of a name; None takes all. prefix: begins
        the announced names. trust_hints: take readOnlyHint and idempotentHint for true. options: of all these
        tools, as of any other (docs/tools.md); they are `untrusted` unless said otherwise.

        Raises McpServerError if the server cannot be reached, ConfigurationError for a name that it does not
        have, ToolSchemaError for a tool that cannot be announced.
        """
        listed = self._submit(lambda connection: connection.listed()).result()
        return self._tools(listed, allow, prefix, trust_hints, options)

    async def alist(
        self,
        *,
        allow: Allow = None,
        prefix: str = "",
        trust_hints: bool = False,
        **options: "Unpack[ToolOptions]",
    ) -> ToolList:
        """`list` for asynchronous code."""
        listing = await asyncio.to_thread(self._submit, lambda connection: connection.listed())
        return self._tools(await asyncio.wrap_future(listing), allow, prefix, trust_hints, options)

    def close(self) -> None:
        """Ends the connection, and the server if it was started here. Later calls are not made."""
        with self._lock:
            thread, connection, self._is_closed = self._thread, self._connection, True
            self._thread = self._connection = None
        if thread is not None and connection is not None:
            with contextlib.suppress(McpServerError, TimeoutError):
                thread.submit(connection.close()).result(_CLOSE_SECONDS)
            thread.stop()

    async def aclose(self) -> None:
        """`close` for asynchronous code."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> "Self":
        """Connects. Raises McpServerError if the server cannot be reached."""
        try:
            self._submit(lambda connection: connection.open()).result()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    async def __aenter__(self) -> "Self":
        try:
            opening = await asyncio.to_thread(self._submit, lambda connection: connection.open())
            await asyncio.wrap_future(opening)
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        await self.aclose()

    def _submit(self, work: "Callable[[Connection], Coroutine[Any, Any, Value]]") -> "Future[Value]":
        """Work for the connection, on its own loop. Raises McpServerError."""
        with self._lock:
            if self._is_closed:
                raise McpServerError(f"MCP server {self._server.name}: it was closed; make new McpTools")
            if self._thread is None or self._connection is None:
                self._connection = _new_connection(self._server, self._secrets)
                self._thread = LoopThread(f"callagain-mcp-{self._server.name}")
            return self._thread.submit(work(self._connection))

    def _tools(
        self,
        listed: "Sequence[mcp_types.Tool]",
        allow: Allow,
        prefix: str,
        trust_hints: bool,
        options: ToolOptions,
    ) -> ToolList:
        from callagain.mcp.calls import ServerTools, hinted

        _check_options(options)
        made = ServerTools(self._server.name, self._secrets, self._submit)
        found: dict[str, Tool] = {}
        for each in self._wanted(listed, allow):
            hints = hinted(each) if trust_hints else ToolOptions()
            one = made.tool(each, prefix, {"untrusted": True, **hints, **options})
            if one.name in found:
                raise DuplicateToolError(
                    f"MCP server {self._server.name}: two of its tools are announced as {one.name}; "
                    "leave one of them out by allow="
                )
            found[one.name] = one
        return [*found.values()]

    def _wanted(self, listed: "Sequence[mcp_types.Tool]", allow: Allow) -> "Sequence[mcp_types.Tool]":
        if allow is None:
            return listed
        if callable(allow):
            return [each for each in listed if allow(each.name)]
        if isinstance(allow, str):
            raise ConfigurationError(f"allow={allow!r} must be a list of names, or a function of a name")
        names = [each.name for each in listed]
        for name in allow:
            if name not in names:
                near = get_close_matches(name, names, 3) or names[:10]
                raise ConfigurationError(
                    f"MCP server {self._server.name} has no tool {name}; "
                    f"of its {len(names)} the nearest are: {', '.join(near) or 'none'}"
                )
        return [each for each in listed if each.name in allow]


def _new_connection(server: Server, secrets: Secrets) -> "Connection":
    try:
        from callagain.mcp.connection import Connection
    except ImportError as error:
        raise ConfigurationError(f"{error.name} is missing: pip install 'callagain[mcp]'") from None
    return Connection(server, secrets)


def _check_options(options: ToolOptions) -> None:
    for name in _NOT_HERE:
        if name in options:
            raise ConfigurationError(
                f"{name}= cannot be set for the tools of a server; use dataclasses.replace on one of them"
            )
