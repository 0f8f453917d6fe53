"""What is wrong with a loop is said when it is made, in one line."""

import logging
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

from callagain import (
    CallAgainError,
    ConfigurationError,
    DuplicateToolError,
    OutcomeError,
    Profile,
    ToolLoop,
    ToolSchemaError,
)
from callagain.chains import FUNCTION_ROUTING
from callagain.testing.plugin import StartStandIn


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)


def fine() -> str:
    """Does nothing."""
    return ""


def vague(anything: object) -> str:
    """Has a parameter without a type."""
    return str(anything)


del vague.__annotations__["anything"]


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        (
            {"max_iterations": -1},
            ConfigurationError,
            "max_iterations must be a whole number, 0 or more, not -1",
        ),
        (
            {"max_iterations": 2.5},
            ConfigurationError,
            "max_iterations must be a whole number, 0 or more, not 2.5",
        ),
        (
            {"max_iterations": True},
            ConfigurationError,
            "max_iterations must be a whole number, 0 or more, not True",
        ),
        (
            {"max_concurrent_tools": 0},
            ConfigurationError,
            "max_concurrent_tools must be a whole number, 1 or more",
        ),
        (
            {"on_limit": "raise"},
            ConfigurationError,
            'on_limit must be "stop" or "final_answer", not \'raise\'',
        ),
        (
            {"log_payloads": "all"},
            ConfigurationError,
            'log_payloads must be "none", "cut" or "full", not \'all\'',
        ),
        (
            {"request_options": {"messages": []}},
            ConfigurationError,
            "request_options may not hold 'messages': the loop sets it itself",
        ),
        (
            {"request_options": {"temperature": float("nan")}},
            ConfigurationError,
            "request_options cannot be written as JSON: ",
        ),
        (
            {"client": object()},
            ConfigurationError,
            "client= must be a client of the openai package, or a function",
        ),
        (
            {"tools": [vague]},
            ToolSchemaError,
            "tool vague: the parameter anything has no type; annotate it: anything: str",
        ),
        ({"tools": [fine, fine]}, DuplicateToolError, "two tools have the name fine"),
        (
            {"chain": FUNCTION_ROUTING, "on_limit": "final_answer"},
            ConfigurationError,
            "chain 'function_routing' has no limit, so on_limit does not apply to it",
        ),
    ],
)
def test_each_fault_is_one_line(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    settings: dict[str, Any] = {"model": "m", "base_url": "http://127.0.0.1:9/v1", **options}
    if "client" in options:
        del settings["base_url"]
    with pytest.raises(kind) as caught:
        ToolLoop(**settings)
    assert isinstance(caught.value, CallAgainError)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


MISUSE: list[tuple[str, Any, str]] = [
    *[
        (name, value, f"more than 0 seconds and at most 1e9, or None, not {shown}")
        for name in ("timeout", "tool_timeout", "deadline")
        for value, shown in [
            (0, "0"),
            (-1.5, "-1.5"),
            (float("inf"), "inf"),
            (float("nan"), "nan"),
            (1e10, "10000000000.0"),
            (10**30, "int"),
            (True, "True"),
            ("60", "'60'"),
        ]
    ],
    ("model", "", "the name of a model, not ''"),
    ("model", None, "the name of a model, not None"),
    ("system_prompt", ["Be brief."], "a text, or None, not list"),
    ("request_options", [("temperature", 0)], "a mapping of the names of fields to their values, not list"),
    ("request_options", {1: 2}, "a mapping of the names of fields to their values, not dict"),
    ("parallel_tool_calls", "no", "True, False or None, not 'no'"),
    ("functions", [fine], "a mapping of names to functions, not list"),
    ("functions", {"fine": "fine"}, "a mapping of names to functions, not dict"),
    ("chain", "tool_calling_loop", "a Chain, such as TOOL_CALLING_LOOP, not 'tool_calling_loop'"),
    ("profile", 5, "the name of a profile, or a Profile, not 5"),
    ("api", "messages", """"chat_completions" or "responses", not 'messages'"""),
    ("stream", "yes", "True or False, not 'yes'"),
    ("max_retries", -1, "a whole number, 0 or more, not -1"),
    ("max_retry_wait", None, "from 0 to 1e9 seconds, not None"),
    ("retry_base_delay", float("nan"), "from 0 to 1e9 seconds, not nan"),
    ("max_tokens_ceiling", 0, "a whole number, 1 or more, or None, not 0"),
    ("throttle", 300, "a Throttle, or None, not 300"),
    ("clock", 1.5, "a clock, with now(), date() and idle(), not 1.5"),
    ("error_formatter", "short", "a function, or None, not 'short'"),
    (
        "logger",
        logging.getLogger(),
        "a structlog logger (structlog.wrap_logger makes one of a logging.Logger), not RootLogger",
    ),
]


@pytest.mark.parametrize(("name", "value", "words"), MISUSE)
def test_a_setting_of_the_wrong_kind_is_named(name: str, value: Any, words: str) -> None:
    settings: dict[str, Any] = {"model": "m", "base_url": "http://127.0.0.1:9/v1", name: value}
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(**settings)
    assert str(caught.value) == f"{name} must be {words}"


NO_SCHEME = "the base URL must begin with http:// or https:// and name a host"
NO_PORT = "the port in the base URL must be a number from 1 to 65535"
NO_HOST = "the base URL names no host; write it as http://HOST:PORT/v1"
UNPRINTABLE = "the base URL holds a space, a line break or a control character; remove it"


@pytest.mark.parametrize("by_environment", [False, True])
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:8000", f"{NO_SCHEME}: 'localhost:8000'"),
        ("ftp://files.example:21/v1?key=hidden", f"{NO_SCHEME}: 'ftp://files.example:21'"),
        ("ftp://user:pass@files.example", NO_SCHEME),
        ("sk-test-SECRET123", NO_SCHEME),
        ("https://", NO_SCHEME),
        ("http://localhost:99999/v1", NO_PORT),
        ("http://user:pass@localhost:abc/v1", NO_PORT),
        ("http://localhost:0/v1", NO_PORT),
        ("http://user:pass@[::1/v1", NO_HOST),
        ("http://localhost:8000/v1\n", UNPRINTABLE),
        ("http://local host:8000/v1", UNPRINTABLE),
        ("http://localhost:8000/\x07v1", UNPRINTABLE),
    ],
)
def test_a_bad_base_url_is_one_line_without_its_secrets(
    monkeypatch: pytest.MonkeyPatch, url: str, message: str, by_environment: bool
) -> None:
    if by_environment:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(model="m", base_url=None if by_environment else url)
    assert str(caught.value) == message


def test_a_base_url_is_a_text() -> None:
    number: Any = 5
    with pytest.raises(ConfigurationError, match="^the base URL must be a text, not int$"):
        ToolLoop(model="m", base_url=number)


@pytest.mark.parametrize("key", ["sk-test\nSECRET", "sk-test\x00SECRET", "sk-test€SECRET"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(model="m", api_key=key)
    assert str(caught.value) == (
        "the key in api_key= holds a control character or one outside ASCII; copy it once more"
    )
    if "\0" not in key:
        monkeypatch.setenv("OPENAI_API_KEY", key)
        with pytest.raises(ConfigurationError, match=r"^the key in OPENAI_API_KEY holds a control"):
            ToolLoop(model="m")


def test_no_key_and_no_base_url_says_what_to_set() -> None:
    with pytest.raises(ConfigurationError, match="^no endpoint: set OPENAI_API_KEY, or base_url="):
        ToolLoop(model="m")


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT is set: set AZURE_OPENAI_API_KEY too"),
        ("OPENAI_API_VERSION", "AZURE_OPENAI_ENDPOINT is set: set OPENAI_API_VERSION too"),
    ],
)
def test_half_an_azure_configuration_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, missing: str, message: str
) -> None:
    for name, value in (
        ("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com"),
        ("AZURE_OPENAI_API_KEY", "key"),
        ("OPENAI_API_VERSION", "2024-10-21"),
    ):
        if name != missing:
            monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(model="m")
    assert str(caught.value) == message


def test_a_message_is_a_text_or_a_list() -> None:
    loop = ToolLoop(model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(
        ConfigurationError, match="the message must be a text or a list of parts, not NoneType"
    ):
        loop.start(None)


@pytest.mark.parametrize("history", [None, "Hello", {"role": "user", "content": "Hello"}])
def test_a_history_is_a_list(history: Any) -> None:
    loop = ToolLoop(model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ConfigurationError, match="^history must be a list of messages, such as result"):
        loop.start("Hello", history=history)


def test_a_history_may_be_a_tuple() -> None:
    loop = ToolLoop(model="m", base_url="http://127.0.0.1:9/v1")
    assert loop.start("Hello", history=({"role": "user", "content": "Hi"},)).state == "initialize"


@pytest.mark.parametrize("run_id", ["", " ", 7])
def test_a_run_id_is_a_text(run_id: Any) -> None:
    loop = ToolLoop(model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ConfigurationError, match="^run_id must be a text that is not empty, or None, not "):
        loop.start("Hello", run_id=run_id)


def test_importing_callagain_does_not_import_openai() -> None:
    program = "import sys, callagain; sys.exit('openai' in sys.modules or 'jsonschema' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": "src"}, timeout=60).returncode == 0
    )


def test_options_that_are_changed_later_do_not_change_the_loop(stand_in: StartStandIn) -> None:
    server = stand_in(["Hello."])
    options: dict[str, Any] = {"metadata": {"tags": ["a"]}}
    loop = ToolLoop(model="m", base_url=server.base_url, request_options=options)
    options["metadata"]["tags"].append("b")
    loop.run("Go")
    assert server.requests[0].json["metadata"] == {"tags": ["a"]}


def test_a_pattern_of_ids_that_is_no_regular_expression_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"^profile 'p': call_id_pattern is no regular expression: "):
        Profile("p", call_id_pattern="[")


def test_an_outcome_error_goes_through_pickle() -> None:
    error = pickle.loads(pickle.dumps(OutcomeError("failed", "auth", "no key")))
    assert (str(error), error.kind) == ("failed (auth): no key", "auth")
