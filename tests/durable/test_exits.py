"""What would end a worker, or keep it from ending: SystemExit, a database that is away, a fork."""

import os
import sys
import time
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import Server
from tests.durable.shop import Book, Shop, order
from tests.durable.waiting import until
from tests.durable.workers import Workers, pause

from callagain import TOOL_CALLING_LOOP, ConfigurationError, DatabaseError, RunNotFoundError, tool
from callagain.durable import database
from callagain.engine.operation import Script
from callagain.engine.variables import Variables


class Leave(Script):
    """Ends the program, as it believes."""

    title = "Leave"

    def run(self, variables: Variables) -> None:
        sys.exit(f"after {variables.loop_count}")


@tool(name="reserve")
def leaves() -> str:
    """Reserve what was ordered."""
    sys.exit(3)


@tool(name="notify")
async def leaves_too() -> str:
    """Write to the customer."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["reserve", "notify"], ids=["in a thread", "async"])
def test_a_tool_that_ends_the_program_ends_its_run(
    name: str, caller_of: CallerOf, workers: Workers, shop: Shop
) -> None:
    kept = [each for each in shop.tools if each.name not in ("reserve", "notify")]
    workers.loop = shop.loop(tools=[*kept, leaves, leaves_too])
    worker = workers.start_one(worker_concurrency=1)
    caller = caller_of(workers.loop)
    run_id = caller.enqueue(order(name))
    assert caller.result(caller.enqueue(order("fetch"))).outcome == "completed"
    status = caller.status(run_id)
    ended = "SystemExit" if name == "reserve" else "KeyboardInterrupt"
    told = f"RuntimeError: {name} raised {ended}, which would end the worker"
    assert (status.status, status.why) == ("broken", told)
    assert worker.is_alive


def test_an_operation_that_ends_the_program_ends_its_run(
    caller_of: CallerOf, workers: Workers, shop: Shop
) -> None:
    workers.loop = shop.loop(chain=TOOL_CALLING_LOOP.insert("leave", Leave(), after="tool_dispatcher"))
    worker = workers.start_one(worker_concurrency=1)
    caller = caller_of(workers.loop)
    run_id = caller.enqueue(order("fetch"))
    assert caller.result(caller.enqueue(order())).outcome == "completed"
    assert caller.status(run_id).why == (
        "RuntimeError: an operation raised SystemExit, which would end the worker"
    )
    assert worker.is_alive


def test_a_worker_ends_in_time_while_the_database_is_away(
    caller: Caller, workers: Workers, book: Book, server: Server
) -> None:
    worker = workers.start_one(grace=0.5)
    run_id = caller.enqueue(order("fetch!", "pay"))
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    server.stop()
    try:
        worker.told("trying again until it is back")
        began = time.monotonic()
        worker.stop()
        assert time.monotonic() - began < 8
        assert "never retrieved" not in worker.text()
    finally:
        server.start()
    book.open()
    workers.start_one("two")
    assert caller.result(run_id).outcome == "completed"
    assert book.times(run_id, "pay-2", "begun") == 1


def test_a_run_that_was_cancelled_and_goes_on_is_not_taken_for_a_stray(
    caller: Caller, workers: Workers, book: Book
) -> None:
    """Its first execution ends while the second one is under way."""
    workers.start_one()
    run_id = caller.enqueue(order("fetch!", "pay!"))
    until(lambda: book.times(run_id, "fetch-1", "begun"), "the run under way")
    caller.cancel(run_id)
    caller.resume(run_id)
    until(lambda: book.times(run_id, "fetch-1", "begun") == 2, "the run once more")
    # Strays are looked for every 0.9 s, and have to be found twice.
    pause(2.2)
    assert book.times(run_id, "fetch-1", "begun") == 2
    book.open()
    until(lambda: caller.status(run_id).status != "running", "the run to end")
    assert caller.status(run_id).status == "completed"


# Since 3.12 Python warns of any fork beside threads.
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_makes_connections_of_its_own(caller: Caller) -> None:
    caller.enqueue(order(), run_id="before")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            caller.enqueue(order(), run_id="in the child")
            code = int(caller.status("before").status != "waiting")
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert caller.status("in the child").status == "waiting"
    assert caller.enqueue(order(), run_id="after") == "after"


@pytest.mark.parametrize("run_id", [None, 7, "a#1", "a\x00b", "\ud800"])
def test_what_is_no_id(caller: Caller, run_id: Any) -> None:
    durable: Any = caller.durable
    for ask in (durable.status, durable.result, durable.resume, durable.cancel, durable.delete):
        with pytest.raises(ConfigurationError, match="the id of a "):
            ask(run_id)
    if run_id is not None:
        with pytest.raises(ConfigurationError, match="the id of a "):
            durable.enqueue(order(), run_id=run_id)


def test_a_run_that_is_not_there_is_no_database_that_is_away(caller: Caller) -> None:
    with pytest.raises(RunNotFoundError, match="has no run 'r1'"):
        caller.status("r1")


def test_nobody_waits_for_ever_for_somebody_else(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.1)
    caller.enqueue(order(), run_id="r1")
    refused = pytest.raises(DatabaseError, match="somebody else has been busy with r1 for 0.1 s; try again")
    with caller.durable.database.alone_with("r1"), refused:
        caller.cancel("r1")
    assert caller.cancel("r1").status == "cancelled"


def test_somebody_who_is_frozen_in_the_middle_of_a_run_holds_up_no_worker(
    caller: Caller, workers: Workers, book: Book
) -> None:
    one, two = workers.start("one", "two", worker_concurrency=1)
    run_ids = [caller.enqueue(order("fetch!")) for _ in range(2)]
    until(lambda: len(book.lines()) == 2, "both under way")
    (of_one,) = [run_id for run_id in run_ids if caller.status(run_id).executor_id == "one"]
    with caller.durable.database.alone_with(of_one):
        one.kill()
        pause(2.5)
        assert caller.status(of_one).crashes == 0
        book.open()
        assert [caller.result(run_id).outcome for run_id in run_ids if run_id != of_one] == ["completed"]
    assert caller.result(of_one).outcome == "completed"
    assert caller.status(of_one).crashes == 1
    assert two.is_alive


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:///runs?host=one,other&port=5432,5433",
        "postgresql://me@host/runs",
        "postgres://me:s%40cret@[::1]:5432/runs?sslmode=require",
        "postgresql://me@/runs?host=%2Fvar%2Frun",
    ],
)
def test_what_a_url_says_is_kept(url: str) -> None:
    """Beside it there are the keepalives of TCP."""
    given = conninfo_to_dict(url)
    known = conninfo_to_dict(database.Database(url).url)
    assert known == {**given, **{name: known[name] for name in known if name not in given}}
    assert {"keepalives_idle", "tcp_user_timeout"} <= known.keys()
