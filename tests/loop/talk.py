"""What tests of conversations share: who speaks in a request, and turns by both APIs."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from callagain import Conversation, Result, ToolLoop, tool
from callagain.testing import Answer, StandIn, calls

Say: TypeAlias = Callable[[Conversation, str], Result]

REFUSED = Answer(400, {"error": {"message": "no"}})


def say_sync(conversation: Conversation, message: str) -> Result:
    return conversation.run(message)


def say_async(conversation: Conversation, message: str) -> Result:
    return asyncio.run(conversation.arun(message))


@tool(read_only=True)
def look(number: int) -> str:
    """Look at a number."""
    return f"{number} is there"


@tool
def add(number: int) -> str:
    """Add a number."""
    return f"{number} was added"


def looks(*numbers: int) -> Any:
    return calls(*[("look", {"number": number}) for number in numbers])


def adds(number: int) -> Any:
    return calls(("add", {"number": number}))


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    settings: dict[str, Any] = {"model": "m", "tools": [look, add], "max_retries": 0, **options}
    return ToolLoop(base_url=server.base_url, **settings)


def heard(server: StandIn, number: int = -1) -> list[str]:
    """A request, one text for each message: `user: Hello`, `assistant: look`, `tool: 1 is there`."""
    return lines(server.requests[number].json["messages"])


def lines(messages: Any) -> list[str]:
    return [f"{message['role']}: {_said(message)}" for message in messages]


def _said(message: dict[str, Any]) -> str:
    names = [call["function"]["name"] for call in message.get("tool_calls", [])]
    return ", ".join(names) or str(message["content"])
