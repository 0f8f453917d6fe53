"""Prompt-based routing: the model names an operation in plain text, and a Case dispatches to it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from callagain import Result, Tool, ToolLoop, approve, tool
from callagain.chains import PROMPT_ROUTING
from callagain.chains.prompt_routing import matched_name
from callagain.testing import Answer, StandIn, calls, says

Serve = Callable[..., StandIn]

both = pytest.mark.parametrize("by_async", [False, True])


@tool
def notify_hr(user_message: str) -> str:
    """Send a message to human resources,
    about pay or leave."""
    return f"HR has got: {user_message}"


@tool
def request_software() -> str:
    """Ask IT for access to software."""
    return "IT was asked"


OPERATIONS = (notify_hr, request_software)
LISTED = """\
Choose the operation that answers the user's message. The operations:
- notify_hr: Send a message to human resources, about pay or leave.
- request_software: Ask IT for access to software.
Answer with the name of one operation, and with nothing else. If none fits, answer: none"""


def routing(server: StandIn, *operations: Tool, **options: Any) -> ToolLoop:
    tools = operations or OPERATIONS
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, chain=PROMPT_ROUTING, **options)


def routed(loop: ToolLoop, by_async: bool = False) -> Result:
    message = "My paycheck is missing."
    return asyncio.run(loop.arun(message)) if by_async else loop.run(message)


@both
@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_the_named_operation_runs_and_the_interaction_ends(stand_in: Serve, by_async: bool, api: Any) -> None:
    server = stand_in([says("notify_hr")])
    result = routed(routing(server, api=api), by_async)
    assert (result.outcome, len(server.requests), result.loop_count) == ("completed", 1, 1)
    assert result.variables.function_name == "notify_hr"
    assert result.variables.function_resp == "HR has got: My paycheck is missing."
    assert [step.operation for step in result.trace] == [
        "initialize",
        "llm_call",
        "parse_response",
        "tool_dispatcher",
    ]
    assert result.pending_calls == []


def test_the_operations_are_sent_as_plain_text_and_without_a_schema(stand_in: Serve) -> None:
    server = stand_in([says("request_software")])
    result = routed(routing(server, system_prompt="You route.", request_options={"tool_choice": "required"}))
    assert server.requests[0].json == {
        "model": "m",
        "messages": [
            {"role": "system", "content": f"You route.\n\n{LISTED}"},
            {"role": "user", "content": "My paycheck is missing."},
        ],
    }
    assert result.variables.function_resp == "IT was asked"


@pytest.mark.parametrize(
    ("prompt", "sent"),
    [
        (None, LISTED),
        ("Answer Notify HR or request_software.", "Answer Notify HR or request_software."),
        ("Answer notify_hrs or request_software.", f"Answer notify_hrs or request_software.\n\n{LISTED}"),
    ],
)
def test_a_prompt_that_names_all_operations_is_sent_as_it_stands(
    stand_in: Serve, prompt: str | None, sent: str
) -> None:
    server = stand_in([says("none")])
    routed(routing(server, system_prompt=prompt))
    assert server.requests[0].json["messages"][0] == {"role": "system", "content": sent}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("notify_hr", "notify_hr"),
        ("  Notify_HR.\n", "notify_hr"),
        ('"notify_hr"', "notify_hr"),
        ("'notify_hr'.", "notify_hr"),
        ("`notify_hr`", "notify_hr"),
        ("**notify_hr**", "notify_hr"),
        ("“notify_hr”", "notify_hr"),
        ("Notify HR", "notify_hr"),
        ("notify-hr", "notify_hr"),
        ("send_a", "send_a"),
        ("send-a", "send-a"),
        # Two of the names could be meant.
        ("Send A", None),
        # The sentence may say anything about it.
        ("Not notify_hr", None),
        ("notify_hr or request_software", None),
        ("notify", None),
        ("none", None),
        (" . ", None),
        ("", None),
    ],
)
def test_which_texts_are_a_name(text: str, name: str | None) -> None:
    assert matched_name(text, ["notify_hr", "send_a", "send-a"]) == name


@both
def test_the_default_says_what_was_asked(stand_in: Serve, by_async: bool) -> None:
    result = routed(routing(stand_in([says("Call the police!")])), by_async)
    assert (result.outcome, result.loop_count, list(result.tool_results)) == ("completed", 0, [])
    told = (
        "no operation for 'My paycheck is missing.': the model said 'Call the police!'; there are notify_hr, "
        "request_software"
    )
    assert result.variables.function_resp == told
    assert result.variables.function_name == "Call the police!"
    assert result.trace[-1].operation == "say_what_was_asked"
    assert [note.message for note in result.trace[-1].notes] == [told]


def test_a_run_may_fail_at_the_default(stand_in: Serve) -> None:
    result = routed(routing(stand_in([says("fly")]), on_unknown_tool="fail"))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "unknown_tool")
    assert result.error.message.startswith(
        "no operation for 'My paycheck is missing.': the model said 'fly'; there are notify_hr, "
    )


@pytest.mark.parametrize(
    ("called", "last"), [("notify_hr", "tool_dispatcher"), ("fly", "say_what_was_asked")]
)
def test_a_formal_call_counts_by_its_name_alone(stand_in: Serve, called: str, last: str) -> None:
    result = routed(routing(stand_in([calls((called, {"user_message": "other"}))])))
    assert (result.outcome, result.trace[-1].operation, result.pending_calls) == ("completed", last, [])
    assert "other" not in result.variables.function_resp


@both
def test_an_operation_that_fails_is_told_as_the_dispatcher_tells_it(stand_in: Serve, by_async: bool) -> None:
    @tool
    def broken() -> str:
        """Fail."""
        raise OSError("no mail server")

    result = routed(routing(stand_in([says("broken")]), broken), by_async)
    assert (result.outcome, result.tool_results[0].error) == ("completed", "tool_exception")
    assert "no mail server" in result.variables.function_resp


@tool
def needs_more(user_message: str, urgency: int) -> str:
    """Take two arguments."""
    return f"{user_message}{urgency}"


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ([], "there is no operation to route to; give the loop tools="),
        (
            [request_software, needs_more],
            "needs_more needs urgency, and the model chooses no arguments here; let it take user_message "
            "alone, or take the chain FUNCTION_ROUTING",
        ),
    ],
)
def test_operations_that_cannot_be_routed_to_are_refused_before_anything_is_sent(
    stand_in: Serve, operations: list[Tool], message: str
) -> None:
    server = stand_in([says("any")])
    loop = ToolLoop(model="m", base_url=server.base_url, tools=operations, chain=PROMPT_ROUTING)
    result = routed(loop)
    assert result.error is not None
    assert (result.error.kind, result.error.message) == ("operation_failed", message)
    assert not server.requests


@both
def test_a_failure_is_a_failure(stand_in: Serve, by_async: bool) -> None:
    broken: Any = Answer(400, {"error": {"message": "no such model"}})
    assert routed(routing(stand_in([broken])), by_async).outcome == "failed"


@both
def test_an_operation_that_waits_for_approval_goes_on_once_approved(stand_in: Serve, by_async: bool) -> None:
    loop = routing(stand_in([says("notify_hr")]), approve_effects=True)
    waiting = routed(loop, by_async)
    assert (waiting.outcome, [call.name for call in waiting.pending_calls]) == ("suspended", ["notify_hr"])
    snapshot, decisions = waiting.snapshot(), {waiting.pending_calls[0].id: approve}
    result = (
        asyncio.run(loop.aresume(snapshot, decisions=decisions))
        if by_async
        else loop.resume(snapshot, decisions=decisions)
    )
    assert result.variables.function_resp == "HR has got: My paycheck is missing."
    loop.replay(result).raise_for_difference()
