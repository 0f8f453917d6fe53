"""The connection to an endpoint: whose URL, whose key, whose client; and what it answers."""

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from callagain import ConfigurationError, Result, ToolLoop, tool
from callagain.connectors.copied_requests import CopiedRequests
from callagain.testing import Answer, Rule, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)


@tool
def ping() -> str:
    """Answers pong."""
    return "pong"


SCRIPT = [calls(("ping", {})), says("Pong.")]


def test_key_and_base_url_come_from_the_environment(
    run: Run, stand_in: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in(SCRIPT)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    assert run(ToolLoop(model="m", tools=[ping])).final_response == "Pong."
    assert {request.headers["authorization"] for request in server.requests} == {
        "Bearer sk-from-the-environment"
    }


def test_a_base_url_needs_no_key(run: Run, stand_in: Serve) -> None:
    assert run(ToolLoop(model="m", tools=[ping], base_url=stand_in(SCRIPT).base_url)).outcome == "completed"


def test_azure_by_deployment_and_api_version(
    run: Run, stand_in: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in(SCRIPT)
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", server.base_url.removesuffix("/v1"))
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key")
    monkeypatch.setenv("OPENAI_API_VERSION", "2024-10-21")
    assert run(ToolLoop(model="my-gpt", tools=[ping])).final_response == "Pong."
    first = server.requests[0]
    assert first.path == "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21"
    assert first.headers["api-key"] == "azure-key"


@pytest.mark.parametrize("deployment", [None, "my-gpt"])
def test_azure_by_a_client_with_and_without_a_deployment(
    run: Run, stand_in: Serve, deployment: str | None
) -> None:
    server = stand_in(SCRIPT)
    with openai.AzureOpenAI(
        azure_endpoint=server.base_url.removesuffix("/v1"),
        api_key="azure-key",
        api_version="2024-10-21",
        azure_deployment=deployment,
    ) as client:
        assert run(ToolLoop(model="my-gpt", tools=[ping], client=client)).final_response == "Pong."
    assert server.requests[1].path == "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21"


def test_azure_by_its_newer_url(run: Run, stand_in: Serve) -> None:
    server = stand_in(SCRIPT)
    base_url = server.base_url.replace("/v1", "/openai/v1/")
    assert run(ToolLoop(model="my-gpt", tools=[ping], base_url=base_url, api_key="k")).outcome == "completed"
    assert server.requests[0].path == "/openai/v1/chat/completions"


def test_a_client_of_ones_own_is_used_by_both_drivers(run: Run, stand_in: Serve) -> None:
    server = stand_in(SCRIPT)
    headers = {"x-team": "blue"}
    with openai.OpenAI(base_url=server.base_url, api_key="mine", default_headers=headers) as client:
        assert run(ToolLoop(model="m", tools=[ping], client=client)).final_response == "Pong."
    assert {request.headers["x-team"] for request in server.requests} == {"blue"}


def test_a_factory_of_async_clients_is_used_by_both_drivers(run: Run, stand_in: Serve) -> None:
    server = stand_in(SCRIPT * 2)
    loop = ToolLoop(
        model="m",
        tools=[ping],
        client=lambda: openai.AsyncOpenAI(base_url=server.base_url, api_key="mine"),
    )
    assert [run(loop).final_response for _ in range(2)] == ["Pong.", "Pong."]


def test_a_factory_that_makes_no_client_is_a_mistake_of_the_program(run: Run) -> None:
    wrong: Any = lambda: "no client"  # noqa: E731
    with pytest.raises(ConfigurationError, match="or a function that makes one, not one that makes str"):
        run(ToolLoop(model="m", client=wrong))


async def test_an_async_client_of_ones_own(stand_in: Serve) -> None:
    server = stand_in(SCRIPT)
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="mine") as client:
        result = await ToolLoop(model="m", tools=[ping], client=client).arun("Go")
    assert result.final_response == "Pong."


def test_a_client_that_retries_is_not_let_to(run: Run, stand_in: Serve) -> None:
    server = stand_in(
        [Answer(400, {"error": {"message": "nope"}}, {"x-should-retry": "true"}), says("never")]
    )
    with openai.OpenAI(base_url=server.base_url, api_key="mine", max_retries=5) as client:
        result = run(ToolLoop(model="m", client=client))
    assert result.error is not None
    assert result.error.kind == "bad_request"
    assert result.error.message.startswith("HTTP 400: nope; check ")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Answer(401, {"error": {"message": "no"}}), "auth", "HTTP 401: no"),
        (Answer(403, {"error": "forbidden"}), "auth", "HTTP 403: forbidden"),
        (Answer(404, {"detail": "Not Found"}), "bad_request", "HTTP 404: Not Found"),
        (Answer(400, [{"error": {"message": "in an array"}}]), "bad_request", "HTTP 400: in an array"),
        (Answer(429, {"error": {"message": "slow down"}}), "rate_limited", "HTTP 429: slow down"),
        (
            Answer(429, {"error": {"message": "no", "code": "insufficient_quota"}}),
            "quota_exceeded",
            "HTTP 429: no",
        ),
        (
            Answer(400, {"error": {"message": "too long", "code": "context_length_exceeded"}}),
            "context_length",
            "HTTP 400: too long",
        ),
        (
            Answer(503, "<html>down</html>", {"content-type": "text/html"}),
            "provider_unavailable",
            "<html>down",
        ),
        (
            Answer(200, "<html>sign in</html>", {"content-type": "text/html"}),
            "malformed_response",
            "text/html",
        ),
        (Answer(200, {"error": {"message": "upstream"}}), "provider_error", "upstream"),
        (Answer(200, ""), "malformed_response", "is not JSON"),
        (Answer(200, {"choices": []}), "malformed_response", "holds no choices[0].message"),
    ],
)
def test_what_an_endpoint_says_instead_of_an_answer(
    run: Run, stand_in: Serve, answer: Answer, kind: str, words: str
) -> None:
    result = run(ToolLoop(model="m", base_url=stand_in([answer]).base_url, max_retries=0))
    assert result.error is not None
    assert (result.outcome, result.error.kind, result.final_response) == ("failed", kind, None)
    assert words in result.error.message


LIFETIMES = """
import asyncio, gc, openai
from callagain import ToolLoop
from callagain.testing import Rule, StandIn, says

with StandIn([Rule("", [says("Hello.")])]) as server:
    def new(**client):
        return ToolLoop(model="m", **(client or {"base_url": server.base_url}))

    async def inside():
        await new().arun("Go")
        await asyncio.gather(*[new().arun("Go") for _ in range(3)])

    outside = new()
    new().run("Go")
    asyncio.run(outside.arun("Go"))
    asyncio.run(outside.arun("Go"))
    asyncio.run(inside())
    new(client=lambda: openai.AsyncOpenAI(base_url=server.base_url, api_key="any")).run("Go")
    new(client=lambda: openai.OpenAI(base_url=server.base_url, api_key="any")).run("Go")
    gc.collect()
"""


def test_connections_are_closed_when_nobody_needs_them() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", LIFETIMES],
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "ResourceWarning" not in done.stderr


# Since 3.12 Python warns of any fork beside threads.
PYTHON_THAT_FORKS = (sys.executable, "-W", "ignore:This process:DeprecationWarning")

FORK = """
import os
from callagain import ToolLoop
from callagain.testing import Rule, StandIn, calls, says

def look_up(order_id: str) -> str:
    "Look up an order."
    return order_id

rule = Rule("order ([0-9]+)", [calls(("look_up", {"order_id": "{1}"})), says("{result}")])
with StandIn([rule]) as server:
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[look_up])
    assert loop.run("order 1").final_response == "1"
    children = []
    for number in range(2, 6):
        child = os.fork()
        if child == 0:
            os._exit(loop.run(f"order {number}").final_response != str(number))
        children.append(child)
    for number in range(6, 10):
        assert loop.run(f"order {number}").final_response == str(number)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
"""


FORK_WITH_A_CLIENT = """
import asyncio, os, openai
from callagain import ConfigurationError, ToolLoop
from callagain.testing import Rule, StandIn, says

with StandIn([Rule("", [says("Hello.")])]) as server:
    with openai.OpenAI(base_url=server.base_url, api_key="any") as client:
        used = ToolLoop(model="m", client=client)
        used.run("Go")
        child = os.fork()
        if child == 0:
            try:
                used.run("Go")
            except ConfigurationError as error:
                os._exit("give a function that makes a client" not in str(error))
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert used.run("Go").final_response == "Hello."
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_client_that_was_used_before_a_fork_is_refused_after_it() -> None:
    done = subprocess.run(
        [*PYTHON_THAT_FORKS, "-c", FORK_WITH_A_CLIENT],
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_loop_that_was_used_can_be_used_in_forked_children_too() -> None:
    done = subprocess.run(
        [*PYTHON_THAT_FORKS, "-c", FORK],
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed(run: Run, stand_in: Serve, status: int) -> None:
    elsewhere = stand_in([says("never")])
    server = stand_in([Answer(status, "", {"location": f"{elsewhere.base_url}/chat/completions"})])
    result = run(ToolLoop(model="m", base_url=server.base_url))
    assert result.error is not None
    assert result.error.kind == "malformed_response"
    assert (len(server.requests), len(elsewhere.requests)) == (1, 0)


def test_the_query_of_a_base_url_goes_with_each_request(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Hello.")])
    run(ToolLoop(model="m", base_url=f"{server.base_url}?tenant=a%20b")).raise_for_outcome()
    assert server.requests[0].path == "/v1/chat/completions?tenant=a+b"


def test_max_tokens_goes_by_the_name_that_the_endpoint_takes(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("Hello."), says("Hello.")])
    for profile in ("openai", "generic"):
        loop = ToolLoop(
            model="m", base_url=server.base_url, profile=profile, request_options={"max_tokens": 20}
        )
        run(loop).raise_for_outcome()
    renamed, plain = (request.json for request in server.requests)
    assert (renamed["max_completion_tokens"], "max_tokens" in renamed) == (20, False)
    assert (plain["max_tokens"], "max_completion_tokens" in plain) == (20, False)


def test_an_event_loop_that_has_ended_is_forgotten(stand_in: Serve) -> None:
    """With its client, which holds it where it is on aiohttp; the last one until the next one comes."""
    server = stand_in([Rule("order", [says("Shipped.")])])
    loop = ToolLoop(model="m", base_url=server.base_url)
    ended: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def go() -> None:
        ended.append(weakref.ref(asyncio.get_running_loop()))
        assert (await loop.arun("Where is order 1?")).outcome == "completed"

    for _ in range(4):
        asyncio.run(go())
    gc.collect()
    assert [each() for each in ended[:-1]] == [None] * 3


def test_no_request_is_kept(stand_in: Serve) -> None:
    """Later ones are like the first one in all but the body."""
    loop = ToolLoop(model="m", base_url=stand_in([says("Yes.")] * 2).base_url)
    for question in ("Is this first " + "long " * 1_000, "Second?"):
        assert loop.run(question).outcome == "completed"
    gc.collect()
    bodies = [each for each in gc.get_objects() if isinstance(each, httpx2.Request)]
    assert [each for each in bodies if b"Is this first" in each.content] == []


def test_cookies_are_those_that_the_endpoint_set_last() -> None:
    sent: list[str | None] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request.headers.get("cookie"))
        body = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}}]}
        return httpx2.Response(200, json=body, headers={"set-cookie": f"route=v{len(sent)}"})

    http_client = httpx2.Client(transport=httpx2.MockTransport(answer))
    copied = CopiedRequests(http_client)
    first = http_client.build_request(
        "POST", "http://one.test/v1", headers={"cookie": "old=1"}, content=b"{}"
    )
    copied.learn(first)
    for _ in range(3):
        copied.send(b"{}").read()
    http_client.close()
    assert sent == [None, "route=v1", "route=v2"]


def test_an_aiohttp_that_is_too_old_does_not_count(stand_in: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise RuntimeError("To use the aiohttp client you must have installed the package with the extra")

    monkeypatch.setattr(openai, "DefaultAioHttpClient", refuse)
    loop = ToolLoop(model="m", base_url=stand_in([says("Yes.")]).base_url)
    assert asyncio.run(loop.arun("Is it?")).outcome == "completed"


@pytest.mark.parametrize("is_async", [False, True])
def test_a_cookie_of_the_environment_goes_with_every_request(
    stand_in: Serve, monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gate: 1\nCookie: pass=1")
    server = stand_in([says("Yes.")], repeat_last=True)
    loop = ToolLoop(model="m", base_url=server.base_url)

    async def ask() -> None:
        for _ in range(3):
            await loop.arun("Is it?")

    if is_async:
        asyncio.run(ask())
    else:
        for _ in range(3):
            loop.run("Is it?")
    seen = [(request.headers.get("x-gate"), request.headers.get("cookie")) for request in server.requests]
    assert seen == [("1", "pass=1")] * 3
