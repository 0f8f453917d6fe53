"""What the tests of the store share: short ways to begin a run, a clock to set, and forked processes."""

import multiprocessing
import os
import signal
import time
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.journal.store import JournalFile, RunJournal, Timing
from callagain.engine.log_entries import Entry, Intent, Receipt

FORK = multiprocessing.get_context("fork")
PATIENCE = 20.0

# Tells all the time that it lives, and hardly waits for a lock.
HASTY = Timing(heartbeat=0.01, lock=0.3)
# Writes nothing that nobody waits for.
PATIENT = Timing(lazy=30.0)

Target = Callable[[Connection], None]


def begin(journal: JournalFile, run_id: str = "r1") -> RunJournal:
    return journal.begin(
        run_id, inputs={"user_message": "Go"}, format=1, fingerprint="f" * 64, chain="guide", model="m"
    )


def call(step: int, text: str = "done") -> tuple[Entry, Entry]:
    """The two entries of a call that was performed."""
    return Intent((step, 0), "d" * 64), Receipt((step, 0), {"content": text, "error": None})


def steps_in(journal: JournalFile, run_id: str = "r1") -> list[int]:
    """The step of each entry that is kept."""
    keys = [entry["key"] for entry in journal.read(run_id).entries]
    return [key[0] for key in keys if isinstance(key, list) and isinstance(key[0], int)]


@dataclass
class SetClock:
    """Stands still until it is set."""

    seconds: float = 1000.0
    unix: float = 1_800_000_000.0

    def now(self) -> float:
        return self.seconds

    def date(self) -> float:
        return self.unix

    def idle(self, seconds: float) -> float:
        return seconds


def eventually(condition: Callable[[], bool]) -> None:
    """Waits for what another thread or process does soon."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def told(pipe: Connection) -> Any:
    """What the other process sends next."""
    assert pipe.poll(PATIENCE), "the other process said nothing"
    return pipe.recv()


@contextmanager
def forked(target: Target) -> Generator[tuple[ForkProcess, Connection], None, None]:
    """A process that runs the function, and a pipe to it. It is killed at the end, if it is still there."""
    here, there = FORK.Pipe()
    process = FORK.Process(target=target, args=(there,))
    with warnings.catch_warnings():
        # Later versions of Python warn where threads are running; this is what is tested.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        here.close()


def driver(path: Path, clock: Clock = SYSTEM_CLOCK) -> Target:
    """For a process that begins a run; told a step, it writes a call, and says how that went."""

    def drive(pipe: Connection) -> None:
        run = begin(JournalFile(path, clock=clock))
        pipe.send("begun")
        while True:
            for entry in call(pipe.recv()):
                try:
                    run.keep(entry, "pay")
                    run.barrier()
                except Exception as error:
                    pipe.send((type(error).__name__, str(error)))
                    break
            else:
                pipe.send("kept")

    return drive


def stop(process: ForkProcess) -> None:
    """Freezes the process, as a debugger or a sleeping container does."""
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)


def go_on(process: ForkProcess) -> None:
    assert process.pid is not None
    os.kill(process.pid, signal.SIGCONT)
