"""MCP servers as sources of tools, by the official SDK: `pip install callagain[mcp]`.

docs/mcp.md shows how.
"""

from callagain.mcp.errors import McpServerError
from callagain.mcp.source import McpTools

__all__ = ["McpServerError", "McpTools"]
