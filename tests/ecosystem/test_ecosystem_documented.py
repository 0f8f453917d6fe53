"""The programs of docs/langchain-llamaindex.md."""

from pathlib import Path

import pytest
from tests.docs.fences import Fence, fences_in

PAGE = (Path(__file__).parents[2] / "docs" / "langchain-llamaindex.md").read_text("utf-8")
PROGRAMS = [fence for fence in fences_in(PAGE) if fence.language == "python"]


@pytest.mark.parametrize("program", PROGRAMS, ids=[f"line {each.line}" for each in PROGRAMS])
def test_a_program_of_the_page_runs(program: Fence) -> None:
    exec(compile(program.body, f"langchain-llamaindex.md:{program.line}", "exec"), {"__name__": "__main__"})
