"""compact_context with a summarizer: what it returns stands in the place of an old result."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.loop.book import DONE, kinds, log_lines, loop_with, page, reads, told, warnings

from callagain import Failure, Result
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import StandIn, call, calls

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

both_apis = pytest.mark.parametrize("api", ["chat_completions", "responses"])


def summary(name: str, arguments: dict[str, Any], result: str) -> str:
    return f"{name} {arguments['number']}: {len(result)} characters"


async def summary_async(name: str, arguments: dict[str, Any], result: str) -> str:
    await asyncio.sleep(0)
    return summary(name, arguments, result)


@pytest.mark.parametrize("summarizer", [summary, summary_async])
@both_apis
def test_what_the_summarizer_returns_takes_the_place_of_an_old_result(
    run: Run, stand_in: Serve, api: Any, summarizer: Any
) -> None:
    server = stand_in([reads(1, 2), reads(3), DONE])
    result = run(loop_with(server, api=api, summarizer=summarizer))
    summaries = [f"read_page {number}: {len(page(number))} characters" for number in (1, 2)]
    assert kinds(server, 2, 3) == [*summaries, "whole"]
    assert (result.outcome, result.warnings) == ("completed", [])
    assert log_lines(result)[0].startswith("2 old results of 1 round summarised or shortened, which saves ab")


def test_a_result_is_summarised_once_and_short_ones_are_not(run: Run, stand_in: Serve) -> None:
    asked: list[dict[str, Any]] = []

    def keep(**given: Any) -> str:
        asked.append(given)
        return str(given["result"])

    counted = calls(call("count_pages", id="n"), call("read_page", {"number": 1}, id="c1"))
    server = stand_in([counted, reads(2), reads(3), DONE])
    result = run(loop_with(server, summarizer=keep))
    assert asked == [
        {"name": "read_page", "arguments": {"number": number}, "result": page(number)} for number in (1, 2)
    ]
    # A summarizer may leave a result as it is.
    assert kinds(server, 3, 3) == ["whole"] * 3
    assert result.warnings == []


def failing(name: str, arguments: dict[str, Any], result: str) -> str:  # noqa: ARG001
    if arguments["number"] == 2:
        raise RuntimeError("no model to write a summary")
    return f"A summary of {name}."


def test_a_summarizer_that_raises_leaves_a_shortened_result_and_a_warning(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1, 2), reads(3), DONE])
    result = run(loop_with(server, summarizer=failing))
    assert kinds(server, 2, 3) == ["A summary of read_page.", "short", "whole"]
    reason = "RuntimeError: no model to write a summary"
    expected = (
        f"the summarizer gave no short text for 1 of 2 old results, and what it left was shortened: {reason}"
    )
    assert warnings(result) == [("summarizer_failed", expected)]
    assert result.outcome == "completed"


@pytest.mark.parametrize("value", [None, "", " \n", 312, ["a text"]])
def test_so_does_one_that_returns_no_text(run: Run, stand_in: Serve, value: Any) -> None:
    def give(name: str, arguments: dict[str, Any], result: str) -> Any:  # noqa: ARG001
        return value

    server = stand_in([reads(1, 2), reads(3), DONE])
    result = run(loop_with(server, summarizer=give))
    assert kinds(server, 2, 3) == ["short", "short", "whole"]
    [(code, message)] = warnings(result)
    assert code == "summarizer_failed"
    assert message.endswith(" 2 of 2 old results, and what it left was shortened: read_page (c1) got none")


@pytest.fixture
def never() -> Iterator[Callable[..., str]]:
    """A summarizer that is not done before the test is."""
    end_of_test = threading.Event()

    def wait(**_: Any) -> str:
        end_of_test.wait(20)
        return "too late"

    yield wait
    end_of_test.set()


def test_so_does_one_that_takes_too_long(run: Run, stand_in: Serve, never: Callable[..., str]) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    result = run(loop_with(server, summarizer=never, tool_timeout=0.2))
    assert (result.outcome, kinds(server, 2, 2)) == ("completed", ["short", "whole"])
    [(code, message)] = warnings(result)
    assert code == "summarizer_failed"
    assert message.endswith(": callagain.summarizer gave no result within 0.2 s")


def test_at_the_deadline_the_run_ends_at_its_limit_with_whole_rounds(
    run: Run, stand_in: Serve, never: Callable[..., str]
) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    result = run(loop_with(server, summarizer=never, deadline=1.0))
    assert result.error is not None
    assert (result.outcome, result.error.kind, len(server.requests)) == ("limit", "deadline", 2)
    [(code, message)] = warnings(result)
    assert (code, "before the run's deadline" in message) == ("summarizer_failed", True)
    assert [each["role"] for each in result.messages[-4:]] == ["assistant", "tool"] * 2


class Rename(Script):
    """Gives the first call another id, in the rounds alone."""

    def run(self, variables: Variables) -> None:
        if variables.loop_count == 1:
            renamed = variables.as_jitterbit()["tools_messages"]
            variables.assign_jitterbit("tools_messages", str(renamed).replace('"c1"', '"other"'))


def test_the_result_of_a_call_that_the_run_does_not_know_has_no_name(run: Run, stand_in: Serve) -> None:
    chain = TOOL_CALLING_LOOP.insert("rename", Rename(), after="append_tool_result")
    server = stand_in([reads(1), reads(2), DONE])

    def describe(name: str, arguments: dict[str, Any], result: str) -> str:
        return f"name {name!r}, arguments {arguments}, {len(result)} characters"

    run(loop_with(server, chain=chain, summarizer=describe))
    assert told(server, 2)[0] == ("other", f"name '', arguments {{}}, {len(page(1))} characters")


def test_a_run_that_is_resumed_goes_on_where_it_was(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), reads(3), reads(4), DONE])
    asked: list[int] = []

    def summarize(name: str, arguments: dict[str, Any], result: str) -> str:  # noqa: ARG001
        asked.append(arguments["number"])
        return f"Summary {arguments['number']}"

    loop = loop_with(server, summarizer=summarize, max_iterations=2)
    at_limit = run(loop)
    assert (at_limit.outcome, asked) == ("limit", [1])
    result = loop.resume(at_limit.snapshot(), changes={"max_iterations": 9})
    assert (result.outcome, asked) == ("completed", [1, 2, 3])
    assert kinds(server, 4, 4) == ["Summary 1", "Summary 2", "Summary 3", "whole"]


class Fail(Script):
    def run(self, variables: Variables) -> None:
        if variables.loop_count == 2:
            raise Failure("operation_failed", "not today")


class Stay(Script):
    def run(self, variables: Variables) -> None:
        """Nothing to do."""


def test_a_run_is_resumed_without_the_summarizer(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    chain = TOOL_CALLING_LOOP.insert("fail", Fail(), after="append_tool_result")
    failed = run(loop_with(server, chain=chain, summarizer=summary))
    assert failed.outcome == "failed"
    chain = TOOL_CALLING_LOOP.insert("fail", Stay(), after="append_tool_result")
    result = loop_with(server, chain=chain).resume(failed.snapshot())
    assert (result.outcome, kinds(server, 2, 2)) == ("completed", ["short", "whole"])
    assert warnings(result)[0][1].endswith(
        "there is no function 'callagain.summarizer'; give it to the loop by functions="
    )
