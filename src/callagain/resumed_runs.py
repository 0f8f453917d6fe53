"""The runs that were resumed in this process, as they stood. A second time would do everything twice."""

import hashlib
import threading
from collections.abc import Generator
from contextlib import contextmanager

from callagain.engine.errors import SnapshotError
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.json_text import canonical
from callagain.engine.run import Run

# The oldest are forgotten: 100,000 digests are a few megabytes.
MOST = 100_000


class ResumedRuns:
    """Remembers them by a digest of id and log, however a snapshot was written; of other processes it knows
    nothing."""

    def __init__(self) -> None:
        self._digests: dict[str, None] = {}
        self._lock = threading.Lock()

    @contextmanager
    def once(self, run: Run) -> Generator[None, None, None]:
        """Takes the run as it stands, unless the block raises. Raises SnapshotError for one that was."""
        log = [entry_as_json(entry) for entry in run.log]
        digest = hashlib.sha256(canonical([run.inputs.run_id, run.inputs.seed, log]).encode()).hexdigest()
        with self._lock:
            if digest in self._digests:
                raise SnapshotError(
                    "this snapshot was resumed already; go on with what came of that, since a second time "
                    "would run its calls twice"
                )
            self._digests[digest] = None
            if len(self._digests) > MOST:
                del self._digests[next(iter(self._digests))]
        try:
            yield
        except BaseException:
            with self._lock:
                self._digests.pop(digest, None)
            raise


RESUMED = ResumedRuns()
