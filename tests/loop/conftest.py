"""Every test with the fixture `run` runs twice: by the synchronous driver and by the asynchronous one."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.loop.talk import Say, say_async, say_sync

from callagain import JournalFile, LiveRun, Result, ToolLoop

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


def _drive_async(live: LiveRun) -> Result:
    return asyncio.run(live.arun())


@pytest.fixture(params=[LiveRun.run, _drive_async], ids=["sync", "async"])
def drive(request: pytest.FixtureRequest) -> Callable[[LiveRun], Result]:
    """drive(live_run) -> Result."""
    chosen: Callable[[LiveRun], Result] = request.param
    return chosen


@pytest.fixture(params=[say_sync, say_async], ids=["sync", "async"])
def say(request: pytest.FixtureRequest) -> Say:
    """say(conversation, message) -> Result."""
    chosen: Say = request.param
    return chosen


@pytest.fixture(params=["memory", "journal"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[JournalFile | None, None, None]:
    """For what has to be the same with a journal, and without one."""
    if request.param == "memory":
        yield None
    else:
        with closing(JournalFile(tmp_path / "runs.db")) as journal:
            yield journal
