"""Servers behind a URL: restarts, sessions, refusals, and what is not told of headers and URLs."""

import threading
from typing import Any

import pytest
from tests.mcp.bad_http_server import BadHttpServer
from tests.mcp.conftest import Call
from tests.mcp.http_server import HttpTestServer

from callagain.mcp import McpServerError, McpTools
from callagain.testing import StandIn

A_KEY = {"X-Key": "s3cret-key-of-mine"}


def test_headers_go_with_every_request_and_a_function_is_asked_each_time(
    http_server: HttpTestServer, call: Call
) -> None:
    keys = iter(range(1000))
    with McpTools.http(http_server.url, headers=lambda: {"X-Key": str(next(keys))}) as source:
        assert call(source.list(), "get_order", {"order_id": "4"}).tool_results[0].error is None
    sent = [request["x-key"] for request in http_server.requests]
    assert sent == [str(number) for number in range(len(sent))]


async def test_a_restart_is_survived_and_a_tool_that_was_renamed_is_told(
    http_server: HttpTestServer, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with McpTools.http(http_server.url, name="orders") as source:
        tools = await source.alist(allow=["get_order", "orders.find"])
        http_server.stop()
        with monkeypatch.context() as impatient:
            impatient.setattr("callagain.mcp.http.PATIENCE_SECONDS", ())
            (down,) = call(tools, "orders_find", {"count": 1}).tool_results
        threading.Timer(0.2, http_server.start, ["find_order"]).start()
        (up,) = call(tools, "orders_find", {"count": 1}).tool_results
        (renamed,) = call(tools, "get_order", {"order_id": "4"}).tool_results
        assert "find_order" in [tool.name for tool in await source.alist()]
    assert down.error == "not_executed"
    assert "not executed: the MCP server orders cannot be reached" in down.content
    assert up.error is None
    assert renamed.error == "tool_exception"
    assert "Unknown tool: get_order" in renamed.content


def test_a_session_that_a_restart_has_ended_is_made_anew(http_server: HttpTestServer, call: Call) -> None:
    http_server.refuse_discovery = True
    with McpTools.http(http_server.url) as source:
        tools = source.list(allow=["orders.find"])
        assert any("mcp-session-id" in request for request in http_server.requests)
        http_server.stop()
        http_server.start()
        (answer,) = call(tools, "orders_find", {"count": 1}).tool_results
    assert (answer.error, answer.full_content) == (None, "order 0")


def test_a_refusal_and_an_absence_are_told_without_a_secret() -> None:
    with StandIn([]) as no_mcp_server:
        url = no_mcp_server.base_url.replace("http://", "http://me:s3cret-one@") + "?key=s3cret-two"
        source = McpTools.http(url, headers={"Authorization": "Bearer s3cret-three"})
        with pytest.raises(
            McpServerError,
            match=r"MCP server 127.0.0.1:\d+: it refused the request with HTTP status 4\d\d; check",
        ) as told:
            source.list()
    with pytest.raises(McpServerError, match=r"no connection \(ConnectError\)") as gone:
        source.list()
    assert "s3cret" not in f"{told.value}{gone.value}{source!r}"
    source.close()


@pytest.mark.parametrize(
    ("mode", "options", "count", "error"),
    [
        ("well", {}, 1, None),
        ("breaks off", {}, 1, "tool_cancelled"),
        ("half an answer", {}, 1, "tool_cancelled"),
        ("half a stream", {}, 1, "tool_cancelled"),
        ("202", {}, 1, "tool_cancelled"),
        ("200 text/html", {}, 1, "tool_cancelled"),
        ("200 application/json", {}, 1, "tool_cancelled"),
        ("error", {"read_only": True}, 1, "tool_exception"),
        ("error event", {"read_only": True}, 1, "tool_exception"),
        ("long answer", {}, 1, "tool_cancelled"),
        ("long event", {}, 1, "tool_cancelled"),
        ("compressed", {}, 1, "tool_cancelled"),
        ("500", {}, 1, "tool_cancelled"),
        ("500", {"idempotent": True}, 2, "tool_cancelled"),
        ("401", {"idempotent": True}, 1, "not_executed"),
        ("429", {}, 1, "not_executed"),
        ("408", {}, 1, "tool_cancelled"),
    ],
)
def test_a_call_without_an_answer_is_repeated_only_if_that_is_allowed(
    call: Call, mode: str, options: dict[str, Any], count: int, error: str | None
) -> None:
    with (
        BadHttpServer(mode) as server,
        McpTools.http(
            server.url, headers={"X-Key": "s3cret-key-of-mine"}, max_message_bytes=100_000
        ) as source,
    ):
        (answer,) = call(source.list(**options), "work", {}).tool_results
    assert (answer.error, server.calls) == (error, count)
    assert "s3cret" not in answer.content
    words = {
        "long answer": "the server's answer has more than 100,000 bytes, and nobody knows what it did",
        "long event": "the server's answer has more than 100,000 bytes, and nobody knows what it did",
        "401": "refused the request with HTTP status 401",
        "429": "refused the request with HTTP status 429",
        "error": "paid, but there is no receipt",
    }
    assert words.get(mode, "") in answer.content


def test_user_password_and_query_of_a_url_are_sent_and_not_logged(
    call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    with BadHttpServer("well") as server, caplog.at_level(0):
        url = server.url.replace("http://", "http://me:s3cret%20one@") + "?key=s3cret-two"
        with McpTools.http(url) as source:
            assert call(source.list(), "work", {}).tool_results[0].error is None
    assert set(server.paths) == {"/mcp?key=s3cret-two"}
    assert set(server.authorizations) == {"Basic bWU6czNjcmV0IG9uZQ=="}
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert "HTTP Request: POST http://127.0.0.1" in logged
    assert "Connecting to StreamableHTTP endpoint" in logged
    assert "s3cret" not in logged
    assert "bWU6czNjcmV0IG9uZQ==" not in logged


def test_a_query_is_not_logged_when_a_redirection_repeats_it(
    call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    with BadHttpServer("well") as server, caplog.at_level("INFO"):
        moved = server.url.replace("/mcp", "/old") + "?key=s3cret-two"
        with McpTools.http(moved) as source:
            assert call(source.list(), "work", {}).tool_results[0].error is None
    assert set(server.paths) == {"/old?key=s3cret-two", "/mcp?key=s3cret-two"}
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert "/mcp" in logged
    assert "s3cret" not in logged


def test_headers_that_cannot_be_had_are_told(http_server: HttpTestServer) -> None:
    def expired() -> dict[str, str]:
        raise ValueError("s3cret")

    with pytest.raises(McpServerError, match=r"headers= cannot be used \(ValueError\)$"):
        McpTools.http(http_server.url, headers=expired).__enter__()


def test_a_source_does_not_outlive_a_fork(
    http_server: HttpTestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with McpTools.http(http_server.url) as source:
        with monkeypatch.context() as child:
            child.setattr("os.getpid", lambda: 1)
            with pytest.raises(McpServerError, match="a connection does not outlive a fork; make the"):
                source.list()
        assert source.list()
