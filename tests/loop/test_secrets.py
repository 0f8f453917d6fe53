"""The loop's own key reaches neither the model nor a receipt nor the log, whoever lets it out."""

import json
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

import pytest
import structlog

from callagain import Result, ToolLoop, ToolProblem, tool
from callagain.engine.commands import CallFunction, Command
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Receipt
from callagain.engine.operation import Activity
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

KEY = "sk-test-SECRET123"


@tool
def returns_it() -> dict[str, str]:
    """Returns what it should not."""
    return {"key": KEY}


@tool
async def returns_it_later() -> str:
    """Returns what it should not."""
    return KEY


@tool
def raises_it() -> str:
    """Fails with what it should not tell."""
    raise ValueError(f"bad key {KEY}")


@tool
def explains_it() -> str:
    """Fails with what it should not tell."""
    raise ToolProblem("denied", f"the key {KEY} is not allowed")


@tool
def takes_a_number(number: int) -> str:
    """Is called with a text."""
    return str(number)


@pytest.fixture
def events() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def logger(events: list[dict[str, Any]]) -> Any:
    def keep(_logger: object, _level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        events.append(dict(event))
        raise structlog.DropEvent

    return structlog.wrap_logger(None, processors=[keep])


def receipts_of(result: Result) -> list[Any]:
    """Without the seconds that they took."""
    found: list[Any] = [entry.value for entry in result.log if isinstance(entry, Receipt)]
    return [{name: each for name, each in value.items() if name != "seconds"} for value in found]


@pytest.mark.parametrize(
    ("called", "content"),
    [
        (returns_it, {"key": "***"}),
        (returns_it_later, "***"),
        (raises_it, {"error": {"code": "tool_exception", "message": "ValueError: bad key ***"}}),
        (explains_it, {"error": {"code": "denied", "message": "the key *** is not allowed"}}),
    ],
)
def test_the_key_is_taken_out_of_what_a_tool_says(
    run: Run, stand_in: Serve, events: list[dict[str, Any]], logger: Any, called: Any, content: Any
) -> None:
    server = stand_in([calls((called.name, {})), says("Done.")])
    loop = ToolLoop(
        model="m", base_url=server.base_url, api_key=KEY, tools=[called], logger=logger, log_payloads="full"
    )
    result = run(loop)
    said = result.tool_results[0].content
    assert (json.loads(said) if said.startswith("{") else said) == content
    assert KEY not in server.requests[1].body.decode()
    assert KEY not in json.dumps(receipts_of(result))
    assert KEY not in repr(events)


def test_the_key_is_taken_out_of_what_the_validation_of_arguments_quotes(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(("takes_a_number", {"number": KEY})), says("Done.")])
    loop = ToolLoop(model="m", base_url=server.base_url, api_key=KEY, tools=[takes_a_number])
    assert KEY not in json.dumps(receipts_of(run(loop)))


def test_a_traceback_with_the_key_in_it_is_logged_as_a_text_without_it(
    run: Run, stand_in: Serve, events: list[dict[str, Any]], logger: Any
) -> None:
    server = stand_in([calls(("raises_it", {})), says("Sorry.")])
    run(ToolLoop(model="m", base_url=server.base_url, api_key=KEY, tools=[raises_it], logger=logger))
    (failed,) = [event for event in events if event["event"] == "tool_exception"]
    assert "exc_info" not in failed
    assert failed["exception"].startswith("Traceback (most recent call last):\n")
    assert failed["exception"].endswith("ValueError: bad key ***\n")


class AskAFunction(Activity):
    title = "Ask a function"

    def request(self, variables: Variables) -> Sequence[Command]:  # noqa: ARG002
        return [CallFunction("ask", {})]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        variables.own["asked"] = FunctionReceipt.from_json(receipts[0]).as_json()


def fails_with_the_key() -> str:
    raise OSError(f"no entry for {KEY}")


@pytest.mark.parametrize(
    ("function", "receipt"),
    [
        (lambda: {KEY: [KEY, 1, None]}, {"value": {"***": ["***", 1, None]}, "error": None}),
        (fails_with_the_key, {"value": None, "error": "OSError: no entry for ***"}),
    ],
)
def test_the_key_is_taken_out_of_what_a_function_says(
    run: Run, stand_in: Serve, function: Callable[..., object], receipt: Any
) -> None:
    chain = TOOL_CALLING_LOOP.insert("ask", AskAFunction(), after="extract_final")
    server = stand_in([says("Hello.")])
    functions = {"ask": function}
    loop = ToolLoop(model="m", base_url=server.base_url, api_key=KEY, chain=chain, functions=functions)
    result = run(loop)
    assert receipts_of(result)[-1] == receipt
    assert result.variables.own["asked"] == receipt


def test_the_key_is_taken_out_before_a_long_text_is_cut(run: Run, stand_in: Serve) -> None:
    @tool
    def long_winded() -> str:
        """Fails with many words."""
        raise ValueError(f"{'x' * 480}{KEY}")

    server = stand_in([calls(("long_winded", {})), says("Sorry.")])
    result = run(ToolLoop(model="m", base_url=server.base_url, api_key=KEY, tools=[long_winded]))
    assert result.tool_results[0].content.endswith('x***"}}')


@pytest.mark.parametrize("echoed", ["sk-live\\/AB\\u002BCD12345==", "sk-live%2FAB%2bCD12345%3D%3D"])
def test_a_key_that_comes_back_as_json_or_a_url_spells_it_is_hidden(
    run: Run, stand_in: Serve, echoed: str
) -> None:
    key = "sk-live/AB+CD12345=="
    body = '{"error": {"message": "bad key %s"}}' % echoed  # noqa: UP031 - braces of JSON
    answer = Answer(401, body, {"content-type": "application/json"})
    result = run(ToolLoop(model="m", base_url=stand_in([answer]).base_url, api_key=key))
    assert result.error is not None
    assert result.error.message.startswith("HTTP 401: bad key ***; ")
    for shown in (repr(result.error), repr(list(result.log)), repr(result.trace)):
        assert key not in shown
        assert "CD12345" not in shown
