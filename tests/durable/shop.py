"""What the runs here do: tools with a book of what really happened, and a model that does as it is asked."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tests.journal.orders import client_of

from callagain import PendingCall, Result, Tool, ToolContext, ToolLoop, Verdict, approve, tool
from callagain.testing import AnyAnswer, StandIn, call, calls, faulty, says

What: TypeAlias = Literal["begun", "done", "cancelled"]
Said: TypeAlias = tuple[dict[str, Verdict | bool], dict[str, object]]

# How long a tool that is held waits for somebody to open.
_PATIENCE = 60.0


@dataclass(frozen=True)
class Line:
    """What happened in a call. pid: in which process; seconds: when, by one clock for all processes."""

    run_id: str
    call_id: str
    key: str
    what: What
    pid: int
    seconds: float


class Book:
    """What tools did, in a file that outlives every process. Tools that are held wait until it is open."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "book"
        self._open = folder / "open"
        self._mended = folder / "mended"

    def write(self, context: ToolContext, what: What) -> None:
        words = context.run_id, context.call_id, context.idempotency_key, what, os.getpid(), time.monotonic()
        book = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(book, f"{json.dumps(words)}\n".encode())
        os.close(book)

    def lines(self, run_id: str | None = None, call_id: str | None = None) -> list[Line]:
        text = self.path.read_text() if self.path.exists() else ""
        lines = [Line(*json.loads(line)) for line in text.splitlines()]
        return [line for line in lines if run_id in (None, line.run_id) and call_id in (None, line.call_id)]

    def times(self, run_id: str, call_id: str, what: What = "done") -> int:
        return sum(line.what == what for line in self.lines(run_id, call_id))

    def open(self) -> None:
        """Tools that are held go on, and new ones are not held."""
        self._open.touch()

    @property
    def is_open(self) -> bool:
        return self._open.exists()

    def mend(self) -> None:
        """What was broken is mended."""
        self._mended.touch()

    @property
    def is_mended(self) -> bool:
        return self._mended.exists()

    def work(self, context: ToolContext, *, hold: bool) -> str:
        """What a tool does; one that is held is under way until the book is open, or nobody waits for it."""
        self.write(context, "begun")
        ends = time.monotonic() + _PATIENCE
        while hold and not self.is_open and time.monotonic() < ends:
            context.raise_if_cancelled()
            time.sleep(0.005)
        self.write(context, "done")
        return said(context.name)


def said(name: str) -> str:
    """What a tool returns; also for somebody who has to tell it in its place."""
    return f"{name}: done"


def tools_with(book: Book) -> list[Tool]:
    @tool(read_only=True)
    def fetch(context: ToolContext, hold: bool = False) -> str:
        """Look at an order."""
        return book.work(context, hold=hold)

    @tool(idempotent=True)
    def reserve(context: ToolContext, hold: bool = False) -> str:
        """Reserve what was ordered."""
        return book.work(context, hold=hold)

    @tool
    def pay(context: ToolContext, hold: bool = False) -> str:
        """Pay for an order."""
        return book.work(context, hold=hold)

    @tool(on_unknown="fail")
    def write_off(context: ToolContext, hold: bool = False) -> str:
        """Write an order off."""
        return book.work(context, hold=hold)

    @tool(requires_approval=True, sequential=True)
    def refund(context: ToolContext, hold: bool = False) -> str:
        """Pay an order back."""
        return book.work(context, hold=hold)

    @tool(requires_approval=True, sequential=True)
    def void(context: ToolContext) -> str:
        """Take a refund back."""
        return book.work(context, hold=False)

    @tool
    async def notify(context: ToolContext, hold: bool = False) -> str:
        """Write to the customer."""
        book.write(context, "begun")
        try:
            while hold and not book.is_open:
                await asyncio.sleep(0.005)
        except asyncio.CancelledError:
            book.write(context, "cancelled")
            raise
        book.write(context, "done")
        return said(context.name)

    @tool(read_only=True)
    def crash(context: ToolContext) -> str:
        """Look at an order that ends the process of whoever looks."""
        book.write(context, "begun")
        if not book.is_mended:
            os.kill(os.getpid(), signal.SIGKILL)
        return said(context.name)

    return [fetch, reserve, pay, write_off, refund, void, notify, crash]


def order(*rounds: Sequence[str] | str, stall: bool = False) -> str:
    """A message that asks for rounds of calls; `!` behind a tool's name holds it.

    The id of a call is its tool's name, and the number of its round: pay-2. stall: the last answer never
    comes.
    """
    return json.dumps(
        {"rounds": [[each] if isinstance(each, str) else each for each in rounds], "stall": stall}
    )


def model(body: Mapping[str, Any]) -> AnyAnswer:
    """Does as the newest question asks, whatever the conversation."""
    messages = body["messages"]
    asked_at = max(number for number, message in enumerate(messages) if message["role"] == "user")
    asked = json.loads(messages[asked_at]["content"])
    done = sum(message["role"] == "assistant" for message in messages[asked_at:])
    if done < len(asked["rounds"]):
        return calls(*(_call(each, done + 1) for each in asked["rounds"][done]))
    return faulty(says("All is done."), stall_after=0) if asked["stall"] else says("All is done.")


def _call(wanted: str, number: int) -> Any:
    name = wanted.removesuffix("!")
    return call(name, {"hold": True} if name != wanted else {}, id=f"{name}-{number}")


class Shop:
    """The endpoint, the book, and loops with the tools."""

    def __init__(self, server: StandIn, folder: Path) -> None:
        self.server = server
        self.book = Book(folder)
        self.tools = tools_with(self.book)

    def loop(self, **options: Any) -> ToolLoop:
        settings: dict[str, Any] = {
            "tools": self.tools,
            "retry_base_delay": 0.001,
            "max_retries": 5,
            **options,
        }
        return ToolLoop(model="m", client=client_of(self.server, is_async=True), **settings)


def told_by(book: Book, run_id: str, pending: Sequence[PendingCall]) -> Said:
    """What somebody says about the calls that wait, who looks up what happened: in the book it stands."""
    decisions: dict[str, Verdict | bool] = {}
    results: dict[str, object] = {}
    for waiting in pending:
        if book.times(run_id, waiting.id):
            results[waiting.id] = said(waiting.name)
        else:
            decisions[waiting.id] = approve
    return decisions, results


def answers(result: Result) -> dict[str, str]:
    """What the model was told about each call."""
    return {
        str(each["tool_call_id"]): str(each["content"]) for each in result.messages if each["role"] == "tool"
    }
