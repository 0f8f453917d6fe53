"""Workers with one name, with other tools, and one that was taken for dead and is not."""

from typing import Any

from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import rows
from tests.durable.shop import Book, Shop, order
from tests.durable.waiting import until
from tests.durable.workers import REFUSED, Workers, pause

NAMES = "SELECT executor_id FROM callagain.workers ORDER BY 1"


def test_a_name_that_a_living_worker_has(caller: Caller, workers: Workers, book: Book) -> None:
    first = workers.start_one("one")
    run_id = caller.enqueue(order("fetch", "pay!"))
    until(lambda: book.times(run_id, "pay-2", "begun"), "pay under way")
    second = workers.begin("one")
    assert second.ended() == REFUSED
    assert second.text().splitlines()[-1] == (
        "ConfigurationError: a living worker has the executor id 'one'; give each worker its own"
    )
    book.open()
    assert caller.result(run_id).outcome == "completed"
    assert book.times(run_id, "pay-2", "begun") == 1
    assert (first.is_alive, caller.status(run_id).executor_id) == (True, "one")


def test_two_workers_that_start_at_once_with_one_name(caller: Caller, workers: Workers) -> None:
    both = [workers.begin("one"), workers.begin("one")]
    until(lambda: sum(worker.is_alive for worker in both) == 1, "one that is refused")
    assert sorted(worker.ended() for worker in both if not worker.is_alive) == [REFUSED]
    assert caller.result(caller.enqueue(order("pay"))).outcome == "completed"


def test_a_second_worker_in_one_process(caller: Caller, workers: Workers, url: str) -> None:
    """It is refused, and what it has claimed it gives back."""
    worker = workers.start_one("one", second="two")
    worker.told("this process has a worker already; start another process for another one")
    assert rows(url, NAMES) == [("one",)]
    assert caller.result(caller.enqueue(order("pay"))).outcome == "completed"


def test_a_frozen_worker_wakes_during_an_effect(caller: Caller, workers: Workers, book: Book) -> None:
    """Its run was taken over meanwhile: the effect takes place once, and its result counts for nothing."""
    frozen = workers.start_one("frozen")
    run_id = caller.enqueue(order("fetch", "pay!", "notify"))
    until(lambda: book.times(run_id, "pay-2", "begun"), "pay under way")
    frozen.freeze()
    workers.start_one("other").told("worker 'frozen' is dead; its runs go on elsewhere")
    assert caller.result(run_id).outcome == "suspended"
    frozen.thaw()
    book.open()
    until(lambda: book.times(run_id, "pay-2"), "pay to be done")
    pause(0.3)
    status = caller.status(run_id)
    assert (status.status, status.executor_id) == ("suspended", "other")
    assert caller.settled(run_id, book).outcome == "completed"
    times = {line.call_id: book.times(run_id, line.call_id, "begun") for line in book.lines(run_id)}
    assert times == {"fetch-1": 1, "pay-2": 1, "notify-3": 1}


def test_a_frozen_worker_wakes_before_an_effect(caller: Caller, workers: Workers, book: Book) -> None:
    """It finds that its run is another's, leaves it, and runs others from then on."""
    frozen = workers.start_one("frozen")
    run_id = caller.enqueue(order("fetch!", "pay", "notify"))
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    frozen.freeze()
    other = workers.start_one("other")
    until(lambda: book.times(run_id, "fetch-1", "begun") == 2, "the run under way elsewhere")
    frozen.thaw()
    book.open()
    assert caller.result(run_id).outcome == "completed"
    assert caller.status(run_id).executor_id == "other"
    assert [book.times(run_id, call_id, "begun") for call_id in ("pay-2", "notify-3")] == [1, 1]
    until(lambda: len(rows(workers.url, NAMES)) == 2, "the worker that was frozen to be back")
    other.kill()
    later = caller.enqueue(order("pay"))
    assert caller.result(later).outcome == "completed"
    assert caller.status(later).executor_id == "frozen"


def test_a_worker_with_other_tools_leaves_a_run_waiting(
    caller: Caller, workers: Workers, book: Book, shop: Shop
) -> None:
    run_id = caller.enqueue(order("fetch", "pay"))
    own: Any = shop.loop(tools=shop.tools[:1])
    other = workers.start_one("other", loop=own)
    other.told(
        f"1 run waits for workers of other chains or tools ({workers.loop.fingerprint[:12]}); this one is "
        f"{own.fingerprint[:12]}"
    )
    pause(0.3)
    status = caller.status(run_id)
    assert (status.status, status.version) == ("waiting", workers.loop.fingerprint)
    assert book.lines() == []
    workers.start_one("same")
    assert caller.result(run_id).outcome == "completed"


def test_a_worker_with_other_tools_takes_over_and_leaves_it_waiting(
    caller: Caller, caller_of: CallerOf, workers: Workers, book: Book, shop: Shop
) -> None:
    run_id = caller.enqueue(order("fetch!", "pay"))
    victim = workers.start_one("one")
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    victim.kill()
    book.open()
    loop = shop.loop(tools=shop.tools[:1])
    workers.start_one("other", loop=loop)
    until(lambda: caller.status(run_id).status == "waiting", "the run to be taken over")
    other = caller_of(loop)
    assert other.result(other.enqueue(order("fetch"))).outcome == "completed"
    assert caller.status(run_id).status == "waiting"
    workers.start_one("same")
    assert caller.result(run_id).outcome == "completed"
