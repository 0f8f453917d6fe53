"""Workers as processes, by the command `callagain worker`."""

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.scaling import order_loop
from benchmarks.scaling.order_loop import ROOT, Work
from benchmarks.scaling.postgres import Postgres

from callagain.durable import DurableToolLoop

BASE_URL, WORK = "CALLAGAIN_MEASURED_URL", "CALLAGAIN_MEASURED_WORK"
OPEN = "SELECT count(*) FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')"


@dataclass(frozen=True, slots=True)
class Shop:
    """Where runs are enqueued, and workers begun."""

    postgres: Postgres
    work: Work
    base_url: str

    def durable(self) -> DurableToolLoop:
        return DurableToolLoop(self.work.loop(self.base_url), self.postgres.url)

    @contextmanager
    def workers(self, *executor_ids: str, options: str = "") -> Generator[list["Worker"], None, None]:
        """Workers that run what they find; killed at the end, and forgotten by the database."""
        workers = [Worker(self, executor_id, options) for executor_id in executor_ids]
        try:
            for worker in workers:
                worker.read_until("runs what is in the queue")
            yield workers
        finally:
            for worker in workers:
                worker.kill()
            self.postgres.rows("DELETE FROM callagain.workers RETURNING 1")

    def wait_until_empty(self) -> None:
        while self.postgres.number(OPEN) > 0:
            time.sleep(0.05)


class Worker:
    def __init__(self, shop: Shop, executor_id: str, options: str = "") -> None:
        self.executor_id = executor_id
        self.began = time.monotonic()
        words = ["worker", "benchmarks.scaling.worker_loop", "--executor-id", executor_id, *options.split()]
        environment = order_loop.environment(
            CALLAGAIN_DATABASE=shop.postgres.url,
            **{BASE_URL: shop.base_url, WORK: shop.work.as_json()},
        )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "callagain", *words],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )

    def read_until(self, words: str) -> float:
        """The seconds from its beginning until it says so."""
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            if words in line:
                return time.monotonic() - self.began
        raise SystemExit(f"the worker {self.executor_id} ended, and said: {said}")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def end(self) -> None:
        """As Ctrl-C and SIGTERM do."""
        self.process.terminate()
