"""Each expectation holds where it is true, and is told where it is not."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.conformance.case import Case, JsonDict
from tests.conformance.expectations import mismatches
from tests.conformance.observed import Observed
from tests.conformance.observing import observe

JSON_HEADERS = {"content-type": "application/json"}
REQUEST: JsonDict = {"model": "m", "messages": [{"role": "user", "content": "Where is order 7?"}]}
LOOK_UP: JsonDict = {
    "name": "look_up",
    "behaviour": "echo",
    "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
}
BOOM: JsonDict = {"name": "boom", "behaviour": "raise", "exc": "ValueError", "message": 'no "order" 7'}


def response(message: JsonDict, finish_reason: str = "stop") -> JsonDict:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
    return {"status": 200, "headers": JSON_HEADERS, "body": {"choices": [choice], "usage": usage}}


def call(call_id: str, name: str, arguments: str) -> JsonDict:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


# The arguments of look_up are encoded twice, which is a warning.
CALLS: JsonDict = {
    "content": None,
    "tool_calls": [call("call_1", "look_up", '"{\\"id\\": \\"7\\"}"'), call("call_2", "boom", "{}")],
}
RESULTS: list[JsonDict] = [
    {"id": "call_1", "name": "look_up", "ok": True, "content": '{"id":"7"}', "content_json": {"id": "7"}},
    {
        "id": "call_2",
        "name": "boom",
        "ok": False,
        "error": "tool_exception",
        "contains": ["ValueError", 'no "order" 7'],
        "not_contains": ["Traceback"],
    },
]


def sent(op: str, pointer: str, *value: object) -> JsonDict:
    return {"request": 2, "pointer": pointer, "op": op, **({"value": value[0]} if value else {})}


CALL, RESULT = "/messages/1/tool_calls/0", "/messages/2"
SENT = [
    sent("absent", "/messages/4"),
    sent("equals", "/messages/1/content", None),
    sent("equals_json", f"{CALL}/function/arguments", {"id": "7"}),
    sent("type", f"{CALL}/function/arguments", "string"),
    sent("matches", f"{RESULT}/tool_call_id", "^call_[0-9]$"),
    sent("same_as", f"{RESULT}/tool_call_id", f"{CALL}/id"),
    sent("differs_from", "/messages/3/tool_call_id", f"{CALL}/id"),
    sent("max_length", f"{RESULT}/content", 10),
]

SCENES: Mapping[str, Case] = {
    "answered": Case(
        id="answered",
        transport="chat",
        request=REQUEST,
        responses=[response(CALLS, "tool_calls"), response({"content": "Unknown."})],
        tools=[LOOK_UP, BOOM],
        expect={
            "outcome": "completed",
            "final_text": "Unknown.",
            "loop_count": 1,
            "requests": 2,
            "tool_results": RESULTS,
            "invocations": [{"name": "boom", "args": {}}, {"name": "look_up", "args": {"id": "7"}}],
            "pending_calls": [],
            "messages_len": 5,
            "usage": {"prompt_tokens": 40, "completion_tokens": 10},
            "warnings": ["arguments_repaired"],
            "vars": {"loop_count": 1, "call_llm_again": False, "function_arguments": {"id": "7"}},
            "sent": SENT,
            "nowhere": ["sk-test-conformance"],
            "min_seconds": 0,
            "max_seconds": 60,
        },
    ),
    "left open": Case(
        id="left open",
        transport="chat",
        request=REQUEST,
        responses=[response(CALLS, "tool_calls")],
        config={"max_iterations": 0},
        tools=[LOOK_UP, BOOM],
        expect={
            "outcome": "limit",
            "final_text": None,
            "error_kind": "max_iterations",
            "pending_calls": [{"id": "call_1", "name": "look_up"}, {"id": "call_2", "name": "boom"}],
            "tool_results": [],
            "invocations": [],
            "vars": {"tools_messages": "", "call_llm_again": True},
        },
    ),
    "cut": Case(
        id="cut",
        transport="chat",
        request=REQUEST,
        responses=[response({"content": "It was sent on Mon"}, "length")],
        expect={"outcome": "failed", "error_kind": "truncated", "partial_text": "It was sent on Mon"},
    ),
    "told to wait": Case(
        id="told to wait",
        transport="chat",
        request=REQUEST,
        responses=[
            {
                "status": 429,
                "headers": {**JSON_HEADERS, "retry-after": "90000"},
                "body": {"error": {"message": "slow down"}},
            }
        ],
        expect={"outcome": "failed", "retry_after": 90000, "error_contains": ["slow down"]},
    ),
    "refused": Case(
        id="refused",
        transport="config",
        request=REQUEST,
        responses=[],
        tools=[{"name": "bad", "behaviour": "python", "source": "def bad(*args): pass"}],
        expect={"outcome": "raises", "raises": "ToolSchemaError", "requests": 0, "loop_count": 0},
    ),
}


@functools.cache
def seen(scene: str) -> Observed:
    return observe(SCENES[scene], asynchronous=False)


@pytest.mark.parametrize("scene", SCENES)
def test_the_truth_holds(scene: str) -> None:
    assert list(mismatches(SCENES[scene].expect, seen(scene))) == []


LIES: list[tuple[str, str, Any]] = [
    ("answered", "outcome", "failed"),
    ("answered", "outcome", "raises"),
    ("answered", "error_kind", "truncated"),
    ("answered", "error_contains", ["order"]),
    ("answered", "final_text", "Shipped."),
    ("answered", "final_text", None),
    ("answered", "loop_count", 2),
    ("answered", "loop_count", True),
    ("answered", "requests", 1),
    ("answered", "partial_text", "Unknown."),
    ("answered", "retry_after", 1),
    ("answered", "raises", "ValueError"),
    ("answered", "messages_len", 4),
    ("answered", "usage", {"prompt_tokens": 20}),
    ("answered", "usage", {"tokens": 50}),
    ("answered", "warnings", ["arguments_repaired", "tool_name_repaired"]),
    ("answered", "vars", {"loop_count": 2}),
    ("answered", "vars", {"call_llm_again": 0}),
    ("answered", "vars", {"colour": None}),
    ("answered", "nowhere", ["look_up"]),
    ("answered", "min_seconds", 60),
    ("answered", "max_seconds", 0),
    ("answered", "colour", "red"),
    ("answered", "invocations", []),
    ("answered", "invocations", [{"name": "boom", "args": {}}]),
    ("answered", "pending_calls", [{"id": "call_1"}]),
    ("left open", "outcome", "suspended"),
    ("left open", "error_kind", "deadline"),
    ("left open", "pending_calls", []),
    ("left open", "pending_calls", [{"id": "call_2"}, {"id": "call_1"}]),
    ("left open", "pending_calls", [{"id": "call_1"}, {"colour": "red"}]),
    ("left open", "invocations", [{"name": "boom", "args": {}}]),
    ("left open", "vars", {"tools_messages": ["call_1"]}),
    ("cut", "partial_text", None),
    ("cut", "final_text", "It was sent on Mon"),
    ("told to wait", "retry_after", 90),
    ("told to wait", "error_contains", ["slow down", "quota"]),
    ("refused", "raises", "DuplicateToolError"),
    ("refused", "outcome", "failed"),
    ("refused", "messages_len", 1),
    ("refused", "error_contains", ["good"]),
]


@pytest.mark.parametrize(("scene", "key", "lie"), LIES)
def test_a_lie_is_told(scene: str, key: str, lie: Any) -> None:
    told = list(mismatches({**SCENES[scene].expect, key: lie}, seen(scene)))
    assert told
    assert all(line.startswith(f"{key}: ") for line in told)


@pytest.mark.parametrize(
    ("index", "lie"),
    [
        (0, {"id": "call_2"}),
        (0, {"name": "boom"}),
        (0, {"ok": False}),
        (0, {"content": '{"id": "7"}'}),
        (0, {"content_json": {"id": 7}}),
        (0, {"error": "tool_exception"}),
        (0, {"colour": "red"}),
        (1, {"ok": True}),
        (1, {"error": "timeout"}),
        (1, {"contains": ["KeyError"]}),
        (1, {"not_contains": ["ValueError"]}),
        (1, {"not_contains": ['"order"']}),
        (1, {"contains": "redro"}),
        (1, {"contains": {}}),
        (1, {"not_contains": ""}),
        (1, {"ok": 0}),
    ],
)
def test_a_lie_about_a_result_is_told(index: int, lie: JsonDict) -> None:
    results = [*RESULTS[:index], lie, *RESULTS[index + 1 :]]
    (told,) = list(mismatches({"outcome": "completed", "tool_results": results}, seen("answered")))[:1]
    assert told.startswith(f"tool_results: {index}: {next(iter(lie))}: ")


def test_results_are_counted() -> None:
    for results in (RESULTS[:1], [*RESULTS, RESULTS[1]]):
        (told,) = mismatches({"outcome": "completed", "tool_results": results}, seen("answered"))
        assert told.startswith(f"tool_results: expected {len(results)}, got 2: ")


@pytest.mark.parametrize(
    "lie",
    [
        sent("absent", "/messages/3"),
        sent("equals", "/messages/4", None),
        sent("equals", "/messages/0/content", "Where?"),
        sent("equals_json", f"{CALL}/function/arguments", {"id": 7}),
        sent("equals_json", CALL, CALL),
        sent("type", f"{CALL}/function/arguments", "object"),
        sent("type", f"{CALL}/function/arguments", "text"),
        sent("matches", f"{RESULT}/tool_call_id", "^[0-9]"),
        sent("matches", "/messages", "user"),
        sent("same_as", "/messages/3/tool_call_id", f"{CALL}/id"),
        sent("same_as", "/messages/9", "/messages/9"),
        sent("differs_from", f"{RESULT}/tool_call_id", f"{CALL}/id"),
        sent("differs_from", "/messages/9", f"{CALL}/id"),
        sent("max_length", f"{RESULT}/content", 9),
        sent("max_length", "/messages/9", 9),
        sent("equals", "/messages/1/content"),
        sent("exceeds", "/messages", 1),
        {**sent("equals", "/messages/1/content", None), "colour": "red"},
        {**sent("absent", "/messages/9"), "request": 3},
        {**sent("absent", "/messages/9"), "request": 0},
    ],
)
def test_a_lie_about_a_request_is_told(lie: JsonDict) -> None:
    told = list(mismatches({"outcome": "completed", "sent": [*SENT, lie]}, seen("answered")))
    assert len(told) == 1
    assert told[0].startswith(f"sent: {lie['request']} {lie['pointer']} {lie['op']}: ")


@pytest.mark.parametrize("name", ["NoneType", "object", "Exception", "BaseException", "Error or worse"])
def test_an_exception_is_not_named_by_what_every_exception_is(name: str) -> None:
    for scene in ("answered", "refused"):
        expect = {**SCENES[scene].expect, "raises": name}
        (told,) = mismatches(expect, seen(scene))
        assert told.startswith("raises: ")


def test_an_exception_may_be_named_by_a_base() -> None:
    assert list(mismatches({"outcome": "raises", "raises": "CallAgainError"}, seen("refused"))) == []


def test_an_exception_has_to_be_named() -> None:
    assert list(mismatches({"outcome": "raises"}, seen("refused"))) == [
        "outcome: it is raises, and the case does not say in raises which exception"
    ]


def test_a_case_without_an_outcome_is_told() -> None:
    assert list(mismatches({}, seen("answered"))) == ["outcome: the case does not say which"]


def test_a_limit_is_that_of_iterations_unless_the_case_names_another() -> None:
    other = replace(SCENES["left open"], config={"deadline": 1e-6})
    told = list(mismatches({"outcome": "limit"}, observe(other, asynchronous=False)))
    assert told == ["error_kind: expected 'max_iterations', got 'deadline'"]


def test_a_secret_is_looked_for_wherever_somebody_may_read_it() -> None:
    assert list(
        mismatches(
            {"outcome": "completed", "nowhere": ["sk-1"]}, replace(seen("answered"), written="key sk-1")
        )
    ) == ["nowhere: 'sk-1' is in the log"]
    told = list(mismatches({"outcome": "completed", "nowhere": ["call_1"]}, seen("answered")))
    assert {line.partition(" is in ")[2] for line in told} >= {"the snapshot", "request 2", "the messages"}
    told = list(mismatches({"outcome": "raises", "nowhere": ["tool bad"]}, seen("refused")))
    assert {line.partition(" is in ")[2] for line in told} >= {"the message of the error", "the traceback"}


def test_a_request_that_is_no_json_or_streams_unasked_is_told() -> None:
    odd = replace(seen("answered"), requests=["<html>", {"stream": True}, {"stream": False}])
    assert list(mismatches({"outcome": "completed"}, odd)) == [
        "request 1 is no JSON object: '<html>'",
        "request 2: stream is True",
    ]


def test_a_stream_that_is_not_asked_for_is_told() -> None:
    told = mismatches({"outcome": "completed"}, replace(seen("answered"), streams=True))
    assert list(told) == [f"request {number}: stream is nothing" for number in (1, 2)]
