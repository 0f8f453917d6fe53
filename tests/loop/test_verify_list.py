"""The list "Verify the integration" at the end of Jitterbit's guide, point by point, over HTTP."""

import json
from collections.abc import Callable, MutableMapping
from typing import Any

import pytest
import structlog

from callagain import Result, ToolLoop, tool
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Rule, StandIn, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


@tool
def look_up_contact(name: str) -> dict[str, str]:
    """Look up a contact by name; returns the contact's id."""
    return {"name": name, "contact_id": "C-7"}


@tool
def create_ticket(contact_id: str, subject: str) -> dict[str, str]:
    """Create a support ticket for a contact; returns the ticket's id."""
    return {"contact_id": contact_id, "subject": subject, "ticket_id": "T-101"}


SCRIPT = [
    Rule(
        "ticket for (?P<name>\\w+)",
        [
            calls(("look_up_contact", {"name": "{name}"})),
            calls(("create_ticket", {"contact_id": "C-7", "subject": "printer"})),
            says("Ticket T-101 is open for {name}."),
        ],
    ),
    Rule("who is (?P<name>\\w+)", [calls(("look_up_contact", {"name": "{name}"})), says("{name} is C-7.")]),
    Rule("capital", [says("Paris.")]),
]


@pytest.fixture
def events() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in(SCRIPT)


@pytest.fixture
def logger(events: list[dict[str, Any]]) -> Any:
    def keep(_logger: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        events.append({**event, "level": level})
        raise structlog.DropEvent

    return structlog.wrap_logger(None, processors=[keep])


@pytest.fixture
def loop(server: StandIn, logger: Any) -> ToolLoop:
    return ToolLoop(
        model="m",
        base_url=server.base_url,
        tools=[look_up_contact, create_ticket],
        logger=logger,
        log_payloads="full",
    )


def test_verify_1_one_tool_call_makes_loop_count_1_and_the_tool_returns_a_result(
    run: Run, loop: ToolLoop, events: list[dict[str, Any]]
) -> None:
    run(loop, "Who is Ada?")
    counted = [event["loop_count"] for event in events if event["event"] == "operation"]
    assert counted == [0, 0, 0, 1, 1, 1, 1, 1]
    (called,) = [event for event in events if event["event"] == "tool_call"]
    assert (called["tool"], called["arguments"]) == ("look_up_contact", '{"name":"Ada"}')
    assert (called["result"], called["error"]) == ('{"name":"Ada","contact_id":"C-7"}', None)


def test_verify_2_the_second_call_gets_the_extended_messages_and_returns_plain_text(
    run: Run, loop: ToolLoop, server: StandIn, events: list[dict[str, Any]]
) -> None:
    result = run(loop, "Who is Ada?")
    requested = [event["InAndOut"] for event in events if event["event"] == "llm_request"]
    assert [len(json.loads(text)["messages"]) for text in requested] == [1, 3]
    assert [request.body.decode() for request in server.requests] == requested
    assert result.final_response == "Ada is C-7."
    last = json.loads(result.variables.response.body if result.variables.response else "")
    assert not last["choices"][0]["message"].get("tool_calls")


def test_verify_3_two_sequential_calls_make_loop_count_2_and_four_messages(run: Run, loop: ToolLoop) -> None:
    result = run(loop, "Open a ticket for Ada.")
    assert (result.loop_count, result.outcome) == (2, "completed")
    tools_messages = result.variables.as_jitterbit()["tools_messages"]
    assert isinstance(tools_messages, str)
    messages = json.loads(tools_messages)
    assert [message["role"] for message in messages] == ["assistant", "tool", "assistant", "tool"]
    for asked, answered in (messages[:2], messages[2:]):
        assert answered["tool_call_id"] == asked["tool_calls"][0]["id"]


def test_verify_4_a_message_without_tools_does_not_enter_the_loop(
    run: Run, loop: ToolLoop, server: StandIn
) -> None:
    result = run(loop, "What is the capital of France?")
    view = result.variables.as_jitterbit()
    assert (view["call_llm_again"], view["loop_count"], view["tools_messages"]) == (False, 0, "")
    assert (result.final_response, len(server.requests)) == ("Paris.", 1)
    assert "tool_dispatcher" not in [step.operation for step in result.trace]


class LoseTheId(Script):
    """The fault that the guide's point 5 describes: the id is not the one that was received."""

    title = "Lose the id"

    def run(self, variables: Variables) -> None:
        body = variables.InAndOut.decode()
        variables.assign_jitterbit("InAndOut", body.replace('"tool_call_id":"', '"tool_call_id":"lost_'))


def test_verify_5_a_400_about_an_id_shows_the_ids_sent_beside_the_ids_received(
    run: Run, server: StandIn
) -> None:
    chain = TOOL_CALLING_LOOP.insert("lose_the_id", LoseTheId(), after="append_tool_result")
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[look_up_contact], chain=chain)
    result = run(loop, "Who is Ada?")
    received = result.variables.tool_call_id
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "bad_request")
    assert "HTTP 400" in result.error.message
    assert (
        f"The answers sent carry the ids lost_{received}; the calls in tools_resp have the ids "
        f"{received}. An id must go back exactly as it was received."
    ) in result.error.message


def test_verify_6_at_the_limit_the_repeated_call_is_named_with_its_two_causes(
    run: Run, stand_in: Serve, events: list[dict[str, Any]], logger: Any
) -> None:
    again = stand_in([calls(("look_up_contact", {"name": "Bob"}))] * 6)
    stuck = ToolLoop(
        model="m", base_url=again.base_url, tools=[look_up_contact], logger=logger, log_payloads="full"
    )
    result = run(stuck, "Who is Bob?")
    sizes = [len(json.loads(e["InAndOut"])["messages"]) for e in events if e["event"] == "llm_request"]
    assert sizes == [1, 3, 5, 7, 9, 11]
    (ended,) = [event for event in events if event["event"] == "run_ended"]
    assert (ended["level"], ended["outcome"], ended["kind"]) == ("warning", "limit", "max_iterations")
    assert result.error is not None
    assert ended["text"] == result.error.message
    for words in (
        "Tool-calling loop reached 5 iterations without a final response. Last function: look_up_contact.",
        'look_up_contact was asked for 6 times with the same arguments {"name":"Bob"}',
        "the tool keeps returning an error that the model retries",
        "its description does not match the request",
        "before raising max_iterations",
    ):
        assert words in result.error.message
