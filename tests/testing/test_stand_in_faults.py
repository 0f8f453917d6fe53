"""Answers that are cut, stall or drip, and clients that go away before they have the whole answer."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from callagain.engine.errors import ConfigurationError
from callagain.testing import Answer, AnyAnswer, Rule, StandIn, calls, faulty, says
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

MESSAGES: Any = [{"role": "user", "content": "Hi"}]
BODY: dict[str, Any] = {"model": "m", "messages": MESSAGES}


def sent(server: StandIn, **more: Any) -> socket.socket:
    """A connection on which the request was sent."""
    connection = socket.create_connection(("127.0.0.1", port_of(server)), timeout=10)
    body = json.dumps(BODY | more)
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\napi-key: x\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall((head + body).encode())
    return connection


def port_of(server: StandIn) -> int:
    return int(server.origin.rsplit(":", 1)[1])


def all_bytes(connection: socket.socket) -> bytes:
    received = b""
    while part := connection.recv(65536):
        received += part
    return received


def body_of(received: bytes) -> bytes:
    """The body as far as it came, without the framing of its chunks."""
    head, body = received.split(b"\r\n\r\n", 1)
    if b"transfer-encoding: chunked" not in head:
        return body
    content = b""
    while body:
        size, body = body.split(b"\r\n", 1)
        content += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return content


def soon(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.001)
    return condition()


ANSWERS: list[AnyAnswer] = [
    says("Hello, world."),
    "Hello, world.",
    {"choices": [{"message": {"role": "assistant", "content": "Hello, world. " * 10}}]},
    Answer(200, "Hello, world. " * 10),
]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("size", [0, 1, 100])
def test_an_answer_is_cut_after_so_many_bytes(
    stand_in: StartStandIn, answer: AnyAnswer, stream: bool, size: int
) -> None:
    server = stand_in([answer, faulty(answer, cut_after=size)])
    with sent(server, stream=stream) as connection:
        whole = all_bytes(connection)
    with sent(server, stream=stream) as connection:
        cut = all_bytes(connection)
    assert cut.startswith(b"HTTP/1.1 200 OK\r\n")
    assert len(body_of(cut)) == size
    # The ids tell the two answers apart, and the number of the request stands in each.
    assert body_of(cut) == body_of(whole)[:size].replace(b"stand-in-1", b"stand-in-2")
    assert not server.requests[1].closed_early


def test_an_answer_that_is_cut_breaks_off_for_the_client(stand_in: StartStandIn) -> None:
    server = stand_in([Answer(200, "Hello, world.", cut_after=5), faulty(says("Hello."), cut_after=300)])
    for stream in (False, True):
        connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
        connection.request(
            "POST", "/v1/chat/completions", json.dumps(BODY | {"stream": stream}).encode(), {"api-key": "x"}
        )
        with pytest.raises(http.client.IncompleteRead):
            connection.getresponse().read()
        connection.close()


@pytest.mark.parametrize("fault", [{"cut_after": 10_000}, {"stall_after": 10_000}])
@pytest.mark.parametrize("stream", [False, True])
def test_a_body_that_is_too_short_for_its_fault_arrives_whole(
    stand_in: StartStandIn, fault: dict[str, int], stream: bool
) -> None:
    server = stand_in([faulty("Hello.", **fault)])
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
    body = json.dumps(BODY | {"stream": stream}).encode()
    connection.request("POST", "/v1/chat/completions", body, {"api-key": "x"})
    assert b'"stop"' in connection.getresponse().read()
    connection.close()


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_stalls_until_the_client_goes(stand_in: StartStandIn, stream: bool) -> None:
    server = stand_in([faulty(says("Hello, world."), stall_after=20)])
    with sent(server, stream=stream) as connection:
        received = b""
        while len(received.split(b"\r\n\r\n")[-1]) < 20:
            received += connection.recv(65536)
        connection.settimeout(0.1)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        assert server.open_connections == 1
        assert not server.requests[0].closed_early
    assert soon(lambda: server.requests[0].closed_early)
    assert soon(lambda: server.open_connections == 0)
    assert len(body_of(received)) == 20


def test_an_answer_drips_from_its_first_byte(stand_in: StartStandIn) -> None:
    server = stand_in([Answer(200, "abc", drip=0.001)])
    with sent(server) as connection:
        started = time.monotonic()
        parts: list[bytes] = []
        while b"abc" not in b"".join(parts):
            parts.append(connection.recv(65536))
        assert time.monotonic() - started >= 0.001 * len(b"".join(parts))
    assert len(parts) > 1
    assert b"".join(parts).startswith(b"HTTP/1.1 200 OK\r\n")
    assert not server.requests[0].closed_early


def test_a_client_that_goes_ends_its_drip_and_its_thread(stand_in: StartStandIn) -> None:
    server = stand_in([faulty(says("Hello."), drip=3600)])
    before = threading.active_count()
    with sent(server, stream=True):
        assert soon(lambda: len(server.requests) == 1)
        assert threading.active_count() == before + 1
    assert soon(lambda: server.requests[0].closed_early)
    assert soon(lambda: threading.active_count() == before)


@pytest.mark.parametrize("fault", [{"stall_after": 5}, {"drip": 3600.0}, {"drip": 1.0}])
@pytest.mark.parametrize("stream", [False, True])
def test_closing_the_stand_in_ends_stalls_and_drips_at_once(fault: dict[str, Any], stream: bool) -> None:
    before = threading.active_count()
    with StandIn([faulty(says("Hello, world."), **fault)]) as server:
        connection = sent(server, stream=stream)
        assert soon(lambda: len(server.requests) == 1)
        request = server.requests[0]
        started = time.monotonic()
    assert time.monotonic() - started < 20
    assert threading.active_count() == before
    assert not request.closed_early
    assert all_bytes(connection) is not None
    connection.close()


def test_closing_the_stand_in_ends_a_slow_stream_at_once() -> None:
    with StandIn(["Hello, world."], event_delay=3600) as server:
        connection = sent(server, stream=True)
        assert connection.recv(65536)
        started = time.monotonic()
    assert time.monotonic() - started < 20
    connection.close()


@pytest.mark.parametrize("options", [{"delay": 3600}, {"event_delay": 3600}])
def test_a_client_that_does_not_wait_closes_early(stand_in: StartStandIn, options: dict[str, Any]) -> None:
    server = stand_in(["Hello, world."], **options)
    with (
        openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0, timeout=0.1) as client,
        pytest.raises(openai.APITimeoutError),
    ):
        list(client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert soon(lambda: server.requests[0].closed_early)
    assert soon(lambda: server.open_connections == 0)
    assert server.requests[0].status == 200


def test_a_client_that_leaves_a_large_answer_closes_early(stand_in: StartStandIn) -> None:
    server = stand_in(["x" * 50_000_000])
    with sent(server) as connection:
        assert connection.recv(1)
    assert soon(lambda: server.requests[0].closed_early)


def test_a_client_that_has_its_answer_does_not_close_early(stand_in: StartStandIn) -> None:
    server = stand_in(["Hello."], repeat_last=True)
    with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
        client.chat.completions.create(model="m", messages=MESSAGES)
        list(client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert soon(lambda: server.open_connections == 0)
    assert [request.closed_early for request in server.requests] == [False, False]


def test_counts_the_open_connections(stand_in: StartStandIn) -> None:
    server = stand_in([])
    assert StandIn([]).open_connections == 0
    connections = [socket.create_connection(("127.0.0.1", port_of(server)), timeout=10) for _ in range(3)]
    assert soon(lambda: server.open_connections == 3)
    connections.pop().close()
    assert soon(lambda: server.open_connections == 2)
    for connection in connections:
        connection.close()


def test_a_rule_fills_the_answer_that_it_spoils(stand_in: StartStandIn) -> None:
    rules = [
        Rule(r"I am (\w+)", [faulty(says("Hello, {1}."), drip=0.0001)]),
        Rule("go", [faulty(calls(("f", {})), drip=0.0001)], otherwise="I cannot."),
    ]
    server = stand_in(rules)
    with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
        for question, answer in (("I am Ada", "Hello, Ada."), ("go", "I cannot.")):
            whole = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": question}]
            )
            assert whole.choices[0].message.content == answer


def test_a_fault_joins_the_one_that_an_answer_has() -> None:
    assert faulty(Answer(cut_after=3), drip=1.0).fault == faulty("x", cut_after=3, drip=1.0).fault
    assert faulty(faulty("x", drip=1.0), drip=2.0).fault.drip == 2.0


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"cut_after": -1}, "cut_after must be a number of bytes, 0 or more, not -1"),
        ({"stall_after": -1}, "stall_after must be a number of bytes, 0 or more, not -1"),
        ({"drip": -0.5}, r"drip must be a number of seconds, 0 or more, not -0\.5"),
        ({"cut_after": 1, "stall_after": 1}, "cut_after and stall_after exclude each other"),
    ],
)
@pytest.mark.parametrize("build", [Answer, partial(faulty, "x")])
def test_refuses_what_is_no_fault(build: Callable[..., object], fault: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        build(**fault)
