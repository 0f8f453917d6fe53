"""A process is killed before and after each row of its journal; another one goes on, and nothing shows it."""

import itertools
from contextlib import closing
from pathlib import Path

import pytest
from tests.journal.killing import KILLED, Driver, When, begin, exit_code, go_on, kill_at, start
from tests.journal.orders import (
    CALLS,
    Orders,
    answers_by_call,
    assert_done_once,
    assert_intended,
    assert_replayed,
    seen,
)

from callagain import JournalFile


@pytest.mark.slow
def test_a_run_goes_on_after_any_row(orders: Orders, driver: Driver, path: Path) -> None:
    # Behind one row is before the next, but for the first and the last.
    when: When = "before" if driver.is_async else "after"
    with journal_of(path) as journal:
        loop = orders.loop(journal, is_async=driver.is_async)
        whole = begin(driver, loop, orders.book, "whole")
    row = 0
    for row in itertools.count(1):
        run_id = f"row-{row}"
        code = killed(orders, path, run_id, row, when, is_async=driver.is_async)
        if code == 0:
            break
        assert code == KILLED
        with journal_of(path) as journal:
            assert_intended(journal, orders.book, run_id)
            loop = orders.loop(journal, is_async=driver.is_async)
            result = go_on(driver, loop, journal, orders.book, run_id)
            assert seen(result) == seen(whole), run_id
            assert answers_by_call(result) == {each.id: 1 for each in CALLS}, run_id
            assert_done_once(orders.book, run_id)
            assert_replayed(loop.replay(run_id).raise_for_difference().result, result)
            assert {run.status for run in journal.list(limit=1000)} == {"completed"}
    assert row > 45, "it has more entries and steps than that"


def killed(orders: Orders, path: Path, run_id: str, row: int, when: When, *, is_async: bool) -> int:
    """How a process ends that runs all of it, unless it comes to this row."""

    def work() -> None:
        kill_at(row, when)
        with journal_of(path) as journal, Driver(is_async=is_async) as driver:
            begin(driver, orders.loop(journal, is_async=is_async), orders.book, run_id)

    return exit_code(start(work))


def journal_of(path: Path) -> "closing[JournalFile]":
    """It is the process that ends, and not the power."""
    return closing(JournalFile(path, "process"))
