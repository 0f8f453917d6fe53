"""A process is killed in the middle of a call: what happens about it is as the tool says."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.engine.journal.stored import eventually
from tests.journal.killing import KILLED, Driver, exit_code, start
from tests.journal.orders import Book

from callagain import (
    JournalFile,
    PendingCall,
    Result,
    Tool,
    ToolContext,
    ToolLoop,
    Verdict,
    approve,
    deny,
    tool,
)
from callagain.approval import Approver
from callagain.testing import StandIn, call, calls, says

Serve = Callable[..., StandIn]

DONE = says("Done.")


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "book")


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([calls(call("pay", {"amount": 5}, id="pay-1"), call("look", id="look-1")), DONE])


def tools_with(book: Book, *, is_deadly: bool = False, **options: Any) -> list[Tool]:
    @tool(**options)
    def pay(amount: int, context: ToolContext) -> str:
        """Pay an amount."""
        book.write(context)
        if is_deadly:
            eventually(lambda: book.has("one", "look-1"))
            os.kill(os.getpid(), signal.SIGKILL)
        return f"paid {amount}"

    @tool(read_only=True)
    def look(context: ToolContext) -> str:
        """Look."""
        book.write(context)
        return "seen"

    return [pay, look]


def loop_with(
    server: StandIn, journal: JournalFile | Path, tools: list[Tool], approver: Approver | None = None
) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, journal=journal, approver=approver)


def killed_in(driver: Driver, loop_of: Callable[[], ToolLoop]) -> None:
    """A process of its own runs this loop, and does not survive it."""

    def work() -> None:
        with Driver(is_async=driver.is_async) as own:
            own.run(loop_of(), "one")

    assert exit_code(start(work)) == KILLED


def killed_while_it_pays(server: StandIn, path: Path, book: Book, driver: Driver, **options: Any) -> None:
    tools = tools_with(book, is_deadly=True, **options)
    killed_in(driver, lambda: loop_with(server, path, tools, approver=lambda _: approve))


def times(book: Book, call_id: str) -> int:
    return sum(line.call_id == call_id for line in book.lines())


def content_of(result: Result, call_id: str) -> str:
    (found,) = [each.content for each in result.tool_results if each.id == call_id]
    return found


@pytest.mark.parametrize(
    ("decisions", "results", "content", "paid"),
    [
        ({}, {"pay-1": "paid 5"}, "paid 5", 1),
        ({"pay-1": approve}, {}, "paid 5", 2),
        ({"pay-1": deny("not again")}, {}, "not again", 1),
    ],
    ids=["happened", "did not happen", "nobody cares"],
)
def test_an_effect_is_asked_about(
    server: StandIn,
    path: Path,
    book: Book,
    driver: Driver,
    decisions: dict[str, Verdict],
    results: dict[str, str],
    content: str,
    paid: int,
) -> None:
    killed_while_it_pays(server, path, book, driver)
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book))
        waiting = driver.resume(loop, "one")
        assert [(call.id, call.why) for call in waiting.pending_calls] == [("pay-1", "call_outcome_unknown")]
        assert (journal.read("one").status, journal.read("one").kind) == ("suspended", "call_outcome_unknown")
        assert times(book, "pay-1") == 1
        result = driver.resume(loop, "one", decisions=decisions, results=results)
        assert result.outcome == "completed"
        assert content in content_of(result, "pay-1")
        assert times(book, "pay-1") == paid
        loop.replay("one").raise_for_difference()


@pytest.mark.parametrize("options", [{"read_only": True}, {"idempotent": True}, {"on_unknown": "retry"}])
def test_what_may_be_repeated_is_with_the_same_key(
    server: StandIn, path: Path, book: Book, driver: Driver, options: dict[str, Any]
) -> None:
    killed_while_it_pays(server, path, book, driver, **options)
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book, **options))
        result = driver.resume(loop, "one")
        assert (result.outcome, content_of(result, "pay-1")) == ("completed", "paid 5")
    assert [line.key for line in book.lines() if line.call_id == "pay-1"] == ["one:4:0", "one:4:0"]


def test_what_counts_as_failed_is_told_to_the_model(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    killed_while_it_pays(server, path, book, driver, on_unknown="fail")
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book, on_unknown="fail"))
        result = driver.resume(loop, "one")
    assert result.outcome == "completed"
    assert "nobody knows what it did; check that first" in content_of(result, "pay-1")
    assert times(book, "pay-1") == 1


def test_what_was_done_beside_it_is_not_repeated(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    """The answer of the other call was not waited for by anybody, and yet it is kept."""
    killed_while_it_pays(server, path, book, driver)
    with closing(JournalFile(path)) as journal:
        receipts = [entry for entry in journal.read("one").entries if entry["entry"] == "receipt"]
        loop = loop_with(server, journal, tools_with(book))
        driver.resume(loop, "one")
    # It may have been killed before the answer was safe, and may look again then.
    assert times(book, "look-1") == 3 - len(receipts)


def test_who_was_being_asked_is_asked_again(server: StandIn, path: Path, book: Book, driver: Driver) -> None:
    tools = tools_with(book, requires_approval=True)

    def kills(_pending: PendingCall) -> Verdict:
        os.kill(os.getpid(), signal.SIGKILL)
        return approve

    killed_in(driver, lambda: loop_with(server, path, tools, approver=kills))
    assert times(book, "pay-1") == 0
    asked: list[str] = []

    def approver(pending: PendingCall) -> Verdict:
        asked.append(pending.id)
        return approve

    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools, approver)
        assert driver.resume(loop, "one").outcome == "completed"
        loop.replay("one").raise_for_difference()
    assert (asked, times(book, "pay-1")) == (["pay-1"], 1)


def test_who_has_approved_a_call_is_not_asked_whether_it_may_happen_again(
    server: StandIn, path: Path, book: Book, driver: Driver
) -> None:
    """Somebody has to say whether it happened; and then it may."""
    killed_while_it_pays(server, path, book, driver, requires_approval=True)
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal, tools_with(book, requires_approval=True))
        waiting = driver.resume(loop, "one")
        assert [call.why for call in waiting.pending_calls] == ["call_outcome_unknown"]
        assert driver.resume(loop, "one", decisions={"pay-1": approve}).outcome == "completed"
    assert times(book, "pay-1") == 2
