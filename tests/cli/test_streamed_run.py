"""`callagain run --stream`: what a terminal shows, what a pipe gets, and what stands on stderr meanwhile."""

import io
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from callagain.testing import Answer, Rule, Rules, StandIn, calls, faulty, says
from callagain.testing.plugin import StartStandIn

# What is measured here is time.
pytestmark = pytest.mark.timed

Command = Callable[..., Any]
Process = Callable[..., "subprocess.Popen[str]"]
OnTerminal = Callable[..., tuple[Any, "Terminal"]]

QUESTION = "Where is order 481516?"
CALL = calls(("get_order_status", {"order_id": "481516"}), text="I look it up.")
RULES = Rules([Rule("order", [CALL, "It is {result.status}, and on its way."])])
VOID = "callagain: the text so far is void, and begins anew\n"


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", "--stream", *more]


class Terminal(io.StringIO):
    """stdout as a terminal; remembers what was written at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if text:
            self.pieces.append(text)
        return super().write(text)


@pytest.fixture
def on_terminal(command: Command, monkeypatch: pytest.MonkeyPatch) -> OnTerminal:
    """on_terminal("run", …) -> what the command left behind, and the terminal that it wrote to."""

    def on_terminal(*arguments: str) -> tuple[Any, Terminal]:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", terminal := Terminal())
            return command(*arguments), terminal

    return on_terminal


def test_a_terminal_shows_the_text_as_it_comes_and_once(
    on_terminal: OnTerminal, stand_in: StartStandIn
) -> None:
    server = stand_in(["A story in a few pieces."])
    ended, terminal = on_terminal("run", "Tell me a story", *options(server))
    assert (ended.code, ended.err) == (0, "")
    assert terminal.getvalue() == "A story in a few pieces.\n"
    assert len(terminal.pieces) > 4
    assert server.requests[0].json["stream"] is True


def test_what_stands_beside_a_call_has_a_line_of_its_own(
    on_terminal: OnTerminal, stand_in: StartStandIn, orders: str
) -> None:
    ended, terminal = on_terminal("run", QUESTION, "--tools", orders, *options(stand_in(RULES)))
    assert (ended.code, ended.err) == (0, "looking it up\n")
    assert terminal.getvalue() == "I look it up.\nIt is shipped, and on its way.\n"


def test_a_pipe_gets_the_answer_and_nothing_else(
    command: Command, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in(RULES)
    ended = command("run", QUESTION, "--tools", orders, *options(server))
    assert (ended.code, ended.out) == (0, "It is shipped, and on its way.\n")
    assert [request.json["stream"] for request in server.requests] == [True, True]


def test_text_of_a_stream_that_broke_off_stays_on_a_terminal_and_is_told_to_be_void(
    on_terminal: OnTerminal, stand_in: StartStandIn
) -> None:
    server = stand_in([faulty(says("A story that breaks off."), cut_after=500), "A story."])
    ended, terminal = on_terminal("run", "Tell me a story", *options(server))
    void, whole = terminal.getvalue().splitlines()
    assert void
    assert "A story that breaks off.".startswith(void)
    assert (ended.code, whole, ended.err) == (0, "A story.", VOID)


def test_no_text_of_a_stream_that_broke_off_is_in_a_pipe(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in([faulty(says("A story that breaks off."), cut_after=500), "A story."])
    ended = command("run", "Tell me a story", *options(server))
    assert (ended.code, ended.out, ended.err) == (0, "A story.\n", "")


def test_a_stream_that_broke_off_before_any_text_came_voids_none(
    on_terminal: OnTerminal, stand_in: StartStandIn
) -> None:
    server = stand_in([faulty(says("A story."), cut_after=10), "A story."])
    ended, terminal = on_terminal("run", "Tell me a story", *options(server))
    assert ended.err == ""
    assert terminal.getvalue() == "A story.\n"


def test_verbose_says_why_an_attempt_is_made_again(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in([Answer(503, {"error": "busy"}, {"retry-after-ms": "1"}), "Hello."])
    ended = command("run", "Hi", "-v", *options(server))
    assert "\n     again in 0.0 s, after provider_unavailable: HTTP 503: busy" in ended.err


def test_json_is_the_same_document(command: Command, stand_in: StartStandIn, orders: str) -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
    script = [
        calls(("get_order_status", {"order_id": "1"}), usage=usage),
        says("It is shipped.", usage=usage),
    ]
    documents: list[dict[str, Any]] = []
    for streamed in (True, False):
        arguments = ["run", QUESTION, "--tools", orders, "--json", *options(stand_in(script))]
        if not streamed:
            arguments.remove("--stream")
        document = command(*arguments).json
        assert ('"stream":true' in document["variables"]["InAndOut"]) is streamed
        documents.append({name: document[name] for name in document if name not in ("run_id", "variables")})
    assert documents[0] == documents[1]


def test_an_answer_that_did_not_come_in_pieces_is_shown_all_the_same(
    on_terminal: OnTerminal, stand_in: StartStandIn
) -> None:
    body = {
        "choices": [{"message": {"role": "assistant", "content": "All at once."}, "finish_reason": "stop"}]
    }
    ended, terminal = on_terminal("run", "Hi", *options(stand_in([Answer(200, body)])))
    assert ended.code == 0
    assert terminal.getvalue() == "All at once.\n"


def test_a_failure_leaves_a_line_that_has_ended(on_terminal: OnTerminal, stand_in: StartStandIn) -> None:
    server = stand_in([faulty(says("A story that breaks off."), cut_after=500)])
    ended, terminal = on_terminal("run", "Tell me a story", "--max-retries", "0", *options(server))
    assert "A story that breaks off.".startswith(terminal.getvalue().removesuffix("\n"))
    assert terminal.getvalue().endswith("\n")
    assert ended.err.startswith("callagain: error: failed (stream_interrupted): the stream ended before ")
    assert ended.err.endswith("; run it again, or raise --max-retries\n")
    assert ended.code == 1


def test_ctrl_c_while_text_comes_ends_the_line_and_the_request(
    process: Process, stand_in: StartStandIn
) -> None:
    server = stand_in([says("A story without end. " * 50)], event_delay=0.1)
    ours, theirs = pty.openpty()
    with (
        os.fdopen(theirs, "w") as stdout,
        process("run", "Tell me a story", *options(server), stdout=stdout) as run,
    ):
        shown = os.read(ours, 100)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=10)
    while not shown.endswith(b"\n"):
        shown += os.read(ours, 100)
    os.close(ours)
    assert shown.startswith(b"A st")
    assert (run.returncode, err) == (130, "callagain: interrupted\n")
    end = time.monotonic() + 5
    while not server.requests[0].closed_early:
        assert time.monotonic() < end
        time.sleep(0.01)
