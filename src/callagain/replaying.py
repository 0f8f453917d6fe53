"""A run once more, from what is kept of it: nothing is performed, and it tells where it differs."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.engine.chain import Chain
from callagain.engine.errors import ReplayError, SnapshotError
from callagain.engine.journal.replay import Replay, replay
from callagain.engine.journal.snapshot import RunContent, content_of
from callagain.engine.run import Outcome, Step
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.extended_chain import extended_chain
from callagain.operations import TOOL_CALLING_LOOP
from callagain.result import Result
from callagain.settings_check import checked, checked_snapshot_key

if TYPE_CHECKING:
    from callagain.diagrams.walk import Walk


class ReplayedRun:
    """What a replay came to. Nothing was performed: no request, no tool.

    difference: the first place where it does not do what the run did, in words; None if it does all of it.
    """

    def __init__(self, replay: Replay) -> None:
        self._run = replay.run
        self.difference = replay.difference

    def __repr__(self) -> str:
        told = "as it was" if self.difference is None else self.difference
        return f"<ReplayedRun {self._run.inputs.run_id} in {self.state}: {told}>"

    @property
    def state(self) -> str:
        """The operation that comes next, or a final state."""
        return self._run.state

    @property
    def outcome(self) -> Outcome | None:
        return self._run.outcome

    @property
    def variables(self) -> Variables:
        return self._run.variables

    @property
    def trace(self) -> Sequence[Step]:
        """Every operation that ended, with the variables before and after it."""
        return self._run.trace

    @property
    def walk(self) -> "Walk":
        """The run as it is drawn and shown."""
        from callagain.diagrams.walk import Walk

        return Walk.of(self._run)

    @property
    def result(self) -> Result | None:
        """The result, if the run had come to its outcome."""
        return None if self._run.outcome is None else Result(self._run)

    def raise_for_difference(self) -> "ReplayedRun":
        """The same if the run did what it had done; raises ReplayError with the first difference if not."""
        if self.difference is not None:
            raise ReplayError(f"the replay of {self._run.inputs.run_id} differs: {self.difference}")
        return self


def replay_file(
    path: str | os.PathLike[str],
    *,
    chain: Chain = TOOL_CALLING_LOOP,
    until: int | None = None,
    snapshot_key: str | bytes | None = None,
) -> ReplayedRun:
    """Replays what `result.export()` or `callagain runs export` wrote; no loop and no tools are needed.

    chain: that of the loop, without what its options add. until: stops behind the step of this number.
    Raises SnapshotError for a file that is none.
    """
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise SnapshotError(
            f"cannot read {path}: {error.strerror}; give a file that result.export() wrote"
        ) from None
    content = content_of(text, checked_snapshot_key(snapshot_key))
    return replayed(content, lambda inputs: extended_chain(checked("chain", chain), inputs), until)


def replayed(content: RunContent, chain_for: Callable[[Inputs], Chain], until: int | None) -> ReplayedRun:
    """The run of this content, folded once more. Raises ConfigurationError for a step that is no number."""
    checked("until", until)
    return ReplayedRun(replay(content, chain_for, until=until))
