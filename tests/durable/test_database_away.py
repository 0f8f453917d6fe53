"""No database, another one, and one that goes away under running workers and comes back."""

import pytest
from tests.durable.caller import Caller
from tests.durable.server import GUARDED, PASSWORD, Server
from tests.durable.shop import Book, Shop, order
from tests.durable.waiting import until
from tests.durable.workers import Workers, pause

from callagain.durable import DurableToolLoop, DurableWorker
from callagain.engine.errors import CallAgainError, ConfigurationError, DatabaseError


def told_of(error: CallAgainError) -> str:
    """What somebody reads, which is one line."""
    assert len(str(error).splitlines()) == 1
    return str(error)


def refusals(shop: Shop, url: str) -> list[str]:
    """What a caller is told, and a worker."""
    with pytest.raises(DatabaseError) as of_caller:
        DurableToolLoop(shop.loop(), url).enqueue(order())
    with pytest.raises(DatabaseError) as of_worker:
        DurableWorker(shop.loop(), url, "one").start()
    return [told_of(of_caller.value), told_of(of_worker.value)]


def test_nothing_listens(shop: Shop) -> None:
    for text in refusals(shop, "postgres://me:s3cret@127.0.0.1:1/runs?password=s3cret"):
        assert text.startswith("the database postgres://me@127.0.0.1:1/runs cannot be used: ")
        assert "Connection refused" in text
        assert "s3cret" not in text


def test_a_wrong_password(shop: Shop, server: Server) -> None:
    for text in refusals(shop, server.url("postgres", user=GUARDED, password="wr0ng")):
        assert text.startswith(f"the database postgresql://{GUARDED}@/postgres cannot be used: ")
        assert f'password authentication failed for user "{GUARDED}"' in text
        assert "wr0ng" not in text


def test_a_database_that_is_not_there(shop: Shop, server: Server) -> None:
    for text in refusals(shop, server.url("nowhere", user=GUARDED, password=PASSWORD)):
        assert 'database "nowhere" does not exist' in text
        assert PASSWORD not in text


@pytest.mark.parametrize(
    "url", ["sqlite:///runs.db", "mysql://me:s3cret@host/runs", "host=there dbname=runs", "", None, 7]
)
def test_a_database_of_another_kind(shop: Shop, url: str) -> None:
    for make in (lambda: DurableToolLoop(shop.loop(), url), lambda: DurableWorker(shop.loop(), url, "one")):
        with pytest.raises(ConfigurationError) as caught:
            make()
        assert told_of(caught.value) == (
            "the database must be PostgreSQL, by a URL like postgresql://user:password@host:5432/name"
        )


@pytest.mark.parametrize(
    "password",
    [
        "s3cret/more",
        "s3cret#more",
        "s3cret?more",
        "s3[cret",
        "s3cret@more",
        "s3%cret",
        "s3 cret",
        "s3%00cret",
    ],
)
def test_a_password_that_had_to_be_escaped(shop: Shop, password: str) -> None:
    """What is wrong with the URL is said without what is secret in it."""
    with pytest.raises((ConfigurationError, DatabaseError)) as caught:
        DurableToolLoop(shop.loop(), f"postgresql://me:{password}@127.0.0.1:1/runs").enqueue(order())
    text = told_of(caught.value)
    assert not [part for part in ("s3", "cret", "more") if part in text], text


def test_a_database_that_goes_away_and_comes_back(
    either_caller: Caller, workers: Workers, book: Book, server: Server
) -> None:
    """For longer than a worker may be silent; what tools did meanwhile is not lost, and not done again."""
    both = workers.start("one", "two", worker_concurrency=2)
    run_ids = [either_caller.enqueue(order("fetch", "pay!", "notify")) for _ in range(6)]
    until(lambda: len(book.lines(call_id="pay-2")) == 4, "four runs under way")
    server.stop()
    try:
        book.open()
        with pytest.raises(
            DatabaseError, match="the database postgresql://postgres@/test_.* cannot be used: "
        ):
            either_caller.status(run_ids[0])
        for worker in both:
            worker.told("trying again until it is back")
        pause(1.2)
    finally:
        server.start()
    assert [either_caller.settled(run_id, book).outcome for run_id in run_ids] == ["completed"] * 6
    for call_id in ("pay-2", "notify-3"):
        assert [book.times(run_id, call_id) for run_id in run_ids] == [1] * 6
    for worker in both:
        worker.told("the database is back")
        assert "is dead" not in worker.text()
        assert worker.is_alive
    assert [either_caller.status(run_id).crashes for run_id in run_ids] == [0] * 6
    assert [either_caller.status(run_id).part for run_id in run_ids] == [1] * 6
