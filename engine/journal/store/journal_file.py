"""The file of a journal: runs begin here, are taken up again, and are looked at."""

import atexit
import os
import threading
from typing import cast
from weakref import WeakSet

from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.errors import JournalError
from callagain.engine.journal.store.beginning import begin_run, delete_run
from callagain.engine.journal.store.connecting import FORK_GATE, reading, real_path
from callagain.engine.journal.store.leases import Lease, Leases
from callagain.engine.journal.store.run_journal import RunJournal
from callagain.engine.journal.store.settings import DURABILITIES, TIMING, Durability, Timing
from callagain.engine.journal.store.stored_runs import STATUSES
