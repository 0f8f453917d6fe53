"""Who goes on with a run in this process. A second one would do everything a second time."""

import itertools
import threading

from callagain.engine.errors import SnapshotError
from callagain.engine.run import Run

# The oldest are forgotten: 100,000 of them are some megabytes.
MOST = 100_000


class ResumedRuns:
    """Remembers for each run, as it stood, who went on from there; of other processes it knows nothing.

    A run is known by its id and its seed, and where it stands by the number of entries of its log: as long as
    only one goes on from each place, there is only one log of that length.
    """

    def __init__(self) -> None:
        self._owners: dict[tuple[str, str, int], int] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def new_owner(self) -> int:
        """The number of somebody who may go on with runs."""
        return next(self._numbers)

    def claim(self, run: Run, owner: int) -> None:
        """Goes on with the run from where it stands. Raises SnapshotError if somebody else did."""
        place = _place(run)
        with self._lock:
            if self._owners.setdefault(place, owner) != owner:
                raise SnapshotError(
                    "this snapshot was resumed already; go on with what came of that, since a second time "
                    "would run its calls twice"
                )
            if len(self._owners) > MOST:
                del self._owners[next(iter(self._owners))]

    def disclaim(self, run: Run, owner: int) -> None:
        """The run stands where it stood, and somebody else may go on."""
        with self._lock:
            if self._owners.get(_place(run)) == owner:
                del self._owners[_place(run)]


def _place(run: Run) -> tuple[str, str, int]:
    return run.inputs.run_id, run.inputs.seed, len(run.log)


RESUMED = ResumedRuns()
