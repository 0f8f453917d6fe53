"""`callagain demo`: what it shows of a scenario, on paper, on a terminal, as JSON and as a page."""

import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.scenarios import SCENARIOS

Command = Callable[..., Any]
Start = Callable[..., Any]

NAMES = [scenario.name for scenario in SCENARIOS]
CHOICES = "[y]es, [n]o, [e]dit? "

OPERATIONS = [
    "Initialize",
    *(["LLM Call", "Parse Response", "Tool Dispatcher", "Append Tool Result"] * 2),
    "LLM Call",
    "Parse Response",
    "Extract Final",
]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def paragraph(out: str, number: int) -> str:
    """Of the operation with this number."""
    (found,) = [each for each in out.split("\n\n") if each.startswith(f"{number:>2}  ")]
    return found


def test_needs_no_key_and_no_network(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever would go out, goes nowhere.
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    ended = command("demo")
    assert (ended.code, ended.err) == (0, "")
    assert "Answer  I created ticket T-77 for Ada Lovelace.\n" in ended.out


def test_fits_a_terminal_of_80_columns(command: Command) -> None:
    for name in NAMES:
        lines = command("demo", name).out.splitlines()
        assert [line for line in lines if len(line) > 80] == []
        assert any(line.endswith("chars)") and len(line) > 75 for line in lines)


def test_shows_each_operation_with_what_it_changed(command: Command) -> None:
    out = command("demo").out
    assert re.findall(r"^(?: \d|\d\d)  (.+?)  the guide", out, re.MULTILINE) == OPERATIONS
    assert paragraph(out, 4) == (
        " 4  Tool Dispatcher  the guide, Part 3\n"
        '    call    look_up_contact {"name":"Ada Lovelace"}\n'
        '    result  {"contact_id":"C-1815","name":"Ada Lovelace","email":"ad… (71 chars)\n'
        "    loop_count             0 → 1\n"
        '    function_resp          {"contact_id":"C-1815","name":"Ada Lovela… (71 chars)\n'
        "    loop_count 1, call_llm_again true\n"
        "    On Success → Append Tool Result"
    )


def test_shows_what_a_request_has_grown_by(command: Command) -> None:
    assert '    InAndOut               …,{"role":"assistant",' in paragraph(command("demo").out, 5)


def test_says_which_guards_chose_the_way(command: Command) -> None:
    out = command("demo").out
    assert "On Success → Tool Dispatcher  Part 5: call_llm_again and iterations_left\n" in out
    assert "On Success → Extract Final  Part 5: not call_llm_again\n" in out


def test_colours_are_for_terminals_whose_user_wants_them(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    for no_color in ("", "1"):
        monkeypatch.setenv("NO_COLOR", no_color)
        monkeypatch.setenv("TERM", "xterm")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", terminal := Terminal())
            command("demo")
        shown.append(terminal.getvalue())
    assert "\x1b[1mLLM Call\x1b[0m" in shown[0]
    assert "\x1b" not in shown[1]
    assert "\x1b" not in command("demo").out


def test_json_is_one_object_a_line(command: Command) -> None:
    *steps, last = [json.loads(line) for line in command("demo", "--json").out.splitlines()]
    assert [step["name"] for step in steps] == OPERATIONS
    assert [step["number"] for step in steps] == list(range(1, 13))
    assert steps[3] == {
        "number": 4,
        "operation": "tool_dispatcher",
        "name": "Tool Dispatcher",
        "part": "Part 3",
        "event": "on_success",
        "next": "append_tool_result",
        "when": "",
        "loop_count": 1,
        "call_llm_again": True,
        "changed": {
            "loop_count": {"before": 0, "after": 1},
            "function_resp": {"before": "", "after": steps[3]["tool_calls"][0]["content"]},
        },
        "tool_calls": [
            {
                "id": "call_1",
                "name": "look_up_contact",
                "arguments": {"name": "Ada Lovelace"},
                "content": '{"contact_id":"C-1815","name":"Ada Lovelace","email":"ada@example.com"}',
                "error": None,
                "full_content": None,
                "abandoned": False,
            }
        ],
    }
    assert steps[2]["when"] == "call_llm_again and iterations_left"
    assert set(steps[1]["changed"]) == {"jitterbit.response"}
    assert [check["passed"] for check in last.pop("checks")] == [True, True, True]
    assert last == {
        "scenario": "two-tools",
        "outcome": "completed",
        "final_response": "I created ticket T-77 for Ada Lovelace.",
        "loop_count": 2,
        "error": None,
        "page": None,
    }


def test_says_what_to_look_at_and_what_there_was_to_see(command: Command) -> None:
    out = command("demo", "no-tool").out
    assert out.startswith("No tool needed\nA tool is offered, but the model knows the answer by itself. ")
    assert "\nLook at       call_llm_again, which stays false, and loop_count, which stays 0.\n" in out
    assert "\nThe guide     Part 2; Verify the integration, point 4\n" in out
    checks, saw, where = out.split("\n\n")[-3:]
    assert checks.startswith("What callagain verify says, run once more\n4  pass  the loop does not execute")
    assert saw.startswith("What you saw\nThere was one LLM Call. ")
    assert where == (
        "Where to go next\n"
        "  callagain demo parallel-calls           the next scenario\n"
        "  callagain demo --list                   all scenarios\n"
        "  callagain demo no-tool --view           this run as a page, to click through\n"
        "  callagain run MESSAGE --tools FILE.py   your own model and tools\n"
        "  docs/course/7-verify.md                 the lesson, in the source distribution\n"
        "  docs/loop.md                            more, in the source distribution\n"
    )


def test_the_default_is_the_first_scenario(command: Command) -> None:
    assert command("demo").out == command("demo", "two-tools").out


@pytest.mark.parametrize(
    ("name", "error", "ends", "check"),
    [
        ("limit", "max_iterations", "limit after 3 rounds of tools", "6  FAIL  the loop ends before"),
        ("wrong-id", "bad_request", "failed after 1 round of tools", "5  FAIL  the API accepts every"),
    ],
)
def test_what_it_is_to_show_is_no_failure_of_the_demo(
    command: Command, name: str, error: str, ends: str, check: str
) -> None:
    ended = command("demo", name)
    assert (ended.code, ended.err) == (0, "")
    assert f"\n\nError  {error}\n{ends}, " in ended.out
    assert f"\n\nWhat callagain verify says, run once more\n{check} " in ended.out


def test_a_tool_error_is_told_in_full_once(command: Command) -> None:
    out = command("demo", "limit").out
    assert out.count("* What the model is told of get_stock:\n") == 1
    assert "the warehouse says nothing about umbrellas" in " ".join(out.split())


def test_the_list_has_two_lines_on_each_scenario(command: Command) -> None:
    listed, hint = command("demo", "--list").out.split("\n\n")
    entries = re.split(r"\n(?=\S)", listed)
    assert [entry.split()[0] for entry in entries] == NAMES
    assert entries[4] == (
        "limit             The limit\n"
        "                  A tool fails each time, and the model asks for it again and\n"
        "                  again, until the limit ends the run."
    )
    assert all(entry.count("\n") <= 2 and max(map(len, entry.splitlines())) <= 80 for entry in entries)
    assert entries[0].splitlines()[0].endswith("(the default)")
    assert hint == "callagain demo NAME plays one.\n"


def test_the_list_is_a_json_document_too(command: Command) -> None:
    listed = command("demo", "--list", "--json").json["scenarios"]
    assert [each["name"] for each in listed] == NAMES
    assert listed[4] == {
        "name": "limit",
        "title": "The limit",
        "shows": SCENARIOS[4].shows,
        "parts": ["Part 5"],
        "point": 6,
        "outcome": "limit",
        "lesson": "6-control-the-loop.md",
        "page": "guards.md",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["limt"], f"there is no scenario 'limt'; the nearest is limit; there are {', '.join(NAMES)}"),
        (["?"], f"there is no scenario '?'; there are {', '.join(NAMES)}"),
        (["limit", "--yes"], "--yes is for approval; limit asks nobody, so leave it out"),
        (["limit", "--list"], "--list plays nothing; give it alone, or with --json"),
        (["-o", "a.html"], "-o says where --view writes its page; add --view, or leave -o out"),
        (["--view", "-o", "-"], "--view writes a file; give its path by -o, and not -"),
        (
            ["--view", "-o", "none/a.html"],
            "the folder of none/a.html does not exist; make it, or choose another path by -o",
        ),
        (
            ["--view", "-o", "notes.txt"],
            "notes.txt is there already, and is no page of callagain; choose another path by -o",
        ),
    ],
)
def test_a_mistake_is_one_line(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    ended = command("demo", *arguments)
    assert (ended.code, ended.out, ended.err) == (2, "", f"callagain: error: {message}\n")
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ([], "there is no terminal to ask you at"),
        (["--yes"], "as --yes says"),
        (["--json"], "--json asks nobody"),
    ],
)
def test_where_nobody_is_asked_the_script_approves_and_says_so(
    command: Command, option: list[str], why: str
) -> None:
    ended = command("demo", "approval", *option)
    assert (ended.code, ended.err) == (0, "")
    out = " ".join(ended.out.split()).replace('\\"', '"')
    call = 'refund_order {"order_id":"481516","dollars":40}'
    told = f"{call} waits for approval. The script approves it: {why}."
    assert out.count(told) == 1
    assert out.index(told) < out.index("$40 for order 481516")


def test_somebody_at_a_terminal_is_asked(at_terminal: Start) -> None:
    terminal = at_terminal("demo", "approval")
    assert terminal.see(CHOICES).endswith(
        "callagain: may refund_order run with these arguments?\n"
        '    order_id: "481516"\n'
        "    dollars: 40\n"
        f"refund_order: {CHOICES}"
    )
    terminal.type("n ask her first\n")
    code, shown = terminal.end()
    assert code == 0
    assert "\nAnswer  I could not pay order 481516 back: ask her first.\n" in shown
    assert "The script approves it" not in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []


def test_ctrl_c_in_the_middle_leaves_no_process_and_no_file(
    at_terminal: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    terminal = at_terminal("demo", "crash-and-resume")
    begun = re.search(r"Process (\d+) begins", terminal.see("begins the run"))
    assert begun is not None
    terminal.type("\x03")
    code, shown = terminal.end()
    assert code == 130
    assert shown.endswith("callagain: interrupted\n")
    assert "Traceback" not in shown
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun[1]), 0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_middle_leaves_no_process_and_no_file(
    process: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    demo = process("demo", "crash-and-resume")
    begun = next(found for line in demo.stdout if (found := re.search(r"Process (\d+) begins", line)))
    assert list(tmp_path.iterdir()) != []
    demo.send_signal(number)
    _, errors = demo.communicate(timeout=30)
    assert (demo.returncode, errors) == (-number, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun[1]), 0)
    assert list(tmp_path.iterdir()) == []


def test_on_a_narrow_terminal_words_stay_whole_and_values_have_a_line(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for name in NAMES:
        lines = command("demo", name).out.splitlines()
        assert [line for line in lines if len(line) > 40 and " " in line.strip()] == []
        assert '    InAndOut\n        {"model":"stand-in"…' in "\n".join(lines)


def test_the_run_is_written_as_a_page(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        ended = command("demo", "tool-error", "--view")
        assert (ended.code, ended.err) == (0, "")
        told = "The run is on the page callagain-demo-tool-error.html: open it in a browser."
        assert ended.out.splitlines()[-1] == told
        assert "Tool Dispatcher" not in ended.out
    page = (tmp_path / "callagain-demo-tool-error.html").read_text("utf-8")
    assert "A tool error that the model mends" in page
    assert "Order 481516 is shipped." in page
    last = command("demo", "--view", "-o", "two.html", "--json").out.splitlines()[-1]
    assert json.loads(last)["page"] == "two.html"
    assert (tmp_path / "two.html").is_file()
