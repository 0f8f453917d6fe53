"""The pytest plugin, wherever callagain is installed: the fixture `stand_in`, and transition coverage."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Protocol

try:
    import pytest
except ImportError:
    raise ImportError(
        "callagain.testing.plugin is a plugin of pytest, which is missing: pip install pytest"
    ) from None

from callagain.testing import coverage_plugin
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


def pytest_addoption(parser: pytest.Parser) -> None:
    coverage_plugin.add_options(parser.getgroup("callagain"))


def pytest_configure(config: pytest.Config) -> None:
    coverage_plugin.start(config)


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
