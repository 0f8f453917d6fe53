"""A run is resumed once in a process, by whatever way it is named, since its calls may run once."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for

from callagain import LiveRun, OperationEnded, PendingCall, Result, SnapshotError, approve
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


def test_to_drive_a_run_that_has_ended_uses_nothing_up(shop: Shop, server: StandIn, drive: Drive) -> None:
    loop = shop.loop(server)
    live = loop.start("Go")
    while live.step() is not None:
        pass
    drive(live)
    waiting = drive(live)
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"
    assert shop.refunds == [("481516", 40)]


def test_a_run_that_was_stepped_to_its_limit_is_resumed(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_look("1")), asks_for(a_look("2")), SORRY])
    loop = shop.loop(server, max_iterations=1)
    live = loop.start("Go")
    while live.step() is not None:
        pass
    assert live.result is not None
    assert loop.resume(live.result, changes={"max_iterations": 2}).outcome == "completed"
    assert shop.looks == ["1", "2"]


def test_a_snapshot_that_the_approver_keeps_is_behind_when_the_run_goes_on(
    shop: Shop, server: StandIn, drive: Drive
) -> None:
    kept: list[str] = []

    def approver(_pending: PendingCall) -> bool:
        kept.append(live.snapshot())
        return True

    loop = shop.loop(server, approver=approver)
    live = loop.start("Go")
    assert drive(live).outcome == "completed"
    with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
        loop.resume(kept[0], decisions={"r1": approve})
    assert shop.refunds == [("481516", 40)]


@pytest.mark.parametrize("is_left", [False, True])
def test_a_snapshot_from_the_middle_is_resumed_if_the_run_was_left_there(
    server: StandIn, is_left: bool
) -> None:
    shop = Shop(requires_approval=False)
    loop = shop.loop(server)
    live, kept = loop.start("Go"), ""
    events = live.events()
    for event in events:
        if isinstance(event, OperationEnded) and event.step.operation == "parse_response" and not kept:
            kept = live.snapshot()
            if is_left:
                break
    events.close()
    if is_left:
        assert loop.resume(kept).outcome == "completed"
        with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
            live.run()
    else:
        with pytest.raises(SnapshotError, match=RESUMED_ALREADY):
            loop.resume(kept)
    assert shop.refunds == [("481516", 40)]
