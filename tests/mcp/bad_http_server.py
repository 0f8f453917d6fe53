"""An HTTP server without any SDK, which answers a call of its tool as its mode says, and counts the calls."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LISTED = {"tools": [{"name": "work", "description": "A tool.", "inputSchema": {"type": "object"}}]}
DONE = {"content": [{"type": "text", "text": "done"}]}


class BadHttpServer:
    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.calls = 0
        self.paths: list[str] = []
        self.authorizations: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.answer(self, request)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/mcp"

    def __enter__(self) -> "BadHttpServer":
        threading.Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        result: dict[str, Any] = {}
        self.paths.append(handler.path)
        self.authorizations.append(handler.headers.get("authorization", ""))
        if handler.path.startswith("/old"):
            handler.send_response(307)
            handler.send_header("location", handler.path.replace("/old", "/mcp"))
            handler.send_header("content-length", "0")
            handler.end_headers()
            return
        match request["method"]:
            case "initialize":
                version = request["params"]["protocolVersion"]
                server = {"name": "bad", "version": "1"}
                result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
            case "tools/list":
                result = LISTED
            case "tools/call":
                self.calls += 1
                if not self._misbehave(handler, request):
                    return
                result = DONE
            case _:
                self._send(handler, 400, b"")
                return
        reply = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        self._send(handler, 200, json.dumps(reply).encode())

    def _misbehave(self, handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> bool:
        """Whether the call is answered all the same."""
        match self.mode:
            case "breaks off":
                handler.close_connection = True
            case "half an answer":
                handler.send_response(200)
                handler.send_header("content-type", "application/json")
                handler.send_header("content-length", "1000")
                handler.end_headers()
                handler.wfile.write(b'{"jsonrpc"')
                handler.close_connection = True
            case "half a stream":
                self._send(handler, 200, b": nothing yet\n\n", "text/event-stream")
            case "long answer":
                self._send(handler, 200, b'{"jsonrpc": "' + b"x" * 200_000)
            case "long event":
                self._send(handler, 200, (b"data: " + b"x" * 50_000 + b"\n") * 4, "text/event-stream")
            case "compressed":
                self._send(handler, 200, b"\x1f\x8b", encoding="gzip")
            case "202" | "200 text/html" | "200 application/json":
                status, _, kind = self.mode.partition(" ")
                self._send(handler, int(status), b"<html>log in</html>", kind or "application/json")
            case "error" | "error event":
                error = {"code": -32000, "message": "paid, but there is no receipt"}
                text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error})
                if self.mode == "error":
                    self._send(handler, 200, text.encode())
                else:
                    self._send(handler, 200, f"data: {text}\n\n".encode(), "text/event-stream")
            case "500" | "401" | "429" | "408":
                self._send(handler, int(self.mode), b"<html>s3cret-key-of-mine</html>", "text/html")
            case _:
                return True
        return False

    @staticmethod
    def _send(
        handler: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        content_type: str = "application/json",
        encoding: str | None = None,
    ) -> None:
        handler.send_response(status)
        handler.send_header("content-type", content_type)
        handler.send_header("content-length", str(len(body)))
        if encoding is not None:
            handler.send_header("content-encoding", encoding)
        handler.end_headers()
        handler.wfile.write(body)
