"""The loop that is measured, and the endpoint that it asks, which is a process of its own."""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.task import TOOL_DESCRIPTION, TOOL_NAME, Task
from openai import AsyncOpenAI

from callagain import JournalFile, Tool, ToolLoop, tool

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Work:
    """What one run does. effect: its tool is neither read_only nor idempotent, and takes tool_seconds."""

    task: Task
    effect: bool = False
    tool_seconds: float = 0.0

    def loop(
        self,
        base_url: str,
        journal: JournalFile | None = None,
        client: Callable[[], AsyncOpenAI] | None = None,
    ) -> ToolLoop:
        return ToolLoop(
            model=self.task.model(),
            client=client,
            base_url=None if client else base_url,
            api_key=None if client else "any",
            tools=[self._tool()],
            max_iterations=max(1, self.task.rounds),
            journal=journal,
        )

    @classmethod
    def of_json(cls, text: str) -> "Work":
        """What `as_json` gave."""
        read = json.loads(text)
        return cls(Task(**read["task"]), read["effect"], read["tool_seconds"])

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    def _tool(self) -> Tool:
        seconds = self.tool_seconds

        def status(order_id: str) -> dict[str, str]:
            if seconds:
                time.sleep(seconds)
            return {"order_id": order_id, "status": "shipped"}

        make = tool(name=TOOL_NAME, description=TOOL_DESCRIPTION, read_only=not self.effect)
        return make(status)


@contextmanager
def endpoint() -> Generator[str, None, None]:
    """Its base URL. It runs on the last core, where that can be said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.endpoint"],
        cwd=ROOT,
        env=environment(),
        # Without anybody at its stdin, it ends.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        pin(-1, process.pid)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.communicate()


def pin(core: int, process: int = 0) -> None:
    """Keeps a process on one core, the first (0) or the last (-1), where the system can."""
    if sys.platform == "linux":
        os.sched_setaffinity(process, {sorted(os.sched_getaffinity(0))[core]})


def environment(**more: str) -> dict[str, str]:
    """For processes of this checkout."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}


def print_machine() -> None:
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"{platform.platform()}, {_processor()}, {cores} cores, Python {platform.python_version()}")
    print(f"load of the last minute: {load:.1f}\n", flush=True)


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
