"""examples/endpoints, with the stand-in in the place of each endpoint, and the page that tells of them."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from examples.endpoints.ask import ENDPOINTS, loop_at, main

from callagain.connectors.profiles import profile_of
from callagain.testing import Rule, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

PAGE = Path(__file__).parents[2] / "docs" / "endpoints.md"
SCRIPT = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[calls(("get_order_status", {"order_id": "{order_id}"})), says("It has {result.status}.")],
    )
]


@dataclass(frozen=True, slots=True)
class Sent:
    """What the request to an endpoint is to be: its path, the header with the key, the name of its limit."""

    path: str = "/v1/chat/completions"
    key: tuple[str, str] = ("authorization", "Bearer no-key")
    limit: str = "max_tokens"
    parallel_tool_calls: bool | None = None


OLDER_AZURE = "/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21"
SENT = {
    "openai": Sent(key=("authorization", "Bearer the-key"), limit="max_completion_tokens"),
    "azure-v1": Sent(
        "/openai/v1/chat/completions", ("authorization", "Bearer the-key"), "max_completion_tokens"
    ),
    "azure-deployment": Sent(OLDER_AZURE, ("api-key", "the-key"), "max_completion_tokens"),
    "vllm": Sent(),
    "ollama": Sent(),
    "llama.cpp": Sent(parallel_tool_calls=True),
    "litellm": Sent(key=("authorization", "Bearer the-key")),
}
WITH_A_KEY = ("openai", "azure-v1", "azure-deployment", "litellm")


@pytest.fixture
def endpoint(stand_in: StartStandIn) -> StandIn:
    return stand_in(SCRIPT)


@pytest.mark.parametrize("name", ENDPOINTS)
def test_each_endpoint_is_sent_what_it_takes(
    name: str, endpoint: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, expected = ENDPOINTS[name], SENT[name]
    is_azure = row.profile == "azure"
    monkeypatch.setenv(row.url_variable, endpoint.origin if is_azure else endpoint.base_url)
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    # Which must not get to anybody but OpenAI.
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    if name in WITH_A_KEY:
        monkeypatch.setenv(row.key_variable, "the-key")

    loop = loop_at(name)
    result = loop.run("Where is order 481516?")

    assert (result.outcome, result.final_response) == ("completed", "It has shipped.")
    assert loop.profile.name == row.profile
    for request in endpoint.requests:
        header, value = expected.key
        assert (request.status, request.path, request.headers[header]) == (200, expected.path, value)
        assert request.json["model"] == row.model
        assert {"max_tokens", "max_completion_tokens"} & request.json.keys() == {expected.limit}
        assert request.json.get("parallel_tool_calls") == expected.parallel_tool_calls


def test_the_profile_is_recognised_where_the_address_tells_and_named_elsewhere() -> None:
    by_address = {name for name, row in ENDPOINTS.items() if profile_of(row.base_url or "").name != "generic"}
    assert by_address == {"openai", "ollama"}
    assert all(profile_of(ENDPOINTS[name].base_url).name == ENDPOINTS[name].profile for name in by_address)
    assert profile_of("https://shop.openai.azure.com/openai/v1/").name == "azure"


def test_the_program_asks_the_endpoint_that_is_named(
    endpoint: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", endpoint.base_url)
    monkeypatch.setattr(sys, "argv", ["ask.py", "vllm", "--model", "mine"])
    main()
    assert capsys.readouterr().out == "It has shipped.\n"
    assert endpoint.requests[0].json["model"] == "mine"


def test_the_program_names_the_variable_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    monkeypatch.setattr(sys, "argv", ["ask.py", "azure-v1"])
    with pytest.raises(SystemExit, match="set AZURE_OPENAI_ENDPOINT"):
        main()


@pytest.mark.parametrize("name", ENDPOINTS)
def test_the_page_has_the_row_of_each_endpoint(name: str) -> None:
    row = ENDPOINTS[name]
    url = f"`{row.url_variable}`" + (f", or `{row.base_url}`" if row.base_url else "")
    assert f"| `{name}` | {url} | `{row.key_variable}` | `{row.profile}` |" in PAGE.read_text("utf-8")
