"""Workers are killed in the middle; living ones go on with their runs, and no effect happens twice."""

from collections.abc import Callable, Mapping

import pytest
from tests.durable.caller import Caller
from tests.durable.server import steps
from tests.durable.shop import Book, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers

from callagain import approve, deny

Moment = Callable[[Book, int], bool]


def fetching(book: Book, pid: int) -> bool:
    return any(line.pid == pid and line.call_id == "fetch-1" for line in book.lines())


def paying(book: Book, pid: int) -> bool:
    return any(line.pid == pid and line.call_id == "pay-2" for line in book.lines())


def in_between(book: Book, pid: int) -> bool:
    return sum(line.pid == pid for line in book.lines()) > 5


@pytest.mark.parametrize(
    ("message", "is_there", "is_restarted"),
    [
        pytest.param(order("fetch!", "pay"), fetching, False, id="while it looks"),
        pytest.param(order("fetch", "pay!"), paying, True, id="while it pays, and started again"),
        pytest.param(order("fetch", "pay", "fetch"), in_between, False, id="wherever it is"),
        pytest.param(
            order("fetch", "pay", "fetch"), in_between, True, id="wherever it is, and started again"
        ),
    ],
)
def test_all_runs_come_to_their_ends(
    caller: Caller, workers: Workers, book: Book, message: str, is_there: Moment, is_restarted: bool
) -> None:
    run_ids = [caller.enqueue(message) for _ in range(12)]
    all_of_them = workers.start("one", "two", "three", worker_concurrency=3)
    until(lambda: any(is_there(book, worker.pid) for worker in all_of_them), "the moment of the kill")
    victim = next(worker for worker in all_of_them if is_there(book, worker.pid))
    victim.kill()
    if is_restarted:
        workers.begin(victim.executor_id, worker_concurrency=3)
    book.open()
    results = [caller.settled(run_id, book) for run_id in run_ids]
    assert [result.outcome for result in results] == ["completed"] * 12
    assert [answers(result)["pay-2"] for result in results] == ["pay: done"] * 12
    assert [book.times(run_id, "pay-2") for run_id in run_ids] == [1] * 12


def killed_during(calls: Mapping[str, str], caller: Caller, workers: Workers, book: Book) -> dict[str, str]:
    """Runs whose worker was killed while a call of each was under way; another worker is there.

    calls: messages by the id of that call; the runs come by it too.
    """
    run_ids = {call_id: caller.enqueue(message) for call_id, message in calls.items()}
    victim = workers.start_one("victim")
    until(lambda: all(book.times(run_ids[each], each, "begun") for each in run_ids), "all of them under way")
    victim.kill()
    workers.begin("other")
    return run_ids


def test_an_effect_that_was_under_way_is_asked_about(
    either_caller: Caller, workers: Workers, book: Book
) -> None:
    caller = either_caller
    run_ids = killed_during(
        {
            "pay-1": order("pay!"),
            "pay-2": order("fetch", "pay!", "fetch"),
            "notify-1": order(["notify!", "fetch"]),
        },
        caller,
        workers,
        book,
    )
    for call_id, run_id in run_ids.items():
        result = caller.result(run_id)
        assert result.outcome == "suspended"
        assert [(call.id, call.why) for call in result.pending_calls] == [(call_id, "call_outcome_unknown")]
        status = caller.status(run_id)
        assert (status.status, status.part, status.executor_id) == ("suspended", 1, "other")
        assert book.times(run_id, call_id, "begun") == 1
    book.open()
    caller.resume(run_ids["pay-1"], decisions={"pay-1": deny("It was paid by hand.")})
    caller.resume(run_ids["pay-2"], results={"pay-2": "paid, as the bank says"})
    caller.resume(run_ids["notify-1"], decisions={"notify-1": approve})
    told = {call_id: answers(caller.result(run_id))[call_id] for call_id, run_id in run_ids.items()}
    assert "It was paid by hand." in told["pay-1"]
    assert told["pay-2"] == "paid, as the bank says"
    assert told["notify-1"] == "notify: done"
    assert {caller.status(run_id).part for run_id in run_ids.values()} == {2}
    begun = {call_id: book.times(run_id, call_id, "begun") for call_id, run_id in run_ids.items()}
    assert begun == {"pay-1": 1, "pay-2": 1, "notify-1": 2}
    assert book.times(run_ids["pay-2"], "fetch-1", "begun") == 1


def test_a_tool_may_want_it_otherwise(caller: Caller, workers: Workers, book: Book) -> None:
    """What may be repeated is called again with the same key; of what counts as failed the model is told."""
    messages = {"reserve-2": order("fetch", "reserve!"), "write_off-1": order("write_off!", "fetch")}
    run_ids = killed_during(messages, caller, workers, book)
    book.open()
    results = {call_id: caller.result(run_id) for call_id, run_id in run_ids.items()}
    assert [result.outcome for result in results.values()] == ["completed"] * 2
    begun = [line for line in book.lines(run_ids["reserve-2"], "reserve-2") if line.what == "begun"]
    assert [line.key for line in begun] == [begun[0].key] * 2
    assert begun[0].key.startswith(f"{run_ids['reserve-2']}:")
    told = answers(results["write_off-1"])["write_off-1"]
    assert "nobody knows what it did; check that first" in told
    assert book.times(run_ids["write_off-1"], "write_off-1", "begun") == 1


def test_what_was_done_beside_it_is_not_done_again(
    caller: Caller, workers: Workers, book: Book, url: str
) -> None:
    run_id = caller.enqueue(order(["fetch", "notify", "pay!", "reserve"]))
    victim = workers.start_one("victim")
    # One response, two intents, and three calls that have ended.
    until(lambda: len(steps(url, run_id)) == 6, "the others to be done")
    until(lambda: book.times(run_id, "pay-1", "begun"), "pay under way")
    victim.kill()
    workers.begin("other")
    result = caller.result(run_id)
    assert [call.id for call in result.pending_calls] == ["pay-1"]
    book.open()
    assert caller.settled(run_id, book).outcome == "completed"
    begun = {line.call_id: book.times(run_id, line.call_id, "begun") for line in book.lines(run_id)}
    assert begun == {"fetch-1": 1, "notify-1": 1, "reserve-1": 1, "pay-1": 2}


def test_the_last_worker_may_be_gone_for_long(caller: Caller, workers: Workers, book: Book) -> None:
    """Nobody is left to take over; whoever starts first does, also under another name."""
    run_id = caller.enqueue(order("fetch!", "pay"))
    victim = workers.start_one("one")
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    victim.kill()
    book.open()
    workers.start_one("two").told("worker 'one' is dead; its runs go on elsewhere")
    assert caller.result(run_id).outcome == "completed"
    status = caller.status(run_id)
    assert (status.executor_id, status.crashes) == ("two", 1)
