"""McpTools: the tools of one MCP server."""

import asyncio
import contextlib
import re
import threading
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from callagain.connectors.tools import Tool, ToolOptions
from callagain.connectors.tools.options import check_options
from callagain.engine.errors import ConfigurationError, DuplicateToolError
from callagain.mcp.errors import McpServerError
from callagain.mcp.loop_thread import LoopThread
from callagain.mcp.secrets import Secrets, checked_secrets
from callagain.mcp.servers import MAX_MESSAGE_BYTES, Headers, HttpServer, Server, StdioServer

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
# Options that are the server's to say, and those that a call over a connection cannot keep.
_OF_THE_SERVER = ("name", "description")
_NOT_HERE = ("output_schema", "in_caller_thread")
_OF_LIST = ("allow", "prefix", "trust_hints")
_PREFIX = re.compile("[a-zA-Z0-9_-]*")


class McpTools:
    """An MCP server as a source of tools, for synchronous and asynchronous programs.

    Made by `stdio` or `http`; used in a `with` or an `async with`, or until `close()`. The connection is made
    when it is first needed, and made anew when the server was restarted. Threads, event loops and runs may
    share it; processes may not.
    """

    def __init__(self, server: Server, secrets: Sequence[str] = ()) -> None:
        self._server = server
        self._secrets = Secrets(server.secrets(), checked_secrets(secrets))
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
        secrets: Sequence[str] = (),
    ) -> "McpTools":
        """A server that is started as a process, such as `["python", "server.py"]`.

        name: in messages; the program's unless set. env: for the server, which gets nothing else of this
        program's environment but what no program can do without (PATH, HOME and the like). timeout: seconds
        for a start with the list of tools; a call has the timeout of its tool. max_message_bytes: a longer
        message ends the connection. secrets: texts that are hidden in errors, logs and results beside those
        that are secret by their name.

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
        return cls(server, secrets)

    @classmethod
    def http(
        cls,
        url: str,
        *,
        name: str | None = None,
        headers: Headers | None = None,
        timeout: float = 30.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        secrets: Sequence[str] = (),
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
        return cls(server, secrets)

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
        have and on a running event loop, ToolSchemaError for a tool that cannot be announced.
        """
        _check_no_loop()
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

        _check_options(options, prefix, self._server.name)
        made = ServerTools(self._server.name, self._secrets, self._submit)
        found: dict[str, Tool] = {}
        names: dict[str, str] = {}
        for each in self._wanted(listed, allow):
            hints = hinted(each) if trust_hints else ToolOptions()
            one = made.tool(each, prefix, {"untrusted": True, **hints, **options})
            if (other := names.get(one.name)) is not None:
                if other == each.name:
                    words = f"it lists two tools of the name {other}; leave them out by allow="
                else:
                    words = f"{other} and {each.name} are announced as {one.name}; leave one out by allow="
                raise DuplicateToolError(f"MCP server {self._server.name}: {words}")
            names[one.name], found[one.name] = each.name, one
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
        raise ConfigurationError(
            f"McpTools needs the SDK of the protocol, and {error.name} is missing: "
            "pip install 'callagain[mcp]'"
        ) from None
    return Connection(server, secrets)


def _check_no_loop() -> None:
    """Raises ConfigurationError where everything else would wait too."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise ConfigurationError("list() would block the event loop that runs here: use await alist()")


def _check_options(options: ToolOptions, prefix: object, server: str) -> None:
    if not (isinstance(prefix, str) and _PREFIX.fullmatch(prefix)):
        raise ConfigurationError(f"prefix={prefix!r} may have letters, digits, _ and - alone")
    for name in options:
        if name in _OF_THE_SERVER:
            raise ConfigurationError(
                f"{name}= cannot be set for all tools of a server; use dataclasses.replace on one of them"
            )
        if name in _NOT_HERE:
            raise ConfigurationError(f"{name}= cannot be set for the tools of a server; leave it out")
        if name not in ToolOptions.__annotations__:
            refused = {*_OF_THE_SERVER, *_NOT_HERE}
            known = [*_OF_LIST, *(each for each in ToolOptions.__annotations__ if each not in refused)]
            raise ConfigurationError(f"list() has no option {name}; it has: {', '.join(known)}")
    check_options(options, f"of MCP server {server}", is_async=True)
