"""The history that a caller brings, and the ids in a conversation: by whole runs, over both APIs."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from callagain import LiveRun, Result, ToolLoop, tool
from callagain.testing import ReceivedRequest, StandIn, call, calls, says

Run = Callable[..., Result]
Drive = Callable[[LiveRun], Result]
Serve = Callable[..., StandIn]
Message = dict[str, Any]

APIS = ["chat_completions", "responses"]


@tool
def ping() -> str:
    """Answers."""
    return "pong"


def loop_with(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools or (ping,), **options)


def user(text: str = "Hi") -> Message:
    return {"role": "user", "content": text}


def assistant(*ids: str) -> Message:
    function = {"name": "ping", "arguments": "{}"}
    calls = [{"id": call_id, "type": "function", "function": function} for call_id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result_of(call_id: str) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": "pong"}


def pairs(request: ReceivedRequest) -> tuple[list[str], list[str]]:
    """The ids of the calls and those of the results in a request, in their order."""
    body = request.json
    if "input" in body:
        items = body["input"]
        called = [item["call_id"] for item in items if item.get("type") == "function_call"]
        return called, [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    messages = body["messages"]
    called = [each["id"] for message in messages for each in message.get("tool_calls", [])]
    return called, [message["tool_call_id"] for message in messages if message["role"] == "tool"]


def codes(result: Result) -> list[str | None]:
    return [note.code for note in result.warnings]


HALF_DONE = [user(), assistant("call_a", "call_b"), result_of("call_b"), result_of("call_zz"), user("Then?")]


@pytest.mark.parametrize("api", APIS)
def test_a_broken_history_is_refused_before_anything_is_sent(run: Run, stand_in: Serve, api: Any) -> None:
    server = stand_in([says("never")])
    history = copy.deepcopy(HALF_DONE)
    result = run(loop_with(server, api=api), history=history)
    assert result.error is not None
    assert (result.outcome, result.error.kind, result.error.operation) == (
        "failed",
        "invalid_history",
        "initialize",
    )
    assert result.error.message.startswith("message 3 of the history answers tool call 'call_zz', which is ")
    assert result.error.message.endswith("or repair_history=True")
    assert (server.requests, history) == ([], HALF_DONE)


@pytest.mark.parametrize("api", APIS)
def test_a_broken_history_is_mended_with_a_warning_each_if_that_is_asked_for(
    run: Run, stand_in: Serve, api: Any
) -> None:
    server = stand_in([says("Fine.")])
    history = copy.deepcopy(HALF_DONE)
    result = run(loop_with(server, api=api, repair_history=True), history=history)
    assert (result.outcome, result.final_response) == ("completed", "Fine.")
    assert pairs(server.requests[0]) == (
        ["call_a", "call_b"],
        ["call_a", "call_b"] if api == "chat_completions" else ["call_b", "call_a"],
    )
    assert "not_executed" in server.requests[0].body.decode()
    assert codes(result) == ["history_repaired"] * 2
    orphan, unanswered = (note.message for note in result.warnings)
    assert orphan.startswith("message 3 of the history answers tool call 'call_zz'")
    assert orphan.endswith("; it was left out")
    assert unanswered.startswith("message 4 of the history comes before the answer to tool call 'call_a'")
    assert unanswered.endswith("; call 'call_a' was answered with not_executed")
    assert history == HALF_DONE


@pytest.mark.parametrize("api", APIS)
def test_what_was_mended_is_whole_in_the_next_turn(run: Run, stand_in: Serve, api: Any) -> None:
    loop = loop_with(stand_in([says("Fine."), says("Bye.")]), api=api, repair_history=True)
    first = run(loop, history=HALF_DONE)
    second = run(loop, history=first.messages)
    assert (second.outcome, second.warnings) == ("completed", [])


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_the_callers_messages_are_never_changed_and_do_not_change_the_run(
    drive: Drive, stand_in: Serve, api: Any, repair: bool
) -> None:
    arguments = {"deep": [1, {"er": None}]}
    function = {"name": "meddle", "arguments": arguments}
    asked = {"role": "assistant", "tool_calls": [{"id": "c 1", "type": "function", "function": function}]}
    answered: Message = {"role": "assistant", "content": "Hello.", "tool_calls": []}
    history: list[Message] = [user(), answered, asked, result_of("c 1"), user("And then?")]
    before = copy.deepcopy(history)

    @tool
    def meddle() -> str:
        """Changes what the caller gave."""
        assert history == before
        for message in history:
            message["content"] = "changed"
        arguments.clear()
        history.clear()
        return "done"

    server = stand_in([calls(("meddle", {})), says("Fine.")])
    live = loop_with(server, meddle, api=api, repair_history=repair).start("Go", history=history)
    result = drive(live)
    assert (result.outcome, history) == ("completed", [])
    first, second = (
        request.json["messages" if api == "chat_completions" else "input"] for request in server.requests
    )
    assert second[: len(first)] == first
    assert "changed" not in json.dumps(result.messages)
    assert '{\\"deep\\":[1,{\\"er\\":null}]}' in server.requests[1].body.decode()


@pytest.mark.parametrize("api", APIS)
def test_a_result_can_be_given_to_any_number_of_runs(run: Run, stand_in: Serve, api: Any) -> None:
    loop = loop_with(stand_in([calls(("ping", {})), says("One."), says("Two."), says("Three.")]), api=api)
    messages = run(loop).messages
    before = copy.deepcopy(messages)
    two, three = (run(loop, "On", history=messages) for _ in range(2))
    assert messages == before
    assert two.messages[:-1] == three.messages[:-1] == [*before, user("On")]


def test_ids_of_the_history_and_of_responses_fit_the_endpoint_and_stay_paired(
    run: Run, stand_in: Serve
) -> None:
    server = stand_in([calls(call("ping", id="call_longer_than_nine")), says("Fine.")])
    history = [user(), assistant("call_a", "abcDEF123"), result_of("call_a"), result_of("abcDEF123")]
    result = run(loop_with(server, profile="mistral"), history=history)
    assert result.outcome == "completed"
    called, answered = pairs(server.requests[1])
    assert called == answered
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in called)
    assert (called[1], len(set(called))) == ("abcDEF123", 3)
    assert codes(result) == ["call_id_replaced"] * 2
    assert result.tool_results[0].id == called[2]
    assert pairs(server.requests[0])[0] == called[:2]


def test_a_conversation_moves_from_one_endpoint_to_another(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(call("ping", id="call_a")), says("Fine."), says("Bye.")])
    first = run(loop_with(server))
    second = run(loop_with(server, profile="mistral"), history=first.messages)
    assert second.outcome == "completed"
    (called,), answered = pairs(server.requests[2])
    assert [called] == answered
    assert len(called) == 9


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("api", APIS)
def test_ids_that_a_server_gives_again_in_later_rounds_are_replaced(
    run: Run, stand_in: Serve, api: Any, stream: bool
) -> None:
    again = calls(call("ping", id="call_0"), call("ping", id="call_1"))
    server = stand_in([again, again, again, says("Fine.")])
    result = run(loop_with(server, api=api, stream=stream))
    assert (result.outcome, result.loop_count) == ("completed", 3)
    called, answered = pairs(server.requests[-1])
    assert called == answered == [each.id for each in result.tool_results]
    assert called[:2] == ["call_0", "call_1"]
    assert len(set(called)) == 6
    assert [code for code in codes(result) if code != "repeated_call"] == ["call_id_replaced"] * 4
    assert result.warnings[0].message == f"the call id 'call_0' was taken; {called[2]} stands in its place"


@pytest.mark.parametrize("api", APIS)
def test_ids_of_the_history_are_taken_too(run: Run, stand_in: Serve, api: Any) -> None:
    again = calls(call("ping", id="call_0"))
    server = stand_in([again, says("One."), again, says("Two.")])
    loop = loop_with(server, api=api)
    first = run(loop)
    second = run(loop, "Again", history=first.messages)
    assert first.warnings == []
    assert codes(second) == ["call_id_replaced"]
    called, answered = pairs(server.requests[-1])
    assert called == answered
    assert (called[0], len(set(called))) == ("call_0", 2)


def test_the_names_that_replace_ids_are_the_same_when_the_run_is_the_same(run: Run, stand_in: Serve) -> None:
    again = calls(call("ping", id="call_0"))
    one, other = (stand_in([again, again, says("Fine.")]) for _ in range(2))
    results = [run(loop_with(server), run_id="nightly") for server in (one, other)]
    assert [each.id for each in results[0].tool_results] == [each.id for each in results[1].tool_results]
    assert [request.body for request in one.requests] == [request.body for request in other.requests]
