"""Operations of one's own in the loop: pure ones, and ones that need something from outside."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from callagain import Failure, Result, ToolLoop, tool
from callagain.engine.commands import CallFunction
from callagain.engine.json_text import Json
from callagain.engine.links import Link
from callagain.engine.operation import Activity, Script
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn, calls, says

Serve = Callable[..., StandIn]


@tool
def look_up_customer() -> str:
    """Look up the customer."""
    return "Ada Lovelace, ada@example.com"


class Redact(Script):
    """Takes addresses out of what goes back to the model."""

    title = "Redact addresses"

    def run(self, variables: Variables) -> None:
        variables.function_resps = tuple(
            text.replace("ada@example.com", "[address]") for text in variables.function_resps
        )


class Translate(Activity):
    """Has the answer translated by a function of the application."""

    kind = "Function"
    title = "Translate the answer"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        return [CallFunction("translate", {"text": variables.final_response, "to": "pt"})]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        receipt = FunctionReceipt.from_json(receipts[0])
        if receipt.error is not None:
            raise Failure("operation_failed", receipt.error)
        variables.own["translated"] = receipt.value


def ran(loop: ToolLoop, by_async: bool) -> Result:
    return asyncio.run(loop.arun("Go")) if by_async else loop.run("Go")


both = pytest.mark.parametrize("by_async", [False, True])


@both
def test_a_script_between_dispatcher_and_append(stand_in: Serve, by_async: bool) -> None:
    server = stand_in([calls(("look_up_customer", {})), says("Ada.")])
    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), after="tool_dispatcher")
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[look_up_customer], chain=chain)
    result = ran(loop, by_async)
    assert server.requests[1].json["messages"][2]["content"] == "Ada Lovelace, [address]"
    assert result.tool_results[0].content == "Ada Lovelace, ada@example.com"
    assert "redact" in [step.operation for step in result.trace]


def translate(text: str, to: str) -> str:
    return f"{text} ({to})"


async def translate_async(text: str, to: str) -> str:
    await asyncio.sleep(0)
    return f"{text} ({to})"


@both
@pytest.mark.parametrize("function", [translate, translate_async])
def test_an_activity_that_calls_a_function(stand_in: Serve, by_async: bool, function: Any) -> None:
    chain = TOOL_CALLING_LOOP.insert("translate", Translate(), after="extract_final")
    server = stand_in([says("Hello.")])
    loop = ToolLoop(model="m", base_url=server.base_url, chain=chain, functions={"translate": function})
    assert ran(loop, by_async).variables.own == {"translated": "Hello. (pt)"}


def locked(text: str, to: str) -> str:
    raise OSError(f"no dictionary for {to}, {len(text)} characters left")


@both
def test_a_function_that_raises_takes_the_on_fail_link(stand_in: Serve, by_async: bool) -> None:
    chain = TOOL_CALLING_LOOP.insert("translate", Translate(), after="extract_final")
    server = stand_in([says("Hello.")])
    loop = ToolLoop(model="m", base_url=server.base_url, chain=chain, functions={"translate": locked})
    result = ran(loop, by_async)
    assert result.error is not None
    assert (result.outcome, result.error.kind, result.error.message) == (
        "failed",
        "operation_failed",
        "OSError: no dictionary for pt, 6 characters left",
    )


@both
def test_a_function_that_was_not_given_fails_the_operation(stand_in: Serve, by_async: bool) -> None:
    chain = TOOL_CALLING_LOOP.insert("translate", Translate(), after="extract_final")
    loop = ToolLoop(model="m", base_url=stand_in([says("Hello.")]).base_url, chain=chain)
    result = ran(loop, by_async)
    assert result.error is not None
    assert result.error.message == "there is no function 'translate'; give it to the loop by functions="


class Apologise(Script):
    title = "Apologise"

    def run(self, variables: Variables) -> None:
        problem = variables.problem
        variables.final_response = f"Sorry: {problem.kind if problem else 'nothing'}"


@both
def test_an_on_fail_link_of_ones_own(stand_in: Serve, by_async: bool) -> None:
    """Jitterbit's On Fail to another operation, which reads GetLastError."""
    chain = TOOL_CALLING_LOOP.replace(
        links=(
            *TOOL_CALLING_LOOP.links,
            Link("llm_call", "on_fail", "apologise"),
            Link("apologise", "on_success", "completed"),
        ),
        operations={"apologise": Apologise()},
    )
    server = stand_in([Answer(503, "down")])
    result = ran(ToolLoop(model="m", base_url=server.base_url, chain=chain), by_async)
    assert (result.outcome, result.final_response) == ("completed", "Sorry: provider_unavailable")
    assert result.error is None
