"""An exception ends a run: a bug in a chain of one's own, or a client that cannot be made."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.shop import Book, Shop, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers
from tests.journal.orders import client_of

from callagain import TOOL_CALLING_LOOP, OutcomeError, ToolLoop
from callagain.engine.operation import Script
from callagain.engine.variables import Variables


class Divide(Script):
    """Has a bug until that is mended."""

    title = "Divide"

    def __init__(self, book: Book) -> None:
        self.book = book

    def run(self, variables: Variables) -> None:
        variables.own["share"] = 1 / int(self.book.is_mended)


@pytest.mark.parametrize("after", ["tool_dispatcher", "extract_final"])
def test_a_bug_in_an_operation(
    caller_of: CallerOf, workers: Workers, book: Book, shop: Shop, after: str
) -> None:
    """Whoever asks is told; when it is mended, the run goes on from there, and nothing is done twice."""
    workers.loop = shop.loop(chain=TOOL_CALLING_LOOP.insert("divide", Divide(book), after=after))
    caller = caller_of(workers.loop)
    workers.start_one()
    run_id = caller.enqueue(order("pay"))
    until(lambda: caller.status(run_id).status == "broken", "the run to break")
    requests = len(shop.server.requests)
    assert caller.status(run_id).why == "ZeroDivisionError: division by zero"
    with pytest.raises(OutcomeError) as caught:
        caller.result(run_id)
    assert str(caught.value) == (
        f"broken (broken): the run {run_id} has no result (ZeroDivisionError: division by zero); resume it"
    )
    caller.resume(run_id)
    until(lambda: caller.status(run_id).status == "broken", "the run to break again")
    book.mend()
    caller.resume(run_id)
    result = caller.result(run_id)
    assert (result.outcome, answers(result)) == ("completed", {"pay-1": "pay: done"})
    assert book.times(run_id, "pay-1", "begun") == 1
    assert len(shop.server.requests) == (requests if after == "extract_final" else requests + 1)


def test_a_client_that_cannot_be_made(caller_of: CallerOf, workers: Workers, book: Book, shop: Shop) -> None:
    made = client_of(shop.server, is_async=True)

    def make() -> Any:
        if not book.is_mended:
            raise RuntimeError("no certificate")
        return made()

    workers.loop = ToolLoop(model="m", tools=shop.tools, client=make)
    caller = caller_of(workers.loop)
    workers.start_one()
    run_id = caller.enqueue(order("pay"))
    until(lambda: caller.status(run_id).status == "broken", "the run to break")
    assert "no certificate" in str(caller.status(run_id).why)
    book.mend()
    caller.resume(run_id)
    assert caller.result(run_id).outcome == "completed"


def test_neighbours_of_a_broken_run_go_on(
    caller_of: CallerOf, workers: Workers, shop: Shop, book: Book
) -> None:
    chain = TOOL_CALLING_LOOP.insert("divide", Divide(book), after="tool_dispatcher")
    workers.loop = shop.loop(chain=chain)
    caller: Caller = caller_of(workers.loop)
    worker = workers.start_one()
    broken: Sequence[str] = [caller.enqueue(order("fetch")) for _ in range(2)]
    whole = [caller.enqueue(order()) for _ in range(2)]
    assert [caller.result(run_id).outcome for run_id in whole] == ["completed"] * 2
    until(lambda: all(caller.status(run_id).status == "broken" for run_id in broken), "both to break")
    assert worker.is_alive
