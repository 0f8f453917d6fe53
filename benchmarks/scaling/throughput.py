"""Runs per second with 1, 2 and 3 workers: `python -m benchmarks.scaling.throughput`.

Twice: with an endpoint that takes a second for an answer, as real ones do, where workers wait and their
`--worker-concurrency` is the limit; and with one that answers at once, where the cores are.
"""

import time

from benchmarks.scaling.order_loop import Work, endpoint, print_machine
from benchmarks.scaling.postgres import postgres
from benchmarks.scaling.workers import Shop
from benchmarks.task import Task

# What the endpoint waits, runs for one worker, its options.
LOADS = ((1000, 32, ""), (0, 150, "--worker-concurrency 50"))
WORKERS = ("one", "two", "three")
ROUNDS = 3

SPAN = "SELECT (max(completed_at) - min(created_at)) / 1000.0, count(*) FROM dbos.workflow_status"
SHARES = "SELECT executor_id, count(*) FROM dbos.workflow_status GROUP BY 1 ORDER BY 1"


def main() -> None:
    print_machine()
    with endpoint() as base_url, postgres() as database:
        database.print_version()
        for wait_ms, runs, options in LOADS:
            print(f"\nanswers after {wait_ms} ms, workers {options or 'as they are'}")
            shop = Shop(database, Work(Task(ROUNDS, wait_ms=wait_ms)), base_url)
            for count in (1, 2, 3):
                with shop.workers(*WORKERS[:count], options=options):
                    # So that a rest of their beginning is not measured.
                    time.sleep(1)
                    show(shop, count, runs * count)


def show(shop: Shop, workers: int, runs: int) -> None:
    shop.postgres.rows("DELETE FROM dbos.workflow_status RETURNING 1")
    durable = shop.durable()
    began = time.monotonic()
    for _ in range(runs):
        durable.enqueue("Go")
    enqueued = time.monotonic() - began
    durable.close()
    shop.wait_until_empty()
    (row,) = shop.postgres.rows(SPAN)
    shares = ", ".join(f"{name} {count}" for name, count in shop.postgres.rows(SHARES))
    print(
        f"{workers} workers: {float(row[1]) / float(row[0]):5.1f} runs a second"
        f" ({row[1]} in {float(row[0]):.1f} s; enqueued in {enqueued:.1f} s; {shares})",
        flush=True,
    )


if __name__ == "__main__":
    main()
