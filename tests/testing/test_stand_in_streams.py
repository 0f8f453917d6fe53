"""Chat Completions as a stream: the events, how they travel, and what OpenAI's client makes of them."""

import http.client
import json
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from callagain.testing import Answer, StandIn, call, calls, says
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Body = dict[str, Any]

USER: Any = {"role": "user", "content": "Hi"}
TOOL: Any = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}
BODY: Body = {"model": "m", "messages": [USER], "stream": True}
USAGE = {"stream_options": {"include_usage": True}}


@contextmanager
def asked(server: StandIn, body: Body) -> Generator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
    connection.request("POST", "/v1/chat/completions", json.dumps(body).encode(), {"api-key": "any"})
    with connection.getresponse() as response:
        yield response
    connection.close()


def chunks(server: StandIn, **more: Any) -> list[Body]:
    """The chunks of the answer; the stream must be one and must end as it should."""
    with asked(server, BODY | more) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        *events, done, rest = response.read().decode().split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    assert all(event.startswith("data: ") for event in events)
    return [json.loads(event.removeprefix("data: ")) for event in events]


def deltas(server: StandIn, **more: Any) -> list[Body]:
    return [chunk["choices"][0]["delta"] for chunk in chunks(server, **more)]


def test_a_text_comes_in_pieces(stand_in: StartStandIn) -> None:
    first, *pieces, last = chunks(stand_in([says("Hello, Zürich.")]))
    assert first == {
        "id": "chatcmpl-stand-in-1",
        "object": "chat.completion.chunk",
        "created": 1_767_225_600,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "delta": {"role": "assistant", "content": "", "refusal": None},
                "logprobs": None,
                "finish_reason": None,
            }
        ],
    }
    assert [piece["choices"][0]["delta"] for piece in pieces] == [
        {"content": "Hell"},
        {"content": "o, Z"},
        {"content": "üric"},
        {"content": "h."},
    ]
    assert all(piece["choices"][0]["finish_reason"] is None for piece in pieces)
    assert last["choices"] == [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": "stop"}]


def test_calls_come_as_a_name_and_fragments_of_arguments(stand_in: StartStandIn) -> None:
    answer = calls(("get_weather", {"city": "Rome"}), call("ping", id="c7"))
    assert deltas(stand_in([answer])) == [
        {"role": "assistant", "content": None, "refusal": None},
        {
            "tool_calls": [
                {
                    "index": 0,
                    "id": "call_2",
                    "type": "function",
                    "function": {"name": "get_weather", "arguments": ""},
                }
            ]
        },
        *(
            {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
            for piece in ('{"ci', 'ty":', '"Rom', 'e"}')
        ),
        {
            "tool_calls": [
                {"index": 1, "id": "c7", "type": "function", "function": {"name": "ping", "arguments": ""}}
            ]
        },
        {"tool_calls": [{"index": 1, "function": {"arguments": "{}"}}]},
        {},
    ]


def test_reasoning_comes_before_the_text(stand_in: StartStandIn) -> None:
    assert deltas(stand_in([says("Yes.", reasoning="Why not?")]))[1:-1] == [
        {"reasoning_content": "Why "},
        {"reasoning_content": "not?"},
        {"content": "Yes."},
    ]


def test_usage_comes_last_and_only_where_it_is_asked_for(stand_in: StartStandIn) -> None:
    server = stand_in([says("Hi.", usage={"prompt_tokens": 7, "completion_tokens": 2})], repeat_last=True)
    assert not any("usage" in chunk for chunk in chunks(server))
    *before, last = chunks(server, **USAGE)
    assert {chunk["usage"] for chunk in before} == {None}
    assert last["choices"] == []
    assert last["usage"] == {"total_tokens": 9, "prompt_tokens": 7, "completion_tokens": 2}


def test_a_long_text_comes_in_few_pieces(stand_in: StartStandIn) -> None:
    text = "word " * 10_000
    pieces = [delta["content"] for delta in deltas(stand_in([text])) if "content" in delta]
    assert "".join(pieces) == text
    assert len(pieces) < 100


@pytest.mark.parametrize("texts", [[""], ["", "x"]])
def test_an_empty_text_has_no_pieces(stand_in: StartStandIn, texts: list[str]) -> None:
    server = stand_in(texts)
    assert [len(deltas(server)) for _ in texts] == [2 + len(text) for text in texts]


def test_a_whole_body_is_streamed_as_well(stand_in: StartStandIn) -> None:
    odd_call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}, "extra": 1}
    message = {"role": "assistant", "content": "Hello", "tool_calls": [odd_call], "mood": "good"}
    body = {"id": "x", "choices": [{"message": message, "finish_reason": "length"}], "usage": {"n": 1}}
    received = chunks(stand_in([body]), **USAGE)
    assert {chunk["id"] for chunk in received} == {"x"}
    assert [chunk["choices"][0]["delta"] for chunk in received[:-1]] == [
        {"role": "assistant", "content": "", "mood": "good"},
        {"content": "Hell"},
        {"content": "o"},
        {"tool_calls": [{"index": 0, **odd_call}]},
        {},
    ]
    assert received[-2]["choices"][0]["finish_reason"] == "length"
    assert received[-1]["usage"] == {"n": 1}


@pytest.mark.parametrize("body", [{"choices": []}, {"error": "x"}, {"choices": [{"message": None}]}])
def test_a_body_without_a_message_is_sent_as_json(stand_in: StartStandIn, body: Body) -> None:
    with asked(stand_in([body]), BODY) as response:
        assert response.headers["content-type"] == "application/json"
        assert json.load(response) == body


def test_an_answer_in_full_and_a_refusal_are_sent_as_they_stand(stand_in: StartStandIn) -> None:
    server = stand_in([Answer(200, "data: {}\n\n", {"content-type": "text/event-stream"})])
    with asked(server, BODY) as response:
        assert response.read() == b"data: {}\n\n"
    with asked(server, BODY | {"messages": []}) as response:
        assert (response.status, json.load(response)["error"]["param"]) == (400, "messages")


def test_each_event_leaves_on_its_own(stand_in: StartStandIn) -> None:
    with asked(stand_in(["Hello, world"], event_delay=3600), BODY) as response:
        assert response.readline().startswith(b"data: {")
        assert response.readline() == b"\n"


def test_events_may_come_slowly(stand_in: StartStandIn) -> None:
    server = stand_in(["Hello, world"], event_delay=0.02)
    started = time.monotonic()
    assert len(chunks(server)) == 5
    assert time.monotonic() - started >= 5 * 0.02


def test_a_connection_is_kept_after_a_stream(stand_in: StartStandIn) -> None:
    server = stand_in(["again"], repeat_last=True)
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
    connection.connect()
    first_socket = connection.sock
    for _ in range(3):
        connection.request("POST", "/v1/chat/completions", json.dumps(BODY).encode(), {"api-key": "x"})
        response = connection.getresponse()
        assert response.headers["transfer-encoding"] == "chunked"
        assert response.read().endswith(b"data: [DONE]\n\n")
        assert connection.sock is first_socket
    assert server.open_connections == 1
    connection.close()


def test_a_client_of_http_1_0_gets_no_chunks(stand_in: StartStandIn) -> None:
    host, port = urlsplit(stand_in(["Hi"]).base_url).netloc.split(":")
    body = json.dumps(BODY)
    head = f"POST /v1/chat/completions HTTP/1.0\r\napi-key: x\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall((head + body).encode())
        received = b""
        while part := connection.recv(65536):
            received += part
    assert b"transfer-encoding" not in received
    assert received.split(b"\r\n\r\n")[1].startswith(b"data: {")
    assert received.endswith(b"data: [DONE]\n\n")


def test_the_openai_client_reads_a_stream(stand_in: StartStandIn) -> None:
    server = stand_in([calls(("get_weather", {"city": "Rome"}), text="I look.")])
    with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
        stream = client.chat.completions.create(
            model="m", messages=[USER], tools=[TOOL], stream=True, stream_options={"include_usage": True}
        )
        received = list(stream)
    told = [chunk.choices[0].delta for chunk in received if chunk.choices]
    assert "".join(delta.content or "" for delta in told) == "I look."
    fragments = [fragment for delta in told for fragment in delta.tool_calls or []]
    functions = [fragment.function for fragment in fragments if fragment.function]
    assert "".join(function.arguments or "" for function in functions) == '{"city":"Rome"}'
    assert received[-1].usage is not None


async def test_the_async_client_puts_a_stream_together(stand_in: StartStandIn) -> None:
    server = stand_in([calls(("get_weather", {"city": "Rome"}), text="I look.")])
    async with (
        openai.AsyncOpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client,
        client.chat.completions.stream(model="m", messages=[USER], tools=[TOOL]) as stream,
    ):
        whole = await stream.get_final_completion()
    (made,) = whole.choices[0].message.tool_calls or []
    assert (made.id, made.function.arguments) == ("call_1", '{"city":"Rome"}')
    assert whole.choices[0].message.content == "I look."
    assert whole.choices[0].finish_reason == "tool_calls"
