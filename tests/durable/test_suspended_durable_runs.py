"""A run that waits for somebody waits in the database, and not in a worker."""

import psycopg
import pytest
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import rows, steps
from tests.durable.shop import Book, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers, at_once, pause

from callagain import DecisionError, RunInProgressError, approve, deny, edit
from callagain.durable import RunStatus

BLOCKED = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def test_it_holds_no_place_in_the_queue(either_caller: Caller, workers: Workers, book: Book) -> None:
    workers.start_one(worker_concurrency=1, concurrency=1)
    waiting = either_caller.enqueue(order("fetch", "refund"))
    result = either_caller.result(waiting)
    assert (result.outcome, [call.why for call in result.pending_calls]) == (
        "suspended",
        ["approval_required"],
    )
    other = either_caller.enqueue(order("fetch"))
    assert either_caller.result(other).outcome == "completed"
    assert either_caller.status(waiting).status == "suspended"
    assert book.times(waiting, "refund-2", "begun") == 0
    assert either_caller.resume(waiting, decisions={"refund-2": approve}).part == 2
    assert either_caller.result(waiting).outcome == "completed"
    assert book.times(waiting, "refund-2") == 1
    assert [(each.run_id, each.part) for each in either_caller.runs()] == [(waiting, 2), (other, 1)]


def test_somebody_decides_while_no_worker_is_there(
    caller: Caller, caller_of: CallerOf, workers: Workers, book: Book
) -> None:
    workers.start_one("one").told("started")
    run_id = caller.enqueue(order("refund"))
    caller.result(run_id)
    workers.close()
    somebody = caller_of()
    assert somebody.resume(run_id, decisions={"refund-1": edit({"hold": False})}).status == "waiting"
    workers.start_one("two")
    assert caller.result(run_id).outcome == "completed"
    assert book.times(run_id, "refund-1") == 1


def test_calls_behind_one_that_waits(caller: Caller, workers: Workers, book: Book, url: str) -> None:
    """Those before it have run; those behind it that need somebody too are asked about with it."""
    workers.start_one()
    run_id = caller.enqueue(order(["fetch", "pay", "refund", "notify", "void"]))
    result = caller.result(run_id)
    assert [(call.id, call.why) for call in result.pending_calls] == [
        ("refund-1", "approval_required"),
        ("void-1", "approval_required"),
    ]
    assert {line.call_id for line in book.lines(run_id)} == {"fetch-1", "pay-1"}
    caller.resume(run_id, decisions={"void-1": approve, "refund-1": approve})
    assert list(answers(caller.result(run_id))) == ["fetch-1", "pay-1", "refund-1", "notify-1", "void-1"]
    done = [line.call_id for line in book.lines(run_id) if line.what == "done"]
    assert sorted(done) == ["fetch-1", "notify-1", "pay-1", "refund-1", "void-1"]
    assert done.index("refund-1") < done.index("notify-1") < done.index("void-1")
    assert steps(url, run_id, 2)[:2] == ["intent: refund", "refund"]


def test_decisions_that_do_not_fit_change_nothing(caller: Caller, workers: Workers, book: Book) -> None:
    workers.start_one()
    run_id = caller.enqueue(order("refund"))
    caller.result(run_id)
    with pytest.raises(DecisionError, match="the run .* has no call nothing; waiting: refund-1"):
        caller.resume(run_id, decisions={"nothing": approve})
    with pytest.raises(DecisionError, match="nothing was decided; waiting: refund-1"):
        caller.resume(run_id)
    assert caller.status(run_id).part == 1
    caller.resume(run_id, decisions={"refund-1": deny("No.")})
    assert "No." in answers(caller.result(run_id))["refund-1"]
    assert book.times(run_id, "refund-1", "begun") == 0


def test_a_run_that_runs_is_not_resumed(either_caller: Caller, workers: Workers, book: Book) -> None:
    run_id = either_caller.enqueue(order("fetch!"))
    with pytest.raises(RunInProgressError, match=f"the run {run_id} is waiting; wait for it, or cancel it"):
        either_caller.resume(run_id)
    workers.start_one()
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    with pytest.raises(RunInProgressError, match=f"the run {run_id} is running; wait for it, or cancel it"):
        either_caller.resume(run_id)
    book.open()
    assert either_caller.result(run_id).outcome == "completed"


def resumed_at_once(first: Caller, second: Caller, url: str, run_id: str, **said: object) -> list[object]:
    """What comes of two people who go on with it at the same time."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE dbos.workflow_status IN SHARE ROW EXCLUSIVE MODE")

        def resume(number: int) -> object:
            if number == 2:
                # One has read where it stands and is about to write; the other comes later.
                until(lambda: len(rows(url, BLOCKED)) == 1, "somebody who waits")
                pause(0.2)
                connection.commit()
                return None
            return (first, second)[number].resume(run_id, **said)

        return at_once(3, resume)[:2]


def test_one_of_two_people_is_faster(
    caller: Caller, caller_of: CallerOf, workers: Workers, book: Book, url: str
) -> None:
    workers.start_one("one")
    run_id = caller.enqueue(order("refund"))
    caller.result(run_id)
    workers.close()
    came = resumed_at_once(caller, caller_of(), url, run_id, decisions={"refund-1": approve})
    (refused,) = [each for each in came if not isinstance(each, RunStatus)]
    assert isinstance(refused, RunInProgressError)
    assert str(refused) == f"the run {run_id} is waiting; wait for it, or cancel it"
    workers.start_one("two")
    assert caller.result(run_id).outcome == "completed"
    assert book.times(run_id, "refund-1", "begun") == 1


def test_one_of_two_people_is_faster_with_a_cancelled_run(
    caller: Caller, caller_of: CallerOf, workers: Workers, url: str
) -> None:
    run_id = caller.enqueue(order("pay"))
    caller.cancel(run_id)
    came = resumed_at_once(caller, caller_of(), url, run_id)
    assert sorted(type(each).__name__ for each in came) == ["RunInProgressError", "RunStatus"]
    workers.start_one()
    assert caller.result(run_id).outcome == "completed"
