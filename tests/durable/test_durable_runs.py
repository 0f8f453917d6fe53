"""A run is enqueued, a worker runs it step by step, and whoever enqueued it gets its result."""

import asyncio
import gc
import json

import pytest
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import Server, rows, steps
from tests.durable.shop import Book, Shop, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers

from callagain.durable import DurableToolLoop
from callagain.engine.errors import ConfigurationError, DatabaseError, RunInProgressError
from callagain.testing import Answer, call, calls, says
from callagain.testing.plugin import StartStandIn


def test_a_run_is_completed_by_a_worker(either_caller: Caller, workers: Workers) -> None:
    run_id = either_caller.enqueue(order("fetch", "pay"))
    assert either_caller.status(run_id).status == "waiting"
    workers.start_one("one")
    result = either_caller.result(run_id)
    assert (result.outcome, result.run_id, result.final_response) == ("completed", run_id, "All is done.")
    assert answers(result) == {"fetch-1": "fetch: done", "pay-2": "pay: done"}
    status = either_caller.status(run_id)
    assert (status.status, status.part, status.executor_id, status.crashes) == ("completed", 1, "one", 0)
    assert status.version == workers.loop.fingerprint
    assert [each.run_id for each in either_caller.runs()] == [run_id]


def test_each_command_is_a_step_and_an_effect_is_two(caller: Caller, workers: Workers, url: str) -> None:
    workers.start_one()
    run_id = caller.enqueue(order("fetch", ["reserve", "pay", "notify"]))
    caller.result(run_id)
    assert steps(url, run_id) == [
        "llm_call",
        "fetch",
        "llm_call",
        "intent: pay",
        "intent: notify",
        "reserve",
        "pay",
        "notify",
        "llm_call",
    ]


def test_many_runs_are_shared_by_the_workers(caller: Caller, workers: Workers, book: Book) -> None:
    workers.start("one", "two", worker_concurrency=2)
    assert caller.runs() == []

    async def enqueue_all() -> list[str]:
        return await asyncio.gather(*(caller.durable.aenqueue(order("fetch", "pay!")) for _ in range(8)))

    run_ids = asyncio.run(enqueue_all())
    until(lambda: len({line.pid for line in book.lines(call_id="pay-2")}) == 2, "runs in both workers")
    book.open()
    assert [caller.result(run_id).outcome for run_id in run_ids] == ["completed"] * 8
    assert [book.times(run_id, "pay-2") for run_id in run_ids] == [1] * 8


def test_workers_and_callers_may_find_an_empty_database_at_once(
    caller_of: CallerOf, workers: Workers, server: Server
) -> None:
    url = server.empty_database()
    both = [workers.begin(name, url=url) for name in ("one", "two")]
    until(lambda: all("started" in worker.text() for worker in both), "both workers", seconds=10)
    caller = caller_of(where=url)
    assert caller.result(caller.enqueue(order("pay"))).outcome == "completed"


def test_callers_who_begin_at_the_same_moment_leave_no_connection(shop: Shop, url: str) -> None:
    durable = DurableToolLoop(shop.loop(), url)

    async def enqueue_all() -> None:
        await asyncio.gather(*(durable.aenqueue(order()) for _ in range(6)))

    asyncio.run(enqueue_all())
    durable.close()
    # Those that somebody has forgotten would be told of in another test.
    gc.collect()
    others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    until(lambda: not rows(url, others), "connections that end", seconds=3)


def test_an_id_of_ones_own_is_enqueued_once(either_caller: Caller, workers: Workers, book: Book) -> None:
    assert either_caller.enqueue(order("pay"), run_id="order-7") == "order-7"
    with pytest.raises(RunInProgressError, match="there is a run of this id already: order-7; ask for"):
        either_caller.enqueue(order("pay"), run_id="order-7")
    workers.start_one()
    either_caller.result("order-7")
    with pytest.raises(RunInProgressError, match="there is a run of this id already: order-7"):
        either_caller.enqueue(order("pay"), run_id="order-7")
    assert book.times("order-7", "pay-1") == 1


@pytest.mark.parametrize("run_id", ["50%", "a_b", "a\\b", 'it\'s "7"', "Ångström 電", "x" * 300])
def test_ids_are_told_apart_whatever_is_in_them(caller: Caller, run_id: str) -> None:
    others = ["50 of them", "axb", "a\\\\b", "its", "x" * 299, "a", run_id + "0"]
    for each in [run_id, *others]:
        caller.enqueue(order(), run_id=each)
    caller.cancel(run_id)
    assert caller.status(run_id).run_id == run_id
    assert {each.run_id for each in caller.runs() if each.status == "cancelled"} == {run_id}


def test_a_run_that_is_not_there(either_caller: Caller) -> None:
    for ask in (either_caller.status, either_caller.result, either_caller.resume, either_caller.cancel):
        with pytest.raises(
            DatabaseError, match="the database postgresql://postgres@/test_.* has no run 'r1'"
        ):
            ask("r1")


def test_a_number_sign_would_be_taken_for_a_part(caller: Caller) -> None:
    with pytest.raises(
        ConfigurationError,
        match="the id of a durable run must have no #, no NUL and no half of a character in it: 'a#1'",
    ):
        caller.enqueue(order(), run_id="a#1")


def test_a_result_that_does_not_come_in_time(either_caller: Caller, workers: Workers) -> None:
    run_id = either_caller.enqueue(order("fetch"))
    with pytest.raises(
        TimeoutError, match=f"the run {run_id} has not come to an outcome in time; it goes on"
    ):
        either_caller.result(run_id, timeout=0.1)
    workers.start_one()
    assert either_caller.result(run_id).outcome == "completed"


def test_any_text_gets_through(
    caller_of: CallerOf, stand_in: StartStandIn, workers: Workers, shop: Shop
) -> None:
    """A database takes less than JSON does."""
    odd = "NUL \x00, half a pair \\ud83d, \u2028, 電, 🙂, \\u0000, ' \" % :name"
    server = stand_in([calls(call("fetch", json.dumps({"hold": False}), id="fetch-1")), says(odd)])
    loop = Shop(server, shop.book.path.parent).loop()
    workers.loop = loop
    workers.start_one()
    caller = caller_of(loop)
    run_id = caller.enqueue(odd)
    result = caller.result(run_id)
    assert (result.outcome, result.final_response) == ("completed", odd)
    assert result.messages[0]["content"] == odd


def test_a_conversation_goes_on_by_its_history(caller: Caller, workers: Workers) -> None:
    workers.start_one()
    first = caller.result(caller.enqueue(order("fetch")))
    second = caller.result(caller.enqueue(order("pay"), history=first.messages))
    assert answers(second) == {"fetch-1": "fetch: done", "pay-1": "pay: done"}


def test_a_run_that_failed_goes_on_where_it_was(
    caller_of: CallerOf, stand_in: StartStandIn, workers: Workers, shop: Shop
) -> None:
    server = stand_in(
        [calls(call("pay", id="pay-1")), Answer(400, {"error": {"message": "no"}}), says("Paid.")]
    )
    workers.loop = Shop(server, shop.book.path.parent).loop(max_retries=0)
    caller = caller_of(workers.loop)
    workers.start_one()
    run_id = caller.enqueue("Pay")
    assert caller.result(run_id).outcome == "failed"
    assert caller.resume(run_id).part == 2
    assert caller.result(run_id).final_response == "Paid."
    assert shop.book.times(run_id, "pay-1") == 1
    assert caller.status(run_id).part == 2


def test_a_run_at_its_limit_goes_on_with_a_larger_one(
    caller_of: CallerOf, workers: Workers, shop: Shop
) -> None:
    workers.loop = shop.loop(max_iterations=1)
    caller = caller_of(workers.loop)
    workers.start_one()
    run_id = caller.enqueue(order("fetch", "pay", "notify"))
    assert caller.result(run_id).outcome == "limit"
    with pytest.raises(ConfigurationError, match=r"give it a larger one: changes=\{'max_iterations': …\}"):
        caller.resume(run_id)
    caller.resume(run_id, changes={"max_iterations": 5})
    assert caller.result(run_id).outcome == "completed"


def test_a_completed_run_is_not_resumed(caller: Caller, workers: Workers) -> None:
    workers.start_one()
    run_id = caller.enqueue(order())
    caller.result(run_id)
    with pytest.raises(ConfigurationError, match="the run is completed; to go on with its conversation"):
        caller.resume(run_id)
    assert caller.cancel(run_id).status == "completed"
