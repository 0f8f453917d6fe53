"""Servers to talk to: of the official SDK, by stdio and by HTTP, and one that misbehaves."""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.mcp.http_server import HttpTestServer

from callagain import Result, Tool, ToolLoop
from callagain.mcp import McpTools
from callagain.testing import StandIn, calls, says

HERE = Path(__file__).parent
BadServer: TypeAlias = Callable[..., McpTools]
# `call(tools, name, arguments, **options of the loop)` is a run in which the model makes this one call.
Call: TypeAlias = Callable[..., Result]


@pytest.fixture(scope="session")
def orders() -> Generator[McpTools, None, None]:
    """By HTTP, since a server in a thread is there at once."""
    with HttpTestServer() as server, McpTools.http(server.url, name="orders") as tools:
        yield tools


@pytest.fixture
def http_server() -> Iterator[HttpTestServer]:
    with HttpTestServer() as server:
        yield server


@pytest.fixture
def bad_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BadServer]:
    """`bad_server(mode, file)`: not connected yet; it adds a line to the file at each call."""
    # It does not end by itself when it hangs.
    monkeypatch.setattr("callagain.mcp.stdio.GRACE_SECONDS", 0.1)
    with ExitStack() as stack:

        def make(mode: str, *arguments: str, **options: Any) -> McpTools:
            command = [sys.executable, "-I", "-S", str(HERE / "bad_server.py"), mode, *arguments]
            tools = McpTools.stdio(command, name="bad", **options)
            stack.callback(tools.close)
            return tools

        yield make


@pytest.fixture
def call() -> Call:
    def call(tools: list[Tool], name: str, arguments: dict[str, object], **options: Any) -> Result:
        with StandIn([calls((name, arguments)), says("Done.")]) as endpoint:
            return ToolLoop(model="m", base_url=endpoint.base_url, tools=tools, **options).run("Go.")

    return call
