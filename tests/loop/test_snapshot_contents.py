"""What is in a snapshot: all that was said, however it looks, and no key of the endpoint."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for, told

from callagain import Result, ToolLoop, approve, deny, tool
from callagain.testing import Answer, StandIn, call, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

KEY = "sk-test-SECRET123"


@tool
def look_inside() -> dict[str, str]:
    """Returns what it should not."""
    return {"key": KEY}


@tool
def fail_with_it() -> str:
    """Fails with what it should not tell."""
    raise ValueError(f"bad key {KEY}")


@tool(requires_approval=True)
def act(text: str) -> str:
    """Do it."""
    return text


ASKED = asks_for(call("look_inside"), call("fail_with_it"), call("act", {"text": "go"}, id="a1"))
REFUSED = Answer(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})


def loop_with(server: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(
        model="m",
        base_url=server.base_url,
        api_key=KEY,
        tools=[look_inside, fail_with_it, act],
        max_retries=0,
        **options,
    )


@pytest.mark.parametrize(
    "given",
    [
        {"decisions": {"a1": approve}},
        {"decisions": {"a1": deny(f"not with {KEY}")}},
        {"results": {"a1": {"found": KEY}}},
        {"results": {"a1": ValueError(KEY)}},
    ],
)
def test_the_key_is_in_no_snapshot(run: Run, stand_in: Serve, given: dict[str, Any]) -> None:
    server = stand_in([ASKED, REFUSED, says(f"It is {KEY}.")])
    loop = loop_with(server, snapshot_key="a key of many characters")
    waiting = run(loop)
    failed = loop.resume(waiting, **given)
    assert failed.outcome == "failed"
    done = loop.resume(failed)
    assert done.outcome == "completed"
    for result in (waiting, failed, done):
        text = result.snapshot()
        assert KEY not in text
        assert "***" in text
        assert "a key of many characters" not in text
    assert KEY not in json.dumps([request.json for request in server.requests])


def test_the_key_is_in_nothing_that_shows_a_waiting_run(run: Run, stand_in: Serve) -> None:
    server = stand_in([asks_for(a_refund(id="r1"))])
    waiting = run(Shop().loop(server, api_key=KEY))
    shown = [repr(waiting), str(waiting.error), repr(waiting.pending_calls), str(waiting.log)]
    assert KEY not in "".join(shown)


def nested(depth: int) -> Any:
    """A message of one part that is so many levels deep, as a JSON text."""
    value: Any = "deep"
    for _ in range(depth - 2):
        value = [value]
    return [{"type": "text", "text": "Go", "hint": value}]


def test_a_message_as_deep_as_an_endpoint_takes_is_kept(stand_in: Serve) -> None:
    shop, server = Shop(), stand_in([asks_for(a_refund(id="r1")), SORRY])
    loop = shop.loop(server)
    waiting = loop.run(nested(61))
    done = loop.resume(waiting.snapshot(), decisions={"r1": approve})
    assert (done.outcome, len(shop.refunds)) == ("completed", 1)
    assert done.messages[0]["content"] == nested(61)
    assert server.requests[0].json["messages"][0] == server.requests[1].json["messages"][0]


@pytest.mark.parametrize("depth", [62, 63, 64])
def test_a_message_that_is_deeper_is_kept_with_its_failure(stand_in: Serve, depth: int) -> None:
    server = stand_in([SORRY])
    loop = Shop().loop(server)
    failed = loop.run(nested(depth))
    assert failed.outcome == "failed"
    assert loop.resume(failed.snapshot()).outcome == "failed"
    assert server.requests[0].body == server.requests[1].body


@pytest.mark.parametrize("text", ["é😀\u2028", "\ud83d half", "\x00\x1f\x7f", "\ufeff", "</script>", '"\\'])
def test_texts_come_back_as_they_were_sent(stand_in: Serve, text: str) -> None:
    shop, server = Shop(), stand_in([asks_for(a_look(text), a_refund(id="r1")), SORRY])
    loop = shop.loop(server, system_prompt=text)
    waiting = loop.run(text, history=[{"role": "user", "content": text}])
    done = loop.resume(waiting.snapshot(), decisions={"r1": deny(text)})
    assert (done.outcome, len(server.requests)) == ("completed", 2)
    first, second = (request.json["messages"] for request in server.requests)
    assert second[: len(first)] == first
    shown = text.replace("\ud83d", "\ufffd")
    assert told(server, "r1")["error"]["message"] == shown
    assert shop.looks == [shown]


def test_what_was_spent_and_warned_of_is_there_again(stand_in: Serve) -> None:
    shop, server = (
        Shop(),
        stand_in([asks_for(call("functions.refund", {"order_id": "1", "amount": 1}, id="r1"))]),
    )
    loop = shop.loop(server)
    waiting = loop.run("Go")
    again = loop.reopen(waiting.snapshot(), decisions={"r1": approve})
    assert again.variables.usage == waiting.usage
    assert [note.code for step in again.trace for note in step.notes if note.code] == ["tool_name_repaired"]
    assert [warning.code for warning in waiting.warnings] == ["tool_name_repaired"]
