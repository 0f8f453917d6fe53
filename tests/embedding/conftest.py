"""What the tests of examples/embedding share: the endpoint that its programs ask."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from callagain.testing import Script, StandIn
from callagain.testing.plugin import StartStandIn

EndpointOf: TypeAlias = Callable[[Script], StandIn]


@pytest.fixture
def endpoint_of(stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch) -> EndpointOf:
    """endpoint_of(script) -> StandIn, to which the programs are sent by the environment."""

    def endpoint_of(script: Script) -> StandIn:
        endpoint = stand_in(script)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        return endpoint

    return endpoint_of
