"""DurableWorker: a process that runs what was enqueued."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Self

from callagain.durable import workflow
from callagain.durable.database import Database
from callagain.durable.durable_loop import DEFAULT_QUEUE, checked_loop, checked_queue
from callagain.durable.handing_over import hand_over
from callagain.durable.heartbeat import Heartbeat, Tell
from callagain.engine.errors import ConfigurationError, DatabaseError
from callagain.loop import ToolLoop
from callagain.operation_log import default_logger


class DurableWorker:
    """Runs the runs of a loop from `start` to `stop`, or inside a `with`; one worker a process.

    loop: the same as that of whoever enqueues; `loop.fingerprint` tells. executor_id: the name of this
    worker, which no other living one may have. queue: what it runs.
    concurrency: runs at a time over all workers of the queue; worker_concurrency: those of one worker.
    rate: (runs, seconds), the most that begin in any so many seconds, over all workers.
    The last worker that starts sets these three for the queue.
    max_crashes: a run that ends its worker so often in the same place is set aside.
    beat_seconds, dead_after: how often it says that it is alive, and after how many silent seconds another
    one is taken for dead. poll_seconds: how often it looks for new runs.
    tell: told in a sentence of what happens to it; by default the log is.

    Raises ConfigurationError, DatabaseError.
    """

    def __init__(
        self,
        loop: ToolLoop,
        database_url: str,
        executor_id: str,
        *,
        queue: str = DEFAULT_QUEUE,
        concurrency: int | None = None,
        worker_concurrency: int | None = 8,
        rate: tuple[int, float] | None = None,
        max_crashes: int = 3,
        beat_seconds: float = 2.0,
        dead_after: float = 10.0,
        poll_seconds: float = 0.5,
        tell: Tell | None = None,
    ) -> None:
        if not isinstance(executor_id, str) or executor_id.strip() in ("", "local"):
            raise ConfigurationError(
                "give each worker an executor id of its own, such as the name of its host and a number; "
                "'local' is what every process of DBOS is called that has none"
            )
        _check_numbers(concurrency, worker_concurrency, rate, max_crashes, poll_seconds)
        if not 0 < beat_seconds <= dead_after / 3:
            raise ConfigurationError("dead_after must be at least three times beat_seconds")
        self.loop = checked_loop(loop)
        self.executor_id = executor_id
        self.queue = checked_queue(queue)
        self.database = Database(database_url)
        self._concurrency = concurrency
        self._worker_concurrency = worker_concurrency
        self._rate = rate
        self._max_crashes = max_crashes
        self._poll_seconds = poll_seconds
        self._tell = tell or _log
        self._heartbeat = Heartbeat(
            self.database,
            executor_id,
            loop.fingerprint,
            beat_seconds=beat_seconds,
            dead_after=dead_after,
            hand_over=self._hand_over,
            tell=self._tell,
        )
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
        from dbos import DBOS

        self._heartbeat.begin()
        with self.database.problems():
            # Left by a worker of this name whose row was removed by hand.
            self._hand_over(self.executor_id)
            workflow.launch(self.loop, self.database, self.executor_id, self.queue, self._tell)
            DBOS.register_queue(
                self.queue,
                global_concurrency=self._concurrency,
                worker_concurrency=self._worker_concurrency,
                limiter=None if self._rate is None else {"limit": self._rate[0], "period": self._rate[1]},
                polling_interval_sec=self._poll_seconds,
                on_conflict="always_update",
            )
        self._tell_of_others()

    def wait(self) -> None:
        """Returns when somebody calls `stop`, or `end` from a signal handler."""
        while not self._ending.wait(0.5):
            pass

    def end(self) -> None:
        """Makes `wait` return; may be called from anywhere."""
        self._ending.set()

    def stop(self, grace: float = 10.0) -> None:
        """Takes no more runs, waits `grace` seconds for those under way, and gives the rest to others."""
        self._ending.set()
        workflow.end(grace)
        with contextlib.suppress(DatabaseError), self.database.problems():
            hand_over(self.database.client, self.executor_id)
            self._heartbeat.end()
        self.database.close()

    def _hand_over(self, executor_id: str) -> None:
        for run_id in hand_over(self.database.client, executor_id, self._max_crashes):
            self._tell(f"the run {run_id} has ended its worker {self._max_crashes} times; it is set aside")

    def _tell_of_others(self) -> None:
        """Says which runs wait for another chain or other tools, since nothing else would."""
        waiting = self.database.client.list_workflows(
            status="ENQUEUED", queue_name=self.queue, load_input=False, load_output=False
        )
        own = self.loop.fingerprint
        others = sorted({str(each.app_version) for each in waiting if each.app_version != own})
        if others:
            runs = sum(each.app_version != own for each in waiting)
            shown = ", ".join(version[:12] for version in others)
            self._tell(
                f"{runs} runs wait for workers of other chains or tools ({shown}); this one is {own[:12]}"
            )


def _check_numbers(
    concurrency: int | None,
    worker_concurrency: int | None,
    rate: tuple[int, float] | None,
    max_crashes: int,
    poll_seconds: float,
) -> None:
    counts = {
        "concurrency": concurrency,
        "worker_concurrency": worker_concurrency,
        "max_crashes": max_crashes,
    }
    for name, value in counts.items():
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise ConfigurationError(f"{name} must be a whole number, 1 or more, not {value!r}")
    if concurrency is not None and worker_concurrency is not None and worker_concurrency > concurrency:
        raise ConfigurationError(
            f"worker_concurrency ({worker_concurrency}) is of one worker and concurrency ({concurrency}) of "
            "all, so it must not be the smaller one"
        )
    if rate is not None and not (len(rate) == 2 and rate[0] >= 1 and rate[1] > 0):
        raise ConfigurationError(f"rate must be (runs, seconds), both more than 0, not {rate!r}")
    if not poll_seconds > 0:
        raise ConfigurationError(f"poll_seconds must be more than 0, not {poll_seconds!r}")


def _log(sentence: str) -> None:
    default_logger().info("worker", text=sentence)
