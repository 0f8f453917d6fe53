"""A server of the official SDK, with tools that do what servers do. `python server.py` talks by stdio."""

import os
import sys
import time
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp_types import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)


def make_server(tool_name: str = "get_order") -> MCPServer:
    """tool_name: of its first tool; another one after a restart is what a new release may do."""
    server = MCPServer("orders")

    @server.tool(name=tool_name, annotations=ToolAnnotations(read_only_hint=True))
    def get_order(order_id: str) -> dict[str, str]:
        """Look up an order."""
        return {"order_id": order_id, "status": "shipped"}

    @server.tool(annotations=ToolAnnotations(idempotent_hint=True))
    def add_line(path: str, seconds: float = 0.0) -> str:
        """Add a line to a file, and wait."""
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("line\n")
        time.sleep(seconds)
        return "added"

    @server.tool(name="orders.find")
    def find(count: int) -> list[str]:
        """Find orders."""
        return [f"order {number}" for number in range(count)]

    @server.tool()
    def show() -> list[Any]:
        """Show what an order looks like."""
        return [
            TextContent(text="Two pictures:"),
            ImageContent(data="AAAA" * 1000, mime_type="image/png"),
            AudioContent(data="AAA=", mime_type="audio/wav"),
            ResourceLink(name="invoice", uri="file:///invoice.pdf", mime_type="application/pdf"),
            EmbeddedResource(resource=TextResourceContents(uri="file:///note.txt", text="By post.")),
        ]

    @server.tool()
    def fail(words: str) -> str:
        """Fail."""
        raise ValueError(words)

    @server.tool()
    def environment(name: str) -> str:
        """Tell a variable of the server's environment."""
        return os.environ.get(name, "not set")

    return server


if __name__ == "__main__":
    print("a line of a library on stdout", file=sys.stdout, flush=True)
    make_server().run()
