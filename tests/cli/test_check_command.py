"""`callagain check`: what it reads, what it prints, and which exit code it ends with."""

import io
import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from callagain.tool_check import RULES

Command = Callable[..., Any]
Write = Callable[..., str]

CLEAN = '''
def get_order_status(order_id: str) -> str:
    """Look up the status of an order. Not for returns.

    Args:
        order_id: six digits, such as 481516
    """
    return order_id
'''
ADVISED = '''
def get_order_status(order_id: str) -> str:
    """Look up the status of an order. Not for returns."""
    return order_id
'''
WRONG = '''
print("imported")

def run(status: str) -> str:
    """Looks up orders, and no returns.

    Args:
        status: open or closed
    """
    return status

def second(status: str) -> str: ...
'''


def entry(name: str, **function: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, **function}}


def refused(ended: Any) -> str:
    """The message, once it is sure that it stands in one line, alone, with code 2."""
    assert (ended.code, ended.out) == (2, "")
    assert re.fullmatch(r"callagain: error: [^\n]+\n", ended.err)
    return str(ended.err.removeprefix("callagain: error: ").rstrip("\n"))


def test_a_clean_file_ends_with_0(command: Command, write: Write) -> None:
    ended = command("check", write("orders.py", CLEAN), "--strict")
    assert (ended.code, ended.out, ended.err) == (0, "1 tool: nothing found\n", "")


def test_a_problem_ends_with_1_and_each_finding_is_one_line(command: Command, write: Write) -> None:
    path = write("orders.py", WRONG)
    ended = command("check", path)
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert [line.removeprefix(f"{path}: ").partition(": ")[::2] for line in lines[:-2]] == [
        ("run", f"name-generic: {RULES['name-generic'].says}"),
        ("run.status", f"enum-missing: {RULES['enum-missing'].says.format(values='“open”, “closed”')}"),
        ("second", f"description-missing: {RULES['description-missing'].says}"),
        (
            "second.status",
            "property-description (advice): there is no description; say what it is, as in "
            "“Ticket id, such as T-101”",
        ),
        ("second.status", f"enum-likely (advice): {RULES['enum-likely'].says}"),
    ]
    assert lines[-2:] == ["", "2 tools: 3 problems, 2 pieces of advice"]


def test_what_a_tools_file_prints_goes_to_stderr_and_warnings_are_among_the_findings(
    command: Command, write: Write
) -> None:
    assert command("check", write("orders.py", WRONG)).err == "imported\n"


def test_advice_counts_only_when_it_is_asked_to(command: Command, write: Write) -> None:
    path = write("orders.py", ADVISED)
    ended = command("check", path)
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "1 tool: 0 problems, 1 piece of advice")
    assert command("check", path, "--strict").code == 1


def test_rules_can_be_passed_over(command: Command, write: Write) -> None:
    ended = command(
        "check", write("orders.py", WRONG), "--ignore", "name-generic", "--ignore", "enum-missing", "--strict"
    )
    assert ended.out.splitlines()[-1] == "2 tools: 1 problem, 2 pieces of advice"
    ended = command("check", write("orders.py", ADVISED), "--strict", "--ignore", "property-description")
    assert (ended.code, ended.out) == (0, "1 tool: nothing found\n")


def test_each_file_is_checked_by_itself(command: Command, write: Write) -> None:
    first, second = write("first.py", CLEAN), write("second.py", CLEAN)
    ended = command("check", first, second)
    assert (ended.code, ended.out) == (0, "2 tools: nothing found\n")


def test_a_json_file_needs_no_functions(command: Command, write: Write) -> None:
    path = write("tools.json", "\ufeff" + json.dumps([entry("helper", description="Look up orders only.")]))
    ended = command("check", path)
    assert ended.code == 1
    assert ended.out.startswith(f"{path}: helper: name-generic: ")


def test_json_comes_from_stdin_too(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps([entry("helper", description="")])))
    ended = command("check", "-")
    assert ended.code == 1
    assert ended.out.startswith("stdin: helper: name-generic: ")
    assert ended.err == ""


def test_one_json_document(command: Command, write: Write) -> None:
    path = write("orders.py", ADVISED)
    assert command("check", path, "--json").json == {
        "passed": True,
        "tools": 1,
        "findings": [
            {
                "file": path,
                "tool": "get_order_status",
                "path": "order_id",
                "code": "property-description",
                "severity": "advice",
                "message": "there is no description; say what it is, as in “Ticket id, such as T-101”",
            }
        ],
    }
    ended = command("check", path, "--json", "--strict")
    assert (ended.code, ended.json["passed"]) == (1, False)


def test_a_tool_that_is_declared_read_only_is_known_as_such(command: Command, write: Write) -> None:
    source = "from callagain import tool\n" + CLEAN.replace("def get_order_status", "def cancel_order")
    assert command("check", write("orders.py", source)).code == 0
    source = source.replace("\ndef", "\n@tool(read_only=True)\ndef")
    assert "cancel_order: read-only-effects: " in command("check", write("orders.py", source)).out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals(command: Command, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("orders.py", WRONG)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", terminal := Terminal())
        command("check", path)
    assert "\x1b[1mrun\x1b[0m: \x1b[31mname-generic\x1b[0m: the name" in terminal.getvalue()
    assert "\x1b" not in command("check", path).out


def test_no_name_controls_the_terminal(command: Command, write: Write) -> None:
    parameters = {"type": "object", "properties": {"\x1b[31m\n": {"type": "string"}}}
    path = write(
        "tools.json", json.dumps([entry("get_order", description="Get no text.", parameters=parameters)])
    )
    ended = command("check", path)
    assert "\x1b" not in ended.out
    assert f"{path}: get_order. [31m: property-description (advice): " in ended.out


def test_help_names_every_rule(command: Command) -> None:
    told = re.findall(r"^  ([\w-]+) +[a-z]", command("check", "--help").out, re.MULTILINE)
    assert set(RULES) <= set(told)


UNUSABLE: list[tuple[str, str, str]] = [
    (
        "tools.json",
        "[",
        "tools.json is not JSON: Expecting value at position 1; give the array of tools of a request",
    ),
    (
        "tools.json",
        '{"tools": []}',
        "tools.json must be an array of tools, as in the tools field of a request",
    ),
    (
        "tools.json",
        "[]",
        "tools.json must be an array of tools, as in the tools field of a request, with one",
    ),
    ("tools.json", "[7]", 'tools.json: toolsJson entry 0 must be {"type": "function", "function": '),
    (
        "tools.json",
        '[{"function": {"name": 7}}]',
        "tools.json: toolsJson entry 0 has no name; set function.name",
    ),
    (
        "tools.json",
        '[{"function": {"name": "a b"}}]',
        "tools.json: tool 'a b': a tool's name has 1 to 64 letters",
    ),
    (
        "tools.json",
        '[{"function": {"name": "a", "parameters": {"type": "object", "properties": 7}}}]',
        "tools.json: tool a: parameters: not a JSON schema: properties: should be of type object",
    ),
    ("tools.json", '[{"function": {"name": "a"}}, {"function": {"name": "a"}}]', "the name a stands twice"),
    (
        "tools.txt",
        "",
        "tools.txt: give a Python file, which ends in .py, a toolsJson file, which ends in .json, or -",
    ),
    ("tools.py", "def f(a): ...", "tool f: the parameter a has no type; annotate it: a: str"),
    ("tools.py", "1/0", "tools.py, line 1: ZeroDivisionError: division by zero; mend it"),
]


@pytest.mark.parametrize(("name", "content", "message"), UNUSABLE)
def test_a_file_that_cannot_be_used(
    command: Command, write: Write, name: str, content: str, message: str
) -> None:
    assert message in refused(command("check", write(name, content)))


def test_a_file_that_is_not_there(command: Command) -> None:
    assert refused(command("check", "none.json")) == (
        "cannot read none.json: No such file or directory; give the path of a toolsJson file"
    )
    assert refused(command("check", "none.py")) == (
        "there is no tools file none.py; give the path of a Python file"
    )


def test_json_that_is_no_text(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), "utf-8"))
    assert refused(command("check", "-")) == "stdin is not utf-8 text; convert it first"


def test_nothing_to_check(command: Command) -> None:
    assert refused(command("check")) == (
        "the following arguments are required: TOOLS; see callagain check --help"
    )


def test_a_rule_that_is_not_there(command: Command, write: Write) -> None:
    message = refused(command("check", write("orders.py", CLEAN), "--ignore", "names"))
    assert message.startswith("there is no rule 'names' to ignore; there are name-generic, ")
