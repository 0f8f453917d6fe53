"""Test cases of pytest, one for each prompt of a `*.prompts.toml` file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from callagain.cli.prompt_endpoint import PromptEndpoint
from callagain.cli.prompts import Prompt
from callagain.cli.prompts_file import read_prompts_file
from callagain.engine.errors import CallAgainError


class UnexpectedRunError(Exception):
    """A run was not as its prompt expects; the message says in what."""


class PromptCases(pytest.File):
    """The file. What is wrong in it, or with the endpoint, is one line in place of its cases."""

    def collect(self) -> Iterator["PromptCase"]:
        base_url, model = (
            self.config.getoption(name, None) for name in ("callagain_base_url", "callagain_model")
        )
        try:
            file = read_prompts_file(self.path)
            endpoint = PromptEndpoint(file, base_url, model)
        except CallAgainError as error:
            raise self.CollectError(f"{self.nodeid}: {error}") from None
        for prompt in file.prompts:
            case = PromptCase.from_parent(  # pyright: ignore[reportUnknownMemberType] - pytest's **kw
                self, name=prompt.name, prompt=prompt, endpoint=endpoint
            )
            if endpoint.missing is not None:
                case.add_marker(pytest.mark.skip(reason=endpoint.missing))
            yield case


class PromptCase(pytest.Item):
    """A prompt."""

    def __init__(self, *, prompt: Prompt, endpoint: PromptEndpoint, **of_pytest: Any) -> None:
        super().__init__(**of_pytest)  # pyright: ignore[reportUnknownMemberType] - pytest's **kw
        self._prompt = prompt
        self._endpoint = endpoint

    def runtest(self) -> None:
        repeat = self._prompt.repeat
        told: list[str] = []
        for number in range(1, repeat + 1):
            with self._endpoint.loop() as loop:
                differences = self._prompt.differences(loop.run(self._prompt.message))
            if differences and repeat > 1:
                differences[0] = f"run {number} of {repeat}: {differences[0]}"
            told += differences
        if told:
            # pytest's summary shows the first line.
            raise UnexpectedRunError("\n".join([*told, f"asked: {self._prompt.message}"]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *details: Any, **more: Any) -> Any:
        """Without a traceback, where it would lead through callagain only."""
        if isinstance(excinfo.value, UnexpectedRunError | CallAgainError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *details, **more)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._prompt.line - 1, self.name
