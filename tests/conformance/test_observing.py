"""How a case becomes a run: its server, its tools, its settings; and what is refused, never left out."""

import http.client
import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.conformance.case import Case, CaseError, JsonDict
from tests.conformance.expectations import mismatches
from tests.conformance.observing import message_and_history, observe
from tests.conformance.server import CaseServer, in_order

from callagain import ToolSchemaError

JSON_HEADERS = {"content-type": "application/json"}
EVENTS = {"content-type": "text/event-stream"}
USER = {"role": "user", "content": "Hi"}


def response(message: JsonDict) -> JsonDict:
    body = {"choices": [{"index": 0, "message": {"role": "assistant", **message}}]}
    return {"status": 200, "headers": JSON_HEADERS, "body": body}


def calling(name: str, arguments: str = "{}") -> JsonDict:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return response({"content": None, "tool_calls": [call]})


HELLO = Case(
    id="hello",
    transport="chat",
    request={"model": "m", "messages": [USER]},
    responses=[response({"content": "Hello."})],
    expect={"outcome": "completed", "final_text": "Hello."},
)


def with_tool(entry: JsonDict, arguments: str = "{}", **fields: Any) -> Case:
    return replace(
        HELLO, responses=[calling(entry["name"], arguments), *HELLO.responses], tools=[entry], **fields
    )


def python(name: str, source: str, **options: Any) -> JsonDict:
    return {"name": name, "behaviour": "python", "source": source, **options}


def answers(responses: list[JsonDict], count: int = 1) -> list[tuple[int, dict[str, str], bytes]]:
    found: list[tuple[int, dict[str, str], bytes]] = []
    with CaseServer(in_order(responses)) as server:
        for _ in range(count):
            connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
            connection.request("POST", "/v1/chat/completions", b'{"n": 1}')
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            found.append((answer.status, headers, answer.read()))
            # The server has closed: nothing more can be asked on this connection.
            assert connection.sock is None
        assert server.requests == [{"n": 1}] * count
    return found


def test_a_json_body_has_its_headers_and_a_length() -> None:
    headers = {**JSON_HEADERS, "retry-after": "1"}
    ((status, got, body),) = answers([{"status": 429, "headers": headers, "body": {"error": None}}])
    assert (status, json.loads(body)) == (429, {"error": None})
    assert got == {**headers, "content-length": str(len(body)), "connection": "close"}


def test_an_event_stream_is_lines_until_the_connection_ends() -> None:
    ((_, got, body),) = answers(
        [{"status": 200, "headers": EVENTS, "body": [": é", "data: 1\r", "", "data: "]}]
    )
    assert body == ": é\ndata: 1\r\n\ndata: \n".encode()
    assert got == {**EVENTS, "connection": "close"}


def test_a_text_is_sent_as_it_stands_and_a_length_may_be_the_cases_own() -> None:
    headers = {"content-type": "text/html", "content-length": "3"}
    ((_, got, body),) = answers([{"status": 200, "headers": headers, "body": "<p>"}])
    assert (got["content-length"], body) == ("3", b"<p>")


def test_the_last_response_comes_again() -> None:
    responses: list[JsonDict] = [{"status": 200, "headers": {}, "body": text} for text in ("one", "two")]
    assert [body for _, _, body in answers(responses, count=3)] == [b"one", b"two", b"two"]


@pytest.mark.parametrize(
    ("behaviour", "content"),
    [
        ({"behaviour": "return", "value": {"a": [1]}}, '{"a":[1]}'),
        ({"behaviour": "count", "value": "one", "delay": 0.01}, "one"),
        ({"behaviour": "echo"}, '{"x":1}'),
        ({"behaviour": "sleep", "seconds": 0.01}, "null"),
        (
            {"behaviour": "raise", "exc": "KeyError", "message": "x"},
            """{"error":{"code":"tool_exception","message":"KeyError: 'x'"}}""",
        ),
        ({"behaviour": "python", "source": "def do(x: int):\n  'Does.'\n  return x + 1"}, "2"),
        ({"behaviour": "python", "source": "async def do(x: int):\n  'Does.'\n  return x + 2"}, "3"),
        (
            {
                "behaviour": "python",
                "source": "from callagain import tool\n@tool\ndef do(x: int):\n  'Does.'\n  return x + 3",
            },
            "4",
        ),
        ({"behaviour": "return", "value": "v", "sequential": True, "description": "Does."}, "v"),
    ],
)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_tool_behaves_and_its_calls_are_known(
    behaviour: JsonDict, content: str, asynchronous: bool
) -> None:
    properties = {"type": "object", "properties": {"x": {"type": "integer"}}}
    schema = {} if "source" in behaviour else {"parameters": properties}
    seen = observe(with_tool({"name": "do", **behaviour, **schema}, '{"x": 1}'), asynchronous=asynchronous)
    expect = {
        "outcome": "completed",
        "tool_results": [{"content": content}],
        "invocations": [{"name": "do", "args": {"x": 1}}],
    }
    assert list(mismatches(expect, seen)) == []


def test_postponed_annotations_are_looked_up_in_the_tools_own_module() -> None:
    source = (
        "from __future__ import annotations\nfrom decimal import Decimal\n"
        "def pay(amount: Decimal):\n  'Pays.'\n  return amount.is_signed()"
    )
    seen = observe(with_tool(python("pay", source), '{"amount": "-1.5"}'), asynchronous=False)
    results = [{"content": "true"}]
    invocations = [{"name": "pay", "args": {"amount": "-1.5"}}]
    expect = {"outcome": "completed", "tool_results": results, "invocations": invocations}
    assert list(mismatches(expect, seen)) == []


@pytest.mark.parametrize(
    "source",
    [
        "def who():\n  'Who.'\n  return tenant.get()",
        "async def who():\n  'Who.'\n  return tenant.get()",
        "from contextvars import ContextVar\nmine = ContextVar('tenant')\n"
        "def who():\n  'Who.'\n  return mine.get()",
    ],
)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_tool_reads_the_callers_context(source: str, asynchronous: bool) -> None:
    case = with_tool(python("who", source), config={"context": {"tenant": "acme"}})
    seen = observe(case, asynchronous=asynchronous)
    assert [result.content for result in seen.tool_results] == ["acme"]


def test_the_fields_of_the_request_and_of_config_are_sent() -> None:
    request = {**HELLO.request, "temperature": 0.5}
    config = {"tool_choice": "required", "parallel_tool_calls": False}
    tool = {"name": "ping", "behaviour": "return", "value": "pong"}
    (body,) = observe(
        replace(HELLO, request=request, config=config, tools=[tool]), asynchronous=False
    ).requests
    assert (body["temperature"], body["tool_choice"], body["parallel_tool_calls"]) == (0.5, "required", False)


def test_seconds_for_the_run_are_its_deadline() -> None:
    tool = {"name": "slow", "behaviour": "sleep", "seconds": 0.2}
    seen = observe(with_tool(tool, config={"run_deadline_seconds": 0.15}), asynchronous=False)
    assert (seen.outcome, seen.error_kind) == ("limit", "deadline")


ANSWER = {"role": "assistant", "content": "Hello."}


@pytest.mark.parametrize(
    ("transport", "request_", "message", "history"),
    [
        ("chat", {"messages": [ANSWER, USER]}, "Hi", [ANSWER]),
        ("chat", {"messages": [USER, ANSWER]}, "", [USER, ANSWER]),
        ("chat", {"messages": []}, "", []),
        ("responses", {"input": "Hi"}, "Hi", []),
        ("responses", {"input": [ANSWER, {"type": "message", **USER}]}, "Hi", [ANSWER]),
    ],
)
def test_the_users_last_message_is_the_message(
    transport: str, request_: JsonDict, message: Any, history: list[Any]
) -> None:
    case = replace(HELLO, transport=transport, request={"model": "m", **request_})
    assert message_and_history(case) == (message, history)


PING: JsonDict = {"name": "ping", "behaviour": "return", "value": "pong"}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"transport": "telnet"}, "unknown transport 'telnet'; known are chat, "),
    ({"unknown": ("colour",)}, "the case has the unknown key 'colour'"),
    ({"request": {"messages": [USER]}}, "the request has no model"),
    ({"request": {"model": "m"}}, "the request has no messages"),
    (
        {"request": {**HELLO.request, "input": "Hi"}},
        "request.input is not read in a case of the transport chat",
    ),
    (
        {"transport": "responses", "request": {**HELLO.request, "input": "Hi"}},
        "request.messages is not read in a case of the transport responses",
    ),
    ({"request": {**HELLO.request, "stream": True}}, "request.stream is not read"),
    ({"request": {"model": "m", "messages": 7}}, "request.messages must be a string or a list, and is 7"),
    ({"config": {"request_options": [1]}}, "config.request_options must be an object, and is [1]"),
    ({"config": {"context": [1]}}, "config.context must be an object, and is [1]"),
    ({"config": {"deadline_by": None}}, "config.deadline_by must be a string, and is None"),
    (
        {"config": {"deadline_by": "asyncio.timeout", "run_deadline_seconds": float("nan")}},
        "config.run_deadline_seconds must be a number of seconds from 0, and is nan",
    ),
    (
        {"responses": [{"status": "200"}]},
        "the status of a response must be a whole number from 200 to 599, and is '200'",
    ),
    (
        {"responses": [{"status": 200, "headers": {"retry-after": 1}}]},
        "headers of a response must be an object of strings, and is {'retry-after': 1}",
    ),
    ({"config": {"colour": "red"}}, "config.colour is no option of ToolLoop; known are "),
    ({"config": {"deadline_by": "a watchdog"}}, "config.deadline_by 'a watchdog' is not known"),
    ({"responses": [{"status": 200, "trailers": {}}]}, "a response has the unknown key 'trailers'"),
    ({"tools": [{**PING, "behaviour": "sing"}]}, "tool ping: unknown behaviour 'sing'; known are "),
    ({"tools": [{**PING, "seconds": 1}]}, "tool ping: seconds is no option here; known are "),
    ({"tools": [{"name": "ping", "behaviour": "sleep"}]}, "tool ping: the behaviour sleep needs seconds"),
    ({"tools": [{"name": "f", "behaviour": "raise", "exc": "Oops"}]}, "there is no exception Oops"),
    (
        {"tools": [{"name": "f", "behaviour": "raise", "exc": "nowhere.Oops"}]},
        "there is no exception nowhere.",
    ),
    ({"tools": [{"name": "f", "behaviour": "raise", "exc": 7}]}, "tool f: exc must be a string, and is 7"),
    ({"tools": [{**PING, "delay": "1"}]}, "tool ping: delay must be a number of seconds from 0, and is '1'"),
    (
        {"tools": [{"name": "ping", "behaviour": "sleep", "seconds": True}]},
        "tool ping: seconds must be a number of seconds from 0, and is True",
    ),
    ({"tools": [python("f", "def f(:")]}, "tool f: its source cannot be run: SyntaxError: invalid syntax"),
    (
        {"tools": [python("f", "import nowhere_at_all")]},
        "tool f: its source cannot be run: ModuleNotFoundError",
    ),
    ({"tools": [python("f", "raise SystemExit")]}, "tool f: its source cannot be run: SystemExit"),
    ({"tools": [python("f", "def g(): pass")]}, "tool f: its source defines nothing of this name"),
    ({"tools": [python("f", "def f(): 'F.'", colour=1)]}, "tool f: colour is no option here; known are "),
]


@pytest.mark.parametrize("expect", [HELLO.expect, {"outcome": "raises"}], ids=["completed", "raises"])
@pytest.mark.parametrize(("fields", "problem"), REFUSED)
def test_what_nobody_knows_is_refused(fields: dict[str, Any], problem: str, expect: JsonDict) -> None:
    with pytest.raises(CaseError) as raised:
        observe(replace(HELLO, **fields, expect=expect), asynchronous=False)
    assert str(raised.value).startswith(problem)


def test_a_fault_of_the_case_is_no_expected_exception() -> None:
    case = replace(HELLO, config={"tools": []}, expect={"outcome": "raises"})
    with pytest.raises(CaseError, match=r"the loop cannot be built: TypeError: .* 'tools'"):
        observe(case, asynchronous=False)


def test_an_error_of_the_product_in_the_source_of_a_tool_may_be_expected() -> None:
    source = "from callagain import tool\n@tool\ndef bad(*args): pass"
    case = replace(HELLO, tools=[python("bad", source)], expect={"outcome": "raises"})
    assert isinstance(observe(case, asynchronous=False).raised, ToolSchemaError)


def test_an_exception_that_is_not_expected_leaves_the_runner() -> None:
    tool: JsonDict = {"name": "stop", "behaviour": "raise", "exc": "SystemExit"}
    with pytest.raises(SystemExit):
        observe(with_tool(tool), asynchronous=False)
    seen = observe(with_tool(tool, expect={"outcome": "raises"}), asynchronous=False)
    assert isinstance(seen.raised, SystemExit)
    assert (seen.loop_count, len(seen.requests)) == (1, 1)
