"""How many runs go on at a time, in one worker and in all, and how many begin in a while."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import rows
from tests.durable.shop import Book, Line, order
from tests.durable.waiting import until
from tests.durable.workers import Workers, pause


def begun(book: Book) -> list[Line]:
    return [line for line in book.lines(call_id="fetch-1") if line.what == "begun"]


def spans(book: Book, pid: int) -> list[tuple[float, float]]:
    """From when to when each run was at work in this process, in order."""
    times: dict[str, list[float]] = {}
    for line in book.lines():
        if line.pid == pid:
            times.setdefault(line.run_id, []).append(line.seconds)
    return sorted((min(each), max(each)) for each in times.values())


def overlapping(found: Sequence[tuple[float, float]]) -> bool:
    return any(later[0] < earlier[1] for earlier, later in pairwise(found))


def test_one_at_a_time_in_a_worker(caller: Caller, workers: Workers, book: Book) -> None:
    """And whoever starts with that begins with that, however many wait and whatever was set before."""
    run_ids = [caller.enqueue(order("fetch", "fetch", "fetch")) for _ in range(6)]
    both = workers.start("one", "two", worker_concurrency=1)
    for run_id in run_ids:
        assert caller.result(run_id).outcome == "completed"
    assert sum(len(spans(book, worker.pid)) for worker in both) == 6
    assert not any(overlapping(spans(book, worker.pid)) for worker in both)


def test_so_many_at_a_time_over_all_workers(caller: Caller, workers: Workers, book: Book) -> None:
    workers.start("one", "two", concurrency=3, worker_concurrency=2)
    run_ids = [caller.enqueue(order("fetch!")) for _ in range(6)]
    until(lambda: len(begun(book)) == 3, "three runs under way")
    pause(0.5)
    assert len(begun(book)) == 3
    assert len({line.pid for line in begun(book)}) == 2
    book.open()
    assert [caller.result(run_id).outcome for run_id in run_ids] == ["completed"] * 6


def test_so_many_begin_in_a_while(caller: Caller, workers: Workers, url: str) -> None:
    workers.start("one", "two", rate=(2, 1.0))
    run_ids = [caller.enqueue(order()) for _ in range(5)]
    for run_id in run_ids:
        assert caller.result(run_id).outcome == "completed"
    query = "SELECT started_at_epoch_ms FROM dbos.workflow_status ORDER BY 1"
    times = [milliseconds / 1000 for (milliseconds,) in rows(url, query)]
    assert len(times) == 5
    assert all(later - first >= 0.95 for first, later in zip(times, times[2:], strict=False)), times


def test_a_worker_runs_what_is_in_its_queue(
    caller: Caller, caller_of: CallerOf, workers: Workers, book: Book
) -> None:
    """A run that is taken over stays in its queue."""
    mine, other = caller_of(queue="slow").enqueue(order("fetch!")), caller.enqueue(order("fetch"))
    victim = workers.start_one("one", queue="slow")
    until(lambda: book.times(mine, "fetch-1", "begun"), "the run under way")
    assert caller.status(other).status == "waiting"
    victim.kill()
    book.open()
    workers.start_one("two")
    assert caller.result(other).outcome == "completed"
    until(lambda: caller.status(mine).status == "waiting", "the run to be taken over")
    pause(0.3)
    assert caller.status(mine).status == "waiting"
    workers.start_one("three", queue="slow")
    assert caller.result(mine).outcome == "completed"


@pytest.mark.parametrize("grace", [10, 0], ids=["in time", "at once"])
def test_a_worker_that_ends_gives_its_runs_to_others(
    caller: Caller, workers: Workers, book: Book, url: str, grace: float
) -> None:
    first = workers.start_one("one", grace=grace)
    run_id = caller.enqueue(order("fetch", "pay!"))
    until(lambda: book.times(run_id, "pay-2", "begun"), "pay under way")
    if grace:
        book.open()
    assert first.stop() == 0
    assert rows(url, "SELECT executor_id FROM callagain.workers") == []
    assert not [
        line for line in first.text().splitlines() if line not in ("started", f"run {run_id}: completed")
    ]
    if grace:
        assert caller.status(run_id).status == "completed"
    else:
        assert caller.status(run_id).status == "waiting"
        workers.start_one("two")
        assert [call.why for call in caller.result(run_id).pending_calls] == ["call_outcome_unknown"]
        book.open()
        assert caller.settled(run_id, book).outcome == "completed"
    assert caller.status(run_id).crashes == 0
    assert book.times(run_id, "pay-2") == 1
