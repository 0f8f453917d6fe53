"""The synchronous driver."""

import contextvars
from asyncio import CancelledError
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeAlias

from callagain.engine.commands import Key
from callagain.engine.drivers.background_loop import BACKGROUND_LOOP
from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.in_flight import CommandsInFlight
from callagain.engine.drivers.performer import Performer, Stop, Work
from callagain.engine.drivers.worker_threads import WORKERS
from callagain.engine.events import Event, RunEnded
from callagain.engine.json_text import Json
from callagain.engine.run import Run

Landed: TypeAlias = tuple[Key | None, Json | BaseException]

# A signal that arrives just before a wait begins does not interrupt it, and Ctrl-C would have to wait too.
MAX_WAIT_SECONDS = 0.25


def drive(
    run: Run,
    performer: Performer,
    *,
    max_concurrent_tools: int = 8,
    deadline: float | None = None,
    cancellation: Cancellation | None = None,
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
    )
    cancellation.wakes(lambda: landed.put((None, None)))
    try:
        yield from in_flight.take_up()
        while run.outcome is None:
            yield from in_flight.launch(_starter(landed))
            if in_flight:
                yield from in_flight.land(*_next(landed, in_flight.seconds_left()))
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


def _starter(landed: SimpleQueue[Landed]) -> Callable[[Key, Work], Stop]:
    def start(key: Key, work: Work) -> Stop:
        if work.is_async:
            future = BACKGROUND_LOOP.submit(_guarded(work))
            future.add_done_callback(lambda done: landed.put((key, _outcome(done))))
            return future.cancel
        job = contextvars.copy_context().run
        if work.in_caller_thread:
            landed.put((key, work.perform()))
        else:
            WORKERS.submit(lambda: landed.put((key, job(outcome_of, work))))
        return _nothing

    return start


def outcome_of(work: Work) -> Json | BaseException:
    """What came of the work, in a thread: an exception has to reach the driver to be raised there."""
    try:
        return work.perform()
    except BaseException as error:
        return error


async def _guarded(work: Work) -> Json | BaseException:
    """A SystemExit would end the loop that all async work shares; it is raised by the driver."""
    try:
        return await work.perform_async()
    except (SystemExit, KeyboardInterrupt) as error:
        return error


def _outcome(future: Future[Json | BaseException]) -> Json | BaseException:
    if future.cancelled():
        return CancelledError()
    return future.exception() or future.result()


def _nothing() -> None:
    """A thread cannot be stopped from outside."""
