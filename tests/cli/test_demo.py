"""`callagain demo`: what it shows of the run, on paper, on a terminal and as JSON."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

Command = Callable[..., Any]

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
    lines = command("demo").out.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert any(line.endswith("chars)") and len(line) > 75 for line in lines)


def test_shows_each_operation_with_what_it_changed(command: Command) -> None:
    out = command("demo").out
    headings = [line for line in out.splitlines() if line[:2].strip().isdigit()]
    assert [line[4:].partition("  ")[0] for line in headings] == OPERATIONS
    dispatcher = out.split("\n\n")[5]
    assert dispatcher == (
        " 4  Tool Dispatcher  the guide, Part 3\n"
        '    call    look_up_contact {"name":"Ada Lovelace"}\n'
        '    result  {"contact_id":"C-1815","name":"Ada Lovelace","email":"ad… (71 chars)\n'
        "    loop_count             0 → 1\n"
        '    function_resp          {"contact_id":"C-1815","name":"Ada Lovela… (71 chars)\n'
        "    loop_count 1, call_llm_again true\n"
        "    On Success → Append Tool Result"
    )


def test_shows_what_a_request_has_grown_by(command: Command) -> None:
    append = command("demo").out.split("\n\n")[6]
    assert '    InAndOut               …,{"role":"assistant",' in append


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
    assert last == {
        "outcome": "completed",
        "final_response": "I created ticket T-77 for Ada Lovelace.",
        "loop_count": 2,
    }
