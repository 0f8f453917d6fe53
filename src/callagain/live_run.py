"""A run under way: stepped one operation at a time, watched event by event, or driven to its end."""

import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing, contextmanager

from callagain.engine.drivers import Cancellation, Clock, Performer, drive, drive_async
from callagain.engine.errors import RunInProgressError
from callagain.engine.events import Event, OperationEnded
from callagain.engine.run import Run, Step
from callagain.engine.variables import Variables
from callagain.result import Result


class LiveRun:
    """One run of a loop. Nothing has happened yet when it is made.

    It may be driven by the synchronous methods or by the asynchronous ones, and left and taken up again; but
    by one at a time: a second driver gets RunInProgressError, and harms nothing.
    """

    def __init__(
        self,
        run: Run,
        performer: Performer,
        write_log: Callable[[Event], None],
        *,
        max_concurrent_tools: int,
        deadline: float | None,
        clock: Clock,
    ) -> None:
        self._run = run
        self._performer = performer
        self._write_log = write_log
        self._max_concurrent_tools = max_concurrent_tools
        self._deadline = deadline
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
    def result(self) -> Result | None:
        """The result, once the run has come to its outcome."""
        return None if self._run.outcome is None else Result(self._run)

    def run(self) -> Result:
        """Drives the run to its outcome. Raises RunCancelledError, and KeyboardInterrupt, at once."""
        for _ in self.events():
            pass
        return Result(self._run)

    async def arun(self) -> Result:
        """The same on the running event loop; cancellation of the task gets through at once."""
        async for _ in self.aevents():
            pass
        return Result(self._run)

    def events(self) -> Generator[Event, None, None]:
        """Drives the run, and yields what happens. Closing the iterator leaves the run where it is."""
        with self._alone():
            driving = drive(
                self._run,
                self._performer,
                max_concurrent_tools=self._max_concurrent_tools,
                deadline=self._deadline,
                cancellation=self._cancellation,
                clock=self._clock,
            )
            with closing(driving):
                for event in driving:
                    self._write_log(event)
                    yield event

    async def aevents(self) -> AsyncGenerator[Event, None]:
        """The same on the running event loop."""
        with self._alone():
            driving = drive_async(
                self._run,
                self._performer,
                max_concurrent_tools=self._max_concurrent_tools,
                deadline=self._deadline,
                cancellation=self._cancellation,
                clock=self._clock,
            )
            # A generator that is merely dropped would cancel its work some time later, and not now.
            async with aclosing(driving):
                async for event in driving:
                    self._write_log(event)
                    yield event

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

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        """For as long as an iterator over the events is open."""
        if not self._driving.acquire(blocking=False):
            raise RunInProgressError("somebody else is driving this run; wait for it, or start another run")
        try:
            yield
        finally:
            if self._cancellation.cancelled:
                self._cancellation = Cancellation()
            self._driving.release()
