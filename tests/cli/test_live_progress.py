"""The line at the bottom of the terminal that counts on while a run waits for something."""

import io
import re
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from callagain.cli.terminal import cut, fold
from callagain.testing import Answer, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Command = Callable[..., Any]
Start = Callable[..., Any]
Write = Callable[..., str]

LIVE = {"NO_COLOR": "", "TERM": "xterm"}
ERASED = "\r\x1b[K"
USAGE = {"prompt_tokens": 1200, "completion_tokens": 4, "total_tokens": 1204}
SLOW_CALL = calls(("slow", {"city": "Lisbon"}), usage=USAGE)


@pytest.fixture
def slow(write: Write) -> str:
    """A tools file with the one tool slow, which writes half a line, waits, and writes the rest."""
    return write(
        "slow.py",
        '''
        import logging, time
        from callagain import tool

        log = logging.getLogger("weather")
        log.addHandler(logging.StreamHandler())

        @tool(read_only=True)
        def slow(city: str) -> str:
            """Take half a second."""
            print("half", end="")
            time.sleep(0.3)
            print(" a line")
            time.sleep(0.4)
            log.warning("a line of the log")
            return "sunny"
        ''',
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def live_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Terminal]:
    """live_terminal(NO_COLOR="1") makes stderr a terminal on which a line can be redrawn, but for that."""

    def live_terminal(**environment: str) -> Terminal:
        for name, value in (LIVE | environment).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stderr", terminal := Terminal())
        return terminal

    return live_terminal


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", *more]


def screen(written: str) -> list[str]:
    """What a terminal shows when all of this was written to it."""
    lines = [""]
    column = 0
    for piece in re.findall(r"\x1b\[K|\x1b\[[\d;]*m|[^\x1b]", written):
        if piece == "\n":
            lines.append("")
            column = 0
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[K":
            lines[-1] = lines[-1][:column]
        elif not piece.startswith("\x1b"):
            lines[-1] = f"{lines[-1][:column]}{piece}{lines[-1][column + 1 :]}"
            column += 1
    return lines


def drawn(written: str) -> list[str]:
    """The lines that were drawn at the bottom, one after the other, behind their seconds."""
    return [line for line in re.findall(r"\d+ s ([^\r\n]*)", written) if "loop_count" in line]


def test_it_counts_on_and_leaves_nothing_behind(
    at_terminal: Start, stand_in: StartStandIn, slow: str
) -> None:
    server = stand_in([SLOW_CALL, says("It is sunny.", usage=USAGE)], delay=0.3)
    prices = ("--price-input", "10", "--price-output", "100")
    arguments = ["run", "Go", "--tools", slow, *options(server, *prices)]
    terminal = at_terminal(*arguments, environment=LIVE, columns=100)
    code, shown = terminal.end()
    assert code == 0
    seen = drawn(shown)
    assert seen[0] == "LLM Call, loop_count 0 of 5, 1 request"
    used = "1,204 tokens, $0.0124"
    assert f"Tool Dispatcher: slow, loop_count 1 of 5, 1 request, {used}" in seen
    assert seen[-1] == f"LLM Call, loop_count 1 of 5, 2 requests, {used}"
    # What tools write at the same time, and loggers that were made before, runs into no line.
    assert [line.split("loop_count")[0].rstrip() for line in screen(shown)] == [
        " 1 Initialize         → LLM Call",
        " 2 LLM Call           → Parse Response",
        " 3 Parse Response     → Tool Dispatcher",
        '     slow {"city":"Lisbon"} …',
        "half a line",
        "a line of the log",
        "     slow → sunny",
        " 4 Tool Dispatcher    → Append Tool Result",
        " 5 Append Tool Result → LLM Call",
        " 6 LLM Call           → Parse Response",
        " 7 Parse Response     → Extract Final",
        " 8 Extract Final      → completed",
        "It is sunny.",
        "",
    ]


def test_a_wait_is_counted_down_and_a_narrow_terminal_is_kept_to(
    at_terminal: Start, stand_in: StartStandIn
) -> None:
    server = stand_in([Answer(503, {"error": "busy"}, {"retry-after": "1"}), "Hello."], delay=0.2)
    terminal = at_terminal("run", "Hi", *options(server), environment=LIVE, columns=40)
    code, shown = terminal.end()
    seen = drawn(shown)
    assert (code, screen(shown)[-2:]) == (0, ["Hello.", ""])
    assert seen[0] == "LLM Call, loop_count 0 of 5"
    waits = re.findall(r"\d s LLM Call: waits (\d) s for attempt 2[^\r\n]*", shown)
    assert waits[-1] == "1"
    assert max(len(line) for line in re.findall(r"\d+ s [^\r\n]*", shown)) <= 37


def test_text_that_is_streamed_is_left_alone(at_terminal: Start, stand_in: StartStandIn) -> None:
    server = stand_in([says("One line.\nAnd one more line.")], delay=0.3, event_delay=0.05)
    terminal = at_terminal("run", "Hi", "--stream", *options(server), environment=LIVE)
    code, shown = terminal.end()
    before, _, text = shown.partition("One")
    assert (code, len(drawn(before)) > 0) == (0, True)
    assert before.endswith(ERASED)
    assert text.startswith(" line.\nAnd one more line.\n")


def test_ctrl_c_erases_it(at_terminal: Start, stand_in: StartStandIn) -> None:
    terminal = at_terminal("run", "Hi", *options(stand_in(["Too late."], delay=30)), environment=LIVE)
    shown = terminal.see("1 request")
    terminal.type("\x03")
    code, rest = terminal.end()
    assert code == 130
    assert screen(shown + rest)[-2:] == ["callagain: interrupted", ""]
    assert len(screen(shown + rest)) == 3


@pytest.mark.parametrize(
    ("environment", "option", "operations"),
    [
        ({"NO_COLOR": "1"}, [], 4),
        ({"TERM": "dumb"}, [], 4),
        ({}, ["--no-progress"], 0),
    ],
)
def test_who_wants_none_gets_none(
    command: Command,
    stand_in: StartStandIn,
    live_terminal: Callable[..., Terminal],
    environment: dict[str, str],
    option: list[str],
    operations: int,
) -> None:
    server, terminal = stand_in(["Hello."], delay=0.25), live_terminal(**environment)
    assert command("run", "Hi", *options(server, *option)).out == "Hello.\n"
    written = terminal.getvalue()
    assert (written.count("→"), drawn(written), ERASED in written) == (operations, [], False)


def test_both_at_once_is_misuse(command: Command) -> None:
    ended = command("run", "Hi", "--verbose", "--no-progress")
    assert (ended.code, ended.err) == (
        2,
        "callagain: error: --verbose and --no-progress exclude each other; leave out one of the two\n",
    )


def test_no_thread_outlives_the_run(
    command: Command, stand_in: StartStandIn, live_terminal: Callable[..., Terminal]
) -> None:
    terminal = live_terminal()
    command("run", "Hi", *options(stand_in(["Hello."], delay=0.3)))
    assert drawn(terminal.getvalue())
    assert sys.stderr is terminal
    assert not [each for each in threading.enumerate() if each.name == "callagain-status"]


def test_a_wide_character_takes_two_columns() -> None:
    assert cut("世界 in text", 5) == "世界 "
    assert cut("世界", 3) == "世"
    assert fold("世界" * 3, 12) == "世界" * 3
    assert fold("世界" * 10, 14) == "世… (20 chars)"
