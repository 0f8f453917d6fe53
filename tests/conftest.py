"""What all tests share: the fixture `stand_in`, and what asks it over real HTTP."""

import http.client
import json
import os
from collections.abc import Callable, Generator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from hypothesis import settings

from callagain.cli import prompts_plugin
from callagain.engine.json_text import valid_unicode
from callagain.testing import StandIn, plugin
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
ErrorFor = Callable[[object], dict[str, Any]]
Ask = Callable[[StandIn, dict[str, Any]], dict[str, Any]]

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")

# How long an example takes says more of the machine than of the code; pytest's timeout ends what hangs.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")


def pytest_configure(config: pytest.Config) -> None:
    # In a bare checkout the plugins have no entry point; where callagain is installed, they are registered.
    for one in (plugin, prompts_plugin):
        if not config.pluginmanager.is_registered(one):
            config.pluginmanager.register(one, one.__name__)


@pytest.fixture(autouse=True)
def no_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the developer's could not reach the servers that tests start on this machine."""
    for name in [name for name in os.environ if name.upper() in PROXY_VARIABLES]:
        monkeypatch.delenv(name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    # Where several processes run the tests, what was logged is sent between them as UTF-8.
    report.sections = [(name, valid_unicode(text)) for name, text in report.sections]
    return _without_skips(report)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _without_skips((yield))


def _without_skips(report: Report) -> Report:
    """With FORBID_SKIPS=1 a skip is a failure, told with its reason; an expected failure is no skip."""
    if os.environ.get("FORBID_SKIPS") == "1" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"FORBID_SKIPS=1: {report.nodeid}: {reason}"
    return report


@pytest.fixture
def send() -> Send:
    """`send(stand_in, body, …)` gives status and body of the response, the body parsed where it is JSON."""

    def send(
        server: StandIn,
        body: object = None,
        *,
        method: str = "POST",
        path: str = "/v1/chat/completions",
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
        try:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent_headers = {"Authorization": "Bearer any"} if headers is None else headers
            connection.request(method, path, content if method == "POST" else None, sent_headers)
            response = connection.getresponse()
            text = response.read().decode()
            is_json = response.headers["content-type"] == "application/json"
            return response.status, json.loads(text) if is_json else text
        finally:
            connection.close()

    return send


@pytest.fixture
def ask(send: Send) -> Ask:
    """`ask(stand_in, body)` gives the message of the answer, which must be one."""

    def ask(server: StandIn, body: dict[str, Any]) -> dict[str, Any]:
        status, answer = send(server, body)
        assert status == 200, answer
        message: dict[str, Any] = answer["choices"][0]["message"]
        return message

    return ask


@pytest.fixture
def error_for(stand_in: StartStandIn, send: Send) -> ErrorFor:
    """`error_for(body)` gives the error of the 400 that answers it; a refusal leaves the script untouched."""

    def error_for(body: object) -> dict[str, Any]:
        server = stand_in(["accepted"])
        status, answer = send(server, body)
        assert status == 400, answer
        error: dict[str, Any] = answer["error"]
        assert error.keys() == {"message", "type", "param", "code"}
        assert error["type"] == "invalid_request_error"
        assert send(server, {"model": "m", "messages": [{"role": "user", "content": "Hi"}]})[0] == 200
        return error

    return error_for
