"""Who goes on with a run in this process. A second one would do everything a second time."""

import itertools
import threading
from dataclasses import dataclass

from callagain.engine.errors import SnapshotError
from callagain.engine.run import Run

# The oldest are forgotten: 100,000 of them are some megabytes.
MOST = 100_000


@dataclass(slots=True)
class _Record:
    """How far the log of a run has come, and who goes on with it at this moment."""

    length: int
    owner: int | None = None


class ResumedRuns:
    """Knows the runs of which there is a snapshot, by id and seed; of other processes it knows nothing."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], _Record] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def new_owner(self) -> int:
        """The number of somebody who may go on with runs."""
        return next(self._numbers)

    def note(self, run: Run) -> None:
        """There is a snapshot of the run as it stands."""
        with self._lock:
            self._record(run)

    def claim(self, run: Run, owner: int) -> None:
        """Goes on with the run from where it stands.

        Raises SnapshotError if somebody else does, or did: the run has come further than that.
        """
        with self._lock:
            record = self._record(run)
            if record.owner not in (None, owner) or len(run.log) < record.length:
                raise SnapshotError(
                    "this snapshot was resumed already; go on with what came of that, since a second time "
                    "would run its calls twice"
                )
            record.owner = owner

    def advance(self, run: Run) -> None:
        """The log has grown."""
        if (record := self._records.get(_key(run))) is not None:
            record.length = len(run.log)

    def release(self, run: Run, owner: int) -> None:
        """Somebody else may go on from where the run stands now."""
        record = self._records.get(_key(run))
        if record is not None and record.owner == owner:
            record.owner = None

    def _record(self, run: Run) -> _Record:
        record = self._records.setdefault(_key(run), _Record(len(run.log)))
        if len(self._records) > MOST:
            del self._records[next(iter(self._records))]
        return record


def _key(run: Run) -> tuple[str, str]:
    return run.inputs.run_id, run.inputs.seed


RESUMED = ResumedRuns()
