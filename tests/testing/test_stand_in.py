"""The server itself: paths, keys, connections, closing, and what it keeps of the requests."""

import gc
import http.client
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from callagain.engine.errors import ConfigurationError
from callagain.testing import Answer, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Send = Callable[..., tuple[int, Any]]

BODY = {"model": "any-model", "messages": [{"role": "user", "content": "Hi"}]}
WEATHER: Any = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
AZURE = "/openai/deployments/gpt-4o/chat/completions"


def test_answers_with_a_complete_chat_completion(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in([says("Hello.")]), BODY)
    usage = answer.pop("usage")
    assert (status, answer) == (
        200,
        {
            "id": "chatcmpl-stand-in-1",
            "object": "chat.completion",
            "created": 1_767_225_600,
            "model": "any-model",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "Hello.", "refusal": None},
                    "finish_reason": "stop",
                    "logprobs": None,
                }
            ],
        },
    )
    assert usage["prompt_tokens"] > 0
    assert usage["completion_tokens"] > 0
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


@pytest.mark.parametrize(
    "path",
    ["/v1/chat/completions", "/openai/v1/chat/completions", f"{AZURE}?api-version=2024-10-21"],
)
def test_answers_on_the_paths_of_openai_and_azure(stand_in: StartStandIn, send: Send, path: str) -> None:
    server = stand_in(["here"])
    assert send(server, BODY, path=path)[1]["choices"][0]["message"]["content"] == "here"
    assert server.requests[0].path == path


def test_a_deployment_stands_for_the_model(stand_in: StartStandIn, send: Send) -> None:
    body = {"messages": BODY["messages"]}
    status, answer = send(stand_in(["here"]), body, path=f"{AZURE}?api-version=2024-10-21")
    assert (status, answer["model"]) == (200, "gpt-4o")


def test_a_deployment_needs_an_api_version(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in([]), BODY, path=AZURE)
    assert (status, answer["error"]["message"]) == (
        404,
        "Resource not found: a deployment's path needs ?api-version=<date>.",
    )


@pytest.mark.parametrize("path", ["/", "/chat/completions", "/v1/chat/completions/", "/openai/responses"])
def test_names_the_paths_that_exist(stand_in: StartStandIn, send: Send, path: str) -> None:
    status, answer = send(stand_in([]), BODY, path=path)
    assert status == 404
    assert answer["error"]["message"] == (
        f"Invalid URL (POST {path}). The stand-in has: POST /v1/chat/completions, "
        "POST /openai/v1/chat/completions, "
        "POST /openai/deployments/<name>/chat/completions?api-version=<date>, "
        "POST /v1/responses, POST /openai/v1/responses, "
        "GET /v1/models, GET /openai/v1/models."
    )
    assert answer["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/chat/completions"),
        ("GET", "/v1/responses"),
        ("POST", "/v1/models"),
        ("DELETE", "/v1/models"),
    ],
)
def test_refuses_the_wrong_method(stand_in: StartStandIn, send: Send, method: str, path: str) -> None:
    status, answer = send(stand_in([]), BODY, method=method, path=path)
    assert status == 405
    assert answer["error"]["message"].startswith(f"Invalid method for URL ({method} {path}).")


def test_lists_one_model(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in([]), method="GET", path="/v1/models")
    assert (status, [model["id"] for model in answer["data"]]) == (200, ["stand-in"])


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": ""}, {"Authorization": "Bearer "}, {"Authorization": "x"}, {"api-key": ""}],
)
def test_asks_for_a_key(stand_in: StartStandIn, send: Send, headers: dict[str, str]) -> None:
    server = stand_in(["accepted"])
    status, answer = send(server, BODY, headers=headers)
    assert (status, server.requests[0].status) == (401, 401)
    assert answer["error"]["message"].startswith("You didn't provide an API key.")
    assert send(server, BODY)[0] == 200


@pytest.mark.parametrize("headers", [{"Authorization": "Bearer x"}, {"api-key": "x"}])
def test_accepts_any_key(stand_in: StartStandIn, send: Send, headers: dict[str, str]) -> None:
    assert send(stand_in(["accepted"]), BODY, headers=headers)[0] == 200


def test_keeps_the_requests_in_order_of_arrival(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(["one", Answer(429, {"error": {"message": "slow down"}})])
    for number in (1, 2, 3):
        send(server, BODY | {"seed": number}, headers={"Authorization": "Bearer k", "X-Trace": str(number)})
    assert [request.json["seed"] for request in server.requests] == [1, 2, 3]
    assert [request.status for request in server.requests] == [200, 429, 500]
    assert [request.headers["x-trace"] for request in server.requests] == ["1", "2", "3"]
    assert {request.method for request in server.requests} == {"POST"}
    assert server.requests[0].body.startswith(b'{"model"')


def test_keeps_a_body_that_is_no_json(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in([])
    assert send(server, b"{not json")[0] == 400
    assert server.requests[0].body == b"{not json"
    with pytest.raises(ValueError, match="position 1"):
        _ = server.requests[0].json


def test_the_openai_client_talks_to_it(stand_in: StartStandIn) -> None:
    server = stand_in([calls(("get_weather", {"city": "Rome"})), says("It is sunny.")])
    with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
        messages: list[Any] = [{"role": "user", "content": "Weather in Rome?"}]
        first = client.chat.completions.create(model="m", messages=messages, tools=[WEATHER])
        call = (first.choices[0].message.tool_calls or [])[0]
        messages += [first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]
        second = client.chat.completions.create(model="m", messages=messages)
        assert [model.id for model in client.models.list()] == ["stand-in"]
    assert first.choices[0].finish_reason == "tool_calls"
    assert second.choices[0].message.content == "It is sunny."


def test_the_azure_client_talks_to_it(stand_in: StartStandIn) -> None:
    server = stand_in(["Hello from Azure."])
    with openai.AzureOpenAI(
        azure_endpoint=server.origin, api_key="any", api_version="2024-10-21", max_retries=0
    ) as client:
        answer = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "Hi"}])
    assert answer.choices[0].message.content == "Hello from Azure."
    assert server.requests[0].path == f"{AZURE}?api-version=2024-10-21"


def test_one_connection_serves_many_requests(stand_in: StartStandIn) -> None:
    server = stand_in(["again"], repeat_last=True)
    connection = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=10)
    connection.connect()
    first_socket = connection.sock
    for _ in range(3):
        connection.request("POST", "/v1/chat/completions", b"{}", {"api-key": "x"})
        assert connection.getresponse().read()
        assert connection.sock is first_socket
    connection.close()


def test_header_and_body_arrive_together(stand_in: StartStandIn) -> None:
    server = stand_in(["x" * 5000])
    host, port = server.origin.removeprefix("http://").split(":")
    body = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\napi-key: x\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(head.encode() + body)
        received = connection.recv(65536)
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert received.endswith(b"}}")


def test_hundreds_of_connections_come_at_once(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(lambda request: says(request["messages"][0]["content"]))
    barrier = threading.Barrier(200)

    def ask(number: int) -> bool:
        barrier.wait(timeout=10)
        body = BODY | {"messages": [{"role": "user", "content": str(number)}]}
        message = send(server, body)[1]["choices"][0]["message"]
        return bool(message["content"] == str(number))

    with ThreadPoolExecutor(200) as pool:
        assert all(pool.map(ask, range(200)))
    assert len(server.requests) == 200


def test_delays_each_answer(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(["late"], delay=0.2)
    started = time.monotonic()
    send(server, BODY)
    assert time.monotonic() - started >= 0.2


def test_closing_ends_open_connections_and_delayed_answers_at_once() -> None:
    server = StandIn(["never"], delay=60).start()
    idle = socket.create_connection(("127.0.0.1", int(server.origin.rsplit(":", 1)[1])), timeout=10)
    waiting = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=10)
    waiting.request("POST", "/v1/chat/completions", b"{}", {"api-key": "x"})
    while not server.requests:
        time.sleep(0.001)
    started = time.monotonic()
    server.close()
    assert time.monotonic() - started < 20
    assert idle.recv(1) == b""
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        waiting.getresponse()
    idle.close()
    waiting.close()
    server.close()


def test_closing_leaves_no_thread_and_no_open_socket(recwarn: pytest.WarningsRecorder) -> None:
    before = threading.active_count()
    with StandIn(["unused"]) as server:
        connection = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=10)
        connection.request("GET", "/v1/models", headers={"api-key": "x"})
        connection.getresponse().read()
        address = ("127.0.0.1", int(server.origin.rsplit(":", 1)[1]))
    connection.close()
    del server
    gc.collect()
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.001)
    assert threading.active_count() == before
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=10)


def test_a_response_may_break_off(stand_in: StartStandIn) -> None:
    server = stand_in([Answer(200, '{"id": "chat', {"Content-Length": "500"})])
    connection = http.client.HTTPConnection(server.origin.removeprefix("http://"), timeout=10)
    connection.request(
        "POST",
        "/v1/chat/completions",
        b'{"model":"m","messages":[{"role":"user","content":""}]}',
        {"api-key": "x"},
    )
    with pytest.raises(http.client.IncompleteRead):
        connection.getresponse().read()
    connection.close()


@pytest.mark.parametrize(
    ("header", "status"), [(b"Transfer-Encoding: chunked", b"411"), (b"Content-Length: many", b"400")]
)
def test_refuses_a_body_of_unknown_length(stand_in: StartStandIn, header: bytes, status: bytes) -> None:
    port = int(stand_in([]).origin.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 " + status)


def test_a_client_that_goes_away_leaves_the_server_silent(
    stand_in: StartStandIn, send: Send, capfd: pytest.CaptureFixture[str]
) -> None:
    server = stand_in(["still here"])
    port = int(server.origin.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}")
    assert send(server, BODY)[0] == 200
    assert capfd.readouterr() == ("", "")


def test_says_when_it_is_not_started() -> None:
    with pytest.raises(ConfigurationError, match=r"not started: call start\(\)"):
        _ = StandIn([]).base_url


def test_starts_only_once(stand_in: StartStandIn) -> None:
    with pytest.raises(ConfigurationError, match="started before"):
        stand_in([]).start()


def test_says_when_a_port_is_taken(stand_in: StartStandIn) -> None:
    port = int(stand_in([]).origin.rsplit(":", 1)[1])
    with pytest.raises(
        ConfigurationError, match=rf"cannot serve on 127\.0\.0\.1:{port}: .*port 0 takes a free"
    ):
        StandIn([], port=port).start()


def test_says_when_a_port_does_not_exist() -> None:
    with pytest.raises(ConfigurationError, match=r"cannot serve on 127\.0\.0\.1:70000"):
        StandIn([], port=70_000).start()
