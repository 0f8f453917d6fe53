"""What cannot be meant is said before anything has happened, in one line."""

from pathlib import Path
from typing import Any

import pytest
from tests.durable.shop import Shop

from callagain import ConfigurationError, JournalFile, PendingCall, Verdict, approve
from callagain.durable import DurableToolLoop, DurableWorker

# Nothing listens there, and nobody asks.
URL = "postgresql://me@127.0.0.1:1/runs"


def refused(shop: Shop, executor_id: Any = "one", **options: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        DurableWorker(shop.loop(), URL, executor_id, **options)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text


@pytest.mark.parametrize("executor_id", ["local", " local ", "", "  ", None, 7])
def test_a_worker_needs_a_name_of_its_own(shop: Shop, executor_id: Any) -> None:
    assert refused(shop, executor_id) == (
        "give each worker an executor id of its own, such as the name of its host and a number; 'local' is "
        "what every process of DBOS is called that has none"
    )


@pytest.mark.parametrize("name", ["concurrency", "worker_concurrency", "max_crashes"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2"])
def test_counts_are_whole_numbers(shop: Shop, name: str, value: Any) -> None:
    text = refused(shop, **{name: value})
    assert text == f"{name} must be a whole number, 1 or more, not {value!r}"


def test_there_is_always_an_end_of_crashes(shop: Shop) -> None:
    text = refused(shop, max_crashes=None)
    assert text == "max_crashes must be a whole number, 1 or more, not None"


@pytest.mark.parametrize("rate", [(0, 1.0), (5, 0), (5,), (1, 2, 3), 5, "5/s", ("5", 1.0), (1.5, 1.0)])
def test_a_rate_is_two_numbers(shop: Shop, rate: Any) -> None:
    assert refused(shop, rate=rate).startswith("rate must be (runs, seconds), ")
    assert refused(shop, rate=rate).endswith(f"not {rate!r}")


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), "1", None])
def test_it_looks_for_runs_again_and_again(shop: Shop, value: Any) -> None:
    assert refused(shop, poll_seconds=value) == f"poll_seconds must be more than 0, not {value!r}"


@pytest.mark.parametrize(
    ("beat_seconds", "dead_after"),
    [(1.0, 2.9), (0, 1.0), (-1.0, 1.0), (float("nan"), 1.0), ("1", 5.0), (1, None)],
)
def test_a_living_worker_is_never_silent_for_long(shop: Shop, beat_seconds: Any, dead_after: Any) -> None:
    text = refused(shop, beat_seconds=beat_seconds, dead_after=dead_after)
    assert text.startswith("dead_after must be at least three times beat_seconds")


def test_no_worker_has_more_places_than_all_together(shop: Shop) -> None:
    text = refused(shop, concurrency=2, worker_concurrency=3)
    assert text.startswith("worker_concurrency (3) is of one worker and concurrency (2) of all")


def test_few_places_over_all_workers_need_no_second_number(shop: Shop) -> None:
    assert DurableWorker(shop.loop(), URL, "one", concurrency=2).queue == "callagain"


def both_refuse(loop: Any, **options: Any) -> set[str]:
    texts = set[str]()
    for make in (
        lambda: DurableToolLoop(loop, URL, **options),
        lambda: DurableWorker(loop, URL, "one", **options),
    ):
        with pytest.raises(ConfigurationError) as caught:
            make()
        texts.add(str(caught.value))
    return texts


@pytest.mark.parametrize("queue", ["", " ", "_dbos_internal_queue", None, 7])
def test_a_queue_has_a_name(shop: Shop, queue: Any) -> None:
    assert both_refuse(shop.loop(), queue=queue) == {
        f"queue must be a name that does not begin with _dbos_ and has no :suspects in it, not {queue!r}"
    }


def approves(_: PendingCall) -> Verdict:
    return approve


def test_a_loop_with_an_approver(shop: Shop) -> None:
    (text,) = both_refuse(shop.loop(approver=approves))
    assert (
        "make the loop without approver=, and decide about suspended runs by resume(run_id, decisions=…)"
        in text
    )


def test_a_loop_with_a_journal(shop: Shop, tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "runs.db")
    assert both_refuse(shop.loop(journal=journal)) == {
        "the database keeps the runs; make the loop without journal="
    }
    journal.close()


@pytest.mark.parametrize("loop", [None, "loop.py", DurableToolLoop])
def test_something_that_is_no_loop(loop: Any) -> None:
    assert both_refuse(loop) == {f"a durable loop is made of a ToolLoop, not of a {type(loop).__name__}"}


def test_without_the_extra(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_: str) -> None:
        """Not installed."""

    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with pytest.raises(ConfigurationError, match=r"durable runs need DBOS: pip install 'callagain\[dbos\]'"):
        DurableToolLoop(shop.loop(), "postgresql://me@host/runs")
