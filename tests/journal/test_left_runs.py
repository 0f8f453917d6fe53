"""A run that is left, by whatever way, is in the journal as far as it went, and goes on from there."""

import asyncio
import os
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests.engine.journal.stored import eventually
from tests.journal.killing import KILLED, Driver, exit_code, start
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import (
    ConfigurationError,
    JournalFile,
    LiveRun,
    Result,
    RunCancelledError,
    RunInProgressError,
    SnapshotError,
    TextDelta,
    ToolLoop,
    approve,
    tool,
)
from callagain.testing import StandIn, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve = Callable[..., StandIn]
Drive = Callable[[LiveRun], Result]


@pytest.fixture(params=["sync", "async"])
def drive(request: pytest.FixtureRequest) -> Drive:
    return LiveRun.run if request.param == "sync" else lambda live: asyncio.run(live.arun())


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([asks_for(a_look(), a_refund(id="r1")), SORRY])


def waiting_loop(server: StandIn, journal: JournalFile, begun: Callable[[], object]) -> ToolLoop:
    """Its first call tells that it has begun, and does not end; a later one does."""
    first = threading.Event()

    @tool(idempotent=True)
    async def wait() -> str:
        """Wait for somebody."""
        if not first.is_set():
            first.set()
            begun()
            await asyncio.sleep(30)
        return "waited"

    return ToolLoop(model="m", base_url=server.base_url, tools=[wait], journal=journal)


@pytest.fixture
def waits(stand_in: Serve) -> StandIn:
    return stand_in([calls(("wait", {})), says("Done.")])


class TestARunThatIsLeft:
    def test_by_ctrl_c(self, waits: StandIn, journal: JournalFile) -> None:
        loop = waiting_loop(waits, journal, lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            loop.run("Go", run_id="one")
        eventually(lambda: journal.read("one").status == "interrupted")
        assert loop.resume("one").outcome == "completed"
        loop.replay("one").raise_for_difference()

    def test_by_cancelling_it(self, waits: StandIn, journal: JournalFile, drive: Drive) -> None:
        live: list[LiveRun] = []
        loop = waiting_loop(waits, journal, lambda: live[0].cancel())
        live.append(loop.start("Go", run_id="one"))
        with pytest.raises(RunCancelledError):
            drive(live[0])
        eventually(lambda: journal.read("one").status == "interrupted")
        assert drive(live[0]).outcome == "completed"
        assert journal.read("one").status == "completed"

    async def test_by_cancelling_its_task(self, waits: StandIn, journal: JournalFile) -> None:
        begun = asyncio.Event()
        loop = waiting_loop(waits, journal, begun.set)
        task = asyncio.create_task(loop.arun("Go", run_id="one"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await loop.aresume("one")).outcome == "completed"

    async def test_while_it_waits_for_the_journal(self, waits: StandIn, path: Path) -> None:
        with closing(JournalFile(path)) as journal:
            live = waiting_loop(waits, journal, lambda: None).start("Go", run_id="one")
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                task = asyncio.create_task(live.arun())
                await asyncio.sleep(0.05)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asyncio.wait_for(task, 2)
            # The journal comes to it when nobody is there any more.
            while not journal.list("interrupted"):
                await asyncio.sleep(0.01)
            assert waits.requests == []

    def test_between_two_steps(self, server: StandIn, journal: JournalFile) -> None:
        shop = Shop(requires_approval=False)
        live = shop.loop(server, journal=journal).start("Go", run_id="one")
        operations: list[str] = []
        while (step := live.step()) is not None:
            operations.append(step.operation)
            eventually(lambda: [each.operation for each in journal.read("one").steps] == operations)
        assert live.result is not None
        assert (live.result.outcome, shop.refunds) == ("completed", [("481516", 40)])
        assert journal.read("one").status == "completed"

    async def test_between_two_steps_of_an_event_loop(self, server: StandIn, journal: JournalFile) -> None:
        shop = Shop(requires_approval=False)
        live = shop.loop(server, journal=journal).start("Go", run_id="one")
        while await live.astep() is not None:
            pass
        assert (journal.read("one").status, shop.refunds) == ("completed", [("481516", 40)])
        assert len(journal.read("one").steps) == len(live.trace)

    def test_is_not_stepped_on_when_somebody_else_went_on_with_it(
        self, server: StandIn, journal: JournalFile, drive: Drive
    ) -> None:
        shop = Shop(requires_approval=False)
        loop = shop.loop(server, journal=journal)
        live = loop.start("Go", run_id="one")
        while live.state != "tool_dispatcher":
            live.step()
        assert loop.resume("one").outcome == "completed"
        with pytest.raises(
            RunInProgressError,
            match=r"^somebody else went on with the run one; resume it from there, by its id$",
        ):
            drive(live)
        assert shop.refunds == [("481516", 40)]


class TestAStream:
    @pytest.fixture
    def talks(self, stand_in: Serve) -> StandIn:
        return stand_in([asks_for(a_look()), says("There is much to say."), says("There is much to say.")])

    def test_is_kept_like_any_run(self, talks: StandIn, journal: JournalFile) -> None:
        shop = Shop()
        loop = shop.loop(talks, journal=journal)
        with loop.stream("Go", run_id="one") as stream:
            pieces = [event.text for event in stream if isinstance(event, TextDelta)]
        assert stream.result is not None
        replayed = loop.replay("one").raise_for_difference().result
        assert replayed is not None
        assert "".join(pieces) == replayed.final_response == "There is much to say."
        assert journal.read("one").status == "completed"

    def test_that_is_left_begins_its_answer_anew(self, talks: StandIn, journal: JournalFile) -> None:
        shop = Shop()
        loop = shop.loop(talks, journal=journal)
        with loop.stream("Go", run_id="one") as stream:
            for event in stream:
                if isinstance(event, TextDelta):
                    break
        result = loop.resume("one")
        assert (result.final_response, shop.looks) == ("There is much to say.", ["481516"])
        assert [request.json.get("stream") for request in talks.requests] == [True] * 3

    async def test_of_an_event_loop(self, talks: StandIn, journal: JournalFile) -> None:
        shop = Shop()
        loop = shop.loop(talks, journal=journal)
        async with loop.stream("Go", run_id="one") as stream:
            async for event in stream:
                if isinstance(event, TextDelta):
                    break
        result = await loop.aresume("one")
        assert (result.final_response, shop.looks) == ("There is much to say.", ["481516"])

    def test_is_killed(self, stand_in: Serve, path: Path, driver: Driver) -> None:
        server = stand_in([asks_for(a_look()), says("There is much to say."), says("There is much to say.")])
        shop = Shop()

        def work() -> None:
            for event in shop.loop(server, journal=path).stream("Go", run_id="one"):
                if isinstance(event, TextDelta):
                    os.kill(os.getpid(), signal.SIGKILL)

        assert exit_code(start(work)) == KILLED
        with closing(JournalFile(path)) as journal:
            result = driver.resume(shop.loop(server, journal=journal), "one")
        assert (result.outcome, result.final_response) == ("completed", "There is much to say.")


class TestASnapshotOfARunInTheJournal:
    def test_goes_on_in_the_journal(self, server: StandIn, journal: JournalFile, driver: Driver) -> None:
        shop = Shop()
        loop = shop.loop(server, journal=journal)
        snapshot = driver.run(loop, "one").snapshot()
        assert driver.resume(loop, snapshot, decisions={"r1": approve}).outcome == "completed"
        assert (journal.read("one").status, shop.refunds) == ("completed", [("481516", 40)])
        loop.replay("one").raise_for_difference()

    def test_is_refused_when_the_journal_has_gone_on(
        self, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        shop = Shop()
        loop = shop.loop(server, journal=journal)
        result = driver.run(loop, "one")
        snapshot = result.snapshot()
        driver.resume(loop, "one", decisions={"r1": approve})
        told = r"^the journal has another run of the id one, or has gone on from there; resume it by its id$"
        with pytest.raises(SnapshotError, match=told):
            driver.resume(loop, snapshot, decisions={"r1": approve})
        assert shop.refunds == [("481516", 40)]

    def test_that_is_taken_in_the_middle_goes_on_at_once(
        self, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        """What was kept a moment before may still have to be written."""
        shop = Shop(requires_approval=False)
        loop = shop.loop(server, journal=journal)
        live = loop.start("Go", run_id="one")
        while live.state != "append_tool_result":
            live.step()
        assert driver.resume(loop, live.snapshot()).outcome == "completed"
        assert (shop.looks, shop.refunds) == (["481516"], [("481516", 40)])
        loop.replay("one").raise_for_difference()

    def test_of_another_run_of_this_id_is_refused(
        self, stand_in: Serve, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        shop = Shop()
        driver.run(shop.loop(server, journal=journal), "one")
        elsewhere = shop.loop(stand_in([asks_for(a_refund(7, id="r1")), SORRY]))
        snapshot = driver.run(elsewhere, "one").snapshot()
        with pytest.raises(SnapshotError, match=r"^the journal has another run of the id one, "):
            driver.resume(shop.loop(server, journal=journal), snapshot, decisions={"r1": approve})
        assert shop.refunds == []

    def test_of_a_run_from_elsewhere_comes_into_the_journal(
        self, server: StandIn, journal: JournalFile, driver: Driver
    ) -> None:
        shop = Shop()
        snapshot = driver.run(shop.loop(server), "one").snapshot()
        loop = shop.loop(server, journal=journal)
        assert driver.resume(loop, snapshot, decisions={"r1": approve}).outcome == "completed"
        assert journal.read("one").status == "completed"
        loop.replay("one").raise_for_difference()
        with suppress(ConfigurationError):
            driver.resume(loop, "one")
        assert shop.refunds == [("481516", 40)]
