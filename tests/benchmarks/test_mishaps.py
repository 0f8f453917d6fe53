"""What goes wrong in a session is told of, and costs nothing that was measured before."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.environments import python_of
from benchmarks.machine import machine
from benchmarks.places import PAGE, RESULTS, ROOT
from benchmarks.results import Failure, Results
from benchmarks.roster import OURS, SDK
from benchmarks.session import Session
from benchmarks.task import Task
from benchmarks.works import Work

pytestmark = pytest.mark.slow

WORK = Work("rounds-1", "1 round", Task(1), (SDK, OURS))
OWN_PYTHON = Path(sys.executable)

# The command, with the interpreter of the tests for all peers.
COMMAND = """
import sys
from pathlib import Path
from benchmarks import __main__, session
session.python_of, session.is_set_up = lambda name: Path(sys.executable), lambda name: True
sys.exit(__main__.main())
"""


def test_a_peer_that_fails_once_is_counted_and_takes_part_in_the_next_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nmkdir {tmp_path}/begun 2>/dev/null && echo "no room" >&2 && exit 1\n'
        f'exec {OWN_PYTHON} "$@"\n'
    )
    python.chmod(0o700)

    def failing_at_first(_name: str) -> Path:
        return python

    monkeypatch.setattr("benchmarks.session.python_of", failing_at_first)
    session = Session(Results(machine()), ["sdk"], repeats=2)
    session.set_up()
    session.measure([WORK])
    assert session.results.failures == [Failure("sdk", "rounds-1", "no room")]
    assert [(sample.peer, sample.repeat) for sample in session.results.samples] == [("sdk", 1)]


def test_a_peer_that_cannot_be_installed_is_told_of_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "openai.txt").write_text("callagain-needs-no-such-package==1\n")
    (tmp_path / "constraints.txt").touch()
    folder = tmp_path / "openai" / "bin"
    folder.mkdir(parents=True)
    (folder / "pip").touch()
    (folder / "python").symlink_to(OWN_PYTHON)
    monkeypatch.setattr("benchmarks.environments.ENVIRONMENTS", tmp_path)
    monkeypatch.setattr("benchmarks.environments.REQUIREMENTS", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")

    def only_openai_has_its_own(name: str) -> Path:
        return python_of(name) if name == "openai" else OWN_PYTHON

    monkeypatch.setattr("benchmarks.session.python_of", only_openai_has_its_own)
    session = Session(Results(machine()), ["sdk", "callagain"], repeats=1)
    session.set_up()
    session.measure([WORK])
    (failure,) = session.results.failures
    assert (failure.peer, failure.work) == ("sdk", "install")
    assert "callagain-needs-no-such-package" in failure.why
    assert [(sample.peer, sample.baseline) for sample in session.results.samples] == [("callagain", None)]
    assert f"sdk: install: {failure.why}" in capsys.readouterr().err


def test_ctrl_c_leaves_the_results_of_earlier_sessions_whole(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    Results({"cores": "2"}).write(file)
    before = file.read_text()
    options = ["--peers", "sdk", "--works", "rounds-1", "--results", str(file)]
    command = [sys.executable, "-c", COMMAND, *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert any(line.startswith("1/5 rounds-1 sdk: ") for line in process.stderr)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().endswith(f"interrupted; {file} is as it was\n")
    assert process.returncode == 130
    assert [each.name for each in tmp_path.iterdir()] == ["results.json"]
    assert file.read_text() == before


def test_a_part_of_a_session_is_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = Results.read(RESULTS)
    part.samples = [sample for sample in part.samples if sample.work == "rounds-20"]
    part.write(tmp_path / "part.json")
    before = RESULTS.read_bytes(), PAGE.read_bytes()
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--report", "--results", str(tmp_path / "part.json")])
    assert main() == 2
    told = "".join(capsys.readouterr())
    assert "is no whole session: at-once-1, " in told
    assert (RESULTS.read_bytes(), PAGE.read_bytes()) == before
