"""`callagain view`: where the page goes, and what it does not replace."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.viewer.runs import TWO_ROUNDS, long_run, look_up, two_rounds

from callagain import ConfigurationError, ToolLoop, open_journal
from callagain.cli import main
from callagain.engine.journal.snapshot import content_of, text_of
from callagain.engine.json_text import encode
from callagain.testing.plugin import StartStandIn
from callagain.viewer import page, write_page

SOURCE = Path(__file__).parents[2] / "src"

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["view", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(stand_in: StartStandIn, folder: Path) -> str:
    server = stand_in(TWO_ROUNDS)
    loop = ToolLoop(model="any", base_url=server.base_url, tools=[look_up])
    path = folder / "run.json"
    path.write_text(loop.run("Where are they?", run_id="a/b 7").export())
    return str(path)


def test_a_page_is_named_after_the_run_and_stdout_says_where_it_is(command: Command, file: str) -> None:
    assert command(file) == (0, "a%2Fb%207.html\n", "")
    text = Path("a%2Fb%207.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>Run a/b 7</title>" in text
    assert command(file)[0] == 0
    assert sorted(os.listdir()) == ["a%2Fb%207.html", "run.json"]


def test_a_run_of_a_journal_is_written_to_stdout(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in(TWO_ROUNDS)
    with closing(open_journal("runs.db")) as journal:
        loop = ToolLoop(model="any", base_url=server.base_url, tools=[look_up], journal=journal)
        loop.run("Where are they?", run_id="4f1c2a")
    code, out, err = command("4f1c", "--journal", "runs.db", "-o", "-")
    assert (code, err) == (0, "")
    assert "<title>Run 4f1c2a</title>" in out
    assert [each for each in os.listdir() if each.endswith(".html")] == []


def test_what_is_no_page_is_not_replaced_by_a_slip_of_the_hand(command: Command, file: str) -> None:
    code, out, err = command(file, "-o", "run.json")
    assert (code, out) == (2, "")
    assert err == (
        "callagain: error: run.json is there already, and is no page of callagain; "
        "choose another path by -o, or add --force\n"
    )
    Path("notes.html").write_text("mine", encoding="utf-8")
    assert command(file, "-o", "notes.html", "--force") == (0, "notes.html\n", "")
    assert Path("notes.html").read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            "no/such/run.html",
            "the page could not be written to no/such/run.html: No such file or directory",
        ),
        (".", ". is not a file; give the path of a new one"),
        ("/dev/null", "/dev/null is not a file; give the path of a new one"),
    ],
)
def test_a_path_that_cannot_be_written_is_told_in_one_line(
    command: Command, file: str, output: str, told: str
) -> None:
    code, out, err = command(file, "-o", output, "--force")
    assert (code, out) == (2, "")
    assert err.startswith(f"callagain: error: {told}")
    assert err.count("\n") == 1


def test_a_difference_is_a_warning_and_stands_on_the_page(command: Command, file: str) -> None:
    content = content_of(Path(file).read_bytes())
    Path("changed.json").write_text(text_of(replace(content, log=content.log[:-2])), encoding="utf-8")
    code, out, err = command("changed.json", "-o", "changed.html")
    assert (code, out) == (0, "changed.html\n")
    assert err.startswith("callagain: warning: the replay of a/b 7 differs: ")
    assert err.count("\n") == 1
    assert '"difference":"' in Path("changed.html").read_text("utf-8")


def test_a_walk_that_ends_before_its_log_says_so_on_the_page() -> None:
    walk = replace(long_run(1), misfit="entry 5 of the log, in llm_call: it fits nothing")
    assert '"difference":"entry 5 of the log, in llm_call: it fits nothing"' in page(walk)


def test_a_damaged_file_is_refused_and_writes_nothing(command: Command, file: str) -> None:
    Path("damaged.json").write_text(Path(file).read_text(encoding="utf-8")[:-200], encoding="utf-8")
    code, out, err = command("damaged.json")
    assert (code, out) == (2, "")
    assert err.startswith("callagain: error: ")
    assert err.count("\n") == 1
    assert [each for each in os.listdir() if each.endswith(".html")] == []


def test_the_browser_of_this_machine_is_asked_to_open_it(file: str, folder: Path) -> None:
    opener = folder / "opener"
    opener.write_text('#!/bin/sh\necho "$1" > opened\n')
    opener.chmod(opener.stat().st_mode | stat.S_IXUSR)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "BROWSER": f"{opener} %s"}
    command = [sys.executable, "-m", "callagain", "view", file, "-o", "run.html", "--open"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("run.html\n", "")
    assert Path("opened").read_text(encoding="utf-8") == f"{(folder / 'run.html').as_uri()}\n"


def test_stdout_cannot_be_opened(command: Command, file: str) -> None:
    assert command(file, "-o", "-", "--open") == (
        2,
        "",
        "callagain: error: --open needs a file to open; give its path by -o, and not -\n",
    )


def test_a_link_stays_a_link_and_a_failed_write_leaves_nothing() -> None:
    write_page(long_run(1), "real.html")
    Path("link.html").symlink_to("real.html")
    write_page(long_run(2), "link.html", title="Other")
    assert Path("link.html").is_symlink()
    assert "<title>Other</title>" in Path("real.html").read_text("utf-8")
    with pytest.raises(ConfigurationError, match="could not be written to missing/run.html"):
        write_page(long_run(1), "missing/run.html")
    assert sorted(os.listdir()) == ["link.html", "real.html"]


def test_each_text_stands_in_the_page_once(stand_in: StartStandIn) -> None:
    text = page(two_rounds(stand_in)[0])
    assert text.count("Where are orders 7 and 8?") == 2  # the inputs, and the base messages
    arguments = encode(encode({"order_id": "7"}).decode()).decode()
    assert text.count(encode(arguments).decode()[1:-1]) == 2  # as received, and as sent back
