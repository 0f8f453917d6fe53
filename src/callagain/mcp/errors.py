"""What can go wrong between a program and an MCP server."""

from callagain.engine.errors import CallAgainError


class McpServerError(CallAgainError):
    """An MCP server cannot be reached, or does not answer as one; the message names the server."""


class NotMadeError(Exception):
    """A call did not reach the server, or was turned away at its door. It may be made again."""


class OutcomeUnknownError(Exception):
    """A call was on its way when the connection broke: nobody knows whether it took effect."""


class NoResultError(Exception):
    """A call was answered, and not with a result as the protocol, or the tool itself, announces it."""


# Codes of JSON-RPC errors, outside of what the protocol and its servers use. The HTTP transport answers with
# them where there is no answer from the server.
NOT_MADE = 1_480_001
UNKNOWN = 1_480_002
SESSION_GONE = 1_480_003
