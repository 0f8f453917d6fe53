"""A run of a journal, as it can be shown: what is stored of it, and the run itself where that can be had."""

from collections.abc import Sequence
from dataclasses import dataclass

from callagain.cli.chain_names import chain_named
from callagain.engine.errors import CallAgainError
from callagain.engine.journal.replay import replay
from callagain.engine.journal.store import JournalFile, StoredCommand, StoredRun
from callagain.engine.json_text import JsonObject
from callagain.engine.run import Run
from callagain.extended_chain import extended_chain
from callagain.kept_runs import content_of_stored
from callagain.pending_calls import PendingCall, pending_calls
from callagain.result import Result


@dataclass(frozen=True, slots=True)
class KeptRun:
    """run: as this callagain walks it; None where it has no chain for it. difference: why there is none, or
    where it goes another way than the run went.
    """

    stored: StoredRun
    commands: Sequence[StoredCommand]
    run: Run | None
    difference: str | None

    @classmethod
    def of(cls, journal: JournalFile, run_id: str) -> "KeptRun":
        """Raises JournalError for a run that is not there, or that cannot be read."""
        stored = journal.read(run_id)
        commands = journal.commands(run_id)
        chain = chain_named(stored.chain)
        if chain is None:
            why = f"its chain {stored.chain!r} is none of callagain's own"
            return cls(stored, commands, None, why)
        try:
            replayed = replay(content_of_stored(stored), lambda inputs: extended_chain(chain, inputs))
        except CallAgainError as error:
            return cls(stored, commands, None, str(error))
        return cls(stored, commands, replayed.run, replayed.difference)

    @property
    def result(self) -> Result | None:
        """What it came to, if it has."""
        return None if self.run is None or self.run.outcome is None else Result(self.run)

    @property
    def pending_calls(self) -> Sequence[PendingCall]:
        return () if self.run is None else pending_calls(self.run, None)

    @property
    def messages(self) -> list[JsonObject]:
        """The conversation, whole rounds only, and the answer."""
        if self.run is None:
            return []
        messages, answer = self.run.variables.messages, self.run.variables.final_response
        return messages if answer is None else [*messages, {"role": "assistant", "content": answer}]
