"""What is wrong with a loop is said when it is made, in one line."""

import os
import subprocess
import sys
from typing import Any

import pytest

from callagain import (
    CallAgainError,
    ConfigurationError,
    DuplicateToolError,
    ToolLoop,
    ToolSchemaError,
)
from callagain.chains import FUNCTION_ROUTING


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
        ({"timeout": 0}, ConfigurationError, "timeout must be more than 0 seconds, or None, not 0"),
        (
            {"tool_timeout": -1},
            ConfigurationError,
            "tool_timeout must be more than 0 seconds, or None, not -1",
        ),
        ({"deadline": 0.0}, ConfigurationError, "deadline must be more than 0 seconds, or None, not 0.0"),
        ({"model": ""}, ConfigurationError, "model= must name a model"),
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
            {"base_url": "localhost:8000"},
            ConfigurationError,
            "the base URL must begin with http:// or https://",
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


def test_importing_callagain_does_not_import_openai() -> None:
    program = "import sys, callagain; sys.exit('openai' in sys.modules or 'jsonschema' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": "src"}, timeout=60).returncode == 0
    )
