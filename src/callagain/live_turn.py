"""A turn under way: it waits until the conversation is free, begins, and is driven like a run."""

import asyncio
import contextlib
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import aclosing, closing, contextmanager
from typing import Generic, Self
from weakref import WeakValueDictionary

from callagain.conversation_turns import ConversationTurns
from callagain.engine.errors import JournalError, RunCancelledError, RunInProgressError
from callagain.engine.events import Event, RunEnded
from callagain.engine.problem import Problem
from callagain.live_run import LiveRun
from callagain.output_format import Output
from callagain.result import Result
from callagain.run_stream import EventStream
from callagain.turn_stores import TurnStore

# Seconds between two looks whether the conversation is free.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.25


class TurnResult(Result[Output]):
    """What a turn came to. Where a budget of the conversation ended it, `error` says so."""

    problem: Problem | None = None

    @classmethod
    def of(cls, result: Result[Output], problem: Problem | None) -> Self:
        found = cls(result._run, result._tool_calls, result._snapshot_key, result._read_output)
        found.problem = problem
        return found

    @property
    def error(self) -> Problem | None:
        return self.problem or super().error


class LiveTurn(Generic[Output]):
    """One turn. Nothing has happened yet when it is made.

    begin: gives the run of the turn, ready to be driven, or the result of one that needs no driving; raises
    RunInProgressError while the conversation is not free. waits: until it is, behind those who came before.
    """

    def __init__(
        self,
        turns: ConversationTurns,
        begin: Callable[[], LiveRun[Output] | Result[Output]],
        *,
        waits: bool,
    ) -> None:
        self._turns = turns
        self._begin = begin
        self._waits = waits
        self._live: LiveRun[Output] | None = None
        self._known: Result[Output] | None = None
        self._problem: Problem | None = None
        self._cancelled = threading.Event()

    @property
    def result(self) -> Result[Output] | None:
        """The result, once the run has come to its outcome."""
        result = self._known if self._live is None else self._live.result
        return None if result is None else TurnResult[Output].of(result, self._problem)

    def run(self) -> Result[Output]:
        """Drives the turn to its outcome."""
        for _ in self.events():
            pass
        return self._ended()

    async def arun(self) -> Result[Output]:
        """The same on the running event loop."""
        async for _ in self.aevents():
            pass
        return self._ended()

    def cancel(self) -> None:
        """Ends the waiting or the drive, from any thread; it raises RunCancelledError."""
        self._cancelled.set()
        if self._live is not None:
            self._cancel_run(self._live)

    def events(self) -> Generator[Event, None, None]:
        """Drives the turn, and yields what happens. Closing the iterator leaves it where it is."""
        if (begun := self._first()) is None:
            return
        live, events, event = begun
        try:
            with closing(events):
                while event is not None:
                    if isinstance(event, RunEnded):
                        self._settle(live)
                    yield event
                    event = next(events, None)
        finally:
            self._turns.store.leave(live.run_id)

    async def aevents(self) -> AsyncGenerator[Event, None]:
        """The same on the running event loop, which is not blocked while the turn waits."""
        if (begun := await self._afirst()) is None:
            return
        live, events, event = begun
        try:
            async with aclosing(events):
                while event is not None:
                    if isinstance(event, RunEnded):
                        await self._turns.store.apart(lambda: self._settle(live))
                    yield event
                    event = await anext(events, None)
        finally:
            self._turns.store.leave(live.run_id)

    def _first(self) -> tuple[LiveRun[Output], Generator[Event, None, None], Event | None] | None:
        """The run with its events, when the first of them has come: then it has begun."""
        pauses = _pauses()
        with _place_in_line(self._turns.store) as is_first:
            while True:
                if is_first() or not self._may_wait:
                    try:
                        if (live := self._run()) is None:
                            return None
                        with self._left_unless_begun(live):
                            events = live.events()
                            return live, events, next(events, None)
                    except RunInProgressError:
                        if not self._may_wait:
                            raise
                self._cancelled.wait(next(pauses))
                self._check_cancelled()

    async def _afirst(self) -> tuple[LiveRun[Output], AsyncGenerator[Event, None], Event | None] | None:
        pauses = _pauses()
        with _place_in_line(self._turns.store) as is_first:
            while True:
                if is_first() or not self._may_wait:
                    try:
                        if (live := await self._turns.store.apart(self._run)) is None:
                            return None
                        with self._left_unless_begun(live):
                            events = live.aevents()
                            return live, events, await anext(events, None)
                    except RunInProgressError:
                        if not self._may_wait:
                            raise
                await asyncio.sleep(next(pauses))
                self._check_cancelled()

    @property
    def _may_wait(self) -> bool:
        """A turn that was begun and left is gone on with at once, or somebody else has it."""
        return self._waits and self._live is None

    def _run(self) -> LiveRun[Output] | None:
        """The run of the turn: a new one, or the one that was left; None if there is nothing to drive."""
        if self._live is not None:
            self._turns.store.take(self._live.run_id)
            return self._live
        found = self._begin()
        if isinstance(found, Result):
            self._known = found
            return None
        return found

    @contextmanager
    def _left_unless_begun(self, live: LiveRun[Output]) -> Generator[None, None, None]:
        try:
            yield
        except BaseException:
            self._turns.store.leave(live.run_id)
            raise
        self._live = live
        if self._cancelled.is_set():
            self._cancel_run(live)

    def _cancel_run(self, live: LiveRun[object]) -> None:
        self._cancelled.clear()
        live.cancel()

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            self._cancelled.clear()
            raise RunCancelledError("the turn was cancelled while it waited; nothing of it has happened")

    def _settle(self, live: LiveRun[object]) -> None:
        result = live.result
        assert result is not None
        # The run is in the journal, and the next turn writes what could not be written now.
        with contextlib.suppress(JournalError):
            self._turns.settle(result)
            if result.outcome == "limit" and result.error is not None:
                self._problem = self._turns.problem(result.error, result.variables.limits)

    def _ended(self) -> Result[Output]:
        result = self.result
        assert result is not None
        return result


class TurnStream(EventStream[Output]):
    """The stream of one turn: `for event in conversation.stream(…)`, or `async for`; see EventStream."""

    def __init__(self, turn: LiveTurn[Output]) -> None:
        super().__init__(turn)
        self._turn = turn

    def cancel(self) -> None:
        """Ends the waiting or the run, from any thread; the iteration raises RunCancelledError."""
        self._turn.cancel()


class _Line:
    """Those of this process who wait for one conversation, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[object] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def place(self) -> Generator[Callable[[], bool], None, None]:
        place = object()
        with self._lock:
            self._waiting.append(place)
        try:
            yield lambda: self._waiting[0] is place
        finally:
            with self._lock:
                self._waiting.remove(place)


_LINES: WeakValueDictionary[tuple[int, TurnStore], _Line] = WeakValueDictionary()
_LINES_LOCK = threading.Lock()


@contextmanager
def _place_in_line(store: TurnStore) -> Generator[Callable[[], bool], None, None]:
    """Whether nobody came before. A forked process has lines of its own."""
    with _LINES_LOCK:
        line = _LINES.setdefault((os.getpid(), store), _Line())
    with line.place() as is_first:
        yield is_first


def _pauses() -> Iterator[float]:
    pause = _FIRST_PAUSE
    while True:
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE)
