"""What was said is recorded only where that is asked for, in the form of the conventions, without secrets."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.telemetry.recording import Recording, attributes, failed

from callagain import ToolLoop, tool
from callagain.telemetry import Telemetry
from callagain.testing import Answer, StandIn, call, calls, says

Serve = Callable[..., StandIn]

KEY = "sk-a-key-of-some-length"
LOOK = {"order_id": "481516"}


@tool
def look_up(order_id: str) -> str:
    """Look up an order."""
    return f"{order_id} is shipped; the key is {KEY}"


def loop_for(server: StandIn, telemetry: Telemetry, **options: Any) -> ToolLoop:
    settings: dict[str, Any] = {"tools": [look_up], "system_prompt": "Be helpful.", "max_retries": 0}
    settings.update(options)
    return ToolLoop(model="m", base_url=server.base_url, api_key=KEY, observers=[telemetry], **settings)


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_nothing_that_was_said_is_recorded_unasked(stand_in: Serve, recording: Recording, api: str) -> None:
    server = stand_in([calls(call("look_up", LOOK)), says("It is shipped.")])
    loop_for(server, recording.telemetry(), api=api).run("Where is my order?")
    refusing = stand_in([Answer(400, {"error": {"message": "what of my order?"}})])
    result = loop_for(refusing, recording.telemetry(), api=api).run("Where is my order?")
    assert result.outcome == "failed"
    words = recording.words()
    assert [each for each in ("my order", "shipped", "481516", "helpful", KEY) if each in words] == []


def said(recording: Recording, name: str, place: int = 0) -> dict[str, Any]:
    found = attributes(recording.named(name)[place])
    texts = {"gen_ai.tool.call.result"}
    return {
        key.removeprefix("gen_ai."): value if key in texts else json.loads(value)
        for key, value in found.items()
        if key.split(".")[-1] in ("messages", "system_instructions", "definitions", "arguments", "result")
    }


RESULT = "481516 is shipped; the key is ***"
DEFINITION = {"type": "function", "name": "look_up", "description": "Look up an order."}
ASKED = {"role": "user", "parts": [{"type": "text", "content": "Where?"}]}
CALLED = {"type": "tool_call", "id": "call_1", "name": "look_up", "arguments": LOOK}
ANSWERED = {
    "role": "tool",
    "parts": [{"type": "tool_call_response", "id": "call_1", "response": RESULT}],
}
PROMPT = {"role": "system", "parts": [{"type": "text", "content": "Be helpful."}]}
DONE = [{"type": "text", "content": "Done."}]


@pytest.mark.parametrize(
    ("api", "reason", "end"),
    [("chat_completions", "tool_calls", "stop"), ("responses", "completed", "completed")],
)
def test_what_was_said_is_recorded_in_parts_where_that_is_wanted(
    stand_in: Serve, recording: Recording, api: str, reason: str, end: str
) -> None:
    server = stand_in([calls(call("look_up", LOOK)), says("Done.")])
    loop_for(server, recording.telemetry(content=True), api=api).run("Where?")
    first, second = said(recording, "chat m"), said(recording, "chat m", 1)
    (definition,) = first["tool.definitions"]
    assert {**definition, "parameters": None} == {**definition, **DEFINITION, "parameters": None}
    assert first["output.messages"] == [{"role": "assistant", "parts": [CALLED], "finish_reason": reason}]
    assert second["input.messages"] == [PROMPT, ASKED, {"role": "assistant", "parts": [CALLED]}, ANSWERED]
    assert second["output.messages"] == [{"role": "assistant", "parts": DONE, "finish_reason": end}]
    assert said(recording, "execute_tool look_up") == {
        "tool.call.arguments": LOOK,
        "tool.call.result": RESULT,
    }
    whole = said(recording, "invoke_agent")
    assert whole["system_instructions"] == PROMPT["parts"]
    assert whole["input.messages"] == [ASKED]
    assert whole["output.messages"] == [{"role": "assistant", "parts": DONE}]
    assert KEY not in recording.words()


def test_the_words_of_an_error_are_recorded_where_content_is(stand_in: Serve, recording: Recording) -> None:
    server = stand_in([Answer(400, {"error": {"message": f"there is no model m for {KEY}"}})])
    loop_for(server, recording.telemetry(content=True)).run("Go")
    for name in ("chat m", "operation llm_call", "invoke_agent"):
        status, kind, description = failed(recording.only(name))
        assert (status, kind) == ("ERROR", "bad_request")
        assert (description or "").startswith("HTTP 400: there is no model m for ***; check what")


def test_parts_of_a_message_that_are_no_text_stay_as_they_are(stand_in: Serve, recording: Recording) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    message: list[Any] = [{"type": "text", "text": "What is this?"}, picture]
    loop_for(stand_in([says("A cat.")]), recording.telemetry(content=True)).run(message)
    (asked,) = said(recording, "invoke_agent")["input.messages"]
    assert asked == {"role": "user", "parts": [{"type": "text", "content": "What is this?"}, picture]}
