"""The key of the endpoint and the password of the database are nowhere, whatever happens."""

import pytest
from tests.durable.caller import Caller
from tests.durable.conftest import CallerOf
from tests.durable.server import GUARDED, PASSWORD, Server, rows
from tests.durable.shop import Book, Shop, answers, order
from tests.durable.waiting import until
from tests.durable.workers import Workers

from callagain import ToolLoop, tool

KEY = "sk-callagain-98765"
TABLES = (
    "SELECT table_schema, table_name FROM information_schema.tables "
    "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'"
)


def dumped(url: str) -> str:
    """All tables of the database as text."""
    return "\n".join(
        f"{table}: {row}"
        for schema, table in rows(url, TABLES)
        for (row,) in rows(url, f'SELECT t::text FROM "{schema}"."{table}" t')
    )


@tool
def show_key() -> str:
    """Show the key."""
    return f"the key is {KEY}"


@tool
def fail_with_key() -> str:
    """Fail, and say the key."""
    raise OSError(f"401 for {KEY}")


@pytest.mark.filterwarnings("error")
def test_they_stand_nowhere(
    caller_of: CallerOf, workers: Workers, shop: Shop, book: Book, server: Server, url: str
) -> None:
    name = url.partition("?")[0].rpartition("/")[2]
    guarded = server.url(name, user=GUARDED, password=PASSWORD)
    tools = [*shop.tools, show_key, fail_with_key]
    loop = ToolLoop(model="m", base_url=shop.server.base_url, api_key=KEY, tools=tools)
    workers.loop, workers.url = loop, guarded
    caller: Caller = caller_of(loop, guarded)
    victim = workers.start_one("one")
    run_id = caller.enqueue(order(["show_key", "fail_with_key"], "pay!"))
    until(lambda: book.times(run_id, "pay-2", "begun"), "pay under way")
    victim.kill()
    workers.start_one("two")
    waiting = caller.result(run_id)
    assert [call.id for call in waiting.pending_calls] == ["pay-2"]
    book.open()
    result = caller.settled(run_id, book)
    assert result.outcome == "completed"
    assert {request.headers["authorization"] for request in shop.server.requests} == {f"Bearer {KEY}"}
    assert "the key is " in answers(result)["show_key-1"]
    text = dumped(guarded)
    assert f"{run_id}#2" in text
    for place in (text, workers.text(), repr(caller.durable), result.snapshot()):
        assert KEY not in place
        assert PASSWORD not in place
