"""The book-keeping that both drivers share: what is under way, since when, and until when.

A driver adds how it starts a piece of work and how it waits.
"""

import itertools
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from callagain.engine.commands import Command, Key
from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.clock import Clock
from callagain.engine.drivers.late_receipts import (
    receipt_when_cancelled,
    receipt_when_late,
    receipt_when_no_thread,
    receipt_when_not_in_time,
    receipt_when_not_started,
    receipt_when_unknown,
)
from callagain.engine.drivers.performer import Again, Performer, Stop, Work
from callagain.engine.drivers.worker_threads import NoThreadError
from callagain.engine.errors import RunCancelledError
from callagain.engine.events import (
    AttemptDiscarded,
    CommandDelayed,
    CommandEnded,
    CommandHeld,
    CommandStarted,
    Event,
    OperationEnded,
)
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Intent, Receipt
from callagain.engine.run import Run
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta

UNKNOWN_OUTCOME = "call_outcome_unknown"
# Of a response. A union that is written in place would be made anew each time.
_PIECES = (TextDelta, ReasoningDelta, ArgumentsDelta)


@dataclass(frozen=True, slots=True)
class _Task:
    """A command, the work that it is, and since when it is performed, over all its attempts."""

    key: Key
    command: Command
    work: Work
    began: float


@dataclass(frozen=True, slots=True)
class _Flight:
    """One attempt."""

    task: _Task
    stop: Stop
    expires: float | None


class CommandsInFlight:
    """The commands of one run that are being performed, or that wait for their next attempt.

    An attempt has a number of its own: what comes of one that was given up is not taken for the next one's.
    deadline: seconds from now for the whole drive, or None.
    """

    def __init__(
        self,
        run: Run,
        performer: Performer,
        *,
        prefer_async: bool,
        max_concurrent_tools: int,
        deadline: float | None,
        cancellation: Cancellation,
        clock: Clock,
    ) -> None:
        self._run = run
        self._performer = performer
        self._prefer_async = prefer_async
        self._slots = max_concurrent_tools
        self._cancellation = cancellation
        self._clock = clock
        self._last_end = clock.now()
        self._deadline = None if deadline is None else self._last_end + deadline
        self._numbers = itertools.count()
        self._flying: dict[int, _Flight] = {}
        self._ended: set[int] = set()
        self._waiting: list[tuple[float, _Task]] = []
        self._again: list[tuple[Key, Command]] = []

    def take_up(self) -> Iterator[Event]:
        """For a run that was left in the middle: what may be repeated is, the rest waits for a decision."""
        yield from self.walk()
        for key, command in self._run.open.unanswered():
            match command.on_unknown:
                case "retry":
                    self._again.append((key, command))
                case "ask":
                    yield self._hold(command, Held(key, UNKNOWN_OUTCOME))
                case "fail":
                    value = receipt_when_unknown(command)
                    self._run.apply(Receipt(key, value))
                    yield CommandEnded(key, command, value, 0.0)

    def walk(self) -> Iterator[Event]:
        """Operations, until something is needed from outside."""
        for step in self._run.walk():
            now = self._clock.now()
            yield OperationEnded(step, now - self._last_end)
            self._last_end = now

    def launch(self, start: Callable[[int, Work], Stop]) -> Iterator[Event]:
        """Starts what may start now, at most as many at a time as there are slots."""
        self._raise_if_cancelled()
        now = self._clock.now()
        for waiting in [each for each in self._waiting if each[0] <= now]:
            self._waiting.remove(waiting)
            yield from self._attempt(waiting[1], start)
        free = self._slots - len(self._flying) - len(self._waiting)
        startable = [*self._again, *self._run.open.ready()][: max(0, free)]
        self._again = self._again[len(startable) :]
        for key, command in startable:
            if self._deadline is not None and self._deadline <= self._clock.now():
                yield from self._answer(key, command, receipt_when_not_started(command))
                continue
            begun = self._performer.begin(self._run, key, command, prefer_async=self._prefer_async)
            if isinstance(begun, Held):
                yield self._hold(command, begun)
                yield from self._hold_blocked()
            elif isinstance(begun, Receipt):
                yield from self._answer(key, command, begun.value)
            else:
                # Whoever leaves at this event, or cancels, leaves a command that has not begun.
                yield CommandStarted(key, command)
                self._raise_if_cancelled()
                self._run.apply(Intent(key, command.digest))
                yield from self._attempt(_Task(key, command, begun, self._clock.now()), start)

    @property
    def ended(self) -> Callable[[int], None]:
        """To be told that what came of an attempt is on its way to `land`, and counts in any case; from any
        thread. It holds nothing of the run, since a thread that hangs may hold it for ever."""
        return self._ended.add

    def land(self, number: int | None, outcome: Json | BaseException | Delta) -> Iterator[Event]:
        """Takes what came of an attempt, or a piece of it. One that nobody waits for any more is dropped."""
        self._raise_if_cancelled()
        if number is None or number not in self._flying:
            return
        if isinstance(outcome, _PIECES):
            yield outcome
            return
        task = self._flying.pop(number).task
        self._ended.discard(number)
        if isinstance(outcome, CancelledError):
            outcome = receipt_when_cancelled(task.command)
        if isinstance(outcome, BaseException):
            raise outcome
        yield from self._settle(task, outcome)

    def expire(self) -> Iterator[Event]:
        """Gives up what has run out of time; the run goes on at once."""
        now = self._clock.now()
        for number, flight in list(self._flying.items()):
            if flight.expires is not None and flight.expires <= now and number not in self._ended:
                del self._flying[number]
                task = flight.task
                value = task.work.late()
                if value is None:
                    at_deadline = self._deadline is not None and self._deadline <= now
                    value = receipt_when_late(task.command, task.work, at_deadline=at_deadline)
                task.work.abandon()
                flight.stop()
                if isinstance(value, Held):
                    yield self._hold(task.command, value)
                else:
                    yield from self._settle(task, value)

    def seconds_to_wait(self) -> float | None:
        """Until the next of them runs out of time or may start; None if only they themselves can tell."""
        ends = [flight.expires for flight in self._flying.values() if flight.expires is not None]
        ends += [until for until, _ in self._waiting]
        seconds = max(0.0, min(ends) - self._clock.now()) if ends else None
        return seconds if seconds is None or self._flying else self._clock.idle(seconds)

    def __bool__(self) -> bool:
        return bool(self._flying or self._waiting)

    def abandon(self) -> None:
        """Gives everything up: the driver is leaving."""
        for flight in self._flying.values():
            flight.task.work.abandon()
            flight.stop()
        for _, task in self._waiting:
            task.work.abandon()
        self._flying.clear()
        self._waiting.clear()

    def _attempt(self, task: _Task, start: Callable[[int, Work], Stop]) -> Iterator[Event]:
        """Performs the work now, or lets it wait for its time."""
        if (seconds := task.work.wait(self._clock)) > 0:
            yield from self._let_wait(task, seconds, CommandDelayed(task.key, task.command, seconds))
            return
        now = self._clock.now()
        ends = [] if task.work.timeout is None else [now + task.work.timeout]
        if self._deadline is not None:
            ends.append(self._deadline)
        number = next(self._numbers)
        try:
            stop = start(number, task.work)
        except NoThreadError:
            task.work.abandon()
            yield from self._settle(task, receipt_when_no_thread(task.command))
            return
        self._flying[number] = _Flight(task, stop, min(ends, default=None))

    def _settle(self, task: _Task, value: Json) -> Iterator[Event]:
        settled = task.work.settle(value, self._clock)
        if isinstance(settled, Again):
            again = settled
            discarded = AttemptDiscarded(
                task.key, task.command, again.attempt, again.kind, again.why, again.seconds
            )
            yield from self._let_wait(task, again.seconds, discarded, again)
        else:
            yield from self._end(task, settled)

    def _let_wait(
        self, task: _Task, seconds: float, event: Event, again: Again | None = None
    ) -> Iterator[Event]:
        """Unless the run's deadline comes first. event: tells of the wait. again: what is waited after."""
        until = self._clock.now() + seconds
        if self._deadline is not None and until >= self._deadline:
            task.work.abandon()
            yield from self._end(task, receipt_when_not_in_time(task.command, again))
        else:
            # First, so that it is given up with the others if somebody leaves at the event.
            self._waiting.append((until, task))
            yield event

    def _end(self, task: _Task, value: Json) -> Iterator[Event]:
        seconds = self._clock.now() - task.began
        if isinstance(value, dict):
            # The only time that a log has: how long it took, and not when.
            value = {**value, "seconds": round(seconds, 3)}
        self._run.apply(Receipt(task.key, value))
        yield CommandEnded(task.key, task.command, value, seconds)

    def _hold(self, command: Command, held: Held) -> Event:
        self._run.apply(held)
        return CommandHeld(held.key, command, held.why)

    def _hold_blocked(self) -> Iterator[Event]:
        """What stands behind a held command and is to be held too, so that all are decided about at once."""
        for key, command in self._run.open.blocked():
            begun = self._performer.begin(self._run, key, command, prefer_async=self._prefer_async)
            if isinstance(begun, Held):
                yield self._hold(command, begun)

    def _answer(self, key: Key, command: Command, value: Json) -> Iterator[Event]:
        """For a command of which the receipt is known without performing it."""
        self._run.apply(Intent(key, command.digest))
        self._run.apply(Receipt(key, value))
        yield CommandStarted(key, command)
        yield CommandEnded(key, command, value, 0.0)

    def _raise_if_cancelled(self) -> None:
        if self._cancellation.cancelled:
            raise RunCancelledError("the run was cancelled; it stays where it was and can be driven on")
