"""A run once more, from what is kept of it: no network, no tools, the same states, variables and result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from callagain.engine.chain import Chain
from callagain.engine.errors import EntryError
from callagain.engine.journal.fingerprint import difference, fingerprint
from callagain.engine.journal.snapshot import RunContent, entries_of
from callagain.engine.journal.steps import first_difference, kept_step
from callagain.engine.run import Run, Step
from callagain.engine.run_inputs import Inputs


@dataclass(frozen=True, slots=True)
class Replay:
    """run: where it stands when the log ends, or where it first differs. difference: the first place where it
    does not do what it did then, in words; None if it does all of it.
    """

    run: Run
    difference: str | None


def replay(
    content: RunContent, chain: Chain | Callable[[Inputs], Chain], *, until: int | None = None
) -> Replay:
    """Folds the log over the inputs. until: stops behind the step of this number.

    Nothing is performed. A chain that is not the one of the run is a difference, if what it does differs.
    Raises SnapshotError for a log that cannot be read, ChainError for inputs that have no chain.
    """
    inputs = content.inputs
    chain = chain if isinstance(chain, Chain) else chain(inputs)
    run = Run(chain, inputs)
    misfit = None
    try:
        for _ in _steps(run, content):
            if until is not None and run.trace[-1].number >= until:
                break
    except Exception as error:
        # With another chain an operation may meet what it never met, and raise anything.
        told = str(error) if isinstance(error, EntryError) else f"{type(error).__name__}: {error}"
        misfit = f"entry {len(run.log) + 1} of the log, in {run.state}: {told}"
    now = [kept_step(step) for step in run.trace]
    is_whole = until is None and misfit is None
    # What an entry does not fit to is often what a step before it has left.
    found = first_difference(content.steps if is_whole else content.steps[: len(now)], now) or misfit
    # Where it was left before it had come to its outcome, the log may lead there all the same.
    if found is None and is_whole and content.outcome not in (None, run.outcome):
        found = f"its outcome is {run.outcome}, and was {content.outcome}"
    return Replay(run, None if found is None else f"{found}{_why(chain, content)}")


def _steps(run: Run, content: RunContent) -> Iterator[Step]:
    yield from run.walk()
    for entry in entries_of(content):
        run.apply(entry)
        yield from run.walk()


def _why(chain: Chain, content: RunContent) -> str:
    if fingerprint(chain, content.inputs) == content.fingerprint:
        return ""
    return f" ({difference(chain, content.inputs.tools, content.inputs.tools)})"
