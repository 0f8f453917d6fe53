"""What a server refuses: strangers, bodies that are too large, too slow or no JSON, and wrong shapes."""

import json
import socket
import time
from contextlib import ExitStack, closing
from typing import Any

import pytest
from tests.serving.conftest import TOKEN, Serve, Served, Shop, leaving

from callagain import ConfigurationError
from callagain.serving import ServingLimits, app

JSON_TYPE = "Content-Type: application/json"


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients of these tests wait for the end of the connection."""
    monkeypatch.setattr("callagain.serving.door._LINGER_SECONDS", 0.2)


def raw(server: Served, *lines: str, body: bytes = b"") -> tuple[int, dict[str, str], Any]:
    """What comes back for a request as it stands here, until the server closes the connection."""
    with closing(socket.create_connection(server.address, timeout=20)) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode() + body)
        return received(connection)


def received(connection: socket.socket) -> tuple[int, dict[str, str], Any]:
    content = b""
    while piece := connection.recv(65536):
        content += piece
    head, _, body = content.partition(b"\r\n\r\n")
    status, *headers = head.decode().split("\r\n")
    named = dict(line.lower().split(": ", 1) for line in headers)
    return int(status.split()[1]), named, json.loads(body) if "json" in named["content-type"] else body


WRONG_TOKENS: tuple[dict[str, str], ...] = (
    {},
    {"Authorization": "Bearer wrong-horse-battery-staple"},
    {"Authorization": f"Bearer {TOKEN}x"},
    {"Authorization": f"Bearer {TOKEN[:-1]}"},
    {"Authorization": "Bearer"},
    {"Authorization": f"Basic {TOKEN}"},
    {"Authorization": TOKEN},
)


def test_a_wrong_token_gets_nothing_but_a_no(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), token=TOKEN)
    for headers in WRONG_TOKENS:
        for method, path, body in (
            ("POST", "/runs", {"message": "Hello"}),
            ("GET", "/openapi.json", None),
            ("GET", "/nowhere", None),
        ):
            refused = server.ask(method, path, body, **headers)
            assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
            assert refused.headers["content-type"] == "application/problem+json"
            assert TOKEN not in refused.text
    assert (
        raw(
            server,
            "GET /openapi.json HTTP/1.1",
            "Host: any.example",
            f"Authorization: Bearer {TOKEN}",
            "Authorization: Bearer other",
            "Connection: close",
        )[0]
        == 401
    )
    assert server.ask("GET", "/healthz").json == {"status": "ok"}
    assert server.ask("GET", "/openapi.json", Authorization=f"bearer {TOKEN}").status == 200
    assert shop.endpoint.requests == []


def test_without_a_token_only_this_machine_is_answered(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    for host in (
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "10.0.0.1",
        "[2001:db8::1]:80",
    ):
        status, _, problem = raw(server, "GET /healthz HTTP/1.1", f"Host: {host}", "Connection: close")
        assert (status, "no token" in problem["detail"]) == (403, True), host
    for host in ("localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8000"):
        assert raw(server, "GET /healthz HTTP/1.1", f"Host: {host}", "Connection: close")[0] == 200, host
    with pytest.raises(
        ConfigurationError,
        match=r"0\.0\.0\.0 can be reached .* needs a token: CALLAGAIN_SERVE_TOKEN or --token-file",
    ):
        serve(shop.loop(), host="0.0.0.0")


async def test_a_stranger_is_refused_whoever_serves_the_application(shop: Shop) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"x-forwarded-for", b"127.0.0.1")]
    scope = {"type": "http", "method": "GET", "path": "/healthz", "headers": headers, "query_string": b""}
    for client in (("10.0.0.1", 5), None):
        await app(shop.loop())({**scope, "client": client}, receive, send)
        assert sent[-2]["status"] == 403


def test_what_is_no_loop_is_refused() -> None:
    no_loop: Any = "loop"
    with pytest.raises(ConfigurationError, match="what is served is a ToolLoop, not str"):
        app(no_loop)


@pytest.mark.parametrize("token", ["", "short", "with spaces in the token", "ä" * 20, f"{TOKEN}\nmore"])
def test_a_token_that_is_none_is_refused_and_not_told(shop: Shop, token: str) -> None:
    with pytest.raises(ConfigurationError, match="16 or more ASCII characters") as raised:
        app(shop.loop(), token=token)
    assert token == "" or token not in str(raised.value)


def test_a_body_of_100_megabytes_is_refused_while_it_comes(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), max_body_bytes=1_000)
    head = ["POST /runs HTTP/1.1", "Host: localhost", JSON_TYPE]
    megabyte = b"a" * 1_000_000
    chunk = b"f4240\r\n" + megabyte + b"\r\n"
    for lines, piece in (
        ([*head, f"Content-Length: {100 * len(megabyte)}"], megabyte),
        ([*head, "Transfer-Encoding: chunked"], chunk),
    ):
        with closing(socket.create_connection(server.address, timeout=20)) as connection:
            connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
            for _ in range(8):
                connection.sendall(piece)
            status, headers, problem = received(connection)
        assert (status, headers["connection"]) == (413, "close")
        assert problem["detail"] == "the body is larger than 1,000 bytes"
    # Whoever asks beforehand is told before they send anything.
    status, _, _ = raw(server, *head, "Content-Length: 100000000", "Expect: 100-continue")
    assert status == 413
    assert server.ask("POST", "/runs", {"message": "Hello"}).status == 200


def test_a_body_that_drips_runs_out_of_time(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), body_seconds=0.3)
    with closing(socket.create_connection(server.address, timeout=20)) as connection:
        connection.sendall(
            f"POST /runs HTTP/1.1\r\nHost: localhost\r\n{JSON_TYPE}\r\nContent-Length: 900\r\n\r\n".encode()
        )
        began = time.monotonic()
        for _ in range(4):
            connection.sendall(b"{")
            time.sleep(0.05)
        status, _, problem = received(connection)
    assert (status, problem["detail"]) == (408, "the body did not come within 0.3 seconds")
    assert time.monotonic() - began < 5


def test_headers_that_do_not_come_end_the_connection(
    serve: Serve, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callagain.serving.server._HEADER_SECONDS", 0.2)
    server = serve(shop.loop())
    with closing(socket.create_connection(server.address, timeout=10)) as connection:
        connection.sendall(b"POST /runs HTTP/1.1\r\nHost: local")
        assert connection.recv(100) == b""


DEEP = "[" * 100 + "]" * 100
WRONG_BODIES: tuple[tuple[bytes, int, str], ...] = (
    (b"{", 400, "the body is not JSON: "),
    (b'{"message": NaN}', 400, "the body is not JSON: "),
    (b'{"message": "a", "message": "b"}', 400, "the body is not JSON: "),
    (b'{"message": %s}' % (b"9" * 5000), 400, "an integer has too many digits"),
    (b'{"message": %s}' % DEEP.encode(), 400, "the body is not JSON: "),
    (b'{"message": "\xff"}', 400, "the body is not UTF-8"),
    (b"", 422, "/message: Field required"),
    (b"[]", 422, ": Input should be an object"),
    (b'{"message": 7}', 422, "/message"),
    (b'{"message": ""}', 422, "at least 1"),
    (b'{"message": []}', 422, "at least 1"),
    (b'{"message": "a", "run_id": "../../etc"}', 422, "/run_id: String should match pattern"),
    (b'{"message": "a", "run_id": ""}', 422, "/run_id: String should match pattern"),
    (b'{"message": "a", "history": "b"}', 422, "/history: Input should be an array"),
    (b'{"message": "a", "tools": "http://evil.example/tools.py"}', 422, "/tools: Extra inputs are not"),
    (b'{"message": "a", "model": "dear-1"}', 422, "/model: Extra inputs are not permitted"),
)


NO_WORD = "Input should be 'approve' or 'deny'"
WRONG_DECISIONS: tuple[tuple[Any, list[tuple[str, str]]], ...] = (
    (
        {"decisions": {"c": "perhaps"}},
        [("/decisions/c", NO_WORD), ("/decisions/c", "Input should be an object")],
    ),
    (
        {"decisions": {"a/b~c": {"decision": "edit"}}},
        [
            ("/decisions/a~1b~0c", NO_WORD),
            ("/decisions/a~1b~0c", "arguments go with the decision edit, and only with it"),
        ],
    ),
    (
        {"decisions": {"c": {"reason": 7}}},
        [
            ("/decisions/c", NO_WORD),
            ("/decisions/c/decision", "Field required"),
            ("/decisions/c/reason", "Input should be a valid string"),
        ],
    ),
    ({"changes": {"max_iterations": 100}}, [("/changes", "Extra inputs are not permitted")]),
)


def test_bodies_of_a_wrong_shape_are_told_with_their_place(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    for body, status, told in WRONG_BODIES:
        refused = server.ask("POST", "/runs", body)
        assert (refused.status, refused.headers["content-type"]) == (status, "application/problem+json")
        problem = refused.json
        errors = [f"{each['pointer']}: {each['detail']}" for each in problem.get("errors", [])]
        assert any(told in text for text in (problem["detail"], *errors)), (body[:60], problem)
        assert "Traceback" not in refused.text
    for decided, places in WRONG_DECISIONS:
        refused = server.ask("POST", "/runs/r/resume", decided)
        found = [(each["pointer"], each["detail"]) for each in refused.json["errors"]]
        assert (refused.status, found) == (422, places)
    assert shop.endpoint.requests == []


def test_preferences_and_parameters_that_are_none_begin_nothing(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), wait_seconds=20.7)
    for prefer in ("garbage", "wait=abc", "wait=-1", "wait=1.5", "wait=", "return=minimal, later"):
        refused = server.ask("POST", "/runs", {"message": "Hello", "run_id": "r"}, Prefer=prefer)
        assert (refused.status, refused.json["detail"]) == (
            400,
            "Prefer must be respond-async, or wait= and whole seconds",
        )
    assert server.ask("GET", "/runs/r").status == 404
    assert server.ask("GET", "/runs/r?messages=garbage").json["detail"] == "messages must be true or false"
    for prefer, applied in (
        ("wait=20", "wait=20"),
        ("wait=600", "wait=20"),
        ("handling=strict, wait=7; foo", "wait=7"),
        ("return=minimal", None),
    ):
        answered = server.ask("POST", "/runs", {"message": "Hello"}, Prefer=prefer)
        assert (answered.status, answered.headers.get("preference-applied")) == (200, applied)


def test_strangers_take_no_place_in_the_server(
    serve: Serve, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callagain.serving.door._LINGER_SECONDS", 20.0)
    server = serve(shop.loop(), token=TOKEN, max_requests=2)
    head = f"POST /runs HTTP/1.1\r\nHost: localhost\r\n{JSON_TYPE}\r\nContent-Length: 900\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(socket.create_connection(server.address, timeout=10))
            connection.sendall(head.encode())
            assert connection.recv(12) == b"HTTP/1.1 401"
        # Both of them linger; one more is answered, and let go at once.
        assert raw(server, *head.strip().split("\r\n"))[0] == 401
        asked = server.ask("POST", "/runs", {"message": "Hello"}, Authorization=f"Bearer {TOKEN}")
        assert asked.status == 200


def test_no_more_requests_than_allowed_and_watchers_are_counted_apart(serve: Serve, shop: Shop) -> None:
    assert ServingLimits().requests_at_once == 100
    assert ServingLimits(max_runs=300).requests_at_once == 600
    server = serve(shop.loop(), max_requests=1, retry_after=7)
    watch = b"GET /runs/r/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as stack:
        stack.enter_context(leaving(server, {"message": "wait", "run_id": "r"}))
        assert shop.entered.wait(10)
        refused = server.ask("GET", "/runs/r")
        assert (refused.status, refused.headers["retry-after"]) == (503, "7")
        assert refused.json["detail"] == "the server has as many requests as it takes (1); ask again"
        assert server.ask("GET", "/healthz").status == 200
        watching = stack.enter_context(socket.create_connection(server.address, timeout=10))
        watching.sendall(watch)
        assert watching.recv(12) == b"HTTP/1.1 200"
        assert server.ask("GET", "/runs/r/events").status == 503
        shop.opened.set()


def test_what_there_is_not_is_told_as_a_problem(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    for method, path, status in (
        ("GET", "/", 404),
        ("GET", "/runs", 405),
        ("POST", "/runs/r", 405),
        ("GET", "/runs/r", 404),
        ("GET", "/runs/r/events", 404),
        ("POST", "/runs/r/resume", 404),
        ("GET", "/runs/%2e%2e%2fx", 404),
        ("GET", "/runs/" + "x" * 200, 404),
        ("GET", "/healthz/", 404),
    ):
        refused = server.ask(method, path)
        assert (refused.status, refused.json["status"]) == (status, status), path
    body = json.dumps({"message": "Hello"}).encode()
    for headers in ({"Content-Type": "text/plain"}, {"Content-Encoding": "gzip"}):
        assert server.ask("POST", "/runs", body, **headers).status == 415
    with closing(socket.create_connection(server.address, timeout=10)) as connection:
        connection.sendall(b"\x16\x03\x01\x00 this is no HTTP\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400")


def test_an_error_of_the_server_keeps_its_traceback_to_itself(
    serve: Serve, shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the secret of the server")

    monkeypatch.setattr("callagain.serving.application.openapi_document", broken)
    server = serve(shop.loop())
    answered = server.ask("GET", "/openapi.json")
    assert (answered.status, answered.json["detail"]) == (500, "an error of the server; its log has it")
    server.end()
    assert "the secret of the server" in caplog.text
