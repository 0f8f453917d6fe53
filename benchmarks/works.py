"""What is measured."""

from dataclasses import dataclass

from benchmarks.roster import (
    AIOHTTP,
    JOURNALED,
    LIBRARIES,
    OURS,
    OURS_ASYNC,
    POST,
    POST_AIOHTTP,
    POST_ASYNC,
    QUICK,
    Peer,
)
from benchmarks.task import Task

EVERYBODY = (*QUICK, *LIBRARIES)
ASYNC = tuple(peer for peer in (*QUICK, AIOHTTP, *LIBRARIES) if peer.is_async)
# A thousand runs at once take a library minutes: the one that costs least does them, and one that costs much.
A_THOUSAND_AT_ONCE = tuple(
    peer for peer in ASYNC if peer not in LIBRARIES or peer.name in ("haystack-async", "openai-agents")
)


@dataclass(frozen=True, slots=True)
class Work:
    """name: by which it is chosen. peers: who does it, by turns. at_once: how many runs at the same time; for
    0 they come one after the other. compared: each measurement follows one of the baseline."""

    name: str
    title: str
    task: Task
    peers: tuple[Peer, ...] = EVERYBODY
    at_once: int = 0
    compared: bool = True


ONE_ROUND = Work("rounds-1", "1 round", Task(1))
ROUNDS_20 = Work("rounds-20", "20 rounds", Task(20))
ROUNDS_50 = Work("rounds-50", "50 rounds", Task(50))
LARGE_RESULTS = Work("rounds-50-4kb", "50 rounds, 4 KB results", Task(50, result_chars=4096))
PARALLEL = Work("parallel-8", "1 round, 8 parallel calls", Task(1, calls=8))
ONE_AFTER_THE_OTHER = (ONE_ROUND, ROUNDS_20, ROUNDS_50, LARGE_RESULTS, PARALLEL)

LONG = Work(
    "rounds-1000",
    "1,000 rounds",
    Task(1000),
    # A round of the plain SDK loop costs the more, the more there were: its run would take minutes.
    (OURS, POST, OURS_ASYNC, POST_ASYNC, POST_AIOHTTP),
    compared=False,
)
JOURNAL = Work("journal", "20 rounds, with a journal", Task(20), JOURNALED)

# Ascending, since the largest memory so far is that of the last.
AT_ONCE = tuple(
    Work(f"at-once-{runs}", f"{runs:,} at once", Task(3, wait_ms=200), peers, at_once=runs)
    for runs, peers in ((1, ASYNC), (10, ASYNC), (100, ASYNC), (1000, A_THOUSAND_AT_ONCE))
)

# What takes long is done less often than is asked for.
TURNS_OF_LONG_WORK = 3
TURNS_OF_LIBRARIES = 3

WORKS = {work.name: work for work in (*ONE_AFTER_THE_OTHER, JOURNAL, LONG, *AT_ONCE)}


def turns(work: Work, peer: Peer, repeats: int) -> int:
    """How often the peer does the work, of so many repeats."""
    if peer in LIBRARIES:
        return min(repeats, 1 if work.at_once else TURNS_OF_LIBRARIES)
    return min(repeats, TURNS_OF_LONG_WORK) if work.at_once or work == LONG else repeats
