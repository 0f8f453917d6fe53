"""`callagain step`: a run walked with keys, from a pipe and on a real terminal."""

import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.cli.pretty_json import pretty
from callagain.engine.json_text import decode
from callagain.testing import StandIn, calls, says
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Walk = Callable[..., Any]
Start = Callable[..., Any]
Write = Callable[..., str]

CALL = calls(("get_order_status", {"order_id": "481516"}))
PROMPT = "[q]uit: "
SINGLE_KEYS = {"TERM": "xterm"}

# A shell, as far as job control goes: it says how the command left the terminal when it was stopped.
WITH_JOB_CONTROL = """\
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if not child:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    from callagain.cli import main
    sys.exit(main())
_, status = os.waitpid(child, os.WUNTRACED)
wanted = termios.ICANON | termios.ECHO
print("stopped", os.WIFSTOPPED(status), "as it was", termios.tcgetattr(0)[3] & wanted == wanted, flush=True)
os.kill(child, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture
def walk(command: Command, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """walk(["", "v"], "--demo") steps with these keys, each in a line of stdin."""

    def walk(keys: list[str], *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        return command("step", *arguments)

    return walk


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", *more]


def objects(ended: Any) -> list[dict[str, Any]]:
    lines = [decode(line) for line in ended.out.splitlines()]
    return [line for line in lines if isinstance(line, dict)]


# From a pipe


def test_each_operation_says_what_it_will_do_and_where_it_led(walk: Walk) -> None:
    out = walk(["", "", "", ""], "--demo").out
    ahead = [part for part in out.split("\n\n") if "  next  " in part]
    script = "    a script: it sends nothing, and calls no tool"
    assert ahead == [
        f" 1  next  Initialize  the guide, Part 1\n{script}",
        " 2  next  LLM Call  the guide, Part 2\n    sends a request, 752 bytes",
        f" 3  next  Parse Response  the guide, Part 2\n{script}",
        ' 4  next  Tool Dispatcher  the guide, Part 3\n    calls look_up_contact {"name":"Ada Lovelace"}',
        f" 5  next  Append Tool Result  the guide, Part 4\n{script}\n",
    ]
    assert "On Success → Tool Dispatcher  Part 5: call_llm_again and iterations_left\n" in out


def test_the_variables_are_marked_and_folded(walk: Walk) -> None:
    shown = walk(["", "", "", "v"], "--demo").out.partition("\nvariables, behind 3 Parse Response\n")[2]
    lines = shown.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("*")] == [
        "tools_resp",
        "call_llm_again",
        "tool_call_id",
        "function_name",
        "function_arguments",
    ]
    assert "* call_llm_again         true" in lines
    assert '  tools_messages         ""' in lines
    assert next(line for line in lines if line.startswith("  toolsJson")).endswith("… (540 chars)")
    assert max(map(len, lines)) <= 80


def test_what_has_grown_is_shown_from_where_it_has(walk: Walk) -> None:
    shown = walk(["", "", "", "", "", "v"], "--demo").out.partition("\nvariables, ")[2]
    (grown,) = [line for line in shown.splitlines() if line.startswith("* InAndOut")]
    assert grown.startswith('* InAndOut               …,{"role":"assistant"')


def test_the_second_request_is_there_before_and_behind_the_call(walk: Walk) -> None:
    keys = ["r", "", "r", *[""] * 4, "r", "", "r", "", "", "b", "b", "r"]
    first, *others = [each for each in objects(walk(keys, "--demo", "--json")) if "request" in each]
    assert first == {"request": None}
    assert [(each["number"], each["sent"]) for each in others] == [
        (2, False),
        (6, False),
        (6, True),
        (6, True),
    ]
    before, then, behind, back = (each["request"] for each in others)
    assert [message["role"] for message in before["messages"]] == ["system", "user"]
    assert [message["role"] for message in then["messages"]] == ["system", "user", "assistant", "tool"]
    assert then == behind == back


def test_long_strings_are_folded_unless_all_is_asked_for(walk: Walk, stand_in: StartStandIn) -> None:
    server = stand_in(["Hello."])
    long = "word " * 200
    out = walk(["", "r", "R"], long, *options(server)).out
    folded, whole = out.split("\nInAndOut, ")[1:]
    assert f'"content": "{long[:160]}… (1,000 chars)"\n' in folded
    assert f'"content": "{long}"\n' in whole


def test_a_request_has_its_tools_by_name_unless_all_is_asked_for(walk: Walk) -> None:
    folded, whole = walk(["", "r", "R"], "--demo").out.split("\nInAndOut, ")[1:]
    tools = '      "tools": … look_up_contact, create_ticket (R shows all),\n      "tool_choice": "auto"\n'
    assert tools in folded
    assert len(folded.partition("\n\n")[0].splitlines()) < 20
    assert '      "tools": [\n        {\n          "type": "function",\n' in whole


def test_on_a_narrow_terminal_words_stay_whole(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = walk(["", "", "", "f"], "--demo").out
    assert [line for line in out.splitlines() if len(line) > 40] == []
    assert '\n    calls look_up_contact {"name":"Ada\n    Lovelace"}\n' in walk([""] * 3, "--demo").out
    assert "\nAnswer  I created ticket T-77 for Ada\n        Lovelace.\n" in out


def test_the_answer_is_shown_with_the_results_that_came_since(walk: Walk) -> None:
    out: str = walk(["a", "", "", "a", "", "", "a"], "--demo").out
    none, early, late = out.split("\njitterbit.response, ")
    assert "there is no answer yet: LLM Call receives one" in none
    assert early.startswith('step 2, HTTP 200, 426 chars\n    {\n      "id": ')
    assert "look_up_contact {" not in early.partition("\n\n")[0]
    assert '\nlook_up_contact {"name":"Ada Lovelace"}\n    {\n      "contact_id": "C-1815",\n' in late


def test_back_and_forth_again_performs_nothing(walk: Walk, stand_in: StartStandIn, write: Write) -> None:
    tools = write(
        "counted.py",
        '''
        from pathlib import Path

        def get_order_status(order_id: str) -> str:
            """Look up an order."""
            with Path(__file__).with_suffix(".log").open("a") as log:
                log.write("called ")
            print("looking it up")
            return "shipped"
        ''',
    )
    server = stand_in([CALL, "It is shipped."])
    keys = [*[""] * 5, *"bbbbb", "b", *[""] * 5, "f", *"bbb", "f", "", "q"]
    ended = walk(keys, "Where is it?", "--tools", tools, *options(server))
    assert (ended.code, len(server.requests)) == (0, 2)
    assert Path(tools).with_suffix(".log").read_text() == "called "
    assert ended.err == (
        "looking it up\n"
        "callagain: this is where the run begins; Enter goes on, q quits\n"
        "callagain: the walk ends here; b goes back, q quits\n"
    )
    assert ended.out.count("\nAnswer  It is shipped.\n") == 2
    assert "    recorded, 4 of 5: nothing is performed again\n    called get_order_status {" in ended.out


def test_the_trace_ends_where_the_walk_stands(walk: Walk) -> None:
    out = walk(["", "", "", "b", "t"], "--demo").out.partition("\ntrace\n")[2]
    first, second, more = out.splitlines()
    assert first == " 1 Initialize         → LLM Call                      loop_count 0"
    assert second.startswith(" 2 LLM Call           → Parse Response       0.")
    assert more == "    and 1 operation more that ended already"


def test_the_end_of_the_input_leaves_the_run_and_says_how_to_go_on(
    walk: Walk, command: Command, stand_in: StartStandIn, orders: str, tmp_path: Path
) -> None:
    server = stand_in([CALL, "It is shipped."])
    journal = str(tmp_path / "runs.db")
    record = tmp_path / "run.json"
    ended = walk(
        ["", "", "", "x"],
        "Where is it?",
        *("--tools", orders, "--journal", journal, "--run-id", "order", "--record", str(record)),
        *options(server),
    )
    command_line = f"runs resume order --journal {journal} --tools {orders} --base-url {server.base_url}"
    assert (ended.code, ended.err) == (
        0,
        "callagain: there is no such key; ? shows them all\n"
        f"callagain: the run stands before Tool Dispatcher; go on by: callagain {command_line}\n",
    )
    assert len(server.requests) == 1
    kept = walk(["f", ""], "--run", str(record))
    assert "\nwhat is kept ends here, before Tool Dispatcher\n    calls get_order_status {" in kept.out
    assert kept.err == "callagain: the walk ends here; b goes back, q quits\n"
    assert command(*command_line.split()).out == "It is shipped.\n"
    walked = walk(["f"], "--run", "order", "--journal", journal)
    assert (walked.code, walked.err, len(server.requests)) == (0, "", 2)
    assert "\nAnswer  It is shipped.\n\ncompleted, loop_count 1, 2 requests, " in walked.out


def test_a_run_that_comes_to_its_outcome_has_its_exit_code(
    walk: Walk, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in([CALL], repeat_last=True)
    ended = walk(["f"], "Go", "--tools", orders, "--max-iterations", "1", *options(server))
    assert ended.code == 3
    assert ended.err.startswith("looking it up\ncallagain: error: limit (max_iterations): ")
    assert "\nError\n    max_iterations: " in ended.out


def test_a_call_that_waits_for_somebody_suspends_the_run_where_nobody_can_be_asked(
    walk: Walk, stand_in: StartStandIn, orders: str
) -> None:
    ended = walk(["f", "t"], "Go", "--tools", orders, "--approve-effects", *options(stand_in([CALL])))
    assert ended.code == 4
    assert "\n 3 Parse Response     → Tool Dispatcher" in ended.out
    assert "suspended (approval_required)" in ended.err


def test_json_has_a_line_for_each_operation_and_key(walk: Walk) -> None:
    lines = objects(walk(["", "", "v", "a", "t", "b", "f", "?"], "--demo", "no-tool", "--json"))
    assert [next(iter(line)) for line in lines] == [
        *("next", "number", "next", "number", "next"),
        *("variables", "answer", "trace", "next"),
        *("number", "number", "number", "outcome", "keys"),
    ]
    assert [[*each] for each in lines[2]["commands"]] == [["request_bytes", "held"]]
    assert lines[5]["changed"] == ["jitterbit.response"]
    assert lines[8]["recorded"] is True
    assert lines[12]["outcome"] == "completed"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give exactly one of MESSAGE, --run RUN and --demo; `callagain step --demo` needs nothing else"),
        (["Hi", "--demo", "limit"], "give exactly one of MESSAGE, --run RUN and --demo; "),
        (["-"], "the keys are read from stdin; give the question as MESSAGE"),
        (["Hi", "--chain", "function_routing"], "--chain is for a run that is kept; give it with --run RUN"),
        (
            ["--demo", "--model", "gpt-4o"],
            "--model does not go with --demo, which brings its own; leave it out",
        ),
        (["--run", "a.json", "--max-iterations", "9"], "--max-iterations does not go with --run"),
        (["--demo", "nothing"], "there is no scenario 'nothing'"),
        (["--demo", "crash-and-resume"], "watch it by `callagain demo crash-and-resume`"),
        (["--run", "none.json"], "there is no file none.json; give the path of an exported run"),
    ],
)
def test_misuse_is_one_line(walk: Walk, arguments: list[str], told: str) -> None:
    ended = walk([], *arguments)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err


def test_json_is_shown_as_it_was_written() -> None:
    text = '{"a":[],"b":{ },"c":[1.50e2,{"d":"\\u00e9, [x]: \\"y\\""}],"e":"\u202e\x9b"}'
    assert list(pretty(text, whole=True)) == [
        "{",
        '  "a": [],',
        '  "b": {},',
        '  "c": [',
        "    1.50e2,",
        "    {",
        '      "d": "\\u00e9, [x]: \\"y\\""',
        "    }",
        "  ],",
        '  "e": "\\u202e\\u009b"',
        "}",
    ]
    assert list(pretty("<b>\x1b[2J", whole=False)) == ["<b>\\u001b[2J"]


# On a terminal


def test_single_keys_walk_and_the_terminal_is_as_it_was(at_terminal: Start) -> None:
    terminal = at_terminal("step", "--demo", environment=SINGLE_KEYS)
    assert " 1  next  Initialize" in terminal.see(PROMPT)
    assert not terminal.takes_lines
    terminal.type("\n")
    assert " 2  next  LLM Call" in terminal.see(PROMPT)
    terminal.type("\x1b[C")
    assert " 3  next  Parse Response" in terminal.see(PROMPT)
    terminal.type("\x1b[D")
    assert "recorded, 2 of 2: nothing is performed again" in terminal.see(PROMPT)
    terminal.type("r")
    assert "as step 2 sent it" in terminal.see(PROMPT)
    terminal.type("é")
    assert "there is no such key" in terminal.see(PROMPT)
    terminal.type("\x04")
    code, shown = terminal.end()
    assert (code, terminal.takes_lines) == (0, True)
    assert shown.endswith("callagain: the run stands before Parse Response; a demo is not kept\n")


def test_the_terminal_is_given_back_however_the_walk_is_left(at_terminal: Start) -> None:
    interrupted, ended = [at_terminal("step", "--demo", environment=SINGLE_KEYS) for _ in range(2)]
    for terminal in (interrupted, ended):
        terminal.see(PROMPT)
        assert not terminal.takes_lines
    interrupted.type("\x03")
    ended.send(signal.SIGTERM)
    left = [(each.end()[0], each.takes_lines) for each in (interrupted, ended)]
    assert left == [(130, True), (-signal.SIGTERM, True)]


def test_ctrl_z_gives_the_terminal_back_for_as_long_as_it_stops(at_terminal: Start) -> None:
    terminal = at_terminal("step", "--demo", environment=SINGLE_KEYS, program=WITH_JOB_CONTROL)
    terminal.see(PROMPT)
    terminal.type("\x1a")
    terminal.see("stopped True as it was True")
    terminal.see(PROMPT)
    terminal.type("\n")
    terminal.see(" 2  next  LLM Call")
    terminal.see(PROMPT)
    terminal.type("q")
    assert terminal.end()[0] == 0
    assert terminal.takes_lines


@pytest.mark.timed
def test_a_held_call_is_asked_about_and_what_was_typed_before_performs_nothing(
    at_terminal: Start, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in([CALL, says("It is shipped.")], delay=0.5)
    arguments = ["Go", "--tools", orders, "--approve-effects", *options(server)]
    terminal = at_terminal("step", *arguments, environment={**SINGLE_KEYS, "NO_COLOR": ""})
    terminal.see(PROMPT)
    terminal.type("\n")
    terminal.see("sends a request")
    terminal.see(PROMPT)
    # One of these performs the request; the others come while it is under way.
    terminal.type("\n")
    terminal.see("LLM Call, loop_count 0 of 5")
    assert not terminal.takes_lines
    terminal.type("\n\nxyz\n")
    assert "xyz" not in terminal.see("next  Parse Response")
    terminal.see(PROMPT)
    terminal.type("\n")
    terminal.see("calls get_order_status")
    terminal.see(PROMPT)
    terminal.type("\n")
    terminal.see("get_order_status\x1b[0m: [y]es, [n]o, [e]dit? ")
    assert terminal.takes_lines
    terminal.type("y\n")
    terminal.see("next  Append Tool Result")
    terminal.see(PROMPT)
    assert not terminal.takes_lines
    terminal.type("f")
    terminal.see("It is shipped.")
    terminal.see(PROMPT)
    terminal.type("q")
    code, shown = terminal.end()
    assert (code, len(server.requests)) == (0, 2)
    assert "It is shipped." not in shown


def test_a_dumb_terminal_types_lines(at_terminal: Start) -> None:
    terminal = at_terminal("step", "--demo", environment={"TERM": "dumb"}, columns=40)
    terminal.see("Enter v r a t b f ? q: ")
    assert terminal.takes_lines
    terminal.type("v\n")
    terminal.see("variables, before the run begins")
    terminal.see("q: ")
    terminal.type("\x04")
    assert terminal.end()[0] == 0
