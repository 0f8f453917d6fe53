"""A server's tool as a tool of the loop: what is announced of it, and what becomes of a call."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import mcp_types
from mcp import MCPError

from callagain.connectors.tools import Tool, ToolContext, ToolOptions, ToolProblem, tool_from_schema
from callagain.connectors.tools.problem import clip
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject
from callagain.mcp.connection import Connection
from callagain.mcp.errors import (
    McpServerError,
    NoResultError,
    NotMadeError,
    OutcomeUnknownError,
    not_made,
)
from callagain.mcp.messages import fault_of
from callagain.mcp.secrets import Secrets

Work: TypeAlias = Callable[[Connection], Coroutine[Any, Any, mcp_types.CallToolResult]]
# Has work done on the loop of the connection.
Submit: TypeAlias = Callable[[Work], "Future[mcp_types.CallToolResult]"]

MAX_ANNOUNCED_CHARS = 100_000
_MAX_ERROR_CHARS = 2_000
# How long a call whose outcome is unknown stays open for somebody to be asked, where no timeout is set.
_USUAL_TIMEOUT = 60.0
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")
_LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True)
class ServerTools:
    """Makes the tools of one server. name: the server's, in messages."""

    name: str
    secrets: Secrets
    submit: Submit

    def tool(self, listed: mcp_types.Tool, prefix: str, options: ToolOptions) -> Tool:
        """Raises ToolSchemaError for what cannot be announced, or not validated by."""
        try:
            _check(listed, prefix)
            return tool_from_schema(
                cast("JsonObject", listed.input_schema),
                self._function(listed.name, options),
                pass_object=True,
                **_with_words(listed, prefix, options),
            )
        except ToolSchemaError as error:
            raise ToolSchemaError(
                f"MCP server {self.name}: {self.secrets.hide(str(error))}; leave it out by allow="
            ) from None

    def _function(self, name: str, options: ToolOptions) -> Callable[..., Awaitable[str]]:
        on_unknown = options.get("on_unknown")
        is_repeatable = options.get("read_only") or options.get("idempotent")
        retries = on_unknown == "retry" or (on_unknown is None and is_repeatable)
        asks = on_unknown == "ask"
        timeout = options.get("timeout") or _USUAL_TIMEOUT

        async def call(arguments: dict[str, Any], context: ToolContext) -> str:
            try:
                return await self._answer(name, arguments, context)
            except NotMadeError as error:
                context.log(self.secrets.hide(f"MCP server {self.name}: {name} was not called: {error}"))
                words = f"not executed: the MCP server {self.name} {error.told}"
                raise ToolProblem("not_executed", words) from None
            except OutcomeUnknownError as error:
                words = f"MCP server {self.name}: nobody knows what a call of {name} did: {error}"
                context.log(self.secrets.hide(words))
                told = f"{error.told}, and nobody knows what it did; check that first"
            if retries:
                with contextlib.suppress(NotMadeError, OutcomeUnknownError):
                    return await self._answer(name, arguments, context)
            if asks:
                # The driver asks about a call whose time is up, and about no other.
                await asyncio.sleep(timeout)
            raise ToolProblem("tool_cancelled", told)

        call.__qualname__ = f"{name} of MCP server {self.name}"
        return call

    async def _answer(self, name: str, arguments: JsonObject, context: ToolContext) -> str:
        """Raises NotMadeError, OutcomeUnknownError, and ToolProblem for what the server says is wrong."""
        key = context.idempotency_key
        try:
            calling = self.submit(lambda connection: connection.call(name, arguments, key))
            result = await asyncio.wrap_future(calling)
        except McpServerError as error:
            raise not_made(error) from None
        except NoResultError as error:
            words = f"the server did something, and its answer is no result: {error}"
            raise ToolProblem("invalid_result", self.secrets.hide(words)) from None
        except MCPError as error:
            raise self._problem(error.message) from None
        text = "".join(block.text for block in result.content if isinstance(block, mcp_types.TextContent))
        if result.is_error:
            raise self._problem(text)
        return self.secrets.hide(text)

    def _problem(self, text: str) -> ToolProblem:
        """What the server says is wrong; its words may quote anything."""
        return ToolProblem("tool_exception", self.secrets.hide(text)[:_MAX_ERROR_CHARS] or "it failed")


def announced_name(listed: mcp_types.Tool, prefix: str) -> str:
    """Endpoints take fewer characters than the protocol does."""
    return prefix + _ILLEGAL.sub("_", listed.name)


def hinted(listed: mcp_types.Tool) -> ToolOptions:
    """What a server says of its tool's effects."""
    hints = listed.annotations
    found: ToolOptions = {}
    if hints is not None and hints.read_only_hint is True:
        found["read_only"] = True
    if hints is not None and hints.idempotent_hint is True:
        found["idempotent"] = True
    return found


def _with_words(listed: mcp_types.Tool, prefix: str, options: ToolOptions) -> ToolOptions:
    words: ToolOptions = {"name": announced_name(listed, prefix), "description": listed.description or ""}
    if options.get("on_unknown") == "ask" and options.get("timeout") is None:
        words["timeout"] = _USUAL_TIMEOUT
    return {**options, **words}


def _check(listed: mcp_types.Tool, prefix: str) -> None:
    if (fault := fault_of(listed)) is not None:
        raise ToolSchemaError(f"tool {listed.name[:100]}: {fault}")
    if not _LEGAL_NAME.fullmatch(name := announced_name(listed, prefix)):
        words = "a tool's name has 1 to 64 characters" + ("; shorten prefix=" if prefix else "")
        raise ToolSchemaError(f"tool {clip(repr(name), 100)}: {words}")
    size = len(json.dumps(listed.input_schema)) + len(listed.description or "")
    if size > MAX_ANNOUNCED_CHARS:
        raise ToolSchemaError(
            f"tool {listed.name[:100]}: schema and description have {size:,} characters, and each request "
            f"would carry them; {MAX_ANNOUNCED_CHARS:,} are the most"
        )
