"""The command as a process of its own: what only a real process, real pipes and real signals can show."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.cli import example_tools
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Command = Callable[..., Any]
Process = Callable[..., "subprocess.Popen[str]"]
SOURCE = Path(__file__).parents[2] / "src"


def read_until(process: "subprocess.Popen[str]", pattern: str) -> str:
    """The output up to and with the line that the pattern is found in."""
    assert process.stdout is not None
    read = ""
    for line in process.stdout:
        read += line
        if re.search(pattern, line):
            return read
    pytest.fail(f"{pattern!r} never came; read {read!r}, and on stderr {process.communicate()[1]!r}")


def test_help_imports_no_client() -> None:
    code = (
        "import sys; from callagain.cli import main; main(['--help']); main(['run', '--help'])\n"
        "heavy = ['openai', 'httpx2', 'http.server', 'callagain.testing', 'callagain.diagrams']\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n[]\n")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the example is a curl command")
def test_the_served_examples_work_as_they_are_printed(process: Process) -> None:
    with process("serve-stand-in") as server:
        welcome = read_until(server, "--tools")
        commands = re.findall(r"^  (\w+ (?:.*\\\n)*.*)$", welcome, re.MULTILINE)
        curl, run = (shlex.split(one.replace("\\\n", "")) for one in commands)
        assert (curl[0], run[0]) == ("curl", "callagain")

        answered = subprocess.run(curl, capture_output=True, text=True)
        assert '"content":"I am the stand-in endpoint, and no model.' in answered.stdout
        read_until(server, r"^200 POST /v1/chat/completions user: Hello$")

        with process(*run[1:]) as ran:
            out, err = ran.communicate()
        assert (ran.returncode, err) == (0, "")
        assert out == (
            'What get_order_status says about order 481516: {"order_id":"481516","status":"shipped"}\n'
        )
        read_until(server, r'^200 POST /v1/chat/completions tool: \{"order_id"')

        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=10)
    assert (server.returncode, out, err) == (0, "stopped\n", "")


def test_the_responses_api_and_streams_are_served_too(process: Process, command: Command) -> None:
    with process("serve-stand-in") as server:
        base_url = read_until(server, "--tools").split()[4]
        asked = ["run", "Where is order 7?", "--tools", str(example_tools.__file__), "--model", "any"]
        answer = 'What get_order_status says about order 7: {"order_id":"7","status":"shipped"}\n'
        for api in ("chat_completions", "responses"):
            path = {"chat_completions": "/v1/chat/completions", "responses": "/v1/responses"}[api]
            for stream in ([], ["--stream"]):
                assert command(*asked, "--base-url", base_url, "--api", api, *stream).out == answer
                seen = read_until(server, r"tool: \{")
                assert seen.strip().splitlines() == [
                    f"200 POST {path} user: Where is order 7?",
                    f'200 POST {path} tool: {{"order_id":"7","status":"shipped"}}',
                ]
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=10)
    assert server.returncode == 0


def test_a_script_of_ones_own_is_served(process: Process, command: Command, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"answers": ["Only once."]}')
    with process("serve-stand-in", "--script", str(script)) as server:
        base_url = read_until(server, r"serves http").split()[4]
        assert command("run", "Hi", "--model", "any", "--base-url", base_url).out == "Only once.\n"
        once = ["--model", "any", "--base-url", base_url, "--max-retries", "0"]
        assert "used up" in command("run", "Hi", *once).err
        read_until(server, r"^500 POST /v1/chat/completions user: Hi$")
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=10)
    assert server.returncode == 0


def test_ctrl_c_ends_a_run_with_130_and_no_traceback(process: Process, stand_in: StartStandIn) -> None:
    server = stand_in(["Too late."], delay=30)
    with process("run", "Hello", "--model", "any", "--base-url", server.base_url) as run:
        _wait_for(lambda: bool(server.requests))
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=10)
    assert (run.returncode, out, err) == (130, "", "callagain: interrupted\n")


@pytest.mark.parametrize(
    ("redirection", "arguments", "code", "err"),
    [
        (
            "<&-",
            ["run", "-", "--model", "any", "--base-url", "http://127.0.0.1:1/v1"],
            2,
            "callagain: error: the message is empty; give a question, or - and a question on stdin\n",
        ),
        (">&-", ["demo"], 2, "callagain: error: stdout is closed; send the output somewhere, as to a file\n"),
        (
            ">&-",
            ["--help"],
            2,
            "callagain: error: stdout is closed; send the output somewhere, as to a file\n",
        ),
        (">&- 2>&-", ["demo"], 2, ""),
        ("2>&-", ["run", "Hello"], 2, ""),
        ("<&- 2>&-", ["demo"], 0, ""),
    ],
)
def test_a_closed_stream_is_no_traceback(redirection: str, arguments: list[str], code: int, err: str) -> None:
    closed = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "callagain", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
    )
    assert (closed.returncode, closed.stderr) == (code, err)
    assert bool(closed.stdout) == (code == 0)


def test_a_reader_that_leaves_is_no_error(process: Process) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as nobody_reads, process("diagram", stdout=nobody_reads) as diagram:
        _, err = diagram.communicate()
    assert (diagram.returncode, err) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device of a full disk is Linux's")
def test_a_full_disk_is_one_line(process: Process) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full, process("diagram", stdout=full) as diagram:
        _, err = diagram.communicate()
    assert diagram.returncode == 2
    assert err == (
        "callagain: error: cannot write the output: No space left on device; send it somewhere else\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device of a full disk is Linux's")
def test_progress_that_cannot_be_written_ends_no_run(stand_in: StartStandIn) -> None:
    server = stand_in(["Hello yourself."])
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "callagain", "run", "Hello", "-v", "--model", "any"],
            env={**os.environ, "PYTHONPATH": str(SOURCE), "OPENAI_BASE_URL": server.base_url},
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
        )
    assert (ran.returncode, ran.stdout) == (0, "Hello yourself.\n")


def test_a_character_that_the_terminal_lacks_is_no_error(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    with process("verify", "--help") as helped:
        out, err = helped.communicate()
    assert (helped.returncode, err) == (0, "")
    assert "?Verify the integration?" in out


def _wait_for(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
