"""Where the tests of this folder find a model: a stand-in that plays one, and the real one that is named.

The real one is asked only where CALLAGAIN_REAL_BASE_URL is set, since that costs money and the network.
Without it those tests are skipped; where a skip is a failure (FORBID_SKIPS=1), they are not collected.
"""

import os
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from tests.conftest import PROXY_VARIABLES
from tests.real_model.played import PLAYED

from callagain import ToolLoop
from callagain.testing.plugin import StartStandIn

LoopOf: TypeAlias = Callable[..., ToolLoop[Any]]

URL, MODEL, KEY, PROFILE = (f"CALLAGAIN_REAL_{name}" for name in ("BASE_URL", "MODEL", "KEY", "PROFILE"))
WHY_SKIPPED = f"no real model: set {URL} and {MODEL}, and perhaps {KEY} and {PROFILE}"
# What tests/conftest.py takes away from tests of this machine; a real model may be behind a proxy.
PROXIES = {name: value for name, value in os.environ.items() if name.upper() in PROXY_VARIABLES}


def models() -> list[object]:
    """The parameters of every test here."""
    if os.environ.get(URL):
        # A model on a machine without a graphics card takes its time.
        return ["stand-in", pytest.param("real", marks=pytest.mark.timeout(900))]
    if os.environ.get("FORBID_SKIPS") == "1":
        return ["stand-in"]
    return ["stand-in", pytest.param("real", marks=pytest.mark.skip(WHY_SKIPPED))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [each.nodeid for each in terminalreporter.getreports("skipped")]
    if any("tests/real_model/" in name for name in skipped):
        terminalreporter.write_line(WHY_SKIPPED)


@pytest.fixture(params=models())
def loop_of(
    request: pytest.FixtureRequest, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> LoopOf:
    """loop_of(tools=…, …) -> ToolLoop, which asks the model."""
    if request.param == "stand-in":
        return _loops(model="played", base_url=stand_in(PLAYED).base_url, api_key="any")
    if not os.environ.get(MODEL):
        pytest.fail(f"{URL} is set: set {MODEL} too, to the name of the model there", pytrace=False)
    for name, value in PROXIES.items():
        monkeypatch.setenv(name, value)
    return _loops(
        model=os.environ[MODEL],
        base_url=os.environ[URL],
        api_key=os.environ.get(KEY) or "no-key",
        profile=os.environ.get(PROFILE) or None,
        timeout=300,
    )


def _loops(**endpoint: Any) -> LoopOf:
    def loop_of(**settings: Any) -> ToolLoop[Any]:
        return ToolLoop(**endpoint, **settings)

    return loop_of
