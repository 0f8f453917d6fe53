"""Tests with the fixture `run` run by the synchronous driver and by the asynchronous one."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from tests.telemetry.recording import Recording

from callagain import Result, ToolLoop

RunLoop: TypeAlias = Callable[..., Result]


def _run_sync(loop: ToolLoop, message: str = "Go", **options: Any) -> Result:
    return loop.run(message, **options)


def _run_async(loop: ToolLoop, message: str = "Go", **options: Any) -> Result:
    return asyncio.run(loop.arun(message, **options))


@pytest.fixture(params=[_run_sync, _run_async], ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> RunLoop:
    """run(loop, message, **options) -> Result."""
    chosen: RunLoop = request.param
    return chosen


@pytest.fixture
def recording() -> Recording:
    return Recording()
