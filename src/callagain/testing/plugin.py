"""The pytest plugin: the fixture `stand_in`, wherever callagain is installed."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Protocol

import pytest

from callagain.testing.script import Script
from callagain.testing.stand_in import StandIn


class StartStandIn(Protocol):
    """The type of the fixture, for annotations: `def test_it(stand_in: StartStandIn) -> None`."""

    def __call__(
        self,
        script: Script,
        *,
        port: int = 0,
        delay: float = 0.0,
        event_delay: float = 0.0,
        repeat_last: bool = False,
    ) -> StandIn: ...


@pytest.fixture
def stand_in() -> Iterator[StartStandIn]:
    """`stand_in(script, **options)` starts a StandIn; all of them are closed at the end of the test."""
    with ExitStack() as started:

        def start(
            script: Script,
            *,
            port: int = 0,
            delay: float = 0.0,
            event_delay: float = 0.0,
            repeat_last: bool = False,
        ) -> StandIn:
            server = StandIn(script, port=port, delay=delay, event_delay=event_delay, repeat_last=repeat_last)
            return started.enter_context(server)

        yield start
