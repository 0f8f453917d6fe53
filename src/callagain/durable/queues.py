"""The two queues of a worker: the one that runs are enqueued in, and one for those that may end workers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard, cast

from callagain.durable.database import is_storable
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from dbos import DBOSClient

DEFAULT_QUEUE = "callagain"
_WORKER_CONCURRENCY = 8
_SUSPECTS = ":suspects"


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """What one queue lets run, over all its workers and in each of them; the last worker that starts sets it.

    concurrency: runs at a time over all workers. worker_concurrency: in one; by default 8, or fewer if all
    have fewer. rate: (runs, seconds), the most that begin in any so many seconds. poll_seconds: how often a
    worker looks for new runs. Raises ConfigurationError.
    """

    concurrency: int | None
    worker_concurrency: int | None
    rate: tuple[int, float] | None
    poll_seconds: float

    def __post_init__(self) -> None:
        for name in ("concurrency", "worker_concurrency"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name))
        if self.concurrency is not None and (self.worker_concurrency or 0) > self.concurrency:
            raise ConfigurationError(
                f"worker_concurrency ({self.worker_concurrency}) is of one worker and concurrency "
                f"({self.concurrency}) of all, so it must not be the larger one"
            )
        if self.rate is not None and not _is_rate(self.rate):
            raise ConfigurationError(
                "rate must be (runs, seconds), a whole number and a number, both more than 0, "
                f"not {self.rate!r}"
            )
        if not is_positive(self.poll_seconds):
            raise ConfigurationError(f"poll_seconds must be more than 0, not {self.poll_seconds!r}")

    @property
    def _in_one_worker(self) -> int:
        if self.worker_concurrency is not None:
            return self.worker_concurrency
        return min(_WORKER_CONCURRENCY, self.concurrency or _WORKER_CONCURRENCY)

    def register(self, client: DBOSClient, queue: str) -> None:
        """Before a worker begins, so that its first runs are held back too."""
        client.register_queue(
            queue,
            global_concurrency=self.concurrency,
            worker_concurrency=self._in_one_worker,
            limiter=None if self.rate is None else {"limit": self.rate[0], "period": self.rate[1]},
            polling_interval_sec=self.poll_seconds,
            application_name=None,
        )
        client.register_queue(
            suspects_of(queue),
            worker_concurrency=1,
            polling_interval_sec=self.poll_seconds,
            application_name=None,
        )


def suspects_of(queue: str) -> str:
    """The queue of runs whose worker has ended: one at a time in each worker, until it is known which of them
    was to blame."""
    return queue if queue.endswith(_SUSPECTS) else f"{queue}{_SUSPECTS}"


def checked_queue(queue: str) -> str:
    is_name = isinstance(cast("object", queue), str) and queue.strip() and is_storable(queue)
    if not is_name or queue.startswith("_dbos_") or _SUSPECTS in queue:
        raise ConfigurationError(
            f"queue must be a name that does not begin with _dbos_ and has no {_SUSPECTS} in it, "
            f"not {queue!r}"
        )
    return queue


def whole_number(name: str, value: object) -> None:
    """Raises ConfigurationError for anything but 1 or more."""
    if not _is_count(value):
        raise ConfigurationError(f"{name} must be a whole number, 1 or more, not {value!r}")


def is_positive(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_rate(value: object) -> bool:
    if not isinstance(value, tuple) or len(pair := cast("tuple[object, ...]", value)) != 2:
        return False
    return _is_count(pair[0]) and is_positive(pair[1])
