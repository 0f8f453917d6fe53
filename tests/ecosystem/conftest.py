"""LangChain and LlamaIndex take seconds to import, so one process runs all tests that need them."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from callagain import Result, ToolLoop, foreign_tool
from callagain.testing import StandIn, calls, says

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("ecosystem"))


@dataclass(frozen=True)
class Call:
    """`call(tool, arguments, **options)` is a run in which the model makes this one call."""

    is_async: bool

    def __call__(self, tool: Any, arguments: dict[str, object], **options: Any) -> Result:
        taken = foreign_tool(tool, **options) if options else tool
        name = getattr(tool, "name", None) or tool.metadata.name
        with StandIn([calls((name, arguments)), says("Done.")]) as endpoint:
            loop = ToolLoop(model="m", base_url=endpoint.base_url, tools=[taken])
            return asyncio.run(loop.arun("Go.")) if self.is_async else loop.run("Go.")

    def told(self, tool: Any, arguments: dict[str, object], **options: Any) -> str:
        """What the model reads of it."""
        (result,) = self(tool, arguments, **options).tool_results
        return result.content


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def call(request: pytest.FixtureRequest) -> Call:
    """By the synchronous driver and by the asynchronous one."""
    return Call(is_async=request.param)
