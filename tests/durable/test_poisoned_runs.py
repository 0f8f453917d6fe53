"""A run that ends the process of every worker is set aside, and the others go on."""

import pytest
from tests.durable.caller import Caller
from tests.durable.server import steps
from tests.durable.shop import Book, order
from tests.durable.waiting import until
from tests.durable.workers import KILLED, Workers

from callagain import OutcomeError


def under_way(book: Book, times: int) -> None:
    """Returns when each neighbour has come to its slow call so many times."""
    until(lambda: len(book.lines(call_id="fetch-1")) >= 2 * times, "the neighbours under way")


def test_it_is_set_aside_and_its_neighbours_finish(
    either_caller: Caller, workers: Workers, book: Book
) -> None:
    """Also the slow ones, which were in the same place at the first time; resume tries it again."""
    caller = either_caller
    neighbours = [caller.enqueue(order("fetch!", "pay")) for _ in range(2)]
    first = workers.start_one("one", max_crashes=2)
    under_way(book, times=1)
    poisoned = caller.enqueue(order("fetch", "crash"), run_id="poisoned")
    assert first.ended() == KILLED
    book.open()
    assert workers.start_one("one", max_crashes=2).ended() == KILLED
    last = workers.start_one("one", max_crashes=2)
    last.told("the run poisoned has ended its worker 2 times; it is set aside")
    status = caller.status(poisoned)
    assert (status.status, status.crashes, status.why) == (
        "set_aside",
        2,
        "its worker ended 2 times in the same place, behind step 3",
    )
    with pytest.raises(
        OutcomeError, match="set_aside .*: the run poisoned has no result .its worker ended 2"
    ):
        caller.result(poisoned)
    assert [caller.result(run_id).outcome for run_id in neighbours] == ["completed"] * 2
    assert last.is_alive
    book.mend()
    assert caller.resume(poisoned).crashes == 0
    assert caller.result(poisoned).outcome == "completed"
    assert caller.status(poisoned).why is None
    assert book.times(poisoned, "fetch-1", "begun") == 1


def test_a_run_that_gets_on_between_crashes_is_not_set_aside(
    caller: Caller, workers: Workers, book: Book, url: str
) -> None:
    run_id = caller.enqueue(order("fetch!", stall=True))
    first = workers.start_one("one", max_crashes=2)
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    first.kill()
    book.open()
    second = workers.start_one("two", max_crashes=2)
    until(lambda: steps(url, run_id) == ["llm_call", "fetch"], "the run further on")
    second.kill()
    workers.start_one("three", max_crashes=2).told("worker 'two' is dead")
    until(lambda: caller.status(run_id).executor_id == "three", "the run under way once more")
    status = caller.status(run_id)
    assert (status.status, status.crashes) == ("running", 1)


def test_a_worker_that_ends_at_the_first_crash(caller: Caller, workers: Workers) -> None:
    run_id = caller.enqueue(order("crash"))
    assert workers.begin("one", max_crashes=1).ended() == KILLED
    workers.start_one("two", max_crashes=1)
    until(lambda: caller.status(run_id).status == "set_aside", "the run to be set aside")
    assert caller.status(run_id).why == "its worker ended once in the same place, behind step 1"
