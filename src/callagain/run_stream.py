"""`loop.stream(…)`: the events of a run, for a `for` or an `async for`."""

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from typing import Generic, Protocol, Self

from callagain.engine.events import Event
from callagain.live_run import LiveRun
from callagain.output_format import Output
from callagain.result import Result


class Driven(Protocol[Output]):
    """What is driven by iterating over its events: a LiveRun, or a turn of a conversation."""

    @property
    def result(self) -> Result[Output] | None: ...

    def events(self) -> Generator[Event, None, None]: ...

    def aevents(self) -> AsyncGenerator[Event, None]: ...


class EventStream(Generic[Output]):
    """Drives a run by being iterated, and yields what happens: pieces of text, operations, tool calls.

        with loop.stream("Where is order 481516?") as stream:
            for event in stream:
                if isinstance(event, TextDelta):
                    print(event.text, end="", flush=True)
        print(stream.result)

    The run begins with the iteration. Leaving the iteration ends the request that is under way and frees all
    that belongs to it; the run stays where it is, and goes on with the next iteration. A `for` ends what it
    has begun when it is left, an `async for` a moment later; a `with` or `async with` around it waits for the
    end, and ends iterators that are kept elsewhere too.
    """

    def __init__(self, driven: Driven[Output]) -> None:
        self._driven = driven
        self._iterations: weakref.WeakSet[Generator[Event, None, None]] = weakref.WeakSet()
        self._async_iteration = _AsyncIteration()

    def __iter__(self) -> Generator[Event, None, None]:
        events = self._driven.events()
        self._iterations.add(events)
        return events

    def __aiter__(self) -> AsyncGenerator[Event, None]:
        iteration = _AsyncIteration()
        events = self._events(iteration)
        iteration.iterator = weakref.ref(events)
        return events

    @property
    def result(self) -> Result[Output] | None:
        """The same result as without streaming, once the run has come to its outcome."""
        return self._driven.result

    def close(self) -> None:
        """Leaves a `for` that is open; called from its own thread. From another one, `live.cancel()` does."""
        for events in list(self._iterations):
            events.close()

    async def aclose(self) -> None:
        """Leaves an `async for` that is open, and waits until all that it has begun has ended."""
        if (events := self._async_iteration.iterator()) is not None:
            await events.aclose()
        await self._async_iteration.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _events(self, iteration: "_AsyncIteration") -> AsyncGenerator[Event, None]:
        await self._async_iteration.end()
        iteration.loop = asyncio.get_running_loop()
        try:
            async with aclosing(self._driven.aevents()) as events:
                async for event in events:
                    self._async_iteration = iteration
                    yield event
        finally:
            iteration.ended.set()


class RunStream(EventStream[Output]):
    """The stream of one run. live: the run itself, for what else can be done with it."""

    def __init__(self, live: LiveRun[Output]) -> None:
        super().__init__(live)
        self.live = live


class _AsyncIteration:
    """One `async for`. If it is left by `break`, the event loop closes its iterator a moment later."""

    def __init__(self) -> None:
        self.iterator: Callable[[], AsyncGenerator[Event, None] | None] = lambda: None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.ended = asyncio.Event()

    async def end(self) -> None:
        """Waits for the end, if the iteration has been left: nobody has its iterator any more."""
        if self.iterator() is None and self.loop is asyncio.get_running_loop():
            await self.ended.wait()
