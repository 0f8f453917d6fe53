"""What the tests of the server share: a loop with a shop's tools, the server, and what asks it."""

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from callagain import ToolLoop, tool
from callagain.serving import ServingLimits
from callagain.serving.server import LoopServer
from callagain.testing import StandIn, call, calls, says

TOKEN = "correct-horse-battery-staple"


@dataclass(frozen=True, slots=True)
class Answered:
    """A response, its body parsed where it is JSON."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def events(self) -> list[tuple[str, Any]]:
        """Names and data of server-sent events."""
        blocks = [block for block in self.text.split("\n\n") if block and not block.startswith(":")]
        lines = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
        return [(line["event"], json.loads(line["data"])) for line in lines]


@dataclass
class Served:
    """A server under way."""

    server: LoopServer
    thread: threading.Thread
    told: list[str] = field(default_factory=list[str])

    @property
    def address(self) -> tuple[str, int]:
        split = urlsplit(self.server.url)
        return str(split.hostname), int(split.port or 0)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answered:
        """headers: with underscores in place of hyphens."""
        connection = http.client.HTTPConnection(*self.address, timeout=20)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, content, sent)
            response = connection.getresponse()
            given = {name.lower(): value for name, value in response.getheaders()}
            return Answered(response.status, given, response.read().decode())
        finally:
            connection.close()

    def end(self) -> None:
        self.server.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()


Serve = Callable[..., Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """serve(loop, token=…, grace=…, max_runs=…, …) -> Served. Settings of ServingLimits by their names."""
    started: list[Served] = []

    def serve(
        loop: ToolLoop,
        *,
        host: str = "127.0.0.1",
        token: str | None = None,
        grace: float = 0.2,
        **limits: Any,
    ) -> Served:
        told: list[str] = []
        begun = threading.Event()

        def tell(sentence: str) -> None:
            told.append(sentence)
            begun.set()

        server = LoopServer(
            loop, host=host, port=0, token=token, grace=grace, tell=tell, limits=ServingLimits(**limits)
        )
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        assert begun.wait(10)
        started.append(Served(server, thread, told))
        return started[-1]

    yield serve
    for each in started:
        each.end()


@dataclass
class Shop:
    """A loop over a stand-in that refunds orders, and what was done by its tools.

    opened: the tool `wait` returns when it is set.
    """

    endpoint: StandIn
    refunded: list[str] = field(default_factory=list[str])
    entered: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    def loop(self, **settings: Any) -> ToolLoop:
        @tool(requires_approval=True)
        def refund(order_id: str) -> str:
            """Refund an order."""
            self.refunded.append(order_id)
            return "refunded"

        @tool(idempotent=True)
        def wait() -> str:
            """Wait for the door to open."""
            self.entered.set()
            self.opened.wait(20)
            return "open"

        return ToolLoop(
            model="any",
            tools=[refund, wait],
            base_url=self.endpoint.base_url,
            api_key="sk-of-the-endpoint",
            max_retries=0,
            **settings,
        )


def _answer(request: dict[str, Any]) -> Any:
    newest = request["messages"][-1]
    if newest["role"] == "tool":
        return says(f"Done: {newest['content']}")
    match newest["content"].split():
        case ["refund", order_id]:
            return calls(call("refund", {"order_id": order_id}))
        case ["wait"]:
            return calls(call("wait"))
        case _:
            return says(f"You said {newest['content']}.")


@pytest.fixture
def shop(stand_in: Callable[..., StandIn]) -> Iterator[Shop]:
    shop = Shop(stand_in(_answer))
    yield shop
    shop.opened.set()


def leaving(server: Served, body: Any, accept: str = "*/*") -> "closing[socket.socket]":
    """A connection with this request on it, which is closed behind the block."""
    content = json.dumps(body).encode()
    connection = socket.create_connection(server.address)
    head = (
        f"POST /runs HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    connection.sendall(head.encode() + content)
    return closing(connection)
