"""Leaving a stream early, in every way that there is, and going on with it."""

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeAlias

import pytest

from callagain import (
    CommandStarted,
    Event,
    RunCancelledError,
    RunInProgressError,
    RunStream,
    TextDelta,
    ToolLoop,
    tool,
)
from callagain.testing import StandIn, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve: TypeAlias = Callable[..., StandIn]

# Fifty pieces, with a pause after each: longer than a test may take to see that the connection has ended.
LONG_ANSWER = "An answer of fifty pieces. " * 8
PAUSE = 0.1


class ConsumerError(Exception):
    pass


def up_to_a_piece(events: Iterator[Event]) -> str:
    return next(event.text for event in events if isinstance(event, TextDelta))


async def up_to_a_piece_async(events: AsyncIterator[Event]) -> str:
    async for event in events:
        if isinstance(event, TextDelta):
            return event.text
    raise AssertionError("no piece came")


def by_break(stream: RunStream) -> None:
    for event in stream:
        if isinstance(event, TextDelta):
            break


def by_an_exception(stream: RunStream) -> None:
    with contextlib.suppress(ConsumerError):
        for event in stream:
            if isinstance(event, TextDelta):
                raise ConsumerError


def by_close_of_the_iterator(stream: RunStream) -> None:
    events = iter(stream)
    up_to_a_piece(events)
    events.close()


def by_close(stream: RunStream) -> None:
    events = iter(stream)
    up_to_a_piece(events)
    stream.close()
    assert list(events) == []


def by_the_end_of_with(stream: RunStream) -> None:
    with stream:
        events = iter(stream)
        up_to_a_piece(events)
    assert list(events) == []


def by_an_exception_in_with(stream: RunStream) -> None:
    with contextlib.suppress(ConsumerError), stream as same:
        for _ in up_to_a_piece(iter(same)):
            raise ConsumerError


LEAVE = [
    by_break,
    by_an_exception,
    by_close_of_the_iterator,
    by_close,
    by_the_end_of_with,
    by_an_exception_in_with,
]


async def by_async_break(stream: RunStream) -> None:
    async for event in stream:
        if isinstance(event, TextDelta):
            break


async def by_an_async_exception(stream: RunStream) -> None:
    with contextlib.suppress(ConsumerError):
        async for event in stream:
            if isinstance(event, TextDelta):
                raise ConsumerError


async def by_cancellation(stream: RunStream) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.5):
            async for _ in stream:
                pass


async def by_aclose_of_the_iterator(stream: RunStream) -> None:
    events = aiter(stream)
    await up_to_a_piece_async(events)
    await events.aclose()


async def by_aclose(stream: RunStream) -> None:
    events = aiter(stream)
    await up_to_a_piece_async(events)
    await stream.aclose()
    assert [event async for event in events] == []


async def by_the_end_of_async_with(stream: RunStream) -> None:
    async with stream:
        events = aiter(stream)
        await up_to_a_piece_async(events)
    assert [event async for event in events] == []


async def by_break_in_async_with(stream: RunStream) -> None:
    async with stream as same:
        await by_async_break(same)


WAITING_FOR_THE_END = [
    by_cancellation,
    by_aclose_of_the_iterator,
    by_aclose,
    by_the_end_of_async_with,
    by_break_in_async_with,
]
LEAVE_ASYNC = [by_async_break, by_an_async_exception, *WAITING_FOR_THE_END]


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([says(LONG_ANSWER)], event_delay=PAUSE, repeat_last=True)


@pytest.fixture(params=["chat_completions", "responses"])
def loop(request: pytest.FixtureRequest, server: StandIn) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, api=request.param)


def has_seen_the_end(server: StandIn) -> bool:
    return all(request.closed_early for request in server.requests) and server.open_connections == 0


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def workers() -> int:
    return sum(thread.name == "callagain-worker" for thread in threading.enumerate())


# The end of what was begun


@pytest.mark.parametrize("leave", LEAVE)
def test_leaving_ends_the_request(
    loop: ToolLoop, server: StandIn, leave: Callable[[RunStream], None]
) -> None:
    stream = loop.stream("Go")
    leave(stream)
    assert stream.result is None
    assert eventually(lambda: has_seen_the_end(server))
    assert len(server.requests) == 1
    del stream
    gc.collect()


@pytest.mark.parametrize("leave", LEAVE_ASYNC)
def test_leaving_ends_the_request_under_a_loop_too(
    loop: ToolLoop, server: StandIn, leave: Callable[[RunStream], Awaitable[None]]
) -> None:
    async def main() -> None:
        stream = loop.stream("Go")
        await leave(stream)
        assert stream.result is None
        assert await asyncio.to_thread(eventually, lambda: has_seen_the_end(server))
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert len(server.requests) == 1
    gc.collect()


@pytest.mark.parametrize("leave", WAITING_FOR_THE_END)
async def test_nothing_is_left_where_the_end_was_waited_for(
    loop: ToolLoop, leave: Callable[[RunStream], Awaitable[None]]
) -> None:
    await leave(loop.stream("Go"))
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_an_event_loop_that_ends_right_after_a_break_leaves_nothing(loop: ToolLoop, server: StandIn) -> None:
    asyncio.run(by_async_break(loop.stream("Go")))
    assert eventually(lambda: has_seen_the_end(server))
    gc.collect()


def test_leaving_often_takes_no_more_threads(stand_in: Serve) -> None:
    server = stand_in([says(LONG_ANSWER)], event_delay=0.02, repeat_last=True)
    loop = ToolLoop(model="m", base_url=server.base_url)
    before = workers()
    for _ in range(10):
        by_break(loop.stream("Go"))
        assert eventually(lambda: has_seen_the_end(server))
    assert workers() < before + 5


def test_cancelling_from_another_thread_ends_the_request(loop: ToolLoop, server: StandIn) -> None:
    stream = loop.stream("Go")
    events = iter(stream)
    up_to_a_piece(events)
    threading.Timer(PAUSE / 2, stream.live.cancel).start()
    with pytest.raises(RunCancelledError):
        list(events)
    assert eventually(lambda: has_seen_the_end(server))


def test_closing_a_stream_that_is_not_under_way_does_nothing(stand_in: Serve) -> None:
    stream = ToolLoop(model="m", base_url=stand_in(["Hello."]).base_url).stream("Hi")
    stream.close()
    asyncio.run(stream.aclose())
    with stream:
        list(stream)
    stream.close()
    asyncio.run(stream.aclose())
    assert stream.result is not None
    assert stream.result.final_response == "Hello."


# Going on


class Noting:
    """A loop with one tool, which has effects."""

    def __init__(self, stand_in: Serve, **options: Any) -> None:
        self.ran: list[str] = []
        self.server = stand_in([calls(("note", {"line": "one"})), "Noted.", "Noted, once more."], **options)

        @tool
        def note(line: str) -> str:
            """Notes a line."""
            self.ran.append(line)
            return "noted"

        self.stream = ToolLoop(model="m", base_url=self.server.base_url, tools=[note]).stream("Go")


def what_came(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def check_that_it_went_on(noting: Noting, events: list[Event]) -> None:
    assert isinstance(events[0], CommandStarted)
    assert what_came(events) == "Noted, once more."
    assert noting.stream.result is not None
    assert noting.stream.result.final_response == "Noted, once more."
    assert noting.ran == ["one"]
    assert [request.closed_early for request in noting.server.requests] == [False, True, False]
    assert noting.server.requests[1].body == noting.server.requests[2].body


def test_iterating_again_goes_on_and_repeats_the_request_only(stand_in: Serve) -> None:
    noting = Noting(stand_in, event_delay=0.02)
    by_break(noting.stream)
    check_that_it_went_on(noting, list(noting.stream))


@pytest.mark.parametrize("leave", LEAVE_ASYNC[:2] + LEAVE_ASYNC[3:])
async def test_iterating_again_at_once_goes_on_under_a_loop_too(
    stand_in: Serve, leave: Callable[[RunStream], Awaitable[None]]
) -> None:
    noting = Noting(stand_in, event_delay=0.02)
    await leave(noting.stream)
    check_that_it_went_on(noting, [event async for event in noting.stream])


def test_the_same_stream_is_for_both_kinds_of_iteration(stand_in: Serve) -> None:
    noting = Noting(stand_in, event_delay=0.02)
    asyncio.run(by_async_break(noting.stream))
    check_that_it_went_on(noting, list(noting.stream))


def test_a_stream_that_was_left_may_be_run_to_its_end(stand_in: Serve) -> None:
    noting = Noting(stand_in, event_delay=0.02)
    by_break(noting.stream)
    assert noting.stream.live.run().final_response == "Noted, once more."


def test_a_second_iteration_at_the_same_time_is_refused_and_harms_nothing(stand_in: Serve) -> None:
    stream = ToolLoop(model="m", base_url=stand_in(["Hello."]).base_url).stream("Hi")
    events = iter(stream)
    began = up_to_a_piece(events)
    for _ in range(2):
        with pytest.raises(RunInProgressError, match="somebody else is driving this run"):
            next(iter(stream))
    assert began + what_came(list(events)) == "Hello."


async def test_a_second_async_iteration_at_the_same_time_is_refused_too(stand_in: Serve) -> None:
    stream = ToolLoop(model="m", base_url=stand_in(["Hello."]).base_url).stream("Hi")
    events = aiter(stream)
    began = await up_to_a_piece_async(events)
    for _ in range(2):
        with pytest.raises(RunInProgressError, match="somebody else is driving this run"):
            await anext(aiter(stream))
    assert began + what_came([event async for event in events]) == "Hello."
