"""The asynchronous driver."""

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncGenerator, Callable
from typing import Protocol, TypeAlias

from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.drivers.in_flight import CommandsInFlight
from callagain.engine.drivers.performer import Performer, Stop, Work
from callagain.engine.drivers.synchronous import guarded, outcome_of
from callagain.engine.drivers.worker_threads import WORKERS
from callagain.engine.events import Event, RunEnded
from callagain.engine.json_text import Json
from callagain.engine.run import Run
from callagain.engine.wire.deltas import Delta

# The number of the attempt, and what came of it, or a piece of it.
Landed: TypeAlias = tuple[int | None, Json | BaseException | Delta]


class DriveAsync(Protocol):
    """An asynchronous driver, as whoever has a run driven sees it; `drive_async` is the usual one."""

    def __call__(
        self,
        run: Run,
        performer: Performer,
        *,
        max_concurrent_tools: int,
        deadline: float | None,
        cancellation: Cancellation,
        clock: Clock,
    ) -> AsyncGenerator[Event, None]: ...


# How long a task that has been cancelled may take to end before it is left behind.
GRACE_SECONDS = 1.0


async def drive_async(
    run: Run,
    performer: Performer,
    *,
    max_concurrent_tools: int = 8,
    deadline: float | None = None,
    cancellation: Cancellation | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> AsyncGenerator[Event, None]:
    """Drives the run to its outcome on the running event loop, and yields what happens.

    Async work is a task; other work is done by daemon threads, with the caller's context variables. When the
    driver is cancelled, tasks are cancelled and awaited, threads are given up, and CancelledError leaves; the
    run stays as it is, and can be driven on.
    """
    cancellation = cancellation or Cancellation()
    loop = asyncio.get_running_loop()
    landed: asyncio.Queue[Landed] = asyncio.Queue()
    tasks: set[asyncio.Task[Json | BaseException]] = set()
    in_flight = CommandsInFlight(
        run,
        performer,
        prefer_async=True,
        max_concurrent_tools=max_concurrent_tools,
        deadline=deadline,
        cancellation=cancellation,
        clock=clock,
    )
    cancellation.wakes(lambda: _deliver(loop, landed, (None, None)))
    start = _starter(loop, landed, tasks, in_flight.ended)
    try:
        for event in in_flight.take_up():
            yield event
        while run.outcome is None:
            for event in in_flight.launch(start):
                yield event
            if in_flight:
                number, outcome = await _next(landed, in_flight.seconds_to_wait())
                for event in in_flight.land(number, outcome):
                    yield event
                for event in in_flight.expire():
                    yield event
            for event in in_flight.walk():
                yield event
        yield RunEnded(run.outcome)
    finally:
        cancellation.wakes(None)
        in_flight.abandon()
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)


async def _next(landed: asyncio.Queue[Landed], seconds: float | None) -> Landed:
    try:
        async with asyncio.timeout(seconds):
            return await landed.get()
    except TimeoutError:
        return None, None


def _starter(
    loop: asyncio.AbstractEventLoop,
    landed: asyncio.Queue[Landed],
    tasks: set[asyncio.Task[Json | BaseException]],
    ended: Callable[[int], None],
) -> Callable[[int, Work], Stop]:
    def start(number: int, work: Work) -> Stop:
        def tell(delta: Delta) -> None:
            if work.is_async:
                landed.put_nowait((number, delta))
            else:
                _deliver(loop, landed, (number, delta))

        def end(outcome: Json | BaseException) -> None:
            ended(number)
            _deliver(loop, landed, (number, outcome))

        def end_task(task: asyncio.Task[Json | BaseException]) -> None:
            tasks.discard(task)
            end(asyncio.CancelledError() if task.cancelled() else task.exception() or task.result())

        if work.is_async:
            task = loop.create_task(guarded(work, tell))
            tasks.add(task)
            task.add_done_callback(end_task)
            return task.cancel
        job = contextvars.copy_context().run
        if work.in_caller_thread:
            end(work.perform(tell))
        else:
            WORKERS.submit(lambda: end(job(outcome_of, work, tell)))
        return lambda: None

    return start


def _deliver(loop: asyncio.AbstractEventLoop, landed: asyncio.Queue[Landed], what: Landed) -> None:
    # A loop that is closed has nobody waiting on it any more.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(landed.put_nowait, what)
