"""How long it takes until others go on: `python -m benchmarks.scaling.takeover`.

A worker is killed, ended, or started again under its name, all with the default options; three times each.
"""

import signal
import time
from collections.abc import Callable

from benchmarks.scaling.order_loop import Work, endpoint, print_machine
from benchmarks.scaling.postgres import postgres
from benchmarks.scaling.workers import Shop, Worker
from benchmarks.task import Task

REPEATS = 3
# Of one worker; a run takes that long that none ends meanwhile.
RUNS, TOOL_SECONDS = 4, 20.0
OF = "SELECT count(*) FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = %s"
FORGET = "DELETE FROM dbos.workflow_status RETURNING 1"


def main() -> None:
    print_machine()
    with endpoint() as base_url, postgres() as database:
        database.print_version()
        shop = Shop(database, Work(Task(1), tool_seconds=TOOL_SECONDS), base_url)
        print(f"\nseconds until another worker has the {RUNS} runs of one that")
        show("was killed", lambda: taken_over(shop, signal.SIGKILL))
        show("was ended, --grace 0", lambda: taken_over(shop, signal.SIGTERM))
        print("\nseconds from the start of a process until it takes runs")
        show("a new name", lambda: started(shop, "new"))
        show("the name of one that was killed just now", lambda: started_again(shop))


def show(what: str, measure: Callable[[], float]) -> None:
    print(
        f"{what}: {', '.join(f'{each:.1f}' for each in sorted(measure() for _ in range(REPEATS)))}",
        flush=True,
    )


def taken_over(shop: Shop, ending: signal.Signals) -> float:
    durable = shop.durable()
    with shop.workers("one", options="--grace 0") as (one,):
        for _ in range(RUNS):
            durable.enqueue("Go")
        durable.close()
        wait_for(shop, "one")
        with shop.workers("two"):
            # Only who has had the database for as long as that takes another one for dead.
            time.sleep(11)
            one.process.send_signal(ending)
            began = time.monotonic()
            wait_for(shop, "two")
            seconds = time.monotonic() - began
    shop.postgres.rows(FORGET)
    return seconds


def wait_for(shop: Shop, executor_id: str) -> None:
    """Until this worker has all the runs."""
    while shop.postgres.number(OF, executor_id) < RUNS:
        time.sleep(0.05)


def started(shop: Shop, executor_id: str) -> float:
    worker = Worker(shop, executor_id)
    seconds = worker.read_until("runs what is in the queue")
    worker.kill()
    shop.postgres.rows("DELETE FROM callagain.workers RETURNING 1")
    return seconds


def started_again(shop: Shop) -> float:
    worker = Worker(shop, "again")
    worker.read_until("runs what is in the queue")
    worker.kill()
    return started(shop, "again")


if __name__ == "__main__":
    main()
