"""The synchronous driver."""

import contextvars
from asyncio import CancelledError
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeAlias

from callagain.engine.drivers.background_loop import BACKGROUND_LOOP
from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.drivers.in_flight import CommandsInFlight
from callagain.engine.drivers.performer import Performer, Stop, Tell, Work
from callagain.engine.drivers.worker_threads import WORKERS
from callagain.engine.events import Event, RunEnded
from callagain.engine.json_text import Json
from callagain.engine.run import Run
from callagain.engine.wire.deltas import Delta

# The number of the attempt, and what came of it, or a piece of it.
Landed: TypeAlias = tuple[int | None, Json | BaseException | Delta]

# A signal that arrives just before a wait begins does not interrupt it, and Ctrl-C would have to wait too.
MAX_WAIT_SECONDS = 0.25


def drive(
    run: Run,
    performer: Performer,
    *,
    max_concurrent_tools: int = 8,
    deadline: float | None = None,
    cancellation: Cancellation | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Generator[Event, None, None]:
    """Drives the run to its outcome, and yields what happens.

    Work is done by daemon threads, with the caller's context variables, and is given up when its time is
    over. Closing the iterator, KeyboardInterrupt and `cancellation` end the drive at once; the run stays as
    it is, and can be driven on.
    """
    cancellation = cancellation or Cancellation()
    landed: SimpleQueue[Landed] = SimpleQueue()
    in_flight = CommandsInFlight(
        run,
        performer,
        prefer_async=False,
        max_concurrent_tools=max_concurrent_tools,
        deadline=deadline,
        cancellation=cancellation,
        clock=clock,
    )
    cancellation.wakes(lambda: landed.put((None, None)))
    start = _starter(landed, in_flight.ended)
    try:
        yield from in_flight.take_up()
        while run.outcome is None:
            yield from in_flight.launch(start)
            if in_flight:
                yield from in_flight.land(*_next(landed, in_flight.seconds_to_wait()))
                yield from in_flight.expire()
            yield from in_flight.walk()
        yield RunEnded(run.outcome)
    finally:
        cancellation.wakes(None)
        in_flight.abandon()


def _next(landed: SimpleQueue[Landed], seconds: float | None) -> Landed:
    try:
        return landed.get(timeout=MAX_WAIT_SECONDS if seconds is None else min(seconds, MAX_WAIT_SECONDS))
    except Empty:
        return None, None


def _starter(landed: SimpleQueue[Landed], ended: Callable[[int], None]) -> Callable[[int, Work], Stop]:
    def start(number: int, work: Work) -> Stop:
        def tell(delta: Delta) -> None:
            landed.put((number, delta))

        def end(outcome: Json | BaseException) -> None:
            ended(number)
            landed.put((number, outcome))

        if work.is_async:
            future = BACKGROUND_LOOP.submit(guarded(work, tell))
            future.add_done_callback(lambda done: end(_outcome(done)))
            return future.cancel
        job = contextvars.copy_context().run
        if work.in_caller_thread:
            end(work.perform(tell))
        else:
            WORKERS.submit(lambda: end(job(outcome_of, work, tell)))
        return _nothing

    return start


def outcome_of(work: Work, tell: Tell) -> Json | BaseException:
    """What came of the work, in a thread: an exception has to reach the driver to be raised there."""
    try:
        return work.perform(tell)
    except BaseException as error:
        return error


async def guarded(work: Work, tell: Tell) -> Json | BaseException:
    """A SystemExit would end the event loop, which may be shared; it is raised by the driver."""
    try:
        return await work.perform_async(tell)
    except (SystemExit, KeyboardInterrupt) as error:
        return error


def _outcome(future: Future[Json | BaseException]) -> Json | BaseException:
    if future.cancelled():
        return CancelledError()
    return future.exception() or future.result()


def _nothing() -> None:
    """A thread cannot be stopped from outside."""
