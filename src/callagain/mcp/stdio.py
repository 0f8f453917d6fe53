"""The transport of a server that is a process: a JSON-RPC message is a line, at most so many bytes long.

The SDK has one too. This one bounds what a server can make its client hold in memory, keeps what the server
writes to stderr away from the program's own, and tells when and why the connection ended.
"""

import asyncio
import atexit
import contextlib
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from callagain.mcp.errors import OutcomeUnknownError, too_long
from callagain.mcp.messages import mended
from callagain.mcp.secrets import Secrets, without_passwords
from callagain.mcp.servers import StdioServer

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

# For a server to end by itself when its input ends, and then after it was asked to.
GRACE_SECONDS = 1.0
_LAST_WORDS_SECONDS = 1.0
_STDERR_BYTES = 2_000
_STRAY_BYTES = 200


@dataclass(frozen=True)
class Listener:
    """Who is told of what a connection itself does not tell.

    lost: once, why no more comes. stray: each line that is no message.
    """

    lost: Callable[[OutcomeUnknownError], None]
    stray: Callable[[str], None]


@contextlib.asynccontextmanager
async def stdio_streams(
    server: StdioServer, secrets: Secrets, listener: Listener
) -> AsyncGenerator[tuple[Incoming, Outgoing]]:
    """Starts the server, and ends it with everything that it started.

    Raises OSError if it cannot be started.
    """
    process = await _started(server)
    _PROCESSES.add(process)
    incoming_end, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_end = anyio.create_memory_object_stream[SessionMessage](0)
    tail = _Tail()
    tasks = [
        asyncio.create_task(_read(process, incoming_end, server, secrets, listener, tail)),
        asyncio.create_task(_write(process, outgoing_end)),
        asyncio.create_task(tail.follow(process)),
    ]
    try:
        yield incoming, outgoing
    finally:
        for task in tasks:
            task.cancel()
        for stream in (incoming_end, incoming, outgoing, outgoing_end):
            stream.close()
        with anyio.CancelScope(shield=True):
            await _end(process)
        _PROCESSES.discard(process)


async def _started(server: StdioServer) -> Process:
    # Of the environment only what no server can do without: keys of this program are not the server's.
    environment = get_default_environment() | dict(server.env)
    program, *arguments = server.command
    found = shutil.which(program, path=environment.get("PATH")) or program
    return await asyncio.create_subprocess_exec(
        found,
        *arguments,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=environment,
        cwd=server.cwd,
        limit=server.max_message_bytes,
        # A group of its own, so that what it starts is ended too, and Ctrl-C is this program's alone.
        start_new_session=sys.platform != "win32",
    )


class _Tail:
    """The end of what a server wrote to stderr: there it says why it stops."""

    def __init__(self) -> None:
        self._bytes = b""

    async def follow(self, process: Process) -> None:
        assert process.stderr is not None
        while chunk := await process.stderr.read(4096):
            self._bytes = (self._bytes + chunk)[-_STDERR_BYTES:]

    def last_line(self) -> str:
        lines = self._bytes.decode(errors="replace").split("\n")
        return without_passwords(next((line.strip() for line in reversed(lines) if line.strip()), ""))


async def _read(
    process: Process,
    incoming: MemoryObjectSendStream[SessionMessage | Exception],
    server: StdioServer,
    secrets: Secrets,
    listener: Listener,
    tail: _Tail,
) -> None:
    assert process.stdout is not None
    try:
        while line := await process.stdout.readline():
            # Whatever else stands on stdout is what the server has printed by mistake.
            if b'"jsonrpc"' not in line:
                listener.stray(line[:_STRAY_BYTES].decode(errors="replace").strip())
                continue
            message = mcp_types.jsonrpc_message_adapter.validate_json(mended(line, secrets), by_name=False)
            await incoming.send(SessionMessage(message))
        why = OutcomeUnknownError(await _end_of(process, tail))
    except ValidationError:
        why = OutcomeUnknownError("it sent a message that is no JSON-RPC")
    except ValueError:
        why = too_long(server.max_message_bytes)
    except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        why = OutcomeUnknownError("its output broke off")
    listener.lost(why)
    incoming.close()


async def _end_of(process: Process, tail: _Tail) -> str:
    """How it ended, and what it said last: both may still be under way."""
    with anyio.move_on_after(_LAST_WORDS_SECONDS):
        while process.returncode is None:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    code = process.returncode
    how = "" if code is None else f" with exit code {code}" if code >= 0 else f" by signal {-code}"
    said = tail.last_line()
    return f"it ended{how}: {said}" if said else f"it ended{how}"


async def _write(process: Process, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
    """What cannot be written is lost with the server, which `_read` finds out."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        async for each in outgoing:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()


async def _end(process: Process) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    if not await _has_ended(process):
        _signal(process, "SIGTERM")
        if not await _has_ended(process):
            _signal(process, "SIGKILL")
            await _has_ended(process)
    # Its pipes are open as long as anybody has inherited them, and asyncio has no other name for this.
    transport = getattr(process, "_transport", None)
    if isinstance(transport, asyncio.SubprocessTransport):
        with contextlib.suppress(PermissionError):
            transport.close()


async def _has_ended(process: Process) -> bool:
    """Within the time of grace. `process.wait` would also wait for whoever has inherited the pipes."""
    with anyio.move_on_after(GRACE_SECONDS):
        while process.returncode is None:
            await asyncio.sleep(0.01)
    return process.returncode is not None


def _signal(process: Process, name: str) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, getattr(signal, name))


_PROCESSES: set[Process] = set()

if hasattr(os, "register_at_fork"):
    # They are the parent's.
    os.register_at_fork(after_in_child=_PROCESSES.clear)


@atexit.register
def _end_all() -> None:
    """A program that ends without closing its connections leaves no server behind."""
    for process in list(_PROCESSES):
        if process.returncode is None:
            _signal(process, "SIGKILL")
