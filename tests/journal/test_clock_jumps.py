"""The time of day may jump as it likes: it is for people, and nothing hangs on it."""

import itertools
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.engine.journal.stored import forked, told
from tests.journal.killing import KILLED, Driver, begin, exit_code, go_on, kill_at, start
from tests.journal.orders import Orders, assert_done_once, assert_replayed

from callagain import JournalFile, RunInProgressError

DAY = 86400.0


def set_clock(time_of_day: Callable[[], float]) -> None:
    """For a process of its own. What counts seconds, as the heartbeat does, stays as it is."""
    time.time = time_of_day


def jumping() -> Callable[[], float]:
    """A day ahead, a day behind, a day ahead …"""
    real, days = time.time, itertools.cycle([1, -1])
    return lambda: real() + DAY * next(days)


def test_a_run_is_killed_and_taken_up_under_a_clock_that_jumps(
    orders: Orders, path: Path, driver: Driver
) -> None:
    def work() -> None:
        set_clock(jumping())
        kill_at(20, "after")
        with closing(JournalFile(path)) as journal, Driver(is_async=driver.is_async) as own:
            begin(own, orders.loop(journal, is_async=driver.is_async), orders.book, "one")

    assert exit_code(start(work)) == KILLED
    with closing(JournalFile(path)) as journal:
        assert journal.read("one").status == "interrupted"
        loop = orders.loop(journal, is_async=driver.is_async)
        result = go_on(driver, loop, journal, orders.book, "one")
        assert result.outcome == "completed"
        assert_done_once(orders.book, "one")
        assert_replayed(loop.replay("one").raise_for_difference().result, result)


@pytest.mark.parametrize("days", [-1000, 1000])
def test_a_run_is_not_taken_from_its_driver_by_a_process_of_another_day(
    orders: Orders, path: Path, driver: Driver, days: int
) -> None:
    def work(pipe: Connection) -> None:
        assert pipe.recv() == "begun"
        real = time.time
        set_clock(lambda: real() + DAY * days)
        with closing(JournalFile(path)) as journal, Driver(is_async=driver.is_async) as own:
            loop = orders.loop(journal, is_async=driver.is_async)
            with pytest.raises(RunInProgressError, match=r"^the run 'one' is being driven by process "):
                own.resume(loop, "one")
            pipe.send("refused")
            assert pipe.recv() == "left"
            pipe.send(go_on(own, loop, journal, orders.book, "one").outcome)

    with closing(JournalFile(path)) as journal, forked(work) as (_, other):
        live = orders.loop(journal, is_async=False).start("Go", run_id="one")
        events = live.events()
        while live.state != "tool_dispatcher":
            next(events)
        other.send("begun")
        assert told(other) == "refused"
        events.close()
        journal.close()
        other.send("left")
        assert told(other) == "completed"
    assert_done_once(orders.book, "one")
