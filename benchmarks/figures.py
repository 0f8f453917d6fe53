"""Medians and ratios of samples. All that is told of a session is worked out here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

from benchmarks.measurement import Measured
from benchmarks.results import Results, Sample
from benchmarks.roster import Peer
from benchmarks.works import Work

# One number of a measurement.
Read = Callable[[Measured], float]


@dataclass(frozen=True, slots=True)
class Figure:
    """A median, and the smallest and the largest that it is the median of."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Figure | None":
        """None if there are no values."""
        found = sorted(values)
        return cls(median(found), found[0], found[-1]) if found else None


def median_of(figure: Figure | None) -> float | None:
    return None if figure is None else figure.median


def cpu(measured: Measured) -> float:
    """Milliseconds of CPU for a run."""
    return measured.cpu * 1000


def wall(measured: Measured) -> float:
    """Milliseconds for a run."""
    return measured.wall * 1000


def throughput(measured: Measured) -> float:
    """Runs in a second."""
    return 1 / measured.wall


def throughput_of_cpu(measured: Measured) -> float:
    """Runs for a second of CPU of the client."""
    return 1 / measured.cpu


def memory(measured: Measured) -> float:
    """MB above the idle process."""
    return measured.memory or 0.0


def busy(measured: Measured) -> float:
    """How busy the endpoint was, in per cent of a core."""
    return (measured.endpoint or 0.0) * 100


def samples_of(results: Results, work: Work, peer: Peer) -> list[Sample]:
    return [sample for sample in results.samples if (sample.work, sample.peer) == (work.name, peer.name)]


def figure(results: Results, work: Work, peer: Peer, read: Read) -> Figure | None:
    """What the peer itself needed for the work."""
    return Figure.of(read(sample.own) for sample in samples_of(results, work, peer))


def ratio(results: Results, work: Work, peer: Peer, read: Read) -> Figure | None:
    """The peer against its baseline: of each repeat, the one divided by the other."""
    return Figure.of(
        read(sample.own) / read(sample.baseline)
        for sample in samples_of(results, work, peer)
        if sample.baseline is not None
    )


def growth(results: Results, long: Work, short: Work, peer: Peer) -> Figure | None:
    """What a round costs in the long work, against what it costs in the short one."""
    base = figure(results, short, peer, cpu)
    if base is None:
        return None
    per_round = base.median / short.task.rounds
    return Figure.of(
        cpu(sample.own) / long.task.rounds / per_round for sample in samples_of(results, long, peer)
    )
