"""A run is cancelled from outside, wherever it is, and goes on from there when somebody resumes it."""

import pytest
from tests.durable.caller import Caller
from tests.durable.shop import Book, Shop, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers

from callagain import DecisionError, OutcomeError, approve


def test_a_run_that_waits(either_caller: Caller, workers: Workers, book: Book) -> None:
    run_id = either_caller.enqueue(order("pay"))
    assert either_caller.cancel(run_id).status == "cancelled"
    workers.start_one()
    assert either_caller.result(either_caller.enqueue(order())).outcome == "completed"
    assert either_caller.status(run_id).status == "cancelled"
    assert book.lines(run_id) == []
    with pytest.raises(
        OutcomeError, match=rf"the run {run_id} has no result \(cancel\(\) was called\)"
    ) as caught:
        either_caller.result(run_id, timeout=5)
    assert caught.value.outcome == "cancelled"
    either_caller.resume(run_id)
    assert either_caller.result(run_id).outcome == "completed"
    assert book.times(run_id, "pay-1") == 1


@pytest.mark.parametrize("name", ["fetch", "notify"], ids=["in a thread", "async"])
def test_a_tool_that_is_slow_is_told(caller: Caller, workers: Workers, book: Book, name: str) -> None:
    """And the place in the queue is free at once."""
    workers.start_one(worker_concurrency=1)
    run_id = caller.enqueue(order(f"{name}!", "pay"))
    until(lambda: book.times(run_id, f"{name}-1", "begun"), "the tool under way")
    assert caller.cancel(run_id).status == "cancelled"
    assert caller.result(caller.enqueue(order("pay"))).outcome == "completed"
    if name == "notify":
        until(lambda: book.times(run_id, "notify-1", "cancelled"), "the tool to be cancelled")
    book.open()
    assert caller.status(run_id).status == "cancelled"
    assert book.times(run_id, f"{name}-1") == 0
    assert book.times(run_id, "pay-2", "begun") == 0


def test_a_request_that_is_slow_is_given_up(caller: Caller, workers: Workers, shop: Shop) -> None:
    workers.start_one(worker_concurrency=1)
    run_id = caller.enqueue(order("pay", stall=True))
    until(lambda: len(shop.server.requests) == 2, "the request under way")
    caller.cancel(run_id)
    until(lambda: shop.server.requests[1].closed_early, "the end of the request", seconds=10)
    assert caller.result(caller.enqueue(order())).outcome == "completed"
    caller.resume(run_id)
    until(lambda: len(shop.server.requests) == 4, "the request once more")
    assert shop.book.times(run_id, "pay-1") == 1


@pytest.mark.parametrize("is_noticed", [True, False], ids=["later", "at once"])
@pytest.mark.parametrize("name", ["pay", "notify"], ids=["in a thread", "async"])
def test_an_effect_that_was_under_way_is_asked_about(
    caller: Caller, workers: Workers, book: Book, name: str, is_noticed: bool
) -> None:
    """Also when somebody resumes it before the worker has noticed that it was cancelled."""
    workers.start_one(worker_concurrency=2)
    run_id, call_id = caller.enqueue(order("fetch", f"{name}!")), f"{name}-2"
    until(lambda: book.times(run_id, call_id, "begun"), "the call under way")
    caller.cancel(run_id)
    if is_noticed and name == "notify":
        until(lambda: book.times(run_id, call_id, "cancelled"), "the tool to be cancelled")
    caller.resume(run_id)
    result = caller.result(run_id)
    assert [(call.id, call.why) for call in result.pending_calls] == [(call_id, "call_outcome_unknown")]
    book.open()
    result = caller.settled(run_id, book)
    assert (result.outcome, answers(result)[call_id]) == ("completed", f"{name}: done")
    assert book.times(run_id, "fetch-1", "begun") == 1


def test_a_cancelled_run_takes_no_decisions(caller: Caller) -> None:
    run_id = caller.enqueue(order("pay"))
    caller.cancel(run_id)
    with pytest.raises(DecisionError, match=f"the run {run_id} is cancelled; resume it without decisions"):
        caller.resume(run_id, decisions={"pay-1": approve})
