"""A streamable HTTP server of the official SDK in a thread, which can be restarted behind its URL."""

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server import MCPServer
from tests.mcp.server import make_server


class HttpTestServer:
    """refuse_discovery: as an older server, so that clients fall back to sessions, which a restart ends."""

    def __init__(self, make: Callable[[str], MCPServer] = make_server) -> None:
        self._make = make
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.requests: list[dict[str, str]] = []
        self.refuse_discovery = False

    def __enter__(self) -> "HttpTestServer":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self, tool_name: str = "get_order") -> None:
        app = self._make(tool_name).streamable_http_app()

        async def noted(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                headers = {key.decode(): value.decode() for key, value in scope["headers"]}
                self.requests.append(headers)
                if self.refuse_discovery and headers.get("mcp-method") == "server/discover":
                    await send({"type": "http.response.start", "status": 400, "headers": []})
                    await send({"type": "http.response.body", "body": b""})
                    return
            await app(scope, receive, send)

        config = uvicorn.Config(noted, port=self.port, log_config=None, timeout_graceful_shutdown=0)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._server.serve()), daemon=True)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)
