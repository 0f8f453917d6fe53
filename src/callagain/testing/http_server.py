"""A small HTTP/1.1 server for the loopback interface: one function from request to response.

It knows nothing of any API. Connections are kept alive, each has a daemon thread, and closing ends them at
once, whatever they wait for.
"""

import contextlib
import socket
import socketserver
import sys
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any

from callagain.testing.http_delivery import Delivery, reaches_fault, writes
from callagain.testing.http_messages import HttpRequest, HttpResponse

_CLOSE_SECONDS = 1.0


class LoopbackServer(socketserver.ThreadingTCPServer):
    """Serves from its construction until `close`. port 0 takes a free one; `port` says which.

    Raises OSError or OverflowError if host and port cannot be bound.
    """

    daemon_threads = True
    allow_reuse_address = True
    # Hundreds of connections may come at once; one that finds the queue full tries again only after a second.
    request_queue_size = 1024

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse], host: str, port: int) -> None:
        self.respond = respond
        self.closing = threading.Event()
        self._connections: set[socket.socket] = set()
        self._connections_changed = threading.Condition()
        super().__init__((host, port), _Exchange)
        self.port: int = self.socket.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, name=f"stand-in:{self.port}", daemon=True)
        self._accepting.start()

    @property
    def open_connections(self) -> int:
        """How many connections are open now, idle ones included."""
        with self._connections_changed:
            return len(self._connections)

    def close(self) -> None:
        """Ends every connection, also one that waits for its answer. A second call does nothing."""
        if self.closing.is_set():
            return
        self.closing.set()
        self._wake_accept()
        self._accepting.join()
        self.server_close()
        with self._connections_changed:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._connections_changed.wait_for(lambda: not self._connections, timeout=_CLOSE_SECONDS)

    def _accept(self) -> None:
        while not self.closing.is_set():
            self.handle_request()

    def _wake_accept(self) -> None:
        host = self.socket.getsockname()[0]
        with contextlib.suppress(OSError), socket.socket() as knock:
            knock.settimeout(_CLOSE_SECONDS)
            knock.connect(("127.0.0.1" if host == "0.0.0.0" else host, self.port))

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 - socketserver's signature
        return not self.closing.is_set()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._connections_changed:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._connections_changed:
            self._connections.discard(request)
            self._connections_changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that goes away in the middle is no fault of the server's.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    """One connection: reads requests and writes responses until either side ends it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, request: socket.socket, client_address: Any, server: LoopbackServer) -> None:
        self._respond = server.respond
        self._closing = server.closing
        super().__init__(request, client_address, server)

    def do_GET(self) -> None:
        body = self._read_body()
        if body is None:
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        delivery = Delivery(self.connection, self._closing)
        self._deliver(delivery, self._respond(HttpRequest(self.command, self.path, headers, body, delivery)))

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's signature
        """Nothing is printed; the requests are kept by whoever asked for the server."""

    def _read_body(self) -> bytes | None:
        """The body, or None where it cannot be read; then the connection ends."""
        if "transfer-encoding" in self.headers:
            self.send_error(HTTPStatus.LENGTH_REQUIRED, "Send the body with Content-Length, not in chunks")
            return None
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            self.send_error(HTTPStatus.BAD_REQUEST, "Content-Length is not a number")
            return None
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            return None
        return body

    def _deliver(self, delivery: Delivery, response: HttpResponse) -> None:
        fault = response.fault
        chunked = not isinstance(response.body, bytes) and self.request_version == "HTTP/1.1"
        head = self._head(response, chunked=chunked)
        for number, content in enumerate(writes(head, response, chunked=chunked)):
            if number > 1 and response.piece_delay and not delivery.waits(response.piece_delay):
                raise ConnectionAbortedError("the connection was closed between two pieces of the answer")
            delivery.write(content, fault.drip)
        if reaches_fault(response):
            self.close_connection = True
            if fault.stall_after is not None:
                delivery.stall()

    def _head(self, response: HttpResponse, *, chunked: bool) -> bytes:
        """Status line and headers. Notes whether the connection ends after this response."""
        headers = dict(response.headers)
        if chunked:
            headers["transfer-encoding"] = "chunked"
        elif isinstance(response.body, bytes):
            length = str(len(response.body))
            if headers.setdefault("content-length", length) != length:
                self.close_connection = True
        else:
            self.close_connection = True
        if self.close_connection:
            headers["connection"] = "close"
        if headers.get("connection") == "close":
            self.close_connection = True
        lines = [f"HTTP/1.1 {response.status} {_phrase(response.status)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
