"""Streaming: what comes and in which order, what a cut stream does, and who may read how slowly."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest

from callagain import (
    ArgumentsDelta,
    AttemptDiscarded,
    CommandEnded,
    CommandStarted,
    Event,
    OperationEnded,
    ReasoningDelta,
    RunEnded,
    RunStream,
    TextDelta,
    ToolLoop,
    tool,
)
from callagain.engine.commands import SendRequest
from callagain.testing import ModelAnswer, StandIn, call, calls, faulty, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve: TypeAlias = Callable[..., StandIn]
Collect: TypeAlias = Callable[..., list[Event]]

APIS = ("chat_completions", "responses")


@tool
def look_up(name: str) -> dict[str, str]:
    """Looks somebody up."""
    return {"name": name, "status": "known"}


def _collect(stream: RunStream, pause: float = 0.0) -> list[Event]:
    events: list[Event] = []
    for event in stream:
        events.append(event)
        time.sleep(pause)
    return events


def _collect_async(stream: RunStream, pause: float = 0.0) -> list[Event]:
    async def collect() -> list[Event]:
        events: list[Event] = []
        async for event in stream:
            events.append(event)
            await asyncio.sleep(pause)
        return events

    return asyncio.run(collect())


@pytest.fixture(params=[_collect, _collect_async], ids=["sync", "async"])
def collect(request: pytest.FixtureRequest) -> Collect:
    """collect(stream, pause=0.0) -> its events; by `for` and by `async for`, with a pause after each."""
    chosen: Collect = request.param
    return chosen


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def loop_at(server: StandIn, **options: Any) -> ToolLoop:
    fixed: dict[str, Any] = {"max_retries": 0, "retry_base_delay": 0.01, "tools": [look_up]}
    return ToolLoop(model="m", base_url=server.base_url, **(fixed | options))


def text_of(events: Iterable[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def calls_of(events: Iterable[Event]) -> list[tuple[str, str, str]]:
    """(id, name, arguments) of each call, put together from its pieces by response and index."""
    found: dict[tuple[int, int], tuple[str, str, str]] = {}
    response = 0
    for event in events:
        if isinstance(event, ArgumentsDelta):
            before = found.get((response, event.index), ("", "", ""))[2]
            found[response, event.index] = event.call_id, event.name, before + event.arguments
        elif isinstance(event, CommandEnded):
            response += 1
    return list(found.values())


def named(event: Event) -> str:
    match event:
        case OperationEnded(step=step):
            return step.operation
        case CommandStarted(command=command):
            return f"{type(command).__name__} begins"
        case CommandEnded(command=command):
            return f"{type(command).__name__} ends"
        case RunEnded(outcome=outcome):
            return outcome
        case _:
            return type(event).__name__


def without_repeats(names: Iterable[str]) -> list[str]:
    listed = list(names)
    return [name for place, name in enumerate(listed) if place == 0 or listed[place - 1] != name]


# The order


def test_events_come_in_order(collect: Collect, stand_in: Serve, api: str) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada Lovelace"}), text="I look."), says("She is known.")])
    events = collect(loop_at(server, api=api).stream("Who is Ada?"))
    assert without_repeats(map(named, events)) == [
        "initialize",
        *("SendRequest begins", "TextDelta", "ArgumentsDelta", "SendRequest ends"),
        *("llm_call", "parse_response"),
        *("CallTool begins", "CallTool ends", "tool_dispatcher", "append_tool_result"),
        *("SendRequest begins", "TextDelta", "SendRequest ends"),
        *("llm_call", "parse_response", "extract_final", "completed"),
    ]


def test_pieces_come_as_they_are_sent_and_not_at_the_end(stand_in: Serve, api: str) -> None:
    server = stand_in(["One piece, and another one."], event_delay=0.02)
    stream = loop_at(server, api=api).stream("Go")
    arrived = [time.monotonic() for event in stream if isinstance(event, TextDelta)]
    assert arrived[-1] - arrived[0] >= 0.02 * (len(arrived) - 2)
    assert len(arrived) > 3


def test_reasoning_is_told_apart_from_the_answer(collect: Collect, stand_in: Serve, api: str) -> None:
    options = {"reasoning": {"summary": "auto"}} if api == "responses" else {}
    server = stand_in([says("Blue.", reasoning="The sky, they ask.")])
    events = collect(loop_at(server, api=api, request_options=options).stream("Which colour?"))
    thought = "".join(event.text for event in events if isinstance(event, ReasoningDelta))
    assert (thought, text_of(events)) == ("The sky, they ask.", "Blue.")


def test_the_pieces_of_parallel_calls_are_told_apart_by_index(
    collect: Collect, stand_in: Serve, api: str
) -> None:
    wanted = [call("look_up", {"name": name}, id=f"call_{name}") for name in ("Ada", "Grace", "Hedy")]
    server = stand_in([calls(*wanted), says("Done.")])
    events = collect(loop_at(server, api=api).stream("Go"))
    assert calls_of(events) == [
        (f"call_{name}", "look_up", f'{{"name":"{name}"}}') for name in ("Ada", "Grace", "Hedy")
    ]


def test_no_tool_is_called_before_the_stream_has_ended(stand_in: Serve, api: str) -> None:
    server = stand_in([calls(("look_up", {"name": "Ada"}), ("look_up", {"name": "Grace"})), says("Done.")])
    is_streaming = False
    for event in loop_at(server, api=api).stream("Go"):
        if isinstance(event, CommandStarted | CommandEnded):
            if isinstance(event.command, SendRequest):
                is_streaming = isinstance(event, CommandStarted)
            else:
                assert not is_streaming


def test_a_loop_may_stream_for_run_too(stand_in: Serve, api: str) -> None:
    server = stand_in(["Hello."], repeat_last=True)
    loop = loop_at(server, api=api, stream=True)
    results = [loop.run("Hi"), asyncio.run(loop.arun("Hi")), loop.start("Hi", stream=False).run()]
    assert [result.final_response for result in results] == ["Hello."] * 3
    assert [request.json.get("stream", False) for request in server.requests] == [True, True, False]


def test_a_stream_is_asked_for_with_its_usage(stand_in: Serve) -> None:
    server = stand_in(["Hello."])
    list(loop_at(server).stream("Hi"))
    assert server.requests[0].json["stream_options"] == {"include_usage": True}


# A stream that is cut


@pytest.mark.parametrize("cut_after", [0, 1, 300, 700])
def test_a_cut_stream_runs_nothing_and_is_asked_for_again(
    collect: Collect, stand_in: Serve, api: str, cut_after: int
) -> None:
    ran: list[str] = []

    @tool
    def note(line: str) -> str:
        """Notes a line."""
        ran.append(line)
        return "noted"

    wanted = calls(("note", {"line": "a line that is long enough to be cut"}), text="I note.")
    server = stand_in([faulty(wanted, cut_after=cut_after), wanted, says("Noted.")])
    stream = loop_at(server, api=api, tools=[note], max_retries=1).stream("Go")
    events = collect(stream)
    (place,) = [place for place, event in enumerate(events) if isinstance(event, AttemptDiscarded)]
    discarded = events[place]
    assert isinstance(discarded, AttemptDiscarded)
    assert (discarded.attempt, discarded.kind) == (1, "stream_interrupted")
    assert "the stream ended before the response was whole" in discarded.why
    assert not [event for event in events[:place] if isinstance(event, CommandEnded)]
    assert text_of(events[place:]) == "I note.Noted."
    assert calls_of(events[place:])[0][1:] == ("note", '{"line":"a line that is long enough to be cut"}')
    assert ran == ["a line that is long enough to be cut"]
    assert stream.result is not None
    assert stream.result.final_response == "Noted."
    assert server.requests[0].body == server.requests[1].body


def test_a_stream_that_is_cut_every_time_fails_with_nothing_run(
    collect: Collect, stand_in: Serve, api: str
) -> None:
    server = stand_in([faulty(calls(("look_up", {"name": "Ada"})), cut_after=300)], repeat_last=True)
    stream = loop_at(server, api=api, max_retries=2).stream("Go")
    events = collect(stream)
    assert [event.attempt for event in events if isinstance(event, AttemptDiscarded)] == [1, 2]
    assert stream.result is not None
    assert stream.result.error is not None
    assert (stream.result.outcome, stream.result.error.kind) == ("failed", "stream_interrupted")
    assert (stream.result.tool_results, len(server.requests)) == ([], 3)


# Who reads the events


def test_a_slow_consumer_gets_every_piece_though_it_takes_longer_than_the_timeout(
    collect: Collect, stand_in: Serve
) -> None:
    answer = "Nobody is in a hurry, and all of this is read in good time."
    loop = loop_at(stand_in([answer], repeat_last=True), timeout=0.6)
    # The first request may have to wait until the client is imported.
    loop_at(stand_in(["Ready."])).run("Get ready")
    assert text_of(collect(loop.stream("Go"), 0.06)) == answer


async def test_twenty_streams_at_the_same_time_are_kept_apart(stand_in: Serve, api: str) -> None:
    server = stand_in(repeat_the_question, event_delay=0.1)
    loop = loop_at(server, api=api)

    async def ask(number: int) -> str:
        return text_of([event async for event in loop.stream(f"I am number {number}.")])

    began = time.monotonic()
    answers = await asyncio.gather(*[ask(number) for number in range(20)])
    assert answers == [f"You said: I am number {number}." for number in range(20)]
    # One after the other they would take that long.
    assert time.monotonic() - began < 20 * 8 * 0.1


def repeat_the_question(request: dict[str, Any]) -> ModelAnswer:
    messages: list[dict[str, Any]] = request.get("messages") or request["input"]
    return says(f"You said: {messages[-1]['content']}")
