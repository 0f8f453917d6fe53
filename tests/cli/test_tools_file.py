"""`--tools FILE.py`: which of a file's names are tools, and what is said about a file that cannot be used."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from callagain.cli.tools_file import load_tools
from callagain.engine.errors import ConfigurationError, DuplicateToolError, ToolSchemaError

Command = Callable[..., Any]
Write = Callable[..., str]


def names(*paths: str) -> list[str]:
    return [tool.name for tool in load_tools(paths)]


def test_functions_of_the_file_are_tools_in_their_order(write: Write) -> None:
    path = write(
        "mine.py",
        '''
        from json import dumps
        from textwrap import dedent as unindent

        CONSTANT = 7

        class Helper: ...

        def second() -> str:
            """Second."""
            return dumps(_hidden())

        async def first() -> str:
            """First."""
            return unindent("")

        def _hidden() -> int:
            return CONSTANT
        ''',
    )
    assert names(path) == ["second", "first"]


def test_what_the_decorator_made_is_a_tool_wherever_it_stands(write: Write) -> None:
    write(
        "shared.py",
        '''
        from callagain import tool

        @tool
        def imported() -> str:
            """Imported."""
            return ""

        def not_a_tool() -> None: ...
        ''',
    )
    path = write(
        "mine.py",
        '''
        from callagain import tool
        from shared import imported, not_a_tool

        @tool(name="announced")
        def _private() -> str:
            """Private, and still announced."""
            return ""

        again = imported
        ''',
    )
    assert names(path) == ["imported", "announced"]


def test_a_list_TOOLS_decides_alone(write: Write) -> None:
    path = write(
        "mine.py",
        '''
        def left_out() -> str:
            """Left out."""
            return ""

        def _taken() -> str:
            """Taken."""
            return ""

        TOOLS = (_taken,)
        ''',
    )
    assert names(path) == ["_taken"]


def test_several_files_may_have_one_name(write: Write) -> None:
    one = write("a/tools.py", "def one() -> str:\n    'One.'\n    return ''\n")
    two = write("b/tools.py", "def two() -> str:\n    'Two.'\n    return ''\n")
    assert names(one, two) == ["one", "two"]


def test_a_file_may_have_the_name_of_a_module(write: Write) -> None:
    import json

    path = write("json.py", "def parse(text: str) -> str:\n    'Parse.'\n    return text\n")
    assert names(path) == ["parse"]
    assert sys.modules["json"] is json


def test_dataclasses_and_postponed_annotations_work(write: Write) -> None:
    path = write(
        "mine.py",
        '''
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Point:
            x: int

        def move(point: Point) -> str:
            """Move."""
            return ""
        ''',
    )
    assert names(path) == ["move"]


BROKEN: list[tuple[str, str]] = [
    ("1 +\n", r"mine\.py, line 1: SyntaxError: invalid syntax; mend it"),
    ("x = 1\ny = x / 0\n", r"mine\.py, line 2: ZeroDivisionError: division by zero; mend it"),
    ("def f():\n    raise KeyError\nf()\n", r"mine\.py, line 2: KeyError; mend it"),
    ("raise ValueError('two\\nlines')\n", r"mine\.py, line 1: ValueError: two lines; mend it"),
    ("import json\njson.loads('{')\n", r"mine\.py, line 2: JSONDecodeError: Expecting property name"),
    (
        "import no_such_module\n",
        rf"mine\.py, line 1: ModuleNotFoundError: No module named 'no_such_module'; "
        rf"install it for {re.escape(sys.executable)}",
    ),
    ("import sys\nsys.exit(3)\n", r"mine\.py, line 2: SystemExit: 3; mend it"),
    ("x = '\0'\n", r"mine\.py: (SyntaxError|ValueError): source code .*null bytes"),
]


@pytest.mark.parametrize(("source", "message"), BROKEN)
def test_a_file_that_does_not_import_is_named_with_line_and_exception(
    command: Command, write: Write, source: str, message: str
) -> None:
    ended = command("run", "Hi", "--tools", write("mine.py", source), "--model", "any")
    assert (ended.code, ended.out) == (2, "")
    assert re.match(rf"callagain: error: cannot import the tools file \S*{message}", ended.err)
    assert ended.err.count("\n") == 1


def test_an_error_in_a_module_that_the_file_imports_gives_the_line_of_the_import(write: Write) -> None:
    write("broken_helper.py", "value = [][0]\n")
    path = write("mine.py", "import sys\nimport broken_helper\n")
    with pytest.raises(ConfigurationError, match=r"mine\.py, line 2: IndexError: list index out of range"):
        load_tools([path])


def test_ctrl_c_in_a_file_is_no_error_of_the_file(command: Command, write: Write) -> None:
    ended = command("run", "Hi", "--tools", write("mine.py", "raise KeyboardInterrupt\n"), "--model", "any")
    assert (ended.code, ended.err) == (130, "callagain: interrupted\n")


def test_says_what_is_not_a_tools_file(write: Write, tmp_path: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"there is no tools file \S*none\.py; give the path"):
        load_tools([str(tmp_path / "none.py")])
    with pytest.raises(ConfigurationError, match=r"must be a Python file, which ends in \.py: \S+$"):
        load_tools([str(tmp_path)])
    with pytest.raises(ConfigurationError, match=r"must be a Python file, which ends in \.py: \S*t\.json$"):
        load_tools([write("t.json", "{}")])


def test_says_what_the_system_has_against_a_file() -> None:
    name = f"{'a' * 300}.py"
    with pytest.raises(ConfigurationError) as caught:
        load_tools([name])
    assert str(caught.value) == (
        f"cannot read the tools file {name}: File name too long; give the path of a Python file"
    )


def test_says_when_a_file_has_no_tools(write: Write) -> None:
    path = write("mine.py", "def _hidden(): ...\n")
    with pytest.raises(ConfigurationError, match=r"mine\.py has no tools: define a function whose name"):
        load_tools([path])
    with pytest.raises(ConfigurationError, match=r"empty\.py has no tools"):
        load_tools([write("empty.py", "TOOLS = []\n")])


def test_TOOLS_must_be_a_list(write: Write) -> None:
    with pytest.raises(
        ConfigurationError, match=r"TOOLS in \S*mine\.py must be a list or a tuple.* not dict"
    ):
        load_tools([write("mine.py", "TOOLS = {}\n")])


def test_a_function_that_cannot_be_a_tool_is_told_by_its_name(write: Write) -> None:
    with pytest.raises(ToolSchemaError, match="mine_alone"):
        load_tools([write("mine.py", "def mine_alone(*everything): ...\n")])


def test_two_tools_of_one_name_are_refused(write: Write) -> None:
    one = write("a/tools.py", "def same() -> str:\n    'One.'\n    return ''\n")
    two = write("b/tools.py", "def same() -> str:\n    'Two.'\n    return ''\n")
    with pytest.raises(DuplicateToolError) as caught:
        load_tools([one, two])
    assert str(caught.value) == (
        f"two tools have the name same: same in {one} and same in {two}; give one of them another with name="
    )


@pytest.mark.filterwarnings("default")
def test_a_warning_is_one_line(command: Command, write: Write) -> None:
    path = write("mine.py", "def unexplained() -> str:\n    return ''\n")
    ended = command("run", "Hi", "--tools", path, "--model", "any")
    warning, error = ended.err.splitlines()
    assert warning.startswith("callagain: warning: tool unexplained has no description")
    assert error.startswith("callagain: error: no endpoint")
