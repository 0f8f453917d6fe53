"""A lesson as somebody follows it: one program, from top to bottom, in a fresh folder."""

import difflib
import io
import re
import shlex
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Self
from unittest.mock import patch

import structlog
from tests.docs.fences import Fence, fences_in

from callagain.cli import main
from callagain.cli.example_rules import EXAMPLE_RULES
from callagain.testing import StandIn, load_script

# What a program has printed, in the fence that follows it.
OUTPUTS = ("text", "mermaid")


class LessonRun:
    """The Python of a lesson is one program, and its commands are those of a terminal in the same folder.

    A fence with the name of a file above it is that file. A fence of text shows what the one before it has
    printed, with `…` for what is left out. A command must succeed, unless `echo $?` comes after it. Nobody
    presses a key. Stand-ins are served until the lesson is over.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, object] = {"__name__": "__main__"}
        self._printed: str | None = None
        self._stand_ins: dict[str, StandIn] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.enter_context(chdir(self._folder))
        # Files of the lesson can be imported, as by a program that stands beside them.
        self._open.enter_context(patch.object(sys, "path", [str(self._folder), *sys.path]))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        for file in self._folder.glob("*.py"):
            sys.modules.pop(file.stem, None)
        structlog.reset_defaults()

    def follow(self, page: str) -> None:
        """Raises AssertionError where the page shows something else than what happens."""
        for fence in fences_in(page):
            if fence.source is None:
                self._follow(fence)

    def _follow(self, fence: Fence) -> None:
        if fence.file is not None:
            Path(fence.file).write_text(fence.body, "utf-8")
        elif fence.language in OUTPUTS:
            assert self._printed is not None, f"line {fence.line}: nothing was run before this output"
            assert fits(fence.body, self._printed), f"line {fence.line}:\n{difference(fence, self._printed)}"
            self._printed = None
        elif fence.language == "python":
            self._printed = self._run_program(fence)
        elif fence.language == "console":
            self._printed = self._run_commands(fence)
        else:
            raise AssertionError(f"line {fence.line}: {fence.language!r} cannot be run, and is no file")

    def _run_program(self, fence: Fence) -> str:
        # The lines that a traceback names are those of the page.
        code = compile("\n" * (fence.line - 1) + fence.body, "lesson", "exec")
        with redirect_stdout(io.StringIO()) as printed:
            exec(code, self._names)
        return printed.getvalue()

    def _run_commands(self, fence: Fence) -> str:
        status = 0
        nobody = patch.object(sys, "stdin", io.StringIO())
        with nobody, redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
            for line in fence.body.replace("\\\n", " ").splitlines():
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words == ["echo", "$?"]:
                    print(status)
                    status = 0
                    continue
                assert status == 0, f"line {fence.line}: exit code {status}\n{printed.getvalue()}"
                assert words[0] == "callagain", line
                status = self._run_command(words[1:])
        assert status == 0, f"line {fence.line}: exit code {status}\n{printed.getvalue()}"
        return printed.getvalue()

    def _run_command(self, words: list[str]) -> int:
        if words[0] == "serve-stand-in":
            self._serve(*words[1:])
            return 0
        for port, stand_in in self._stand_ins.items():
            words = [word.replace(f"http://127.0.0.1:{port}/v1", stand_in.base_url) for word in words]
        return main(words)

    def _serve(self, port_option: str, port: str, *script: str) -> None:
        """`--port N`, and maybe `--script FILE`; on a free port, which that of the page may not be."""
        assert port_option == "--port"
        assert script[:1] in ((), ("--script",))
        answers = load_script(Path(script[1])) if script else EXAMPLE_RULES
        self._stand_ins[port] = self._open.enter_context(StandIn(answers))


def fits(shown: str, printed: str) -> bool:
    """Whether this was printed, with anything in place of each `…`."""
    pattern = ".*?".join(re.escape(piece) for piece in _trimmed(shown).split("…"))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def difference(fence: Fence, printed: str) -> str:
    """Both, line by line, to be read by whoever mends the page."""
    shown, seen = _trimmed(fence.body).splitlines(), _trimmed(printed).splitlines()
    return "\n".join(difflib.unified_diff(shown, seen, "shown", "printed", lineterm="", n=99))


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
