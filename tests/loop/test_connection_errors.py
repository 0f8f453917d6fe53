"""Requests without an answer, clients that cannot be made, proxies: each is one line that says what to do."""

import asyncio
import http.client
import os
import re
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import cycle
from urllib.parse import urlsplit

import openai
import pytest

from callagain import ConfigurationError, Result, ToolLoop
from callagain.testing import Answer, StandIn, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

CHECK = "check the base URL, and that the server is running"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_OPENAI_", "SSL_CERT_")):
            monkeypatch.delenv(name)


@pytest.fixture
def nobody() -> str:
    """The host and port of a server that is not there."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{unused.getsockname()[1]}"


@contextmanager
def answering(data: bytes | None) -> Generator[str, None, None]:
    """The base URL of a server that answers with these bytes and hangs up, or resets the connection."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as request:
            request.readline()
            request.read(int(http.client.parse_headers(request)["content-length"]))
            if data is None:
                # Without lingering, closing sends a reset.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                connection.sendall(data)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        server.join(10)


def message_of(result: Result) -> str:
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "provider_unavailable")
    return result.error.message


def test_an_endpoint_that_is_not_there(run: Run, nobody: str) -> None:
    result = run(ToolLoop(model="m", max_retries=0, base_url=f"http://user:pass@{nobody}/v1?key=hidden"))
    message = message_of(result)
    assert message.startswith(f"could not reach http://{nobody}: ConnectError: ")
    assert message.endswith(f"; {CHECK}")
    assert "hidden" not in message
    assert "pass" not in message


# As httpx2 says it, and as aiohttp does.
CUT = "(RemoteProtocolError: peer closed|ReadError: Response payload is not completed)"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "(RemoteProtocol|ServerDisconnected)Error: Server disconnected"),
        (b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"choices"', CUT),
        (b'HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\n{"error"', CUT),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc",
            "DecodingError: Error",
        ),
    ],
)
def test_a_broken_answer_is_not_called_unreachable(run: Run, data: bytes, words: str) -> None:
    with answering(data) as base_url:
        message = message_of(run(ToolLoop(model="m", max_retries=0, base_url=base_url)))
    assert re.match(f"the connection to {base_url.removesuffix('/v1')} broke: {words}", message)
    assert CHECK not in message


def test_an_error_without_a_text_is_named_alone() -> None:
    with answering(None) as base_url:
        loop = ToolLoop(
            model="m",
            max_retries=0,
            client=lambda: openai.AsyncOpenAI(base_url=base_url, api_key="any", max_retries=0),
        )
        message = message_of(asyncio.run(loop.arun("Go")))
    assert message.startswith(f"the connection to {base_url.removesuffix('/v1')} broke: ReadError; try again")


def test_a_key_that_a_client_makes_later_is_not_shown(run: Run, stand_in: Serve) -> None:
    server = stand_in([])
    with openai.OpenAI(base_url=server.base_url, api_key=lambda: "sk-test-SECRET123\n") as client:
        message = message_of(run(ToolLoop(model="m", max_retries=0, client=client)))
    endpoint = server.base_url.removesuffix("/v1")
    assert message == (
        f"the request to {endpoint} could not be sent: "
        "LocalProtocolError: Illegal header value b'Bearer ***\\n'; check the key and the client"
    )


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ALL_PROXY", "socks5://user:hidden@127.0.0.1:1", "ImportError: Using SOCKS proxy, but"),
        ("HTTP_PROXY", "foo://user:hidden@127.0.0.1", "ValueError: Unknown scheme for proxy URL"),
        ("https_proxy", "http://user:hidden@127.0.0.1:port", "InvalidURL: Invalid port: 'port'"),
        ("SSL_CERT_FILE", "/nonexistent", "FileNotFoundError: [Errno 2] No such file or directory"),
    ],
)
def test_an_environment_in_which_no_client_can_be_made(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        run(ToolLoop(model="m", max_retries=0, base_url="http://127.0.0.1:9/v1"))
    message = str(caught.value)
    assert message.startswith(f"the client cannot be made: {words}")
    assert message.endswith(f"; check {name}")
    assert "\n" not in message
    assert "hidden" not in message


def test_a_class_of_clients_that_finds_no_key(run: Run) -> None:
    with pytest.raises(ConfigurationError) as caught:
        run(ToolLoop(model="m", max_retries=0, client=openai.OpenAI))
    assert str(caught.value).startswith("the client cannot be made: OpenAIError: Missing credentials")
    assert str(caught.value).endswith("; check the function given as client=")


def test_a_function_keeps_to_one_kind_of_client(run: Run) -> None:
    kinds: Iterator[type[openai.OpenAI | openai.AsyncOpenAI]] = cycle([openai.AsyncOpenAI, openai.OpenAI])

    def by_turns() -> openai.OpenAI | openai.AsyncOpenAI:
        return next(kinds)(base_url="http://127.0.0.1:9/v1", api_key="mine")

    with pytest.raises(ConfigurationError, match="OpenAI and AsyncOpenAI by turns; let it make one kind"):
        run(ToolLoop(model="m", max_retries=0, client=by_turns))


def test_a_client_with_a_key_that_cannot_be_sent() -> None:
    with (
        openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="sk-test-SECRET123\n") as client,
        pytest.raises(ConfigurationError) as caught,
    ):
        ToolLoop(model="m", max_retries=0, client=client)
    assert str(caught.value) == (
        "the key of client= holds a line break or another character that cannot be sent; strip it"
    )


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_proxy_before_a_server_on_this_machine_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, nobody: str, name: str
) -> None:
    monkeypatch.setenv(name, f"http://{nobody}")
    message = message_of(run(ToolLoop(model="m", max_retries=0, base_url="http://localhost:9/v1")))
    assert message.endswith(f"; a proxy is set ({name.upper()}): add localhost to NO_PROXY")


def test_what_a_proxy_answers_stays_as_it_came(
    run: Run, monkeypatch: pytest.MonkeyPatch, stand_in: Serve
) -> None:
    proxy = stand_in([Answer(503, "<html>who?</html>", {"content-type": "text/html"})])
    monkeypatch.setenv("HTTP_PROXY", f"http://{urlsplit(proxy.base_url).netloc}")
    message = message_of(run(ToolLoop(model="m", max_retries=0, base_url="http://127.0.0.1:9/v1")))
    assert message.startswith("HTTP 503: <html>who?</html>; try again later, or raise max_retries or timeout")


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_a_proxy_is_not_blamed_for_what_it_has_no_part_in(
    run: Run, monkeypatch: pytest.MonkeyPatch, nobody: str, host: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://{nobody}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert message_of(run(ToolLoop(model="m", max_retries=0, base_url=f"http://{host}:9/v1"))).endswith(CHECK)


IMPORTER = """
import asyncio, sys, threading
from callagain import ToolLoop
from callagain.testing import StandIn, says

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in ("openai", "httpx2"):
            assert threading.current_thread() is not threading.main_thread(), name
            print(name)

async def main():
    loop = ToolLoop(model="m", max_retries=0, base_url=server.base_url)
    print([result.outcome for result in await asyncio.gather(loop.arun("Go"), loop.arun("Go"))])

with StandIn([says("a"), says("b")]) as server:
    sys.meta_path.insert(0, Watch())
    asyncio.run(main())
"""


def test_the_first_request_does_not_import_openai_on_the_event_loop() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORTER],
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout.splitlines(), done.stderr) == (["openai", "httpx2", "['completed', 'completed']"], "")


def test_a_key_is_sent_without_the_white_space_around_it(
    run: Run, stand_in: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in([says("Hello.")] * 2)
    run(ToolLoop(model="m", max_retries=0, base_url=server.base_url, api_key=" sk-argument\n"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment\r\n")
    run(ToolLoop(model="m", max_retries=0, base_url=server.base_url))
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == ["Bearer sk-argument", "Bearer sk-environment"]
