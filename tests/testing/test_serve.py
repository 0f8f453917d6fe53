"""`serve`: a stand-in until Ctrl-C, for programs that are nothing else."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from callagain.testing import StandIn, serve

Send = Callable[..., tuple[int, Any]]

BODY = {"model": "any-model", "messages": [{"role": "user", "content": "Hi"}]}


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT counts, here and in processes started here; a shell ignores it for what it starts with &."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_serve_ends_with_ctrl_c() -> None:
    code = (
        "from callagain.testing import serve; "
        "serve(['a'], '127.0.0.1', 0, started=lambda server: print(server.base_url, flush=True))"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10) == ("", "")
    assert process.returncode == 0


def test_serve_blocks_until_it_is_closed(send: Send, capfd: pytest.CaptureFixture[str]) -> None:
    running: list[StandIn] = []
    started = threading.Event()

    def remember(server: StandIn) -> None:
        running.append(server)
        started.set()

    thread = threading.Thread(target=serve, args=(["served"], "127.0.0.1", 0), kwargs={"started": remember})
    thread.start()
    assert started.wait(10)
    assert send(running[0], BODY)[1]["choices"][0]["message"]["content"] == "served"
    assert thread.is_alive()
    running[0].close()
    thread.join(10)
    assert not thread.is_alive()
    assert capfd.readouterr() == ("", "")
