"""Runs as files: one is whole, or it is not there. And the folder of runs that failed."""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from callagain.engine.journal.snapshot import snapshot
from callagain.engine.journal.store import JournalFile
from callagain.engine.run import Run

# Told of a file that could not be written, and why.
ReportFile = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True)
class Records:
    """Where the runs of a loop are kept, besides in their results, and what signs their snapshots."""

    journal: JournalFile | None
    snapshot_key: bytes | None
    folder_of_failures: Path | None


@dataclass(frozen=True, slots=True)
class FailedRuns:
    """Keeps each run that ends failed in `folder`, as RUN_ID.json; for `callagain replay` and `replay_file`.

    folder: None if none is to be kept. key: signs the files. report: told if one cannot be written; the run
    and its result are as they were then.
    """

    folder: Path | None
    key: bytes | None
    report: ReportFile

    def ended(self, run: Run) -> None:
        """To be told of every run that has come to its outcome."""
        if self.folder is None or run.outcome != "failed":
            return
        path = self.folder / file_name(run.inputs.run_id)
        try:
            write_whole(path, snapshot(run, self.key))
        except Exception as error:
            self.report(str(path), error)

    async def aended(self, run: Run) -> None:
        """The same without blocking the event loop."""
        if self.folder is not None and run.outcome == "failed":
            await asyncio.to_thread(self.ended, run)


def file_name(run_id: str) -> str:
    """The id with percent signs for what has no place in a name, as %2F for a slash."""
    return f"{quote(run_id, safe='', errors='replace')}.json"


def write_whole(path: Path, text: str) -> None:
    """Writes a file for this user alone. Whoever reads it meanwhile has the old text, or the new one whole.

    Raises OSError; then the file is as it was.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=".callagain-", suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
