"""A run under way: stepped one operation at a time, watched event by event, or driven to its end."""

import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, closing, contextmanager
from typing import TYPE_CHECKING, Generic, TypedDict

from callagain.approval import Approval
from callagain.connectors.performer import LoopPerformer
from callagain.decisions import Decisions, Results
from callagain.engine.drivers import Cancellation, Clock, DriveAsync, drive_async
from callagain.engine.drivers import drive as drive_in_threads
from callagain.engine.errors import RunInProgressError
from callagain.engine.events import Event, OperationEnded, RunEnded
from callagain.engine.journal.snapshot import snapshot
from callagain.engine.json_text import Json
from callagain.engine.run import Run, Step
from callagain.engine.variables import Variables
from callagain.keeping import Keeping
from callagain.observers import Observations
from callagain.output_format import Output
from callagain.recording import FailedRuns
from callagain.result import ReadOutput, Result
from callagain.resumed_runs import RESUMED
from callagain.resuming import make_ready

if TYPE_CHECKING:
    from callagain.diagrams.walk import Walk


class _DriveSettings(TypedDict):
    max_concurrent_tools: int
    deadline: float | None
    cancellation: Cancellation
    clock: Clock


class LiveRun(Generic[Output]):
    """One run of a loop. Nothing has happened yet when it is made.

    It may be driven by the synchronous methods or by the asynchronous ones, and left and taken up again; but
    by one at a time: a second driver gets RunInProgressError, and harms nothing.
    """

    def __init__(
        self,
        run: Run,
        performer: LoopPerformer,
        write_log: Callable[[Event], None],
        *,
        observations: Observations,
        keeping: Keeping,
        approval: Approval | None,
        failed_runs: FailedRuns,
        snapshot_key: bytes | None,
        read_output: ReadOutput | None,
        max_concurrent_tools: int,
        clock: Clock,
    ) -> None:
        self._run = run
        self._performer = performer
        self._effects = keeping.effects(observations.around(performer))
        self._keeping = keeping
        self._tell = observations.telling(write_log)
        self._observations = observations
        self._approval = approval
        self._failed_runs = failed_runs
        self._snapshot_key = snapshot_key
        self._read_output = read_output
        self._max_concurrent_tools = max_concurrent_tools
        self._clock = clock
        self._cancellation = Cancellation()
        self._driving = threading.Lock()

    @property
    def run_id(self) -> str:
        return self._run.inputs.run_id

    @property
    def state(self) -> str:
        """The operation that comes next, or a final state."""
        return self._run.state

    @property
    def variables(self) -> Variables:
        return self._run.variables

    @property
    def trace(self) -> list[Step]:
        """The operations that have ended."""
        return self._run.trace

    @property
    def walk(self) -> "Walk":
        """The run as it is drawn and shown. It may be ahead of `trace`, by operations that need nothing."""
        from callagain.diagrams.walk import Walk

        return Walk.of(self._run)

    @property
    def result(self) -> Result[Output] | None:
        """The result, once the run has come to its outcome."""
        return None if self._run.outcome is None else self._result()

    def snapshot(self) -> str:
        """The run as a JSON text, wherever it stands; see `Result.snapshot`."""
        RESUMED.note(self._run)
        return snapshot(self._run, self._snapshot_key)

    def resume(
        self,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> None:
        """Makes a run ready that is suspended or has ended; drive it then. See `ToolLoop.resume`."""
        # Whoever makes a run ready is the one who goes on with it.
        with self._alone(afterwards=self._keeping.paused):
            tool_calls = self._performer.tool_calls
            self._keeping.take()
            if self._keeping.is_unsettled and not (decisions or results or changes):
                # It is only driven on: a process may have been killed behind the last entry of a run.
                return
            try:
                events = make_ready(self._run, tool_calls, decisions or {}, results or {}, changes or {})
            except BaseException:
                self._keeping.untake()
                raise
            for event in events:
                self._tell(event)

    def run(self) -> Result[Output]:
        """Drives the run to its outcome. Raises RunCancelledError, and KeyboardInterrupt, at once."""
        for _ in self.events():
            pass
        return self._result()

    async def arun(self, drive: DriveAsync = drive_async) -> Result[Output]:
        """The same on the running event loop; cancellation of the task gets through at once.

        drive: another driver, such as one that has commands performed by the steps of a durable engine.
        """
        async for _ in self.aevents(drive):
            pass
        return self._result()

    def events(self) -> Generator[Event, None, None]:
        """Drives the run, and yields what happens. Closing the iterator leaves the run where it is."""
        with self._alone():
            self._keeping.take()
            with self._observations.driving():
                settings = self._settings(self._run.variables.limits.deadline)
                while True:
                    began = self._clock.now()
                    driving = drive_in_threads(self._run, self._effects, **settings)
                    with self._performer.watch.running(), closing(driving):
                        for event in driving:
                            if isinstance(event, RunEnded):
                                if self._questions:
                                    continue
                                self._keeping.ended()
                                self._failed_runs.ended(self._run)
                            yield self._told(event)
                    if not (approval := self._questions):
                        return
                    settings = self._settings(settings["deadline"], self._clock.now() - began)
                    for decided in approval.ask():
                        yield self._told(decided)

    async def aevents(self, drive: DriveAsync = drive_async) -> AsyncGenerator[Event, None]:
        """The same on the running event loop."""
        with self._alone():
            await self._keeping.atake()
            with self._observations.driving():
                settings = self._settings(self._run.variables.limits.deadline)
                while True:
                    began = self._clock.now()
                    # A generator that is merely dropped would cancel its work some time later, and not now.
                    driving = drive(self._run, self._effects, **settings)
                    with self._performer.watch.running():
                        async with aclosing(driving):
                            async for event in driving:
                                if isinstance(event, RunEnded):
                                    if self._questions:
                                        continue
                                    await self._keeping.aended()
                                    await self._failed_runs.aended(self._run)
                                yield self._told(event)
                    if not (approval := self._questions):
                        return
                    settings = self._settings(settings["deadline"], self._clock.now() - began)
                    async with aclosing(approval.aask()) as asking:
                        async for decided in asking:
                            yield self._told(decided)

    def step(self) -> Step | None:
        """Performs one operation, with all that it needs; None when the run has come to its outcome.

        A deadline counts for each step.
        """
        with closing(self.events()) as events:
            return next((event.step for event in events if isinstance(event, OperationEnded)), None)

    async def astep(self) -> Step | None:
        """The same on the running event loop."""
        async with aclosing(self.aevents()) as events:
            async for event in events:
                if isinstance(event, OperationEnded):
                    return event.step
        return None

    def cancel(self) -> None:
        """Ends the drive that is under way, from any thread or signal handler; it raises RunCancelledError.

        The run stays where it is. Driven on, it repeats what may be repeated, and asks about the rest.
        """
        self._cancellation.cancel()

    @property
    def _questions(self) -> Approval | None:
        """The approval, if the run is suspended and there is somebody to ask."""
        approval = self._approval
        return approval if approval and self._run.outcome == "suspended" and approval.questions() else None

    def _settings(self, deadline: float | None, used: float = 0.0) -> "_DriveSettings":
        """used: seconds of the deadline. While somebody is asked, no time passes for the run."""
        return {
            "max_concurrent_tools": self._max_concurrent_tools,
            "deadline": None if deadline is None else max(0.0, deadline - used),
            "cancellation": self._cancellation,
            "clock": self._clock,
        }

    def _told(self, event: Event) -> Event:
        self._tell(event)
        return event

    def _result(self) -> Result[Output]:
        return Result(self._run, self._performer.tool_calls, self._snapshot_key, self._read_output)

    @contextmanager
    def _alone(self, afterwards: Callable[[], None] | None = None) -> Generator[None, None, None]:
        """For as long as an iterator over the events is open. afterwards: in place of leaving the run."""
        if not self._driving.acquire(blocking=False):
            raise RunInProgressError("somebody else is driving this run; wait for it, or start another run")
        try:
            yield
        finally:
            (afterwards or self._keeping.left)()
            if self._cancellation.cancelled:
                self._cancellation = Cancellation()
            self._driving.release()
