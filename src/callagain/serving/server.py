"""The server: uvicorn, with a token where others can reach it, and an end that leaves no run behind."""

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Generator
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from callagain.engine.errors import ConfigurationError
from callagain.loop import ToolLoop
from callagain.serving.access import checked_token, is_loopback
from callagain.serving.application import LoopApp
from callagain.serving.limits import ServingLimits

# For all headers of a request to come.
_HEADER_SECONDS = 10.0
_DEFAULT_LIMITS = ServingLimits()


def _tell_nobody(_: str) -> None:
    """A server in a program says nothing."""


def serve(
    loop: ToolLoop,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    limits: ServingLimits = _DEFAULT_LIMITS,
    grace: float = 10.0,
    tell: Callable[[str], None] = _tell_nobody,
) -> None:
    """Serves the loop until SIGINT or SIGTERM; see `LoopServer`."""
    LoopServer(loop, host=host, port=port, token=token, limits=limits, grace=grace, tell=tell).run()


class LoopServer:
    """A server of one loop. Its port is taken when it is made, and given back when `run` returns.

    host: another than this machine's own needs a token. port: 0 takes a free one. grace: seconds for the runs
    under way when it is ended; the rest are left, and go on where they stand if the loop has a journal. tell:
    gets a sentence when it begins, and when it ends.
    Raises ConfigurationError for a token, a host or a port that cannot be used.
    """

    def __init__(
        self,
        loop: ToolLoop,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        token: str | None = None,
        limits: ServingLimits = _DEFAULT_LIMITS,
        grace: float = 10.0,
        tell: Callable[[str], None] = _tell_nobody,
    ) -> None:
        app = LoopApp(loop, checked_token(token), limits)
        self._listener = _listener(host, port, has_token=token is not None)
        self.url = _url(self._listener)
        config = uvicorn.Config(
            app,
            http=_Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            # What a caller says of its own address is not believed.
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
        self._server = _Server(config, app, grace, tell, self.url)

    def run(self) -> None:
        """Serves until `stop`, SIGINT or SIGTERM. Signals count in the main thread alone."""
        with contextlib.closing(self._listener):
            asyncio.run(self._server.serve(sockets=[self._listener]))

    def stop(self) -> None:
        """From any thread: ends it in order, as SIGTERM does; a second time it does not wait."""
        self._server.end()


class _Server(uvicorn.Server):
    """The first signal ends runs in order, the second at once."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: LoopApp,
        grace: float,
        tell: Callable[[str], None],
        url: str,
    ) -> None:
        super().__init__(config)
        self._app = app
        self._grace = grace
        self._tell = tell
        self._url = url
        self._hurry = asyncio.Event()
        self._event_loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._event_loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self._tell(f"serving {self._url}; Ctrl-C ends it")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        runs = self._app.runs
        if runs.busy:
            self._tell(f"ending; waiting up to {self._grace:g} s for the runs under way")
        left = await runs.close(self._grace, self._hurry)
        if left:
            kept = "kept, to go on when they are resumed" if runs.are_kept else "lost, without a journal"
            self._tell(f"runs interrupted: {left}; {kept}")
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """The server ends by returning, and not by the signal."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.end()

    def end(self) -> None:
        if self.should_exit and self._event_loop is not None:
            self.force_exit = True
            # A signal alone does not wake an event loop that waits; one that is closed has ended already.
            with contextlib.suppress(RuntimeError):
                self._event_loop.call_soon_threadsafe(self._hurry.set)
        self.should_exit = True


class _Connection(H11Protocol):
    """Headers that do not come end the connection; uvicorn itself would wait without end."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._be_patient()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """While headers are awaited, and as long as something of a request has come."""
        if self.conn.their_state is not h11.IDLE:
            self._be_patient()
        elif self._patience is None:
            self._patience = self.loop.call_later(_HEADER_SECONDS, self.timeout_keep_alive_handler)

    def _be_patient(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


def _listener(host: str, port: int, *, has_token: bool) -> socket.socket:
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not has_token and not is_loopback(str(address[0])):
            raise ConfigurationError(
                f"{host or 'every interface'} can be reached from other machines, and so needs a token: "
                "CALLAGAIN_SERVE_TOKEN or --token-file of the command, token= in a program; without one the "
                "host is 127.0.0.1"
            )
        return socket.create_server(
            (str(address[0]), int(address[1])), family=family, backlog=512, reuse_port=False
        )
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; take another host or port"
        ) from None


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
