"""Tests with the fixture `run` run by both drivers, as those of tests/loop."""

import pytest
from tests.loop.conftest import RunLoop, run
from tests.telemetry.recording import Recording

__all__ = ["RunLoop", "recording", "run"]


@pytest.fixture
def recording() -> Recording:
    return Recording()
