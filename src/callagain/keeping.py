"""Who goes on with a run, and where it is kept meanwhile: in this process alone, or in a journal."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol, TypeAlias

from callagain.connectors.kept_effects import KeptEffects
from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.drivers import Performer
from callagain.engine.drivers.worker_threads import WORKERS
from callagain.engine.errors import RunInProgressError
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.journal.fingerprint import FORMAT, fingerprint
from callagain.engine.journal.inputs_json import inputs_as_json
from callagain.engine.journal.steps import kept_step
from callagain.engine.journal.store import JournalFile, RunJournal, StoredRun
from callagain.engine.json_text import encode
from callagain.engine.log_entries import Entry, Resumed
from callagain.engine.run import Run, Step
from callagain.resumed_runs import RESUMED

# What a run had when its journal was taken, or None for a new one; and the journal.
Leased: TypeAlias = tuple[StoredRun | None, RunJournal]


class Keeping(Protocol):
    """Told by whoever drives a run, or decides about it."""

    def take(self) -> None:
        """Somebody is about to go on with the run. Raises if somebody else does, or did."""
        ...

    async def atake(self) -> None: ...

    @property
    def is_unsettled(self) -> bool:
        """Where it is kept, the run counts as one that was left, whatever its log comes to."""
        ...

    def untake(self) -> None:
        """It was not gone on with after all."""
        ...

    def ended(self) -> None:
        """The run has come to its outcome: returns when all of it is safe."""
        ...

    async def aended(self) -> None: ...

    def paused(self) -> None:
        """Nobody drives it for a moment; whoever has taken it goes on with it."""
        ...

    def left(self) -> None:
        """Nobody drives it any more, whether it has ended or not."""
        ...

    def effects(self, performer: Performer) -> Performer:
        """What performs commands, waiting where something has to be safe first."""
        ...


class InProcess:
    """Nothing is kept; only that nobody goes on twice from one place, in this process."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._owner = RESUMED.new_owner()

    def take(self) -> None:
        # Of a run that has not begun there is no snapshot from which somebody else could go on.
        if self._run.log:
            RESUMED.claim(self._run, self._owner)
        self._run.on_entry = self._advance

    async def atake(self) -> None:
        self.take()

    @property
    def is_unsettled(self) -> bool:
        return False

    def untake(self) -> None:
        self.left()

    def ended(self) -> None:
        """There is nothing to wait for."""

    async def aended(self) -> None:
        """There is nothing to wait for."""

    def paused(self) -> None:
        self.left()

    def left(self) -> None:
        self._run.on_entry = None
        RESUMED.release(self._run, self._owner)

    def effects(self, performer: Performer) -> Performer:
        return performer

    def _advance(self, _: Entry) -> None:
        RESUMED.advance(self._run)


class KeptElsewhere(InProcess):
    """Something outside keeps the run, and sees to it that one alone goes on with it, as DBOS does."""

    def take(self) -> None:
        """Whoever drives it has been told to."""

    def left(self) -> None:
        """Whoever drives it next will be told to."""


class InJournal:
    """Each entry is kept as it happens, and each step; the journal lets only one go on.

    known: how many entries the journal had when the run was last compared with it; None for a run that is new
    to it. leased: the journal of this run alone, if the run was read from it.
    """

    def __init__(
        self, run: Run, file: JournalFile, known: int | None = None, leased: Leased | None = None
    ) -> None:
        self._run = run
        self._file = file
        self._known = known
        self._kept_steps = 0
        self._journal: RunJournal | None = None
        self._is_unsettled = False
        if leased is not None:
            self._catch_up(*leased)

    def take(self) -> None:
        if self._journal is None:
            self._catch_up(*self._lease())
        self._run.on_entry, self._run.on_step = self._keep, self._keep_step

    async def atake(self) -> None:
        if self._journal is None:
            leasing = _in_a_thread(self._lease)
            try:
                self._catch_up(*await asyncio.wrap_future(leasing))
            except asyncio.CancelledError:
                # Whoever is cancelled does not wait for the journal; it gets back what it is about to give.
                leasing.add_done_callback(_release)
                raise
        self._run.on_entry, self._run.on_step = self._keep, self._keep_step

    @property
    def is_unsettled(self) -> bool:
        return self._is_unsettled

    def untake(self) -> None:
        self.left()

    def ended(self) -> None:
        journal = self._journal
        if journal is not None and (outcome := self._run.outcome) is not None:
            journal.end(outcome, self._kind())
            journal.barrier()

    async def aended(self) -> None:
        journal = self._journal
        if journal is not None and (outcome := self._run.outcome) is not None:
            journal.end(outcome, self._kind())
            await journal.barrier_async()

    def paused(self) -> None:
        self._run.on_entry = self._run.on_step = None

    def left(self) -> None:
        self.paused()
        if self._journal is not None:
            self._journal.release()
            self._journal = None

    def barrier(self) -> None:
        if self._journal is not None:
            self._journal.barrier()

    async def barrier_async(self) -> None:
        if self._journal is not None:
            await self._journal.barrier_async()

    def effects(self, performer: Performer) -> Performer:
        return KeptEffects(performer, self.barrier, self.barrier_async)

    def _lease(self) -> Leased:
        """The journal of this run alone, and what it had before; None if it is new."""
        run = self._run
        if self._known is not None:
            return self._file.take(run.inputs.run_id, self._check)
        journal = self._file.begin(
            run.inputs.run_id,
            inputs=inputs_as_json(run.inputs),
            format=FORMAT,
            fingerprint=fingerprint(run.chain, run.inputs),
            chain=run.chain.name,
            model=run.inputs.model,
        )
        self._known = 0
        return None, journal

    def _check(self, stored: StoredRun) -> None:
        """Raises RunInProgressError if the journal has more than the run: somebody else went on then."""
        known, kept = self._known or 0, len(stored.entries)
        own = [encode(entry_as_json(entry)) for entry in self._run.log[known:kept]]
        if kept < known or own != [encode(entry) for entry in stored.entries[known:]]:
            raise RunInProgressError(
                f"somebody else went on with the run {stored.run_id}; resume it from there, by its id"
            )

    def _catch_up(self, stored: StoredRun | None, journal: RunJournal) -> None:
        """Writes what could not be written before, or what a process did not get to any more."""
        if stored is not None:
            self._known, self._kept_steps = len(stored.entries), len(stored.steps)
            self._is_unsettled = stored.status == "interrupted"
        self._journal = journal
        for entry in self._run.log[self._known :]:
            journal.keep(entry, durable=True)
        for step in self._run.trace[self._kept_steps :]:
            self._keep_step(step)

    def _keep(self, entry: Entry) -> None:
        command = None if isinstance(entry, Resumed) else self._run.open.commands.get(entry.key)
        is_request = isinstance(command, SendRequest)
        named = command.name if isinstance(command, CallTool) else getattr(command, "name", "")
        assert self._journal is not None
        self._journal.keep(entry, "llm_call" if is_request else named, durable=not is_request)

    def _keep_step(self, step: Step) -> None:
        assert self._journal is not None
        kept = kept_step(step)
        self._journal.keep_step(kept.number, kept.operation, kept.event, kept.target, kept.digest)
        self._kept_steps += 1

    def _kind(self) -> str | None:
        run = self._run
        if run.outcome == "suspended":
            return next(iter(run.open.held.values())).why
        return None if run.outcome == "completed" or run.problem is None else run.problem.kind


def kept_in(journal: JournalFile | None, run: Run, known: int | None) -> Keeping:
    """known: how many entries of the run the journal has; None if it does not know it."""
    return InProcess(run) if journal is None else InJournal(run, journal, known)


def _in_a_thread(lease: Callable[[], Leased]) -> Future[Leased]:
    """In one that can be left behind: asyncio.run would wait for asyncio's own."""
    future: Future[Leased] = Future()

    def job() -> None:
        try:
            leased = lease()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(leased)

    future.set_running_or_notify_cancel()
    WORKERS.submit(job)
    return future


def _release(leasing: Future[Leased]) -> None:
    if leasing.exception() is None:
        leasing.result()[1].release()
