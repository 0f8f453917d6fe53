"""An openai package that is too old, as another package may bring one, is told before anything is sent."""

import openai
import pytest

from callagain import ConfigurationError, ToolLoop
from callagain.testing import says
from callagain.testing.plugin import StartStandIn


def test_an_older_package_is_refused(stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = stand_in([says("Hello.")])
    monkeypatch.setattr(openai, "__version__", "2.54.0")
    loop = ToolLoop(model="any", base_url=endpoint.base_url)
    with pytest.raises(ConfigurationError, match=r"openai 2\.54\.0 is installed, .*'openai>=3,<4'"):
        loop.run("Hello")
    assert endpoint.requests == []
