"""DurableWorker: a process that runs what was enqueued."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Self, cast

from callagain.durable import workflow
from callagain.durable.database import Database, is_storable
from callagain.durable.durable_loop import checked_loop
from callagain.durable.handing_over import hand_over, pending, requeue
from callagain.durable.heartbeat import Heartbeat, Tell
from callagain.durable.queues import DEFAULT_QUEUE, QueueLimits, checked_queue, is_positive, whole_number
from callagain.engine.errors import ConfigurationError, DatabaseError
from callagain.loop import ToolLoop
from callagain.operation_log import default_logger

# After its grace, for DBOS to close what it has.
_SECONDS_MORE = 2.0


class DurableWorker:
    """Runs the runs of a loop from `start` to `stop`, or inside a `with`; one worker a process.

    is_lost: another worker has taken its name, so it has stopped to run anything.

    loop: the same as that of whoever enqueues; `loop.fingerprint` tells. executor_id: the name of this
    worker, which no other living one may have. queue: what it runs.
    concurrency, worker_concurrency, rate, poll_seconds: of the queue; `QueueLimits` says what they are.
    max_crashes: a run that ends its worker so often in the same place is set aside. Runs whose worker has
    ended go on one at a time in each worker, so that none is set aside for what its neighbour did.
    beat_seconds, dead_after: how often it says that it is alive, and after how many silent seconds another
    one is taken for dead.
    tell: told in a sentence of what happens to it; by default the log is.

    Raises ConfigurationError, DatabaseError.
    """

    def __init__(
        self,
        loop: ToolLoop[object],
        database_url: str,
        executor_id: str,
        *,
        queue: str = DEFAULT_QUEUE,
        concurrency: int | None = None,
        worker_concurrency: int | None = None,
        rate: tuple[int, float] | None = None,
        max_crashes: int = 3,
        beat_seconds: float = 2.0,
        dead_after: float = 10.0,
        poll_seconds: float = 0.5,
        tell: Tell | None = None,
    ) -> None:
        is_name = isinstance(cast("object", executor_id), str) and is_storable(executor_id)
        if not is_name or executor_id.strip() in ("", "local"):
            raise ConfigurationError(
                "give each worker an executor id of its own, such as the name of its host and a number; "
                "'local' is what every process of DBOS is called that has none"
            )
        whole_number("max_crashes", max_crashes)
        are_times = is_positive(beat_seconds) and is_positive(dead_after)
        if not are_times or beat_seconds > dead_after / 3:
            raise ConfigurationError(
                "dead_after must be at least three times beat_seconds, and both more than 0, not "
                f"{dead_after!r} and {beat_seconds!r}"
            )
        self.loop = checked_loop(loop)
        self.executor_id = executor_id
        self.queue = checked_queue(queue)
        self.database = Database(database_url)
        self._limits = QueueLimits(concurrency, worker_concurrency, rate, poll_seconds)
        self._max_crashes = max_crashes
        self._tell = tell or _log
        self._heartbeat = Heartbeat(
            self.database,
            executor_id,
            loop.fingerprint,
            beat_seconds=beat_seconds,
            dead_after=dead_after,
            hand_over=self._hand_over,
            look_after=self._hand_over_strays,
            lose=self._lose,
            tell=self._tell,
        )
        self.is_lost = False
        self._strays: frozenset[str] = frozenset()
        self._ending = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Returns when it runs what it finds in its queue."""
        self._heartbeat.begin()
        try:
            with self.database.problems():
                # Left by a worker of this name whose row was removed by hand.
                self._hand_over(self.executor_id)
                self._limits.register(self.database.client, self.queue)
                workflow.launch(self.loop, self.database, self.executor_id, self.queue, self._tell)
                self._tell_of_others()
        except BaseException:
            self._heartbeat.end()
            self.database.close()
            raise

    def wait(self) -> None:
        """Returns when somebody calls `stop`, or `end` from a signal handler; or when it is lost."""
        while not self._ending.wait(0.5):
            pass

    def end(self) -> None:
        """Makes `wait` return; may be called from anywhere."""
        self._ending.set()

    def stop(self, grace: float = 10.0) -> None:
        """Takes no more runs, waits `grace` seconds for those under way, and gives the rest to others.

        Threads of DBOS and of tools may be left that wait, for the database or for what a tool does, and keep
        the interpreter from ending: after this, `os._exit` ends a process whatever there is.
        """
        self._ending.set()
        ending = threading.Thread(target=workflow.end, args=[grace], daemon=True)
        ending.start()
        ending.join(grace + _SECONDS_MORE)
        with contextlib.suppress(DatabaseError), self.database.problems():
            if not self.is_lost:
                hand_over(self.database, self.executor_id)
        self._heartbeat.end()
        self.database.close()

    def _hand_over(self, executor_id: str) -> bool:
        done = hand_over(self.database, executor_id, self._max_crashes)
        for run_id in done.aside:
            self._tell(f"the run {run_id} has ended its worker {self._max_crashes} times; it is set aside")
        return not done.left

    def _hand_over_strays(self) -> None:
        """Runs that the database has under this worker's name, and that do not run: DBOS gives up one that it
        could not write while the database was away."""
        running = workflow.running()
        found = [each.workflow_id for each in pending(self.database.client, self.executor_id)]
        strays = frozenset(found) - running
        # One that is just being taken up is not in both yet.
        for workflow_id in strays & self._strays:
            requeue(self.database, self.executor_id, workflow_id, self.queue)
        self._strays = strays - self._strays

    def _lose(self) -> None:
        """Another worker has this one's name: what runs here is that one's by now."""
        self.is_lost = True
        self.end()

    def _tell_of_others(self) -> None:
        """Says which runs wait for another chain or other tools, since nothing else would."""
        waiting = self.database.client.list_workflows(
            status="ENQUEUED", queue_name=self.queue, load_input=False, load_output=False
        )
        own = self.loop.fingerprint
        others = sorted({str(each.app_version) for each in waiting if each.app_version != own})
        if others:
            count = sum(each.app_version != own for each in waiting)
            runs = "1 run waits" if count == 1 else f"{count} runs wait"
            shown = ", ".join(version[:12] for version in others)
            self._tell(f"{runs} for workers of other chains or tools ({shown}); this one is {own[:12]}")


def _log(sentence: str) -> None:
    default_logger().info("worker", text=sentence)
