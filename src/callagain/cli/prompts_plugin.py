"""The pytest plugin that runs `*.prompts.toml` files. What runs them is imported when there is one."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("callagain")
    group.addoption(
        "--callagain-base-url",
        metavar="URL",
        help="ask this endpoint in place of the one that a *.prompts.toml file names",
    )
    group.addoption(
        "--callagain-model",
        metavar="M",
        help="ask this model in place of the one that a *.prompts.toml file names",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith(".prompts.toml"):
        return None
    from callagain.cli.prompt_cases import PromptCases

    return PromptCases.from_parent(  # pyright: ignore[reportUnknownMemberType] - pytest's **kw
        parent, path=file_path
    )
