"""Every mistake of a user's is one line on stderr that says what to do, and exit code 2."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
Write = Callable[..., str]

ENDPOINT = ["--base-url", "http://127.0.0.1:1/v1", "--model", "any"]


def refused(ended: Any) -> str:
    """The message, once it is sure that it stands in one line, alone, with code 2."""
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("callagain: error: ")
    assert ended.err.count("\n") == 1
    return str(ended.err.removeprefix("callagain: error: ").rstrip("\n"))


def test_no_command(command: Command) -> None:
    assert refused(command()) == (
        "no command given: demo, run, step, runs, replay, view, serve, diagram, serve-stand-in, "
        "check, verify, port or parity; `callagain demo` is a good first one"
    )


WRONG_OPTIONS: list[tuple[list[str], str]] = [
    (["fly"], "invalid choice: 'fly'"),
    (["run"], "the following arguments are required: MESSAGE; see callagain run --help"),
    (["run", "Hi", "--fast"], "unrecognized arguments: --fast; see callagain run --help"),
    (["verify", "--fast"], "unrecognized arguments: --fast; see callagain verify --help"),
    (["demo", "limit", "twice"], "unrecognized arguments: twice; see callagain demo --help"),
    (["--fast"], "unrecognized arguments: --fast; see callagain --help"),
    (["run", "Hi", "--max-iter", "3"], "unrecognized arguments: --max-iter 3"),
    (["run", "Hi", "--max-iterations", "few"], "must be a whole number, 0 or more, not 'few'"),
    (["run", "Hi", "--max-iterations", "-1"], "must be a whole number, 0 or more, not '-1'"),
    (["run", "Hi", "--max-tokens", "-1"], "must be a whole number, 1 or more, not '-1'"),
    (["run", "Hi", "--max-tokens", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "Hi", "--temperature", "warm"], "must be a number, not 'warm'"),
    (["run", "Hi", "--temperature", "nan"], "must be a number, not 'nan'"),
    (["run", "Hi", "--deadline", "0"], "must be more than 0 seconds and at most 1e9, not '0'"),
    (["run", "Hi", "--deadline", "1e10"], "must be more than 0 seconds and at most 1e9, not '1e10'"),
    (["run", "Hi", "--max-iterations", "9" * 5000], "must be a whole number of 18 digits at the most"),
    (["run", "Hi", "--tool-timeout", "inf"], "must be a number, not 'inf'"),
    (["run", "Hi", "--timeout", "-3"], "must be more than 0 seconds and at most 1e9, not '-3'"),
    (["run", "Hi", "--on-limit", "go_on"], "invalid choice: 'go_on'"),
    (["run", "Hi", "--max-retries", "-1"], "must be a whole number, 0 or more, not '-1'"),
    (["run", "Hi", "--requests-per-minute", "0"], "must be a number from 0.001 to 1e9, not '0'"),
    (["run", "Hi", "--requests-per-minute", "many"], "must be a number, not 'many'"),
    (["run", "Hi", "--max-repairs", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "Hi", "--repeat-limit", "1"], "must be a whole number, 2 or more, not '1'"),
    (["run", "Hi", "--max-result-chars", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "Hi", "--budget-tokens", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "Hi", "--budget-money", "0"], "must be more than 0 dollars and at most 1e9, not '0'"),
    (["run", "Hi", "--budget-money", "much"], "must be a number, not 'much'"),
    (["run", "Hi", "--price-input", "-1"], "must be a number, 0 or more, not '-1'"),
    (["run", "Hi", "--price-output", "nan"], "must be a number, not 'nan'"),
    (["run", "Hi", "--budget-requests", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "Hi", "--budget-tool-calls", "-1"], "must be a whole number, 0 or more, not '-1'"),
    (["run", "Hi", "--budget-time", "0"], "must be more than 0 seconds and at most 1e9, not '0'"),
    (["run", "Hi", "--compact-context", "0"], "must be a whole number, 1 or more, not '0'"),
    (["run", "--compact-context", "Hi"], "must be a whole number, 1 or more, not 'Hi'"),
    (["run", "Hi", "--approve", "some"], "invalid choice: 'some'"),
    (["verify", "--none", "Hi", "--approve-effects"], "unrecognized arguments: --approve-effects"),
    (["run", "Hi", "--api", "soap"], "invalid choice: 'soap'"),
    (["run", "Hi", "--profile", "mistrall"], "invalid choice: 'mistrall'"),
    (["run", "Hi", "--option", "seed"], "must be NAME=VALUE, as in seed=7, not 'seed'"),
    (["run", "Hi", "--option", "=7"], "must be NAME=VALUE, as in seed=7, not '=7'"),
    (
        ["run", "Hi", "--option", "a={"],
        "argument --option: the value of a begins as JSON, but Expecting property name enclosed in double "
        "quotes at position 1; mend it, or put quotes around a text; see callagain run --help",
    ),
    (["run", "Hi", "--option", "stop=[END]"], "the value of stop begins as JSON, but Expecting value"),
    (["run", "Hi", "--option", 'user="ada'], "the value of user begins as JSON, but Unterminated string"),
    (["run", "Hi", "--option", 'a= ["b"'], "the value of a begins as JSON, but Expecting ',' delimiter"),
    (["diagram", "--table", "--states"], "not allowed with argument"),
    (["diagram", "--chain", "gears"], "invalid choice: 'gears'"),
    (
        ["diagram", "--with", "budget,wings"],
        "--with wings: no such extension; there are budget, compact_context, deadline, final_answer, "
        "max_tokens_ceiling, response_format, verbatim",
    ),
    (
        ["diagram", "--with", "deadline", "--chain", "function_routing"],
        "--with shows options of tool_calling_loop; function_routing has none",
    ),
    (
        ["diagram", "--with", "budget", "--chain", "retry_controller"],
        "--with shows options of tool_calling_loop; retry_controller has none",
    ),
    (["serve", "--port", "65536", *ENDPOINT], "must be a port, 0 to 65535, not '65536'"),
    (["serve", "--token", "secret"], "unrecognized arguments: --token secret; see callagain serve --help"),
    (["serve", "--max-body", "0"], "must be a whole number, 1 or more, not '0'"),
    (["serve", "--grace", "-1"], "must be a number of seconds, 0 or more, not '-1'"),
    (["serve", "--token-file", "none", *ENDPOINT], "cannot read the token file none: No such file"),
    (["serve", "--token-file", ".", *ENDPOINT], "cannot read the token file .: Is a directory"),
    (
        ["serve", "--host", "0.0.0.0", *ENDPOINT],
        "0.0.0.0 can be reached from other machines, and so needs a token: CALLAGAIN_SERVE_TOKEN or --",
    ),
    (["serve", "--host", "203.0.113.1", "--port", "0", *ENDPOINT], "203.0.113.1 can be reached from other"),
    (
        ["serve", "--tools", "https://example.com/tools.py", *ENDPOINT],
        "there is no tools file https:/example.com/tools.py; give the path of a Python file",
    ),
    (["serve-stand-in", "--port", "http"], "must be a port, 0 to 65535, not 'http'"),
    (["serve-stand-in", "--port", "65536"], "must be a port, 0 to 65535, not '65536'"),
    (["serve-stand-in", "--script", "none.json"], "cannot read the script none.json: No such file"),
    (["verify"], "nothing to verify: give at least one of --one, --two and --none"),
    (["verify", "--one", ""], "argument --one: the message is empty; give a question"),
    (["verify", "--one", "Hi", "--two", " \n"], "argument --two: the message is empty; give a question"),
    (["verify", "--none", ""], "argument --none: the message is empty; give a question"),
    (["verify", "--one", "Hi"], "nothing to verify without tools; give --tools FILE.py"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_OPTIONS)
def test_wrong_options(command: Command, arguments: list[str], message: str) -> None:
    assert message in refused(command(*arguments))


WRONG_REQUESTS: list[tuple[list[str], str]] = [
    (["--option", "model=other"], "--option may not hold 'model': the loop sets it itself"),
    (["--option", "n=2"], "--option may not hold 'n': the loop sets it itself"),
    (
        ["--option", "seed=1", "--option", "seed=2"],
        "the option seed is given twice; leave out one of the two",
    ),
    (
        ["--temperature", "1", "--option", "temperature=0"],
        "the option temperature is given twice; leave out one of the two",
    ),
    (
        ["--api", "responses", "--profile", "mistral"],
        "profile 'mistral' has no Responses API: leave out --api",
    ),
    (
        ["--budget-money", "1"],
        "--budget-money needs the prices of the model: give --price-input and --price-output, in US dollars "
        "for a million tokens",
    ),
    (
        ["--budget-money", "1", "--price-input", "0.25"],
        "--price-input and --price-output go together: give both, in US dollars for a million tokens",
    ),
    (
        ["--compact-context"],
        "--compact-context is half of the context window, which the profile does not know; give "
        "--compact-context TOKENS",
    ),
    (["--tool-choice", "auto"], "--tool-choice needs tools to choose from; give --tools FILE.py"),
]


@pytest.mark.parametrize(("options", "message"), WRONG_REQUESTS)
def test_a_request_that_cannot_be_made(command: Command, options: list[str], message: str) -> None:
    assert refused(command("run", "Hi", *options, *ENDPOINT)) == message


def test_a_tool_choice_that_is_no_tool(command: Command, orders: str) -> None:
    ended = command("run", "Hi", "--tools", orders, "--tool-choice", "fly", *ENDPOINT)
    assert refused(ended) == (
        "--tool-choice fly: there is no such tool; choose from auto, none, required, get_order_status"
    )


def test_no_model(command: Command) -> None:
    ended = command("run", "Hi", "--base-url", "http://127.0.0.1:1/v1")
    assert refused(ended) == "no model: give --model M, or set OPENAI_MODEL"


def test_no_key_and_no_base_url(command: Command) -> None:
    assert refused(command("run", "Hi", "--model", "any")) == (
        "no endpoint: set OPENAI_API_KEY, or give --base-url URL for a compatible server; "
        "`callagain demo` needs neither"
    )


def test_a_base_url_that_is_none(command: Command) -> None:
    message = refused(command("run", "Hi", "--model", "any", "--base-url", "localhost:8080"))
    assert message == "the base URL must begin with http:// or https:// and name a host: 'localhost:8080'"


@pytest.mark.parametrize("message", ["", " \n"])
def test_an_empty_message(command: Command, message: str) -> None:
    assert refused(command("run", message, *ENDPOINT)) == (
        "the message is empty; give a question, or - and a question on stdin"
    )


def test_stdin_that_is_no_text(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), "utf-8"))
    assert refused(command("run", "-", *ENDPOINT)) == "stdin is not utf-8 text; convert it first"


def test_stdin_that_cannot_be_read(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "written").open("w") as unreadable:
        monkeypatch.setattr(sys, "stdin", unreadable)
        assert refused(command("run", "-", *ENDPOINT)) == (
            "cannot read stdin: not readable; give the question as MESSAGE"
        )


def test_certificates_that_are_not_there(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    message = refused(command("run", "Hi", *ENDPOINT))
    assert "No such file or directory" in message
    assert "SSL_CERT_FILE" in message


def test_a_port_that_is_taken(command: Command, stand_in: Callable[..., Any]) -> None:
    port = stand_in(["Hello."]).base_url.split(":")[-1].removesuffix("/v1")
    message = refused(command("serve-stand-in", "--port", port))
    assert message.startswith(f"cannot serve on 127.0.0.1:{port}: ")
    assert message.endswith("; port 0 takes a free one")
