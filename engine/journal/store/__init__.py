"""The journal in a SQLite file: what is kept of runs outlives the process that drives them.

`open_journal` is the way in, and gives a `journal_file`. A driver writes to a `run_journal`; its entries go
to `writer`, the thread that commits them together, by way of `transactions`. `leases` let one RunJournal at a
time write a run, and `stored_runs` reads. `conversations` puts runs in a row, as turns. `schema` has the
tables, for whoever looks into the file with the `sqlite3` command.
"""

from callagain.engine.journal.store.conversations import Conversations
from callagain.engine.journal.store.journal_file import JournalFile
from callagain.engine.journal.store.open_journals import open_journal
from callagain.engine.journal.store.run_journal import RunJournal
from callagain.engine.journal.store.settings import Durability, Timing
from callagain.engine.journal.store.stored_runs import (
    RunSummary,
    Status,
    StoredCommand,
    StoredRun,
    StoredStep,
)
from callagain.engine.journal.store.turn_rows import NewTurn, Settled, StoredConversation, StoredTurn

__all__ = [
    "Conversations",
    "Durability",
    "JournalFile",
    "NewTurn",
    "RunJournal",
    "RunSummary",
    "Settled",
    "Status",
    "StoredCommand",
    "StoredConversation",
    "StoredRun",
    "StoredStep",
    "StoredTurn",
    "Timing",
    "open_journal",
]
