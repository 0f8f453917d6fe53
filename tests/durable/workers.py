"""Workers as processes that are killed, frozen, ended and started again."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.durable.waiting import PATIENCE, until
from tests.journal.killing import KILLED, exit_code, start

from callagain import CallAgainError, ToolLoop
from callagain.durable import DurableWorker

# Short, and yet no living worker is taken for dead on a machine that is busy.
QUICK: dict[str, Any] = {"beat_seconds": 0.1, "dead_after": 0.9, "poll_seconds": 0.05}
REFUSED = 3
__all__ = ["KILLED", "REFUSED", "WorkerProcess", "Workers", "at_once", "pause"]


class WorkerProcess:
    """A forked process with a worker in it. What it says is in `text()`, also what it was told."""

    def __init__(self, loop: ToolLoop, url: str, executor_id: str, log: Path, **options: Any) -> None:
        self.executor_id = executor_id
        self._log = log
        self._ended: int | None = None
        log.touch()
        self._process = start(lambda: _work(loop, url, executor_id, log, {**QUICK, **options}))

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._ended is None and self._process.is_alive()

    def text(self) -> str:
        return self._log.read_text()

    def started(self) -> "WorkerProcess":
        """Returns when it runs what it finds."""
        until(lambda: "started\n" in self.text() or not self.is_alive, "a worker that starts")
        assert "started\n" in self.text(), self.text()
        return self

    def told(self, words: str) -> None:
        """Returns when it has said this."""
        until(lambda: words in self.text(), f"a worker that says {words!r}, and not {self.text()}")

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        self.ended()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> int:
        """Ends it as somebody does who lets it put its things in order."""
        self._signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Waits for its end: its exit code, or minus the signal that ended it."""
        if self._ended is None:
            self._ended = exit_code(self._process, PATIENCE)
        return self._ended

    def _signal(self, number: signal.Signals) -> None:
        if self._ended is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Workers:
    """Starts workers of one loop and database, and kills those that are left at the end.

    Further options than those of DurableWorker: loop, url: others than these. grace: seconds, when it is
    stopped. second: the executor id of another worker that is started in the same process.
    """

    def __init__(self, loop: ToolLoop, url: str, folder: Path) -> None:
        self.loop = loop
        self.url = url
        self._folder = folder
        self._all: list[WorkerProcess] = []

    def begin(self, executor_id: str, **options: Any) -> WorkerProcess:
        """A worker that is about to start."""
        loop, url = options.pop("loop", self.loop), options.pop("url", self.url)
        log = self._folder / f"worker-{len(self._all)}.log"
        worker = WorkerProcess(loop, url, executor_id, log, **options)
        self._all.append(worker)
        return worker

    def start(self, *executor_ids: str, **options: Any) -> list[WorkerProcess]:
        """Workers that run what they find."""
        workers = [self.begin(executor_id, **options) for executor_id in executor_ids]
        return [worker.started() for worker in workers]

    def start_one(self, executor_id: str = "one", **options: Any) -> WorkerProcess:
        return self.start(executor_id, **options)[0]

    def text(self) -> str:
        return "\n".join(worker.text() for worker in self._all)

    def close(self) -> None:
        for worker in self._all:
            worker.kill()


def _work(loop: ToolLoop, url: str, executor_id: str, log: Path, options: dict[str, Any]) -> None:
    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    for number in (1, 2):
        os.dup2(file, number)
    sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    grace, second = options.pop("grace", 10.0), options.pop("second", None)
    try:
        worker = DurableWorker(loop, url, executor_id, tell=_say, **options)
        signal.signal(signal.SIGTERM, lambda _number, _frame: worker.end())
        worker.start()
        _say("started")
        if second is not None:
            _start_another(loop, url, second, options)
        worker.wait()
        worker.stop(grace)
    except CallAgainError as error:
        _say(f"{type(error).__name__}: {error}")
        os._exit(REFUSED)


def _start_another(loop: ToolLoop, url: str, executor_id: str, options: dict[str, Any]) -> None:
    try:
        DurableWorker(loop, url, executor_id, tell=_say, **options).start()
    except CallAgainError as error:
        _say(f"{type(error).__name__}: {error}")


def _say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def at_once(count: int, work: Callable[[int], object]) -> list[object]:
    """What comes of doing it in so many threads; an exception is what came of one."""
    came: list[object] = [None] * count

    def do(number: int) -> None:
        try:
            came[number] = work(number)
        except Exception as error:
            came[number] = error

    threads = [threading.Thread(target=do, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return came


def pause(seconds: float) -> None:
    """For what must not happen: there is nothing to wait for."""
    time.sleep(seconds)
