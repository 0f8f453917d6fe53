"""`error_formatter`: the words that the model is told when a tool fails."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from callagain import Result, ToolLoop, ToolProblem, tool
from callagain.testing import StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

KEY = "sk-test-SECRET123"


@tool
def fails() -> str:
    """Fails without words."""
    raise AssertionError


@tool
async def fails_later() -> str:
    """Fails with words."""
    raise TimeoutError("db-7 is silent")


@tool
def refuses() -> str:
    """Says why."""
    raise ToolProblem("denied", "not on Sundays")


@tool
def takes_a_number(number: int) -> str:
    """Is called with a text."""
    return str(number)


@tool
def returns_what_has_no_form() -> object:
    """Returns what cannot be told."""
    return object()


def told(
    run: Run, stand_in: Serve, called: Any, formatter: Any, arguments: dict[str, Any] | None = None
) -> tuple[str, str]:
    """The code and the words that came to the model in the next request."""
    server = stand_in([calls((called.name, arguments or {})), says("Sorry.")])
    loop = ToolLoop(
        model="m", base_url=server.base_url, api_key=KEY, tools=[called], error_formatter=formatter
    )
    result = run(loop)
    assert (result.outcome, result.loop_count) == ("completed", 1)
    sent = server.requests[1].json["messages"][-1]["content"]
    assert sent == result.tool_results[0].content
    error = json.loads(sent)["error"]
    assert error["code"] == result.tool_results[0].error
    return error["code"], error["message"]


@pytest.mark.parametrize(
    ("called", "code", "usual"),
    [
        (fails, "tool_exception", "AssertionError"),
        (fails_later, "tool_exception", "TimeoutError: db-7 is silent"),
        (refuses, "denied", "not on Sundays"),
    ],
)
def test_it_gets_the_exception_and_the_usual_words_and_gives_others(
    run: Run, stand_in: Serve, called: Any, code: str, usual: str
) -> None:
    seen: list[tuple[Exception, str]] = []

    def formatter(error: Exception, usual: str) -> str:
        seen.append((error, usual))
        return f"Come back later ({usual})."

    assert told(run, stand_in, called, formatter) == (code, f"Come back later ({usual}).")
    ((error, words),) = seen
    assert isinstance(error, AssertionError | TimeoutError | ToolProblem)
    assert words == usual


def test_it_is_asked_about_arguments_and_results_that_do_not_fit_too(run: Run, stand_in: Serve) -> None:
    def formatter(error: Exception, usual: str) -> str:
        return f"{type(error).__name__}: {usual.split(':')[0]}"

    wrong = told(run, stand_in, takes_a_number, formatter, {"number": "seven"})
    assert wrong == ("invalid_arguments", "ToolProblem: number")
    code, words = told(run, stand_in, returns_what_has_no_form, formatter)
    assert code == "result_unserializable"
    assert words.startswith("ToolProblem: ")


def raising(_error: Exception, _usual: str) -> str:
    raise RuntimeError("the formatter is broken")


def saying(text: Any) -> Callable[[Exception, str], Any]:
    def formatter(_error: Exception, _usual: str) -> Any:
        return text

    return formatter


@pytest.mark.parametrize(
    "formatter", [raising, saying(""), saying(" \n"), saying(None), saying(7), saying(b"bytes")]
)
def test_whatever_it_does_the_model_is_told_something(run: Run, stand_in: Serve, formatter: Any) -> None:
    assert told(run, stand_in, fails_later, formatter) == ("tool_exception", "TimeoutError: db-7 is silent")
    assert told(run, stand_in, refuses, formatter) == ("denied", "not on Sundays")


def test_the_key_is_taken_out_of_what_it_gives(run: Run, stand_in: Serve) -> None:
    assert told(run, stand_in, fails, saying(f"use {KEY}")) == ("tool_exception", "use ***")
    assert told(run, stand_in, refuses, saying(f"use {KEY}")) == ("denied", "use ***")


def test_it_is_not_asked_when_all_is_well(run: Run, stand_in: Serve) -> None:
    @tool
    def ping() -> str:
        """Answers."""
        return "pong"

    server = stand_in([calls(("ping", {})), says("Done.")])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[ping], error_formatter=raising)
    assert run(loop).tool_results[0].content == "pong"


def test_calls_that_reach_no_tool_have_their_own_words(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("pong", {})), says("Sorry.")])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[fails], error_formatter=raising)
    (result,) = run(loop).tool_results
    assert (result.error, "there is no tool 'pong'" in result.content) == ("unknown_tool", True)
