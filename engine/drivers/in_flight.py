"""The book-keeping that both drivers share: what is under way, since when, and until when.

A driver adds how it starts a piece of work and how it waits.
"""

import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from callagain.engine.commands import Command, Key
from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.late_receipts import (
    receipt_when_cancelled,
    receipt_when_late,
    receipt_when_not_started,
)
from callagain.engine.drivers.performer import Performer, Stop, Work
from callagain.engine.errors import RunCancelledError
from callagain.engine.events import CommandEnded, CommandHeld, CommandStarted, Event, OperationEnded
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Intent, Receipt
from callagain.engine.run import Run

UNKNOWN_OUTCOME = "call_outcome_unknown"


@dataclass(frozen=True, slots=True)
class _Flight:
    command: Command
    work: Work
    stop: Stop
    started: float
    expires: float | None


class CommandsInFlight:
    """The commands of one run that are being performed.

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
    ) -> None:
        self._run = run
        self._performer = performer
        self._prefer_async = prefer_async
        self._slots = max_concurrent_tools
        self._cancellation = cancellation
        self._last_end = time.monotonic()
        self._deadline = None if deadline is None else self._last_end + deadline
        self._flying: dict[Key, _Flight] = {}
        self._again: list[tuple[Key, Command]] = []

    def take_up(self) -> Iterator[Event]:
        """For a run that was left in the middle: what may be repeated is, the rest waits for a decision."""
        yield from self.walk()
        for key, command in self._run.open.unanswered():
            if command.repeatable:
                self._again.append((key, command))
            else:
                self._run.apply(Held(key, UNKNOWN_OUTCOME))
                yield CommandHeld(key, command, UNKNOWN_OUTCOME)

    def walk(self) -> Iterator[Event]:
        """Operations, until something is needed from outside."""
        for step in self._run.walk():
            now = time.monotonic()
            yield OperationEnded(step, now - self._last_end)
            self._last_end = now

    def launch(self, start: Callable[[Key, Work], Stop]) -> Iterator[Event]:
        """Starts what may start now, at most as many at a time as there are slots."""
        self._raise_if_cancelled()
        startable = [*self._again, *self._run.open.ready()][: self._slots - len(self._flying)]
        self._again = self._again[len(startable) :]
        for key, command in startable:
            if self._is_past_deadline():
                yield from self._answer(key, command, receipt_when_not_started(command))
                continue
            begun = self._performer.begin(self._run, key, command, prefer_async=self._prefer_async)
            if isinstance(begun, Held):
                self._run.apply(begun)
                yield CommandHeld(key, command, begun.why)
            elif isinstance(begun, Receipt):
                yield from self._answer(key, command, begun.value)
            else:
                self._run.apply(Intent(key, command.digest))
                yield CommandStarted(key, command)
                self._fly(key, command, begun, start)

    def land(self, key: Key | None, outcome: Json | BaseException) -> Iterator[Event]:
        """Takes what came of a command. One that nobody waits for any more is dropped."""
        self._raise_if_cancelled()
        flight = None if key is None else self._flying.pop(key, None)
        if key is None or flight is None:
            return
        if isinstance(outcome, CancelledError):
            outcome = receipt_when_cancelled(flight.command)
        if isinstance(outcome, BaseException):
            raise outcome
        self._run.apply(Receipt(key, outcome))
        yield CommandEnded(key, flight.command, outcome, time.monotonic() - flight.started)

    def expire(self) -> Iterator[Event]:
        """Gives up what has run out of time; the run goes on at once."""
        now = time.monotonic()
        for key, flight in list(self._flying.items()):
            if flight.expires is not None and flight.expires <= now:
                del self._flying[key]
                flight.work.abandon()
                flight.stop()
                at_deadline = self._deadline is not None and self._deadline <= now
                value = receipt_when_late(flight.command, flight.work, at_deadline=at_deadline)
                self._run.apply(Receipt(key, value))
                yield CommandEnded(key, flight.command, value, now - flight.started)

    def seconds_left(self) -> float | None:
        """Until the next of them runs out of time."""
        ends = [flight.expires for flight in self._flying.values() if flight.expires is not None]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def __bool__(self) -> bool:
        return bool(self._flying)

    def abandon(self) -> None:
        """Gives everything up: the driver is leaving."""
        for flight in self._flying.values():
            flight.work.abandon()
            flight.stop()
        self._flying.clear()

    def _fly(self, key: Key, command: Command, work: Work, start: Callable[[Key, Work], Stop]) -> None:
        now = time.monotonic()
        ends = [] if work.timeout is None else [now + work.timeout]
        if self._deadline is not None:
            ends.append(self._deadline)
        stop = start(key, work)
        self._flying[key] = _Flight(command, work, stop, now, min(ends, default=None))

    def _answer(self, key: Key, command: Command, value: Json) -> Iterator[Event]:
        self._run.apply(Intent(key, command.digest))
        yield CommandStarted(key, command)
        self._run.apply(Receipt(key, value))
        yield CommandEnded(key, command, value, 0.0)

    def _is_past_deadline(self) -> bool:
        return self._deadline is not None and self._deadline <= time.monotonic()

    def _raise_if_cancelled(self) -> None:
        if self._cancellation.cancelled:
            raise RunCancelledError("the run was cancelled; it stays where it was and can be driven on")
