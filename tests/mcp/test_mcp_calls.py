"""What becomes of a call: results as text, errors, time, and servers that are lost on the way."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.conftest import BadServer, Call

from callagain import ToolLoop
from callagain.mcp import McpTools
from callagain.testing import StandIn, calls, says

NOBODY_KNOWS = "the connection broke during the call, and nobody knows what it did; check that first"


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("get_order", {"order_id": "4"}, '{\n  "order_id": "4",\n  "status": "shipped"\n}'),
        ("orders_find", {"count": 2}, "order 0\norder 1"),
        (
            "show",
            {},
            "Two pictures:\n[image: image/png, 3,000 bytes, not shown]\n"
            "[audio: audio/wav, 2 bytes, not shown]\n"
            "[resource link: invoice, file:///invoice.pdf, application/pdf]\n"
            "[resource: file:///note.txt]\nBy post.",
        ),
    ],
)
def test_a_result_is_text_that_a_model_can_read(
    orders: McpTools, call: Call, name: str, arguments: dict[str, object], text: str
) -> None:
    result = call(orders.list(), name, arguments)
    (answer,) = result.tool_results
    assert (answer.error, answer.full_content) == (None, text)
    assert answer.content.startswith("<untrusted_data")


def test_what_a_server_says_is_wrong_is_told_as_data(orders: McpTools, call: Call) -> None:
    (answer,) = call(orders.list(), "fail", {"words": "x"}).tool_results
    assert answer.error == "tool_exception"
    assert "<untrusted_data" in answer.content
    assert "Error executing tool fail" in answer.content


async def test_calls_run_at_the_same_time_in_async_code(orders: McpTools, tmp_path: Path) -> None:
    path = str(tmp_path / "lines")
    one = ("add_line", {"path": path, "seconds": 0.3})
    with StandIn([calls(one, one, one), says("Done.")]) as endpoint:
        loop = ToolLoop(model="m", base_url=endpoint.base_url, tools=await orders.alist())
        began = time.monotonic()
        result = await loop.arun("Go.")
        assert time.monotonic() - began < 0.9
    assert [answer.content.splitlines()[1] for answer in result.tool_results] == ["added"] * 3


def test_a_call_ends_at_its_timeout_and_the_connection_goes_on(
    bad_server: BadServer, orders: McpTools, call: Call, tmp_path: Path
) -> None:
    began = time.monotonic()
    hanging = bad_server("hangs in a call").list(timeout=0.3)
    assert call(hanging, "work", {}).tool_results[0].error == "timeout"
    path = str(tmp_path / "lines")
    slow = orders.list(allow=["add_line"], timeout=0.2)
    assert call(slow, "add_line", {"path": path, "seconds": 0.4}).tool_results[0].error == "timeout"
    assert call(slow, "add_line", {"path": path}).tool_results[0].error is None
    assert time.monotonic() - began < 10


async def test_a_cancelled_run_leaves_the_connection_in_order(orders: McpTools, tmp_path: Path) -> None:
    arguments = {"path": str(tmp_path / "lines"), "seconds": 0.5}
    with StandIn([calls(("add_line", arguments)), says("Done.")]) as endpoint:
        loop = ToolLoop(model="m", base_url=endpoint.base_url, tools=await orders.alist())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(loop.arun("Go."), 0.4)
    assert len(await orders.alist()) == 6


@pytest.mark.parametrize(
    ("options", "count", "outcome", "error"),
    [
        ({}, 1, "completed", "tool_cancelled"),
        ({"on_unknown": "fail"}, 1, "completed", "tool_cancelled"),
        ({"on_unknown": "ask", "timeout": 0.5}, 1, "suspended", None),
        ({"read_only": True}, 2, "completed", "tool_cancelled"),
        ({"on_unknown": "retry"}, 2, "completed", "tool_cancelled"),
    ],
)
def test_a_call_whose_server_dies_is_repeated_only_if_that_is_allowed(
    bad_server: BadServer,
    call: Call,
    tmp_path: Path,
    options: dict[str, Any],
    count: int,
    outcome: str,
    error: str | None,
) -> None:
    made = tmp_path / "calls"
    tools = bad_server("dies in a call", str(made)).list(**options)
    result = call(tools, "work", {})
    assert made.read_text() == "call\n" * count
    assert result.outcome == outcome
    if error is None:
        assert result.error is not None
        assert result.error.kind == "call_outcome_unknown"
    else:
        (answer,) = result.tool_results
        assert answer.error == error
        assert NOBODY_KNOWS in answer.content


def test_a_server_that_died_is_started_again_for_the_next_call(
    bad_server: BadServer, call: Call, tmp_path: Path
) -> None:
    made = tmp_path / "calls"
    tools = bad_server("dies in its first call", str(made)).list()
    (died,) = call(tools, "work", {}).tool_results
    (again,) = call(tools, "work", {}).tool_results
    assert (died.error, again.error, again.full_content) == ("tool_cancelled", None, "done")
    assert made.read_text() == "call\n" * 2


def test_a_process_gets_no_key_of_the_programs_and_its_own_is_not_shown(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the program's own")
    command = [sys.executable, str(Path(__file__).parent / "server.py")]
    with McpTools.stdio(command, env={"API_TOKEN": "s3cret-of-orders"}) as source:
        tools = source.list()
        (foreign,) = call(tools, "environment", {"name": "OPENAI_API_KEY"}).tool_results
        (its_own,) = call(tools, "environment", {"name": "API_TOKEN"}).tool_results
    assert (foreign.full_content, its_own.full_content) == ("not set", "***")


@pytest.mark.parametrize(
    ("mode", "count", "error", "words"),
    [
        ("error -32000 paid, but there is no receipt", 1, "tool_exception", "paid, but there is no receipt"),
        ("error 1480001 no receipt", 1, "tool_exception", "no receipt"),
        # As a server of the SDK says when it is stopped.
        ("error -32000 Connection closed", 2, "tool_cancelled", NOBODY_KNOWS),
    ],
)
def test_an_error_that_the_server_answers_with_is_an_answer(
    bad_server: BadServer, call: Call, tmp_path: Path, mode: str, count: int, error: str, words: str
) -> None:
    made = tmp_path / "calls"
    (answer,) = call(bad_server(mode, str(made)).list(read_only=True), "work", {}).tool_results
    assert (answer.error, made.read_text()) == (error, "call\n" * count)
    assert words in answer.content


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        (
            "unknown parts",
            "[hologram: not shown]\n[image: not shown]\n[resource: not shown]\n"
            "[a part of no known type: not shown]\nplain",
        ),
        ("structured content alone", '{"a":1}'),
    ],
)
def test_a_part_that_cannot_be_shown_costs_no_other_one(
    bad_server: BadServer, call: Call, mode: str, text: str
) -> None:
    (answer,) = call(bad_server(mode).list(), "work", {}).tool_results
    assert (answer.error, answer.full_content) == (None, text)


def test_secrets_are_hidden_in_whatever_form_they_are_quoted(bad_server: BadServer, call: Call) -> None:
    environment = {"API_TOKEN": 'k"ö\\y/of mine', "DSN": "postgres://me:pass%20word@db", "NICKNAME": "jo-1"}
    tools = bad_server("quotes its secrets", env=environment, secrets=["jo-1"]).list()
    (answer,) = call(tools, "work", {}).tool_results
    assert answer.full_content == '*** "***" *** postgres://me:***@db ***\n{"***":"***"}'


@pytest.mark.parametrize(
    ("mode", "options", "error", "most"),
    [
        ("long result", {}, None, 51_000),
        ("long error", {}, "tool_exception", 3_000),
        ("endless result", {"max_message_bytes": 1_000_000}, "tool_cancelled", 1_000),
        ("no result", {}, "invalid_result", 1_000),
    ],
)
def test_a_flood_is_bounded(
    bad_server: BadServer, call: Call, mode: str, options: dict[str, Any], error: str | None, most: int
) -> None:
    (answer,) = call(bad_server(mode, **options).list(), "work", {}).tool_results
    assert answer.error == error
    assert len(answer.content) <= most
    assert ("answer has more than 1,000,000 bytes" in answer.content) is (mode == "endless result")
    assert "pydantic" not in answer.content


def test_a_call_after_close_is_not_made(bad_server: BadServer, call: Call) -> None:
    source = bad_server("well")
    tools = source.list()
    assert call(tools, "work", {}).tool_results[0].error is None
    source.close()
    assert call(tools, "work", {}).tool_results[0].error == "not_executed"
