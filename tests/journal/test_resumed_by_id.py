"""A run of a journal is resumed by its id, however it stands, or it is said why not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine.journal.stored import eventually
from tests.journal.killing import Driver
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import (
    ConfigurationError,
    DecisionError,
    JournalError,
    JournalFile,
    SnapshotError,
    approve,
    tool,
)
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn

Serve = Callable[..., StandIn]


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([asks_for(a_look(), a_refund(id="r1")), SORRY])


def test_a_run_that_is_suspended(shop: Shop, server: StandIn, journal: JournalFile, driver: Driver) -> None:
    loop = shop.loop(server, journal=journal)
    assert driver.run(loop, "one").outcome == "suspended"
    assert (journal.read("one").status, journal.read("one").kind) == ("suspended", "approval_required")
    with pytest.raises(DecisionError, match=r"^nothing was decided; waiting: r1$"):
        driver.resume(loop, "one")
    assert journal.read("one").status == "suspended"
    result = driver.resume(loop, "one", decisions={"r1": approve})
    assert result.outcome == "completed"
    assert (shop.looks, shop.refunds) == (["481516"], [("481516", 40)])
    assert (journal.read("one").status, journal.read("one").kind) == ("completed", None)


def test_a_run_at_its_limit(stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver) -> None:
    server = stand_in([asks_for(a_look("1")), asks_for(a_look("2")), SORRY])
    loop = shop.loop(server, journal=journal, max_iterations=1)
    assert driver.run(loop, "one").outcome == "limit"
    assert (journal.read("one").status, journal.read("one").kind) == ("limit", "max_iterations")
    with pytest.raises(
        ConfigurationError, match=r"^the run is at its limit \(max_iterations\); give it a larg"
    ):
        driver.resume(loop, "one")
    assert driver.resume(loop, "one", changes={"max_iterations": 3}).outcome == "completed"
    assert shop.looks == ["1", "2"]
    loop.replay("one").raise_for_difference()


def test_a_run_that_failed(stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver) -> None:
    refused = Answer(400, {"error": {"message": "no"}})
    server = stand_in([asks_for(a_look()), refused, refused, SORRY])
    loop = shop.loop(server, journal=journal)
    for resumed in (False, True):
        result = driver.resume(loop, "one") if resumed else driver.run(loop, "one")
        assert result.outcome == "failed"
        assert result.error is not None
        assert (journal.read("one").status, journal.read("one").kind) == ("failed", result.error.kind)
    assert driver.resume(loop, "one").outcome == "completed"
    assert shop.looks == ["481516"]
    loop.replay("one").raise_for_difference()


def test_a_run_that_was_left(stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver) -> None:
    server = stand_in([asks_for(a_look()), SORRY])
    loop = shop.loop(server, journal=journal)
    live = loop.start("Go", run_id="one")
    while live.state != "append_tool_result":
        live.step()
    eventually(lambda: journal.read("one").status == "interrupted")
    with pytest.raises(
        ConfigurationError, match=r"^changes= is for a run that has ended; this one only goes on"
    ):
        driver.resume(loop, "one", changes={"max_iterations": 9})
    with pytest.raises(
        DecisionError, match=r"^no call waits for a decision: the run has not come to its outcome"
    ):
        driver.resume(loop, "one", decisions={"r1": approve})
    assert driver.resume(loop, "one").outcome == "completed"
    assert shop.looks == ["481516"]
    assert [request.status for request in server.requests] == [200, 200]


def test_a_run_that_is_completed(stand_in: Serve, shop: Shop, journal: JournalFile, driver: Driver) -> None:
    server = stand_in([SORRY])
    loop = shop.loop(server, journal=journal)
    result = driver.run(loop, "one")
    with pytest.raises(ConfigurationError, match=r"^the run is completed; "):
        driver.resume(loop, "one")
    assert journal.read("one").status == "completed"
    replayed = loop.replay("one").result
    assert replayed is not None
    assert replayed.final_response == result.final_response == SORRY.text
    assert len(server.requests) == 1


def test_a_run_that_nobody_knows(shop: Shop, server: StandIn, journal: JournalFile, driver: Driver) -> None:
    loop = shop.loop(server, journal=journal)
    driver.run(loop, "invoice-17")
    for ask in (lambda: driver.resume(loop, "invoice-71"), lambda: loop.replay("invoice-71")):
        with pytest.raises(
            JournalError,
            match=r"^the journal .*runs\.db has no run 'invoice-71'; did you mean 'invoice-17'\?$",
        ):
            ask()


def test_a_run_of_a_loop_without_a_journal(shop: Shop, server: StandIn, driver: Driver) -> None:
    for ask in (lambda: driver.resume(shop.loop(server), "one"), lambda: shop.loop(server).replay("one")):
        with pytest.raises(SnapshotError, match=r"^.*to resume a run by its id, give the loop its journal=$"):
            ask()


def test_an_id_that_is_there_already(
    shop: Shop, server: StandIn, journal: JournalFile, driver: Driver
) -> None:
    loop = shop.loop(server, journal=journal)
    driver.run(loop, "one")
    with pytest.raises(
        JournalError, match=r"^the journal has a run 'one' already; resume it, or choose another run_id$"
    ):
        driver.run(loop, "one")
    assert len(server.requests) == 1
    assert journal.read("one").status == "suspended"


def test_an_id_that_would_be_taken_for_a_snapshot(
    shop: Shop, server: StandIn, journal: JournalFile, driver: Driver
) -> None:
    with pytest.raises(
        JournalError, match=r"^the run id '\{one\}' begins as a snapshot does, by a brace; give an"
    ):
        driver.run(shop.loop(server, journal=journal), "{one}")
    assert server.requests == []


class TestAnotherLoop:
    """What it does would mean something else, so it does nothing, and says what has changed."""

    @pytest.fixture(autouse=True)
    def _suspended(self, shop: Shop, server: StandIn, journal: JournalFile) -> None:
        assert shop.loop(server, journal=journal).run("Go", run_id="one").outcome == "suspended"

    def refused(
        self, shop: Shop, server: StandIn, journal: JournalFile, driver: Driver, told: str, **settings: Any
    ) -> None:
        with pytest.raises(SnapshotError, match=f"^[^\n]* is of another loop: [^\n]*{told}[^\n]*$"):
            driver.resume(shop.loop(server, journal=journal, **settings), "one", decisions={"r1": approve})
        assert (shop.refunds, len(server.requests)) == ([], 1)
        assert journal.read("one").status == "suspended"

    def test_has_a_tool_with_another_schema(
        self, shop: Shop, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        @tool(requires_approval=True)
        def refund(order_id: str, amount: int, currency: str = "USD") -> str:
            """Pay an order back, in whole dollars."""
            raise AssertionError(order_id, amount, currency)

        told = r"the tools are not those that it began with \(with another schema or description: 'refund'\)"
        self.refused(shop, server, journal, driver, told, tools=[shop.tools[0], refund])

    def test_has_a_tool_less(self, shop: Shop, server: StandIn, journal: JournalFile, driver: Driver) -> None:
        told = r"\(removed: 'look_up_order'\)"
        self.refused(shop, server, journal, driver, told, tools=[shop.tools[1]])

    def test_has_another_chain(
        self, shop: Shop, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        class Redact(Script):
            """Takes out what nobody is to see."""

            def run(self, variables: Variables) -> None:
                variables.own["redacted"] = True

        chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="llm_call")
        told = "it began with another chain than 'tool_calling_loop' as it is now"
        self.refused(shop, server, journal, driver, told, chain=chain)

    def test_may_have_other_settings(
        self, shop: Shop, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        """What the run began with wins over them."""
        loop = shop.loop(server, journal=journal, max_iterations=0, system_prompt="Be rude.")
        result = driver.resume(loop, "one", decisions={"r1": approve})
        assert result.outcome == "completed"
        assert result.variables.as_jitterbit()["systemPrompt"] == ""


def test_a_journal_that_was_moved_goes_on_elsewhere(
    shop: Shop, server: StandIn, tmp_path: Path, driver: Driver
) -> None:
    with_file = tmp_path / "a.db"
    first = JournalFile(with_file)
    driver.run(shop.loop(server, journal=first), "one")
    first.close()
    moved = JournalFile(with_file.rename(tmp_path / "b.db"))
    result = driver.resume(shop.loop(server, journal=moved), "one", decisions={"r1": approve})
    moved.close()
    assert (result.outcome, shop.refunds) == ("completed", [("481516", 40)])
