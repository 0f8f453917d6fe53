"""The operation log: what happened, in events; and nothing anywhere if nobody asked for it."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

import pytest
import structlog

from callagain import Result, ToolContext, ToolLoop, tool
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]
Events = list[dict[str, Any]]

KEY = "sk-test-SECRET123"


@tool
def get_order_status(order_id: str, context: ToolContext) -> str:
    """Look up an order by its six-digit id."""
    context.log(f"asking the warehouse about {order_id}")
    return "shipped" + "!" * 600


@tool
def leak() -> str:
    """Returns what it should not."""
    return f"the key is {KEY}"


@tool
def boom() -> str:
    """Fails."""
    raise ValueError("locked")


@tool
def leak_by_error() -> str:
    """Fails with what it should not tell."""
    raise ValueError(KEY)


@pytest.fixture
def events() -> Events:
    return []


@pytest.fixture
def logger(events: Events) -> Any:
    def keep(_logger: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        events.append({**event, "level": level})
        raise structlog.DropEvent

    return structlog.wrap_logger(None, processors=[keep])


def loop_with(server: StandIn, logger: Any, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, api_key=KEY, tools=tools, logger=logger, **options)


ASKED = calls(("get_order_status", {"order_id": "481516"}))


def test_each_operation_is_an_event(run: Run, stand_in: Serve, events: Events, logger: Any) -> None:
    result = run(loop_with(stand_in([ASKED, says("Shipped.")]), logger, get_order_status), run_id="job-7")
    operations = [event for event in events if event["event"] == "operation"]
    assert [(event["operation"], event["loop_count"], event["next"]) for event in operations] == [
        ("initialize", 0, "llm_call"),
        ("llm_call", 0, "parse_response"),
        ("parse_response", 0, "tool_dispatcher"),
        ("tool_dispatcher", 1, "append_tool_result"),
        ("append_tool_result", 1, "llm_call"),
        ("llm_call", 1, "parse_response"),
        ("parse_response", 1, "extract_final"),
        ("extract_final", 1, "completed"),
    ]
    assert {event["run_id"] for event in events} == {"job-7"}
    assert all(event["outcome"] == "on_success" and event["seconds"] >= 0 for event in operations)
    parsed = [event for event in operations if event["operation"] == "parse_response"]
    assert sum(event["prompt_tokens"] for event in parsed) == result.usage.prompt_tokens
    assert events[-1]["event"] == "run_ended"
    assert (events[-1]["outcome"], events[-1]["loop_count"]) == ("completed", 1)


def test_a_tool_call_is_an_event_and_so_is_what_the_tool_writes(
    run: Run, stand_in: Serve, events: Events, logger: Any
) -> None:
    run(loop_with(stand_in([ASKED, says("Shipped.")]), logger, get_order_status))
    (line,) = [event for event in events if event["event"] == "write_to_operation_log"]
    assert (line["tool"], line["text"]) == ("get_order_status", "asking the warehouse about 481516")
    (called,) = [event for event in events if event["event"] == "tool_call"]
    assert (called["tool"], called["arguments"], called["error"]) == (
        "get_order_status",
        '{"order_id":"481516"}',
        None,
    )


class Note(Script):
    title = "Write a line"

    def run(self, variables: Variables) -> None:
        variables.write_to_operation_log(f"tools_messages: {variables.as_jitterbit()['tools_messages']}")
        variables.warn("look_here", "something to look at")


def test_an_operation_writes_to_the_log_too(run: Run, stand_in: Serve, events: Events, logger: Any) -> None:
    chain = TOOL_CALLING_LOOP.insert("note", Note(), before="extract_final")
    result = run(loop_with(stand_in([says("Hello.")]), logger, chain=chain))
    written = [event for event in events if event.get("operation") == "note"]
    assert [(event["event"], event["level"]) for event in written] == [
        ("write_to_operation_log", "info"),
        ("look_here", "warning"),
        ("operation", "info"),
    ]
    assert [(note.code, note.message) for note in result.warnings] == [("look_here", "something to look at")]


def test_payloads_are_cut_unless_said_otherwise(
    run: Run, stand_in: Serve, events: Events, logger: Any
) -> None:
    run(loop_with(stand_in([ASKED, says("Shipped.")]), logger, get_order_status))
    (called,) = [event for event in events if event["event"] == "tool_call"]
    assert called["result"] == f"shipped{'!' * 243} … (607 characters) … {'!' * 250}"


def test_payloads_may_be_whole(run: Run, stand_in: Serve, events: Events, logger: Any) -> None:
    server = stand_in([ASKED, says("Shipped.")])
    run(loop_with(server, logger, get_order_status, log_payloads="full"))
    requested = [event["InAndOut"] for event in events if event["event"] == "llm_request"]
    assert requested == [request.body.decode() for request in server.requests]
    assert len(json.loads(requested[1])["messages"]) == 3


def test_what_is_newest_in_inandout_is_seen(run: Run, stand_in: Serve, events: Events, logger: Any) -> None:
    server = stand_in([ASKED, says("Shipped.")])
    run(loop_with(server, logger, get_order_status))
    body = server.requests[1].body.decode()
    second = [event["InAndOut"] for event in events if event["event"] == "llm_request"][1]
    assert second == f"{body[:250]} … ({len(body)} characters) … {body[-250:]}"


PAYLOAD = "orders-of-Ada-Lovelace"


@tool
def quote(words: str) -> str:
    """Fails with what it was given."""
    raise ValueError(words)


@pytest.mark.parametrize(
    ("then", "outcome"),
    [
        ([calls(("quote", {"words": PAYLOAD}))] * 2, "limit"),
        ([calls(("quote", {"words": PAYLOAD})), Answer(400, {"error": PAYLOAD})], "failed"),
    ],
)
def test_payloads_may_be_left_out_everywhere(
    run: Run, stand_in: Serve, events: Events, logger: Any, then: list[Any], outcome: str
) -> None:
    loop = loop_with(stand_in(then), logger, quote, log_payloads="none", max_iterations=1)
    result = run(loop, PAYLOAD)
    assert result.outcome == outcome
    assert result.error is not None
    assert PAYLOAD in result.error.message
    assert PAYLOAD not in repr(events)
    assert not any({"InAndOut", "arguments", "result", "text", "exc_info"} & set(event) for event in events)
    assert [event["exception"] for event in events if event["event"] == "tool_exception"] == ["ValueError"]
    assert events[-1]["kind"] == result.error.kind


def test_lines_that_were_written_on_purpose_are_kept(
    run: Run, stand_in: Serve, events: Events, logger: Any
) -> None:
    run(loop_with(stand_in([ASKED, says("Shipped.")]), logger, get_order_status, log_payloads="none"))
    (line,) = [event for event in events if event["event"] == "write_to_operation_log"]
    assert line["text"] == "asking the warehouse about 481516"


def test_texts_of_errors_are_cut_as_payloads_are(
    run: Run, stand_in: Serve, events: Events, logger: Any
) -> None:
    refused = Answer(400, {"error": "no " * 1000})
    server = stand_in([calls(("quote", {"words": "word " * 1000})), refused])
    result = run(loop_with(server, logger, quote))
    assert result.error is not None
    message = result.error.message
    shown = f"{message[:250]} … ({len(message)} characters) … {message[-250:]}"
    assert [event["text"] for event in events if "kind" in event] == [shown, shown]
    (failed,) = [event for event in events if event["event"] == "tool_exception"]
    assert failed["exception"].startswith("Traceback (most recent call last):")
    assert failed["exception"].endswith("word word word \n")
    assert 2000 < len(failed["exception"]) < 2050


def test_events_pass_through_the_recipe_for_logging(run: Run, stand_in: Serve) -> None:
    """render_to_log_kwargs makes `extra` of the keys, by which LogRecord lets nothing be overwritten."""
    logger = structlog.wrap_logger(
        logging.getLogger("recipe"),
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    records: list[logging.LogRecord] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = Keep()
    recipe = logging.getLogger("recipe")
    recipe.addHandler(handler)
    recipe.setLevel(logging.DEBUG)
    try:
        chain = TOOL_CALLING_LOOP.insert("note", Note(), before="extract_final")
        run(loop_with(stand_in([ASKED, says("Shipped.")]), logger, get_order_status, chain=chain))
        run(loop_with(stand_in([calls(("boom", {})), Answer(400, "no")]), logger, boom))
        run(loop_with(stand_in([calls(("leak_by_error", {}))] * 2), logger, leak_by_error, max_iterations=1))
    finally:
        recipe.removeHandler(handler)
    ended = [record.__dict__ for record in records if record.getMessage() == "run_ended"]
    assert [(each["outcome"], each.get("kind")) for each in ended] == [
        ("completed", None),
        ("failed", "bad_request"),
        ("limit", "max_iterations"),
    ]
    failed = [record for record in records if record.getMessage() == "tool_exception"]
    assert ["Traceback" in record.__dict__["exception"] for record in failed] == [True, True]


def test_the_traceback_of_a_tool_goes_to_the_log_and_not_to_the_model(
    run: Run, stand_in: Serve, events: Events, logger: Any
) -> None:
    result = run(loop_with(stand_in([calls(("boom", {})), says("Sorry.")]), logger, boom))
    (failed,) = [event for event in events if event["event"] == "tool_exception"]
    assert (failed["level"], failed["tool"]) == ("error", "boom")
    assert failed["exception"].startswith("Traceback (most recent call last):\n")
    assert failed["exception"].endswith('raise ValueError("locked")\nValueError: locked\n')
    # A renderer would add the values of local variables to it.
    assert "exc_info" not in failed
    assert "Traceback" not in result.tool_results[0].content


@pytest.mark.parametrize("payloads", ["none", "cut", "full"])
def test_the_key_is_in_no_event_error_or_repr(
    run: Run, stand_in: Serve, events: Events, logger: Any, payloads: Any
) -> None:
    denied = Answer(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    server = stand_in([calls(("leak", {})), denied])
    loop = loop_with(server, logger, leak, log_payloads=payloads)
    result = run(loop, f"My key is {KEY}")
    assert result.error is not None
    assert (result.error.kind, result.error.message) == (
        "auth",
        "HTTP 401: Incorrect API key provided: ***; check the key, and that it belongs to this endpoint and "
        f"may use this model ({server.origin})",
    )
    seen = [repr(loop), repr(result), *map(repr, events), *map(repr, list(result.log)[-1:])]
    assert not [text for text in seen if KEY in text]


def test_structlog_is_the_applications_if_it_has_configured_it(run: Run, stand_in: Serve) -> None:
    kept: list[MutableMapping[str, Any]] = []

    def keep(_logger: object, _level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        kept.append(event)
        raise structlog.DropEvent

    server = stand_in([says("Hello.")])
    structlog.configure(processors=[keep])
    try:
        run(ToolLoop(model="m", base_url=server.base_url))
    finally:
        structlog.reset_defaults()
    assert [event["event"] for event in kept][-1] == "run_ended"


def test_otherwise_events_go_to_the_logger_callagain(
    run: Run, stand_in: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    server = stand_in([says("Hello.")])
    with caplog.at_level(logging.INFO, logger="callagain"):
        run(ToolLoop(model="m", base_url=server.base_url), run_id="job-7")
    ours = [record.getMessage() for record in caplog.records if record.name == "callagain"]
    assert ours[0].startswith("event=operation run_id=job-7 operation=initialize loop_count=0")
    assert ours[-1] == "event=run_ended run_id=job-7 outcome=completed loop_count=0"


PROGRAM = """
import asyncio
from callagain import ToolLoop
from callagain.testing import Answer, StandIn, calls, says

def boom() -> str:
    "Fails."
    raise ValueError("locked")

with StandIn([calls(("boom", {})), says("Sorry.")] * 2 + [says("")]) as server:
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[boom], max_iterations=1)
    loop.run("Go")
    asyncio.run(loop.arun("Go"))
    loop.run("Go")
"""


def test_without_a_configuration_nothing_is_written() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        capture_output=True,
        env={"PYTHONPATH": "src"},
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("wrapper", "factory"),
    [
        (structlog.BoundLogger, structlog.PrintLoggerFactory()),
        (structlog.BoundLogger, structlog.stdlib.LoggerFactory()),
        (structlog.stdlib.BoundLogger, structlog.PrintLoggerFactory()),
        (structlog.stdlib.BoundLogger, structlog.stdlib.LoggerFactory()),
        (structlog.make_filtering_bound_logger(10), structlog.PrintLoggerFactory()),
    ],
)
def test_whatever_logger_an_application_has_is_told_all(stand_in: Serve, wrapper: Any, factory: Any) -> None:
    """Its processors may do something with an event that no level lets through."""
    seen: list[str] = []

    def note(_logger: Any, _name: str, event: Any) -> Any:
        seen.append(event["event"])
        raise structlog.DropEvent

    structlog.configure(processors=[note], wrapper_class=wrapper, logger_factory=factory)
    try:
        loop = ToolLoop(model="m", base_url=stand_in([says("Yes.")]).base_url)
        assert loop.run("Is it?").outcome == "completed"
    finally:
        structlog.reset_defaults()
    assert "llm_request" in seen
    assert seen[-1] == "run_ended"
