"""An HTTP server on the loopback interface that sends what a case says, byte for byte, and closes."""

import json
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any

from tests.conformance.case import CaseError, JsonDict
from tests.conformance.forms import STATUS, TEXTS_BY_NAME
from tests.conformance.json_values import is_array

EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Response:
    """What is sent: a text as it stands, the lines of an event stream, or any other value as JSON."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})

    @property
    def is_event_stream(self) -> bool:
        named = [value for name, value in self.headers.items() if name.lower() == "content-type"]
        return any(EVENT_STREAM in value for value in named)

    def content(self) -> bytes:
        """The bytes of the body."""
        if self.body is None:
            text = ""
        elif isinstance(self.body, str):
            text = self.body
        elif is_array(self.body) and self.is_event_stream:
            text = "".join(f"{line}\n" for line in self.body)
        else:
            text = json.dumps(self.body)
        return text.encode("utf-8", "surrogatepass")

    def headers_to_send(self, length: int) -> dict[str, str]:
        """The response's own; a length unless it streams or says otherwise; and that the connection ends."""
        own = {name.lower() for name in self.headers}
        added = {} if "connection" in own else {"connection": "close"}
        if not self.is_event_stream and not own & {"content-length", "transfer-encoding"}:
            added["content-length"] = str(length)
        return {**self.headers, **added}


Respond = Callable[[int, Any], Response]


def in_order(responses: Sequence[JsonDict]) -> Respond:
    """Gives the responses of a case in their order, and the last one again and again."""
    sent = [_response(entry) for entry in responses] or [Response("the case has no response", 500)]
    return lambda number, _body: sent[min(number, len(sent)) - 1]


def _response(entry: JsonDict) -> Response:
    if unknown := entry.keys() - {"status", "headers", "body"}:
        raise CaseError(f"a response has the unknown key {min(unknown)!r}")
    response = Response(**entry)
    STATUS.require("the status of a response", response.status)
    TEXTS_BY_NAME.require("headers of a response", response.headers)
    return response


class CaseServer:
    """Serves while it is entered. `requests` holds the bodies that came, parsed; or a text that is no JSON.

    respond: gets the number of the request, from 1, and its body.
    """

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self._arriving = threading.Lock()
        self._server = _Server(self._answer)
        self.requests: list[Any] = []
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "CaseServer":
        # Closing waits for one poll.
        serve = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        serve.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, content: bytes) -> Response:
        try:
            body: Any = json.loads(content)
        except ValueError:
            body = content.decode("utf-8", "replace")
        with self._arriving:
            self.requests.append(body)
            number = len(self.requests)
        return self._respond(number, body)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, answer: Callable[[bytes], Response]) -> None:
        self.answer = answer
        super().__init__(("127.0.0.1", 0), _Exchange)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that goes away, as after a timeout, is no fault of the server's.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Header and body leave in one write, so that the client never waits for the second half.
    wbufsize = -1

    def __init__(self, request: Any, client_address: Any, server: _Server) -> None:
        self._answer = server.answer
        super().__init__(request, client_address, server)

    def do_POST(self) -> None:
        response = self._answer(self.rfile.read(int(self.headers.get("content-length", "0"))))
        content = response.content()
        self.send_response_only(response.status)
        for name, value in response.headers_to_send(len(content)).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's signature
        """Nothing is printed."""
