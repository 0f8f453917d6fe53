"""docs/command-line.md shows each command's help as it is.

`python tests/cli/test_help_texts.py` writes it anew, with src on the path.
"""

import contextlib
import io
import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from callagain.cli import main
from callagain.cli.exit_codes import EXIT_CODES, ExitCode

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
COMMANDS = (
    "demo",
    "run",
    "step",
    "runs",
    *(f"runs {command}" for command in ("list", "show", "resume", "export", "delete")),
    "replay",
    "view",
    "serve",
    "worker",
    "diagram",
    "serve-stand-in",
    "check",
    "verify",
    "port",
    "parity",
)
BLOCK = re.compile(r"```text\n\$ callagain (?:(?P<command>[\w -]+) )?--help\n.*?\n```", re.DOTALL)


def help_block(command: str | None) -> str:
    """The block of the page for a command, or for the command line as a whole."""
    arguments = [*(command or "").split(), "--help"]
    with patch.dict(os.environ, {"COLUMNS": "80"}), contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(arguments) == 0
    return f"```text\n$ callagain {' '.join(arguments)}\n{out.getvalue().rstrip()}\n```"


def regenerated(page: str) -> str:
    """The page with every block as the help is now."""
    return BLOCK.sub(lambda block: help_block(block["command"]), page)


def test_the_page_shows_every_help_text_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    assert [block["command"] for block in BLOCK.finditer(page)] == [None, *COMMANDS]
    assert page == regenerated(page), f"run python {Path(__file__).name} to write the page anew"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_fits_80_columns(command: str) -> None:
    lines = help_block(command).splitlines()
    assert any(line.startswith(f"  callagain {command}") for line in lines[lines.index("examples:") :])
    assert [line for line in lines if len(line) > 82] == []


def test_the_examples_in_python_work() -> None:
    blocks = re.findall(r"```python\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {"__name__": "example"})


def test_every_exit_code_is_explained() -> None:
    explained = [int(code) for code in re.findall(r"^  (\d+)", EXIT_CODES, re.MULTILINE)]
    assert explained == [int(code) for code in ExitCode]


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(
        r"callagain (\d+\.\d+\.\S+|\(.* not installed\)), Python 3\S+\n", capsys.readouterr().out
    )


if __name__ == "__main__":
    PAGE.write_text(regenerated(PAGE.read_text("utf-8")), "utf-8")
