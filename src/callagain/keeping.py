"""Who goes on with a run, and where it is kept meanwhile: in this process alone, or in a journal."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from callagain.connectors.kept_effects import KeptEffects
from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.drivers import Performer
from callagain.engine.errors import RunInProgressError
from callagain.engine.journal.fingerprint import FORMAT, fingerprint
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.journal.inputs_json import inputs_as_json
from callagain.engine.journal.steps import kept_step
from callagain.engine.journal.store import JournalFile, RunJournal
from callagain.engine.json_text import JsonObject, encode
from callagain.engine.log_entries import Entry, Resumed
from callagain.engine.run import Run, Step
from callagain.resumed_runs import RESUMED


class Keeping(Protocol):
    """Told by whoever drives a run, or decides about it."""

    def take(self) -> None:
        """Somebody is about to go on with the run. Raises if somebody else does, or did."""
        ...

    async def atake(self) -> None: ...

    def untake(self) -> None:
        """It was not gone on with after all."""
        ...

    def ended(self) -> None:
        """The run has come to its outcome: returns when all of it is safe."""
        ...

    async def aended(self) -> None: ...

    def left(self) -> None:
        """Nobody drives it any more, whether it has ended or not."""
        ...

    def effects(self, performer: Performer) -> Performer:
        """What performs commands, waiting where something has to be safe first."""
        ...

    def barrier(self) -> None:
        """Returns when all that was kept so far is safe: an effect may begin."""
        ...

    async def barrier_async(self) -> None: ...


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

    def untake(self) -> None:
        self.left()

    def ended(self) -> None:
        """There is nothing to wait for."""

    async def aended(self) -> None:
        """There is nothing to wait for."""

    def left(self) -> None:
        self._run.on_entry = None
        RESUMED.release(self._run, self._owner)

    def effects(self, performer: Performer) -> Performer:
        return performer

    def _advance(self, _: Entry) -> None:
        RESUMED.advance(self._run)

    def barrier(self) -> None:
        """There is nothing to wait for."""

    async def barrier_async(self) -> None:
        """There is nothing to wait for."""


class InJournal:
    """Each entry is kept as it happens, and each step; the journal lets only one go on.

    known: how many entries the journal had when the run was last compared with it; None for a run that is new
    to it.
    """

    def __init__(self, run: Run, file: JournalFile, known: int | None) -> None:
        self._run = run
        self._file = file
        self._known = known
        self._kept_steps = 0
        self._journal: RunJournal | None = None

    def take(self) -> None:
        if self._journal is not None:
            return
        run = self._run
        if self._known is None:
            journal = self._file.begin(
                run.inputs.run_id,
                inputs=inputs_as_json(run.inputs),
                format=FORMAT,
                fingerprint=fingerprint(run.chain, run.inputs),
                chain=run.chain.name,
                model=run.inputs.model,
            )
            self._known, self._kept_steps = 0, 0
        else:
            stored, journal = self._file.take(run.inputs.run_id)
            if not self._comes_from(stored.entries, self._known):
                journal.release()
                raise RunInProgressError(
                    f"somebody else went on with the run {run.inputs.run_id}; resume it from there, by its id"
                )
            # What could not be written, or what a process did not get to any more, is written now.
            self._known, self._kept_steps = len(stored.entries), len(stored.steps)
        self._journal = journal
        for entry in run.log[self._known :]:
            journal.keep(entry, durable=True)
        for step in run.trace[self._kept_steps :]:
            self._keep_step(step)
        run.on_entry, run.on_step = self._keep, self._keep_step

    async def atake(self) -> None:
        await asyncio.to_thread(self.take)

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

    def left(self) -> None:
        self._run.on_entry = self._run.on_step = None
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

    def _comes_from(self, entries: Sequence[JsonObject], known: int) -> bool:
        """Whether the run has all that the journal has, so that nobody else went on with it."""
        kept = [encode(entry) for entry in entries[known:]]
        return kept == [encode(entry_as_json(entry)) for entry in self._run.log[known : len(entries)]]

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
