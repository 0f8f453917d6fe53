"""The journals of this process: one for each file, whoever asks for it."""

import atexit
import os
import threading

from callagain.engine.errors import JournalError
from callagain.engine.journal.store.connecting import real_path
from callagain.engine.journal.store.fork_gate import FORK_GATE
from callagain.engine.journal.store.journal_file import JournalFile
from callagain.engine.journal.store.settings import Durability


class OpenJournals:
    """The journals by their real paths, until they are closed."""

    def __init__(self) -> None:
        self._journals: dict[str, JournalFile] = {}
        self._lock = threading.Lock()

    def get(self, path: str, durability: Durability) -> JournalFile:
        with self._lock:
            journal = self._journals.get(path)
            if journal is None or journal.is_closed:
                journal = JournalFile(path, durability)
                # A process may open and close any number of them.
                still_open = {each: kept for each, kept in self._journals.items() if not kept.is_closed}
                self._journals = {**still_open, path: journal}
        return journal

    def close(self) -> None:
        """At the end of the process."""
        for journal in list(self._journals.values()):
            journal.close()

    def before_fork(self) -> None:
        """See `fork_gate`: each journal closes what it has open."""

    def after_fork(self) -> None:
        """A thread that is not there in the child may have had the lock."""
        self._lock = threading.Lock()


OPEN_JOURNALS = OpenJournals()
FORK_GATE.guard(OPEN_JOURNALS)
atexit.register(OPEN_JOURNALS.close)


def open_journal(path: str | os.PathLike[str], durability: Durability = "effects") -> JournalFile:
    """The journal in this file, which is made if it is not there; its folder has to be there.

    A process has one for a file, shared by all its loops and threads; it is closed when the process ends. A
    child that is forked later may use it too, but has to begin or take runs of its own.

    durability: what is to outlive a loss of power. "effects": whatever an effect on the world hangs on, so
    that nothing is done twice. "every_entry": all. "process": nothing for certain; it is safe against the end
    of the process, however it ends.

    Raises JournalError for a file that cannot be used.
    """
    location = real_path(path)
    journal = OPEN_JOURNALS.get(location, durability)
    if journal.durability != durability:
        raise JournalError(
            f"the journal {location} is open with durability {journal.durability!r} in this process, and "
            f"cannot have {durability!r} at the same time; give the same to all loops"
        )
    return journal
