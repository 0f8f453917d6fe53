"""docs/durable.md as somebody who follows it: the file, the worker, and the two programs; and the command."""

import contextlib
import importlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.durable.server import Server
from tests.durable.waiting import until

from callagain.cli import main
from callagain.durable import DurableToolLoop
from callagain.testing import StandIn, calls, says
from callagain.testing.plugin import StartStandIn

PAGE = (Path(__file__).parents[2] / "docs" / "durable.md").read_text("utf-8")
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if line.startswith("callagain worker")
]
ENDS = 30.0
SLOW = """
import time
from callagain import ToolLoop, tool

@tool
def open_order(order_id: str) -> str:
    "Open."
    time.sleep(60)
    return "never"

loop = ToolLoop(model="m", tools=[open_order])
"""


@pytest.fixture
def endpoint(stand_in: StartStandIn) -> StandIn:
    order = {"order_id": "481516"}
    return stand_in([calls(("open_order", order)), calls(("send_invoice", order)), says("Invoiced.")])


@pytest.fixture
def there(
    endpoint: StandIn, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Generator[Path, None, None]:
    """The folder of the page's file, with the environment that it wants."""
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.setenv("CALLAGAIN_DATABASE", url)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "invoices.py").write_text(PYTHON.findall(PAGE)[0])
    yield tmp_path
    sys.modules.pop("invoices", None)


class Command:
    """`callagain worker` in a process of its own."""

    def __init__(self, *words: str) -> None:
        self._log = Path("worker.log")
        with self._log.open("w") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "callagain", "worker", *words], stderr=stderr
            )

    @property
    def told(self) -> str:
        return self._log.read_text()

    def tells(self, words: str) -> None:
        until(lambda: words in self.told, f"{words!r}")

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    def ends(self, number: int) -> int:
        self.send(number)
        return self._process.wait(ENDS)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def test_the_page_from_top_to_bottom(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert there.exists()
    _, asks, says_yes = PYTHON.findall(PAGE)
    with contextlib.closing(Command(*shlex.split(COMMANDS[0])[2:], "--poll", "0.1")) as worker:
        worker.tells("Ctrl-C ends it")
        exec(compile(asks, "asks", "exec"), {"__name__": "__main__"})
        assert capsys.readouterr().out.endswith("suspended ['send_invoice']\n")
        exec(compile(says_yes, "says_yes", "exec"), {"__name__": "__main__"})
        assert capsys.readouterr().out == (
            "invoice-481516 send_invoice {'order_id': '481516'} approval_required\nInvoiced.\n"
        )
        worker.tells("callagain: run invoice-481516: suspended\ncallagain: run invoice-481516: completed\n")
        assert worker.ends(signal.SIGTERM) == 0
        assert worker.told.splitlines()[-1] == "callagain: ending; waiting up to 10 s for the runs under way"
    loop = importlib.import_module("invoices").loop
    durable = DurableToolLoop(loop, os.environ["CALLAGAIN_DATABASE"])
    durable.delete("invoice-481516")
    assert durable.runs() == []
    durable.close()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_are_those_that_there_are(command: str) -> None:
    from callagain.cli import build_parser

    assert build_parser().parse(shlex.split(command)[1:]).loop == "invoices.py"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("invoices.py", "the following arguments are required: --executor-id; see callagain worker --help"),
        ("none.py --executor-id w", "there is no loop file none.py; give the path of a Python file"),
        (
            "invoices.py:send_invoice --executor-id w",
            "invoices.py has a FunctionTool, and no ToolLoop, 'send_invoice'; name one of its loops: "
            "invoices.py:loop",
        ),
        ("invoices.py:lop --executor-id w", "has no 'lop'; name one of its loops: invoices.py:loop"),
        ("no.such.module --executor-id w", "cannot import no.such.module: ModuleNotFoundError: No module"),
        ("invoices --executor-id local", "give each worker an executor id of its own"),
        ("invoices.py --executor-id w --rate 5", "must be N/SECONDS, as in 100/60, not '5'"),
        ("invoices.py --executor-id w --beat 9", "dead_after must be at least three times beat_seconds"),
        (
            "invoices.py --executor-id w --concurrency 2 --worker-concurrency 3",
            "so it must not be the larger one",
        ),
        ("invoices.py --executor-id w --database sqlite:///x", "the database must be PostgreSQL, by a URL"),
    ],
)
def test_misuse_is_one_line(words: str, told: str, there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert there.exists()
    assert main(["worker", *shlex.split(words)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("callagain: error: ")
    assert told in line


def test_without_a_database(
    there: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert there.exists()
    monkeypatch.delenv("CALLAGAIN_DATABASE")
    assert main(["worker", "invoices.py", "--executor-id", "w"]) == 2
    assert capsys.readouterr().err == (
        "callagain: error: no database: set CALLAGAIN_DATABASE, or give --database URL\n"
    )


def test_a_database_that_is_not_there(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert there.exists()
    nobody = "postgresql://me@127.0.0.1:1/x"
    assert main(["worker", "invoices.py", "--executor-id", "w", "--database", nobody]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"callagain: error: the database {nobody} cannot be used: ")


def test_it_ends_in_time_while_the_database_is_away(there: Path, url: str, server: Server) -> None:
    (there / "slow.py").write_text(SLOW)
    sys.modules.pop("slow", None)
    durable = DurableToolLoop(importlib.import_module("slow").loop, url)
    run_id = durable.enqueue("Go")
    options = ("--poll", "0.1", "--beat", "0.1", "--dead-after", "0.9", "--grace", "1")
    with contextlib.closing(Command("slow.py", "--executor-id", "w", *options)) as worker:
        until(lambda: durable.status(run_id).status == "running", "the run under way")
        server.stop()
        try:
            worker.tells("trying again until it is back")
            began = time.monotonic()
            assert worker.ends(signal.SIGTERM) == 0
            assert time.monotonic() - began < 10
        finally:
            server.start()
    durable.close()


def test_a_second_signal_ends_it_at_once(there: Path, url: str) -> None:
    (there / "slow.py").write_text(SLOW)
    sys.modules.pop("slow", None)
    durable = DurableToolLoop(importlib.import_module("slow").loop, url)
    run_id = durable.enqueue("Go")
    with contextlib.closing(Command("slow.py", "--executor-id", "w", "--poll", "0.1")) as worker:
        until(lambda: durable.status(run_id).status == "running", "the run under way")
        worker.send(signal.SIGINT)
        worker.tells("ending; waiting up to 10 s")
        assert worker.ends(signal.SIGTERM) == 130
        assert worker.told.endswith("ended at once; other workers take its runs over\n")
    durable.close()
