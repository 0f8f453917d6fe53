"""A run is resumed once in a process, by whatever way it is named, since its calls may run once."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_refund, asks_for

from callagain import LiveRun, Result, SnapshotError, approve
from callagain.testing import StandIn

Serve = Callable[..., StandIn]
Drive = Callable[[LiveRun], Result]


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([asks_for(a_refund(id="r1")), SORRY])


RESUMED_ALREADY = "^this snapshot was resumed already; go on with what came of that, since a second time"

SAME_AGAIN: list[Callable[[Result, str], Any]] = [
    lambda _, snapshot: snapshot,
    lambda _, snapshot: snapshot.encode(),
    lambda result, _: result,
    lambda result, _: result.snapshot(),
    lambda _, snapshot: json.dumps(json.loads(snapshot), indent=2),
]


@pytest.mark.parametrize("again", SAME_AGAIN)
@pytest.mark.parametrize("first", SAME_AGAIN[:3])
def test_a_run_is_resumed_once(
    shop: Shop,
    server: StandIn,
    first: Callable[[Result, str], Any],
    again: Callable[[Result, str], Any],
) -> None:
    loop = shop.loop(server)
    waiting = loop.run("Go")
    snapshot = waiting.snapshot()
    assert loop.resume(first(waiting, snapshot), decisions={"r1": approve}).outcome == "completed"
    with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
        loop.resume(again(waiting, snapshot), decisions={"r1": approve})
    assert (shop.refunds, len(server.requests)) == ([("481516", 40)], 2)


def test_a_live_run_that_goes_on_is_not_resumed_from_what_it_was(
    shop: Shop, server: StandIn, drive: Drive
) -> None:
    loop = shop.loop(server)
    live = loop.start("Go")
    snapshot = drive(live).snapshot()
    live.resume(decisions={"r1": approve})
    assert drive(live).outcome == "completed"
    with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
        loop.resume(snapshot, decisions={"r1": approve})
    assert shop.refunds == [("481516", 40)]


def test_a_run_that_was_resumed_is_not_driven_on_as_what_it_was(
    shop: Shop, server: StandIn, drive: Drive
) -> None:
    loop = shop.loop(server)
    live = loop.start("Go")
    waiting = drive(live)
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"
    with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
        live.resume(decisions={"r1": approve})
    assert shop.refunds == [("481516", 40)]


def test_of_many_who_resume_one_run_at_the_same_time_one_does(shop: Shop, server: StandIn) -> None:
    loop = shop.loop(server)
    snapshot = loop.run("Go").snapshot()
    came: list[str] = []
    start = threading.Barrier(8)

    def resume() -> None:
        start.wait()
        try:
            came.append(loop.resume(snapshot, decisions={"r1": approve}).outcome)
        except SnapshotError:
            came.append("refused")

    threads = [threading.Thread(target=resume) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["completed", *["refused"] * 7]
    assert shop.refunds == [("481516", 40)]
