"""A book whose pages are long results, for tests of what becomes of old ones."""

from typing import Any

from callagain import Result, ToolLoop, tool
from callagain.testing import ModelAnswer, StandIn, call, calls, says

NOTE = "[an old result, shortened to save context]"
DONE = says("Read.")


def page(number: int) -> str:
    return f"Page {number} begins. " + f"Nothing happens on page {number}. " * 50 + f"Page {number} ends."


@tool(read_only=True)
def read_page(number: int) -> str:
    """Read a page of the book."""
    return page(number)


@tool(read_only=True)
def count_pages() -> int:
    """How many pages the book has."""
    return 312


@tool(read_only=True, untrusted=True)
def read_letter(number: int) -> str:
    """Read a letter that somebody sent."""
    if number == 0:
        raise ValueError(f"That is no letter. {page(0)}")
    return page(number)


def reads(*numbers: int, usage: dict[str, int] | None = None) -> ModelAnswer:
    return calls(*[call("read_page", {"number": number}, id=f"c{number}") for number in numbers], usage=usage)


def loop_with(server: StandIn, *, compact_context: bool | int = 1, **options: Any) -> ToolLoop:
    tools: list[Any] = [read_page, count_pages, read_letter]
    return ToolLoop(
        model="m", base_url=server.base_url, tools=tools, compact_context=compact_context, **options
    )


def told(server: StandIn, request: int) -> list[tuple[str, str]]:
    """The answers in a request, each with the id of its call."""
    body = server.requests[request].json
    if "input" in body:
        outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
        return [(item["call_id"], item["output"]) for item in outputs]
    messages = [message for message in body["messages"] if message["role"] == "tool"]
    return [(message["tool_call_id"], message["content"]) for message in messages]


def kinds(server: StandIn, request: int, number: int) -> list[str]:
    """What became of pages 1, 2, 3, …: whole, short, or the text that stands there."""
    texts = dict(told(server, request))
    found = [texts[f"c{position}"] for position in range(1, number + 1)]
    return [
        "whole" if text == page(position) else "short" if text.endswith(NOTE) else text
        for position, text in enumerate(found, 1)
    ]


def log_lines(result: Result) -> list[str]:
    steps = [step for step in result.trace if step.operation == "compact_context"]
    return [note.message for step in steps for note in step.notes if note.code is None]


def warnings(result: Result) -> list[tuple[str | None, str]]:
    return [(note.code, note.message) for note in result.warnings]
