"""What callagain is to cost at the most, beside what it was measured to cost."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.figures import Figure, Read, cpu, growth, memory, ratio, throughput
from benchmarks.results import Results
from benchmarks.roster import JOURNALED, OURS, OURS_ASYNC
from benchmarks.works import (
    AT_ONCE,
    JOURNAL,
    LARGE_RESULTS,
    LONG,
    ONE_ROUND,
    PARALLEL,
    ROUNDS_20,
    ROUNDS_50,
    Work,
)

AT_MOST: dict[Work, float] = {
    ONE_ROUND: 0.65,
    ROUNDS_20: 0.19,
    ROUNDS_50: 0.11,
    LARGE_RESULTS: 0.14,
    PARALLEL: 0.50,
}
GROWTH_AT_MOST = 2.0
ENGINE_AT_MOST_MS = 0.12
RELAXED_JOURNAL_AT_MOST = 1.5
THROUGHPUT_AT_LEAST = 4.5
MEMORY_AT_MOST = 1.5
IMPORT_AT_MOST = 0.35


@dataclass(frozen=True, slots=True)
class Row:
    """One goal. sync, asynchronous: what was measured; None where it was not, or says nothing."""

    work: str
    goal: float
    is_least: bool
    sync: Figure | None
    asynchronous: Figure | None

    @property
    def is_measured(self) -> bool:
        return self.sync is not None or self.asynchronous is not None

    def missed_by(self, value: float) -> float:
        """1.0 for as much again as the goal; 0 or less if it is reached."""
        return (self.goal - value if self.is_least else value - self.goal) / self.goal


def rows(results: Results) -> Iterator[Row]:
    """All goals, in the order of the page."""
    for work, goal in AT_MOST.items():
        yield Row(work.title, goal, False, *_both(results, work, cpu))
    grown, grown_async = (growth(results, LONG, ROUNDS_50, peer) for peer in (OURS, OURS_ASYNC))
    yield Row("a round of 1,000, against one of 50", GROWTH_AT_MOST, False, grown, grown_async)
    yield Row("the engine's own share of a round, in ms", ENGINE_AT_MOST_MS, False, engine_ms(results), None)
    relaxed = ratio(results, JOURNAL, JOURNALED[0], cpu)
    yield Row('journal "process" on, against off', RELAXED_JOURNAL_AT_MOST, False, relaxed, None)
    many = AT_ONCE[-1]
    times = ratio(results, many, OURS_ASYNC, throughput)
    yield Row("1,000 runs at once: throughput", THROUGHPUT_AT_LEAST, True, None, times)
    memories = ratio(results, many, OURS_ASYNC, memory)
    yield Row("1,000 runs at once: memory", MEMORY_AT_MOST, False, None, memories)
    yield Row("import, against that of openai", IMPORT_AT_MOST, False, import_ratio(results), None)


def engine_ms(results: Results) -> Figure | None:
    """Milliseconds of a round without HTTP."""
    times = results.engine.seconds_per_round if results.engine else []
    return Figure.of(seconds * 1000 for seconds in times)


def import_ratio(results: Results) -> Figure | None:
    """Of each turn, the one divided by the other."""
    ours, openai = (results.imports.get(module, []) for module in ("callagain", "openai"))
    return Figure.of(one / other for one, other in zip(ours, openai, strict=False))


def _both(results: Results, work: Work, read: Read) -> tuple[Figure | None, Figure | None]:
    return ratio(results, work, OURS, read), ratio(results, work, OURS_ASYNC, read)
