"""A run with everything in it that can go wrong when its process ends, and a book of what really happened.

Four requests, one of them answered only at the second attempt; calls side by side and one after the other;
tools with effects, without, and one that may be repeated, sync and async; one that somebody has to approve.
"""

import hashlib
import json
import os
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import httpx2
from openai import AsyncOpenAI, OpenAI

from callagain import (
    JournalFile,
    PendingCall,
    Result,
    Tool,
    ToolContext,
    ToolLoop,
    Verdict,
    approve,
    tool,
)
from callagain.testing import Answer, AnyAnswer, Call, StandIn, call

# A context takes longer to make than a run, so it is made once, before the forks.
_CERTIFICATES = ssl.create_default_context()

ROUNDS: Sequence[Sequence[Call]] = (
    (
        call("look_up", {"order": 1}, id="look-1"),
        call("charge", {"order": 1}, id="charge-1"),
        call("reserve", {"order": 1}, id="reserve-1"),
    ),
    (
        call("charge", {"order": 2}, id="charge-2"),
        call("post", {"order": 1}, id="post-1"),
        call("post", {"order": 2}, id="post-2"),
    ),
    (
        call("refund", {"order": 1}, id="refund-1"),
        call("notify", {"order": 1}, id="notify-1"),
        call("look_up", {"order": 2}, id="look-2"),
    ),
)
CALLS = [each for wanted in ROUNDS for each in wanted]
EFFECTS = frozenset({"charge", "post", "refund", "notify"})
FINAL = "All orders are done."

Said: TypeAlias = tuple[dict[str, Verdict | bool], dict[str, object]]


@dataclass(frozen=True)
class Line:
    """A call that took effect. key: its idempotency key, which names run, step and position."""

    run_id: str
    call_id: str
    name: str
    key: str


@dataclass(frozen=True)
class Book:
    """One line for each call that took effect, in a file that outlives every process that writes to it."""

    path: Path

    def write(self, context: ToolContext) -> None:
        line = f"{context.run_id} {context.call_id} {context.name} {context.idempotency_key}\n"
        book = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(book, line.encode())
        os.close(book)

    def lines(self, run_id: str | None = None) -> list[Line]:
        text = self.path.read_text() if self.path.exists() else ""
        lines = [Line(*line.split(" ")) for line in text.splitlines()]
        return [line for line in lines if run_id in (None, line.run_id)]

    def has(self, run_id: str, call_id: str) -> bool:
        return any(line.call_id == call_id for line in self.lines(run_id))


def said(order: int, name: str) -> str:
    """What a tool returns; also for somebody who has to tell it in its place."""
    return f"{name} {order}: done"


def tools_with(book: Book) -> list[Tool]:
    @tool(read_only=True)
    def look_up(order: int, context: ToolContext) -> str:
        """Look at an order."""
        book.write(context)
        return said(order, "look_up")

    @tool(idempotent=True)
    def reserve(order: int, context: ToolContext) -> str:
        """Reserve what was ordered."""
        book.write(context)
        return said(order, "reserve")

    @tool
    def charge(order: int, context: ToolContext) -> str:
        """Charge the customer."""
        book.write(context)
        return said(order, "charge")

    @tool(sequential=True)
    def post(order: int, context: ToolContext) -> str:
        """Post the parcel."""
        book.write(context)
        return said(order, "post")

    @tool
    async def notify(order: int, context: ToolContext) -> str:
        """Write to the customer."""
        book.write(context)
        return said(order, "notify")

    @tool(requires_approval=True)
    def refund(order: int, context: ToolContext) -> str:
        """Pay an order back."""
        book.write(context)
        return said(order, "refund")

    return [look_up, reserve, charge, post, notify, refund]


@dataclass
class Model:
    """Asks for each round in its turn. Of equal requests to `hiccups` the first, third … gets status 503."""

    hiccups: frozenset[int] = frozenset({2})
    _seen: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: dict[str, Any]) -> AnyAnswer:
        done = sum(message["role"] == "assistant" for message in body["messages"])
        if done in self.hiccups:
            digest = hashlib.sha256(json.dumps(body).encode()).hexdigest()
            with self._lock:
                self._seen[digest] += 1
                if self._seen[digest] % 2:
                    return Answer(503, {"error": {"message": "overloaded"}})
        return _response(done)


def _response(done: int) -> dict[str, object]:
    """Of so many rounds done. In full, since the stand-in would number it by the requests it had."""
    wanted = ROUNDS[done] if done < len(ROUNDS) else ()
    tool_calls = [
        {
            "id": each.id,
            "type": "function",
            "function": {"name": each.name, "arguments": json.dumps(each.arguments)},
        }
        for each in wanted
    ]
    message = {"content": None, "tool_calls": tool_calls} if wanted else {"content": FINAL}
    return {
        "id": f"response-{done}",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", **message},
                "finish_reason": "tool_calls" if wanted else "stop",
            }
        ],
        "usage": {"prompt_tokens": 100 + done, "completion_tokens": 10, "total_tokens": 110 + done},
    }


class Orders:
    """The endpoint, the book, and loops with the tools, which are made once: they take longer than a run."""

    def __init__(self, server: StandIn, folder: Path) -> None:
        self.server = server
        self.book = Book(folder / "book")
        self.tools = tools_with(self.book)

    def loop(self, journal: JournalFile | Path | None, *, is_async: bool, **options: Any) -> ToolLoop:
        settings: dict[str, Any] = {"tools": self.tools, "retry_base_delay": 0.001, **options}
        client = client_of(self.server, is_async=is_async)
        return ToolLoop(model="m", client=client, journal=journal, **settings)


def client_of(server: StandIn, *, is_async: bool) -> Callable[[], OpenAI | AsyncOpenAI]:
    base_url = server.base_url

    def make() -> OpenAI | AsyncOpenAI:
        if is_async:
            http = httpx2.AsyncClient(verify=_CERTIFICATES)
            return AsyncOpenAI(base_url=base_url, api_key="any", http_client=http)
        return OpenAI(base_url=base_url, api_key="any", http_client=httpx2.Client(verify=_CERTIFICATES))

    return make


def told_by(book: Book, run_id: str, pending: Sequence[PendingCall]) -> Said:
    """What somebody says about the calls that wait, who looks up what happened: in the book it stands."""
    decisions: dict[str, Verdict | bool] = {}
    results: dict[str, object] = {}
    # Some wait only for those before them, and nobody is asked about these.
    for waiting in [each for each in pending if each.why is not None]:
        happened = book.has(run_id, waiting.id)
        if waiting.why == "call_outcome_unknown" and happened:
            arguments = waiting.arguments or {}
            order = arguments["order"]
            assert isinstance(order, int)
            results[waiting.id] = said(order, waiting.name)
        else:
            assert not happened, f"{waiting.id} waits ({waiting.why}), and has happened"
            decisions[waiting.id] = approve
    return decisions, results


def seen(result: Result) -> Mapping[str, object]:
    """What there is to see of a result, save how often the endpoint was asked."""
    return {
        "outcome": result.outcome,
        "final_response": result.final_response,
        "messages": result.messages,
        "tool_results": result.tool_results,
        "variables": result.variables.as_jitterbit(),
        "usage": result.usage,
        "loop_count": result.loop_count,
    }


def answers_by_call(result: Result) -> Counter[str]:
    """How many answers each call has in the conversation."""
    return Counter(str(each["tool_call_id"]) for each in result.messages if each["role"] == "tool")


def assert_done_once(book: Book, run_id: str) -> None:
    """Every call has happened; those with effects once, and the others always with the same key."""
    lines = book.lines(run_id)
    times = Counter(line.call_id for line in lines)
    assert set(times) == {each.id for each in CALLS}
    repeated = [line for line in lines if line.name in EFFECTS and times[line.call_id] > 1]
    assert not repeated, f"done more than once: {repeated}"
    keys = {line.call_id: {other.key for other in lines if other.call_id == line.call_id} for line in lines}
    assert all(len(each) == 1 for each in keys.values()), keys
    assert len({key for each in keys.values() for key in each}) == len(CALLS)


def assert_intended(journal: JournalFile, book: Book, run_id: str) -> None:
    """Nothing happened without its intent in the journal."""
    lines = book.lines(run_id)
    if lines:
        keys = [entry["key"] for entry in journal.read(run_id).entries if entry["entry"] == "intent"]
        intended = {f"{run_id}:{key[0]}:{key[1]}" for key in keys if isinstance(key, list)}
        assert {line.key for line in lines} <= intended, f"{run_id}: it happened before its intent was kept"


def assert_replayed(replayed: Result | None, live: Result) -> None:
    """The same result, and the same variables after each step."""
    assert replayed is not None
    assert seen(replayed) == seen(live)
    assert [*replayed.trace] == [*live.trace]
