"""What the tests of the command line share: the command in this process, and as a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from callagain.cli import main
from callagain.engine.json_text import decode

SOURCE = Path(__file__).parents[2] / "src"


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return decode(self.out)


Command = Callable[..., Ended]
Write = Callable[..., str]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may meet the developer's own endpoint, and none may leave a folder on the path."""
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "AZURE_OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """`command("run", "Hello", …)` runs it in this process."""

    def command(*arguments: str) -> Ended:
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return command


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT counts, here and in processes started here; a shell ignores it for what it starts with &."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def process(interruptible: None) -> Callable[..., "subprocess.Popen[str]"]:  # noqa: ARG001
    """`process("run", …)` starts `python -m callagain`, its streams as pipes."""

    def process(*arguments: str, stdout: IO[str] | int = subprocess.PIPE) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "callagain", *arguments],
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )

    return process


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write("tools.py", source)` gives the path of the file."""

    def write(name: str, content: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(content), "utf-8")
        return str(path)

    return write


@pytest.fixture
def orders(write: Write) -> str:
    """A tools file with the one tool get_order_status."""
    return write(
        "orders.py",
        '''
        def get_order_status(order_id: str) -> dict[str, str]:
            """Look up an order by its number."""
            print("looking it up")
            return {"order_id": order_id, "status": "shipped"}
        ''',
    )
