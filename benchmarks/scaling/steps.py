"""What a durable run costs: `python -m benchmarks.scaling.steps`.

Runs of 20 rounds against an endpoint that answers at once, less runs without a round, so what is left is the
cost of a round. The same in the process alone, and with a journal. Then what one run leaves in the database.
"""

import asyncio
import tempfile
import time
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median

from benchmarks.scaling.order_loop import Work, endpoint, print_machine
from benchmarks.scaling.postgres import Postgres, cpu_seconds, postgres
from benchmarks.scaling.workers import OPEN, Shop
from benchmarks.task import Task

from callagain import ToolLoop, open_journal
from callagain.engine.journal.store import Durability

LONG, SHORT = 20, 0
REPEATS = 15
IDLE_SECONDS = 20.0
RUNS = 100

TIMES = (
    "SELECT completed_at - started_at_epoch_ms FROM dbos.workflow_status "
    "WHERE completed_at IS NOT NULL AND workflow_uuid LIKE %s"
)


def main() -> None:
    print_machine()
    with endpoint() as base_url, postgres() as database:
        database.print_version()
        print("\nms of a round, in one run at a time")
        for effect, steps in ((False, 2), (True, 3)):
            kind = "an effect" if effect else "read_only"
            alone = in_process(base_url, effect, None)
            journal = in_process(base_url, effect, "effects")
            durable = by_a_worker(database, base_url, effect)
            step = (durable - alone) / steps
            times = f"alone {alone:.1f}, with a journal {journal:.1f}, durable {durable:.1f}"
            print(f"{kind}: {times}, so {step:.1f} a step", flush=True)
        weigh(Shop(database, Work(Task(rounds=3)), base_url))


def in_process(base_url: str, effect: bool, durability: Durability | None) -> float:
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder) / "runs.db", durability) if durability else None
        loops = [Work(Task(rounds), effect).loop(base_url, journal) for rounds in (LONG, SHORT)]
        long, short = asyncio.run(timed(loops))
    return (long - short) / LONG


async def timed(loops: list[ToolLoop]) -> list[float]:
    """ms of a run of each, by turns."""
    times: list[list[float]] = [[] for _ in loops]
    for _ in range(REPEATS):
        for loop, taken in zip(loops, times, strict=True):
            began = time.perf_counter()
            (await loop.arun("Go")).raise_for_outcome()
            taken.append(1000 * (time.perf_counter() - began))
    return list(map(median, times))


def by_a_worker(database: Postgres, base_url: str, effect: bool) -> float:
    taken: list[float] = []
    for rounds in (LONG, SHORT):
        shop = Shop(database, Work(Task(rounds), effect), base_url)
        name = f"{rounds}-{effect}-"
        durable = shop.durable()
        with shop.workers("one", options="--worker-concurrency 1"):
            for number in range(REPEATS):
                durable.enqueue("Go", run_id=f"{name}{number}")
            shop.wait_until_empty()
        durable.close()
        taken.append(median(float(row[0]) for row in database.rows(TIMES, f"{name}%")))
    return (taken[0] - taken[1]) / LONG


def weigh(shop: Shop) -> None:
    """What runs of three rounds use and leave, less what a worker at rest uses."""
    database, durable = shop.postgres, shop.durable()
    with shop.workers("one") as (worker,):
        process, connections = worker.process.pid, database.connections()
        before = Used.by(database, process)
        time.sleep(IDLE_SECONDS)
        idle = Used.by(database, process).less(before)
        before = Used.by(database, process)
        for _ in range(RUNS):
            durable.enqueue("Go")
        enqueued = time.monotonic() - before.seconds
        durable.close()
        most = wait_and_count(shop)
        used = Used.by(database, process).less(before)
    of_runs = used.less(idle, used.seconds / idle.seconds)
    print(f"\nat rest, a second: {idle.each(idle.seconds)}; {connections:.0f} connections")
    print(f"a run of {shop.work.task.rounds} rounds: {of_runs.each(RUNS)}")
    print(f"enqueue: {1000 * enqueued / RUNS:.1f} ms a run; {most:.0f} connections of the worker at the most")


def wait_and_count(shop: Shop) -> float:
    """Until all is done; the most connections meanwhile."""
    most = 0.0
    while shop.postgres.number(OPEN) > 0:
        most = max(most, shop.postgres.connections())
        time.sleep(0.2)
    return most


@dataclass(frozen=True, slots=True)
class Used:
    """So far. worker, server: CPU seconds. written, kept: bytes of the write-ahead log and the database."""

    seconds: float
    worker: float
    server: float
    transactions: float
    written: float
    kept: float

    @classmethod
    def by(cls, database: Postgres, worker: int) -> "Used":
        transactions = database.transactions()
        used = cpu_seconds(worker), database.cpu()
        return cls(time.monotonic(), *used, transactions, database.written(), database.size())

    def less(self, other: "Used", times: float = 1.0) -> "Used":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Used(*(mine - times * others for mine, others in pairs))

    def each(self, parts: float) -> str:
        return (
            f"CPU of the worker {1000 * self.worker / parts:.1f} ms, of PostgreSQL "
            f"{1000 * self.server / parts:.1f} ms; {self.transactions / parts:.1f} transactions, "
            f"{self.written / parts / 1024:.1f} KB written, {self.kept / parts / 1024:.1f} KB kept"
        )


if __name__ == "__main__":
    main()
