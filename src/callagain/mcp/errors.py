"""What can go wrong between a program and an MCP server."""

from callagain.engine.errors import CallAgainError


class McpServerError(CallAgainError):
    """An MCP server cannot be reached, or does not answer as one; the message names the server."""


class NotMadeError(Exception):
    """A call did not reach the server, or was turned away at its door. It may be made again.

    told: why, for a model, after "the MCP server NAME".
    """

    def __init__(self, why: str, told: str = "cannot be reached") -> None:
        super().__init__(why)
        self.told = told


class RefusedError(McpServerError):
    """A server turned a connection away at its door. told: as of NotMadeError."""

    def __init__(self, message: str, told: str) -> None:
        super().__init__(message)
        self.told = told


def not_made(error: McpServerError) -> NotMadeError:
    """What an error of the connection is to a call."""
    if isinstance(error, RefusedError):
        return NotMadeError(str(error), error.told)
    return NotMadeError(str(error))


class OutcomeUnknownError(Exception):
    """A call was on its way when the connection broke: nobody knows whether it took effect.

    told: what became of the connection, for a model.
    """

    def __init__(self, why: str, told: str = "the connection broke during the call") -> None:
        super().__init__(why)
        self.told = told


class NoResultError(Exception):
    """A call was answered, and not with a result as the protocol, or the tool itself, announces it."""


# Codes of JSON-RPC errors, outside of what the protocol and its servers use. The HTTP transport answers with
# them where there is no answer from the server.
NOT_MADE = 1_480_001
UNKNOWN = 1_480_002
SESSION_GONE = 1_480_003
REFUSED = 1_480_004
TOO_LONG = 1_480_005
OWN_CODES = (NOT_MADE, UNKNOWN, SESSION_GONE, REFUSED, TOO_LONG)


def too_long(limit: int) -> OutcomeUnknownError:
    """Of a message with more than `limit` bytes."""
    return OutcomeUnknownError(
        f"it sent a message that is longer than max_message_bytes={limit}",
        f"the server's answer has more than {limit:,} bytes",
    )
