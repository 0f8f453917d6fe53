"""A replay of a run in the journal is the run: its steps, its variables after each, and its result."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.journal.killing import KILLED, Driver, begin, exit_code, go_on, kill_at, start
from tests.journal.orders import CALLS, Orders, assert_replayed
from tests.loop.shop import SORRY, Shop, a_look, asks_for

from callagain import JournalFile, PendingCall, ReplayedRun, ReplayError, Result, ToolLoop
from callagain.engine.json_text import encode
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn

Serve = Callable[..., StandIn]


def as_bytes(run: Result | ReplayedRun) -> list[bytes]:
    """Jitterbit's variables after each step."""
    return [encode(step.after.as_jitterbit()) for step in run.trace]


def yes(_pending: PendingCall) -> bool:
    return True


def whole(run: Result) -> bytes:
    """All that a result says."""
    error = None if run.error is None else [run.error.kind, run.error.message]
    results = [[each.id, each.name, each.arguments, each.content, each.error] for each in run.tool_results]
    warnings = [[note.code, note.message] for note in run.warnings]
    variables = run.variables.as_jitterbit()
    return encode([run.outcome, run.final_response, error, run.messages, results, warnings, variables])


def assert_same(loop: ToolLoop, run_id: str, live: Result) -> None:
    replay = loop.replay(run_id)
    assert replay.difference is None
    assert replay.result is not None
    assert_replayed(replay.result, live)
    assert as_bytes(replay) == as_bytes(live)
    assert whole(replay.result) == whole(live)


def test_a_run_with_everything(orders: Orders, journal: JournalFile, driver: Driver) -> None:
    loop = orders.loop(journal, is_async=driver.is_async)
    result = begin(driver, loop, orders.book, "one")
    asked, happened = len(orders.server.requests), len(orders.book.lines())
    assert_same(loop, "one", result)
    assert (len(orders.server.requests), len(orders.book.lines())) == (asked, happened)


@pytest.mark.parametrize("rows", [[9, 17, 5], [20, 12, 12]])
def test_a_run_that_was_killed_again_and_again(
    orders: Orders, path: Path, driver: Driver, rows: list[int]
) -> None:
    for row in rows:

        def work(row: int = row) -> None:
            kill_at(row, "after")
            with closing(JournalFile(path)) as journal, Driver(is_async=driver.is_async) as own:
                loop = orders.loop(journal, is_async=driver.is_async)
                go_on(own, loop, journal, orders.book, "one")

        assert exit_code(start(work)) == KILLED
    with closing(JournalFile(path)) as journal:
        loop = orders.loop(journal, is_async=driver.is_async)
        so_far = loop.replay("one").raise_for_difference()
        assert so_far.outcome in (None, "suspended")
        result = go_on(driver, loop, journal, orders.book, "one")
        assert {each.id for each in result.tool_results} == {each.id for each in CALLS}
        assert as_bytes(so_far) == as_bytes(result)[: len(so_far.trace)]
        assert_same(loop, "one", result)


def test_a_run_whose_process_ended_before_its_outcome_was_kept(
    orders: Orders, path: Path, driver: Driver
) -> None:
    def work() -> None:
        with closing(JournalFile(path)) as journal, Driver(is_async=driver.is_async) as own:
            loop = orders.loop(journal, is_async=driver.is_async, approver=yes)
            live = loop.start("Go", run_id="one")
            while live.state != "extract_final":
                live.step()
            kill_at(3, "before")
            own.drive(live)

    assert exit_code(start(work)) == KILLED
    with closing(JournalFile(path)) as journal:
        loop = orders.loop(journal, is_async=driver.is_async)
        assert journal.read("one").status == "interrupted"
        replay = loop.replay("one")
        assert (replay.difference, replay.outcome) == (None, "completed")
        assert_same(loop, "one", driver.resume(loop, "one"))
        assert journal.read("one").status == "completed"


def test_runs_that_did_not_complete(stand_in: Serve, journal: JournalFile, driver: Driver) -> None:
    shop = Shop()
    refused = Answer(400, {"error": {"message": "no"}})
    server = stand_in([refused, asks_for(a_look("1")), asks_for(a_look("2")), asks_for(a_look("3"))])
    loop = shop.loop(server, journal=journal, max_iterations=2)
    for run_id, outcome in (("failed", "failed"), ("limit", "limit")):
        result = driver.run(loop, run_id)
        assert result.outcome == outcome
        assert_same(loop, run_id, result)


def test_a_part_of_a_run(orders: Orders, journal: JournalFile, driver: Driver) -> None:
    loop = orders.loop(journal, is_async=driver.is_async)
    result = begin(driver, loop, orders.book, "one")
    for step in result.trace:
        part = loop.replay("one", until=step.number)
        assert part.difference is None
        assert (part.trace[-1], part.state) == (step, step.target)
        assert part.variables.as_jitterbit() == step.after.as_jitterbit()


class TestADifference:
    """Told with the first place where the run would not do what it did."""

    @pytest.fixture(autouse=True)
    def _run(self, stand_in: Serve, journal: JournalFile) -> None:
        self.shop = Shop()
        self.server = stand_in([asks_for(a_look("1")), asks_for(a_look("2")), SORRY])
        self.loop = self.shop.loop(self.server, journal=journal)
        self.loop.run("Go", run_id="one")

    def told(self, path: Path, change: str, *values: str) -> str:
        """After this change of what is kept."""
        with closing(sqlite3.connect(path)) as connection, connection:
            assert connection.execute(change, values).rowcount == 1
        difference = self.loop.replay("one").difference
        assert difference is not None
        return difference

    def test_of_an_answer_is_where_it_was_read(self, path: Path) -> None:
        change = "UPDATE entries SET value = replace(value, ?, ?) WHERE entry = 'receipt' AND step = 6"
        assert self.told(path, change, "look_up_order", "refund") == (
            "step 7, parse_response: it left tool_calls, tools_resp otherwise"
        )

    def test_of_a_result_is_where_it_was_taken(self, path: Path) -> None:
        change = "UPDATE entries SET value = replace(value, ?, ?) WHERE entry = 'receipt' AND step = 4"
        told = "step 4, tool_dispatcher: it left function_resps otherwise"
        assert self.told(path, change, "order 1", "order 9") == told
        with pytest.raises(ReplayError, match=f"^the replay of one differs: {told}$"):
            self.loop.replay("one").raise_for_difference()

    def test_of_an_entry_that_is_missing_is_what_follows_from_it(self, path: Path) -> None:
        change = "DELETE FROM entries WHERE entry = 'receipt' AND step = 4"
        assert self.told(path, change).startswith("entry 4 of the log, in tool_dispatcher: intent for ")

    def test_of_a_request_is_where_it_was_to_be_sent(self, path: Path) -> None:
        change = "UPDATE entries SET digest = 'other' WHERE entry = 'intent' AND step = 6"
        assert self.told(path, change).startswith(
            "entry 5 of the log, in llm_call: intent for (6, 0): the com"
        )

    def test_of_an_outcome_is_told_when_all_else_is_equal(self, path: Path) -> None:
        change = "UPDATE runs SET status = 'failed'"
        assert self.told(path, change) == "its outcome is completed, and was failed"

    def test_of_an_operation_is_where_it_ended(self, journal: JournalFile) -> None:
        class Shout(Script):
            """Says it louder."""

            def run(self, variables: Variables) -> None:
                variables.final_response = (variables.final_response or "").upper()

        chain = TOOL_CALLING_LOOP.insert("shout", Shout(), after="extract_final")
        difference = self.shop.loop(self.server, journal=journal, chain=chain).replay("one").difference
        assert difference is not None
        assert difference.startswith(
            "step 12, extract_final: it went --on_success--> completed, now extract_final --on_success--> "
            "shout (it began with another chain than 'tool_calling_loop' "
        )
