"""The result of a streamed run is the result of the same run without streaming, whatever happens in it."""

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain import (
    ArgumentsDelta,
    CommandEnded,
    Event,
    Result,
    RunEnded,
    RunStream,
    TextDelta,
    ToolLoop,
    ToolProblem,
    tool,
)
from callagain.engine.json_text import Json, decode
from callagain.testing import Answer, AnyAnswer, ModelAnswer, StandIn, call, calls, says

Serve: TypeAlias = Callable[..., StandIn]
Collect: TypeAlias = Callable[[RunStream], list[Event]]

APIS = ("chat_completions", "responses")
# What the stand-in counts by itself depends on the length of the request, which says whether it streams.
USAGE = {"prompt_tokens": 70, "completion_tokens": 7, "total_tokens": 77}


@tool
def look_up(name: str) -> dict[str, str]:
    """Looks somebody up."""
    return {"name": name, "status": "known"}


@tool
def fail(name: str) -> str:
    """Fails."""
    raise ToolProblem("not_found", f"nobody is called {name}")


def _collect(stream: RunStream) -> list[Event]:
    return list(stream)


def _collect_async(stream: RunStream) -> list[Event]:
    async def collect() -> list[Event]:
        return [event async for event in stream]

    return asyncio.run(collect())


@pytest.fixture(params=[_collect, _collect_async], ids=["sync", "async"])
def collect(request: pytest.FixtureRequest) -> Collect:
    """collect(stream) -> its events; by `for` and by `async for`."""
    chosen: Collect = request.param
    return chosen


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def loop_at(server: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, max_retries=0, tools=[look_up, fail], **options)


SCRIPTS: dict[str, list[AnyAnswer]] = {
    "a text": [says("Hello.", usage=USAGE)],
    "one call": [calls(("look_up", {"name": "Ada"}), usage=USAGE), says("Known.", usage=USAGE)],
    "parallel calls and a text beside them": [
        calls(("look_up", {"name": "Ada"}), ("look_up", {"name": "Grace"}), text="I look.", usage=USAGE),
        says("Both are known.", usage=USAGE),
    ],
    "two rounds, with reasoning": [
        calls(("look_up", {"name": "Ada"}), reasoning="Ada first.", usage=USAGE),
        calls(("look_up", {"name": "Grace"}), reasoning="Grace next.", usage=USAGE),
        says("Known.", reasoning="All done.", usage=USAGE),
    ],
    "a tool that fails": [calls(("fail", {"name": "Ada"}), usage=USAGE), says("Not there.", usage=USAGE)],
    "an unknown tool": [calls(("fly", {}), usage=USAGE), says("I cannot.", usage=USAGE)],
    "broken arguments": [calls(call("look_up", '{"name": "Ada'), usage=USAGE), says("No.", usage=USAGE)],
    "arguments of another type": [calls(("look_up", {"name": 7}), usage=USAGE), says("No.", usage=USAGE)],
    "the limit": [calls(("look_up", {"name": str(number)}), usage=USAGE) for number in range(4)],
    "an answer at the limit": [
        *[calls(("look_up", {"name": "Ada"}), usage=USAGE)] * 3,
        says("Not known.", usage=USAGE),
    ],
    "a text that was cut off": [says("Half an ans", finish_reason="length", usage=USAGE)],
    "calls that were cut off": [calls(call("look_up", '{"na'), finish_reason="length", usage=USAGE)],
    "a filtered text": [says("", finish_reason="content_filter", usage=USAGE)],
    "an empty text": [says("", usage=USAGE)],
    "a refused key": [Answer(401, {"error": {"message": "No such key."}})],
    "an overloaded endpoint": [calls(("look_up", {"name": "Ada"}), usage=USAGE), Answer(503, "busy")],
    "HTML": [Answer(200, "<html>Welcome</html>", {"content-type": "text/html"})],
}


def what_it_came_to(result: Result) -> dict[str, object]:
    variables: dict[str, Any] = dict(result.variables.as_jitterbit())
    variables["InAndOut"] = _without(decode(variables["InAndOut"]), "stream", "stream_options")
    if variables["tools_resp"]:
        variables["tools_resp"] = _without_nulls(decode(variables["tools_resp"]))
    return {
        "outcome": result.outcome,
        "error": result.error and (result.error.kind, _without_port(result), result.error.partial_text),
        "final_response": result.final_response,
        "loop_count": result.loop_count,
        "messages": result.messages,
        "tool_results": result.tool_results,
        "pending_calls": result.pending_calls,
        "usage": result.usage,
        "warnings": result.warnings,
        "path": [(step.operation, step.event, step.target) for step in result.trace],
        "variables": variables,
    }


def _without_port(result: Result) -> str:
    assert result.error is not None
    return re.sub(r"127\.0\.0\.1:[0-9]+", "HOST", result.error.message)


def _without(body: Json, *names: str) -> Json:
    assert isinstance(body, dict)
    return {name: value for name, value in body.items() if name not in names}


def _without_nulls(value: Json) -> Json:
    """A stream leaves out what is null."""
    if isinstance(value, dict):
        return {name: _without_nulls(one) for name, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_result_is_the_same_as_without_streaming(
    collect: Collect, stand_in: Serve, api: str, name: str
) -> None:
    on_limit = "final_answer" if name == "an answer at the limit" else "stop"
    options: dict[str, Any] = {"api": api, "max_iterations": 2, "on_limit": on_limit}
    plain = loop_at(stand_in(SCRIPTS[name]), **options).run("Go", run_id="r")
    stream = loop_at(stand_in(SCRIPTS[name]), **options).stream("Go", run_id="r")
    assert stream.result is None
    events = collect(stream)
    assert stream.result is not None
    assert what_it_came_to(stream.result) == what_it_came_to(plain)
    assert events[-1] == RunEnded(plain.outcome)


def text_of(events: Iterable[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def arguments_of(events: Iterable[Event]) -> list[Json]:
    """The arguments of each call, put together from their pieces by response and index."""
    found: dict[tuple[int, int], str] = {}
    response = 0
    for event in events:
        if isinstance(event, ArgumentsDelta):
            found[response, event.index] = found.get((response, event.index), "") + event.arguments
        elif isinstance(event, CommandEnded):
            response += 1
    return [decode(arguments) for arguments in found.values()]


NAMES = st.text(min_size=1, max_size=20)
ROUNDS = st.lists(st.lists(NAMES, min_size=1, max_size=3), max_size=2)


@settings(max_examples=25)
@given(ROUNDS, st.text(max_size=60).filter(str.strip), st.sampled_from(APIS))
def test_pieces_add_up_to_what_was_said_whatever_it_was(
    rounds: list[list[str]], answer: str, api: str
) -> None:
    script: list[ModelAnswer] = [
        calls(*[("look_up", {"name": name}) for name in names], usage=USAGE) for names in rounds
    ]
    with StandIn([*script, says(answer, usage=USAGE)]) as server, StandIn([*script, answer]) as plain_server:
        stream = loop_at(server, api=api).stream("Go", run_id="r")
        events = list(stream)
        plain = loop_at(plain_server, api=api).run("Go", run_id="r")
    assert stream.result is not None
    assert text_of(events) == stream.result.final_response == plain.final_response
    assert arguments_of(events) == [one.arguments for one in plain.tool_results]
    assert stream.result.messages == plain.messages


def test_the_usage_of_the_last_chunk_counts(stand_in: Serve, api: str) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada"}), usage=USAGE), says("Known.", usage=USAGE)])
    stream = loop_at(server, api=api).stream("Go")
    list(stream)
    assert stream.result is not None
    assert (stream.result.usage.prompt_tokens, stream.result.usage.completion_tokens) == (140, 14)
    assert stream.result.usage.total_tokens == 154


def test_json_answered_to_a_stream_request_is_an_answer_all_the_same(
    collect: Collect, stand_in: Serve, api: str
) -> None:
    plain = loop_at(stand_in(SCRIPTS["one call"]), api=api).run("Go", run_id="r")
    responses = [step.after.response for step in plain.trace if step.operation == "llm_call"]
    as_json = [Answer(200, decode(response.body)) for response in responses if response is not None]
    stream = loop_at(stand_in(as_json), api=api).stream("Go", run_id="r")
    events = collect(stream)
    assert not [event for event in events if isinstance(event, TextDelta | ArgumentsDelta)]
    assert stream.result is not None
    assert what_it_came_to(stream.result) == what_it_came_to(plain)
