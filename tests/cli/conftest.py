"""What the tests of the command line share: the command in this process, in another, and on a terminal."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from callagain.cli import main
from callagain.engine.json_text import decode

SOURCE = Path(__file__).parents[2] / "src"
# Ctrl-C reaches the processes of the terminal that controls them.
ON_TERMINAL = """\
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from callagain.cli import main
sys.exit(main())
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return decode(self.out)


class AtTerminal:
    """The command as a process of its own, and somebody at its terminal: stdin and stderr, and stdout too.

    environment: in place of what it has otherwise. program: what runs the command.
    """

    def __init__(
        self,
        arguments: tuple[str, ...],
        columns: int,
        environment: dict[str, str] | None = None,
        program: str = ON_TERMINAL,
    ) -> None:
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, columns))
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCE),
                "COLUMNS": str(columns),
                "NO_COLOR": "1",
                **(environment or {}),
            },
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def see(self, text: str) -> str:
        """What is shown up to and with the text, from where the last look ended."""
        end = time.monotonic() + 30
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} never came: {self.shown!r}"
            if not self._read():
                pytest.fail(f"{text!r} never came: {self.shown!r}")
        seen, found, self.shown = self.shown.partition(text)
        return seen + found

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    @property
    def takes_lines(self) -> bool:
        """The terminal is as a shell wants it: it shows what is typed, and gives it line by line."""
        wanted = termios.ICANON | termios.ECHO
        return bool(termios.tcgetattr(self._ours)[3] & wanted == wanted)

    def send(self, number: int) -> None:
        """A signal."""
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """The exit code, and all that was shown since the last look."""
        while self._read():
            pass
        return self._process.wait(30), self.shown

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def _read(self) -> bool:
        if not select.select([self._ours], [], [], 30)[0]:
            return False
        try:
            read = os.read(self._ours, 65536)
        except OSError:
            # Linux's word for a terminal that nobody has open any more.
            return False
        self.shown += read.decode().replace("\r\n", "\n")
        return bool(read)


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
def at_terminal(interruptible: None) -> Iterator[Callable[..., AtTerminal]]:  # noqa: ARG001
    """at_terminal("run", …, columns=80) -> AtTerminal."""
    started: list[AtTerminal] = []

    def at_terminal(*arguments: str, columns: int = 80, **settings: Any) -> AtTerminal:
        started.append(AtTerminal(arguments, columns, **settings))
        return started[-1]

    yield at_terminal
    for one in started:
        one.close()


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
