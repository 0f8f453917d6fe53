"""The history that a caller brings to Chat Completions: as it came, mended, or refused by index and id."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.error_kinds import ERROR_KINDS
from callagain.engine.errors import Failure
from callagain.engine.wire.chat_completions import CHAT_COMPLETIONS
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.testing import refuse

Message = dict[str, Any]

NINE = Profile("nine", call_id_pattern="[a-zA-Z0-9]{9}")
NOT_EXECUTED = '{"error":{"code":"not_executed","message":"this call was never executed"}}'


def user(text: str = "Hi") -> Message:
    return {"role": "user", "content": text}


def assistant(*ids: str, **more: Any) -> Message:
    function = {"name": "ping", "arguments": "{}"}
    calls = [{"id": call_id, "type": "function", "function": function} for call_id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls, **more}


def result(call_id: str, content: Any = "pong") -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def taken(
    *messages: Any, profile: Profile = GENERIC, repair: bool = False, system: str | None = None
) -> tuple[list[Message], list[tuple[str | None, str]]]:
    """The messages as they are sent, without the new one of the user; and the warnings."""
    before = copy.deepcopy(messages)
    sent, notes = CHAT_COMPLETIONS.base_messages(system, messages, "Go", profile, repair=repair)
    assert messages == before
    assert sent[-1] == user("Go")
    return sent[:-1], [(note.code, note.message) for note in notes]


def refusal(*messages: Any) -> str:
    with pytest.raises(Failure) as caught:
        taken(*messages)
    assert caught.value.problem.kind == "invalid_history"
    return str(caught.value)


def test_a_whole_history_goes_on_as_it_came() -> None:
    history = [
        {"role": "system", "content": "Be brief.", "name": "boss"},
        {"role": "developer", "content": [{"type": "text", "text": "In English."}]},
        user(),
        assistant("call_a", "call_b", reasoning_content="Look.", extra={"kept": [1.5, None]}),
        result("call_a", [{"type": "text", "text": "pong"}]),
        result("call_b"),
        {"role": "assistant", "content": ""},
        user("Since when?"),
    ]
    assert taken(*history) == (history, [])


@pytest.mark.parametrize("empty", [[], None])
def test_empty_calls_are_left_out(empty: object) -> None:
    said = {"role": "assistant", "content": "Hello."}
    assert taken(user(), {**said, "tool_calls": empty}) == ([user(), said], [])


@pytest.mark.parametrize("role", ["system", "developer"])
def test_a_system_message_at_the_beginning_gives_way_to_the_loops_own(role: str) -> None:
    own = {"role": "system", "content": "new"}
    assert taken({"role": role, "content": "old"}, user(), system="new")[0] == [own, user()]
    assert taken(user(), {"role": role, "content": "old"}, system="new")[0][:2] == [own, user()]


ORPHAN = "message 1 of the history answers tool call 'call_zz', which is not open there"
BROKEN: list[tuple[list[Any], str, list[Message], list[str]]] = [
    # The history; why it is refused; what is sent when it is mended; how that is told.
    ([user(), result("call_zz"), user("On")], ORPHAN, [user(), user("On")], [f"{ORPHAN}; it was left out"]),
    (
        [assistant("call_a"), user("On")],
        "message 1 of the history comes before the answer to tool call 'call_a'",
        [assistant("call_a"), result("call_a", NOT_EXECUTED), user("On")],
        [
            "message 1 of the history comes before the answer to tool call 'call_a'; "
            "call 'call_a' was answered with not_executed"
        ],
    ),
    (
        [assistant("call_a", "call_b"), result("call_b")],
        "message 1 of the history ends the history before the answer to tool call 'call_a'",
        [assistant("call_a", "call_b"), result("call_a", NOT_EXECUTED), result("call_b")],
        [
            "message 1 of the history ends the history before the answer to tool call 'call_a'; "
            "call 'call_a' was answered with not_executed"
        ],
    ),
    (
        [assistant("call_a"), user("On"), result("call_a")],
        "message 1 of the history comes before the answer to tool call 'call_a'",
        [assistant("call_a"), result("call_a", NOT_EXECUTED), user("On")],
        [
            "message 1 of the history comes before the answer to tool call 'call_a'; "
            "call 'call_a' was answered with not_executed",
            "message 2 of the history answers tool call 'call_a', which is not open there; it was left out",
        ],
    ),
    (
        [assistant("call_a"), result("call_a"), result("call_a")],
        "message 2 of the history answers tool call 'call_a', which is not open there",
        [assistant("call_a"), result("call_a")],
        ["message 2 of the history answers tool call 'call_a', which is not open there; it was left out"],
    ),
    (
        [result("call_a"), assistant("call_a"), result("call_a")],
        "message 0 of the history answers tool call 'call_a', which is not open there",
        [assistant("call_a"), result("call_a")],
        ["message 0 of the history answers tool call 'call_a', which is not open there; it was left out"],
    ),
    (
        [{"role": "tool", "content": "pong"}],
        "message 0 of the history answers tool call None, which is not open there",
        [],
        ["message 0 of the history answers tool call None, which is not open there; it was left out"],
    ),
    (
        [user(), {"role": "assistant", "content": None, "tool_calls": []}],
        "message 1 of the history says nothing: it has neither content nor tool_calls",
        [user()],
        ["message 1 of the history says nothing: it has neither content nor tool_calls; it was left out"],
    ),
]


@pytest.mark.parametrize(("history", "why", "mended", "told"), BROKEN)
def test_what_is_broken_is_refused_or_mended_with_a_warning_each(
    history: list[Any], why: str, mended: list[Message], told: list[str]
) -> None:
    assert refusal(*history) == f"{why}; {ERROR_KINDS['invalid_history'].advice}"
    sent, warnings = taken(*history, repair=True)
    assert sent == mended
    assert warnings == [("history_repaired", line) for line in told]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("Hi", "is no message with a role of system, developer, user, assistant, tool"),
        (None, "is no message with a role"),
        ([], "is no message with a role"),
        ({"content": "Hi"}, "is no message with a role"),
        ({"role": "robot", "content": "Hi"}, "is no message with a role"),
        ({"role": ["user"], "content": "Hi"}, "is no message with a role"),
        ({"role": "user", "content": {1, 2}}, "cannot be written as JSON: Object of type set"),
        ({"role": "user", "content": float("nan")}, "cannot be written as JSON: Out of range float values"),
        ({**assistant("call_a"), "role": "user"}, "has tool_calls, which a message of role user cannot have"),
        ({"role": "user", "content": 7}, "has content that is neither a text nor a list of parts"),
        (assistant(tool_calls="call_a"), "has tool_calls that are no list of calls"),
        (assistant(tool_calls=[None]), "has tool_calls that are no list of calls"),
    ],
)
@pytest.mark.parametrize("repair", [False, True])
def test_what_nobody_could_mend_is_refused_in_any_case(message: Any, why: str, repair: bool) -> None:
    with pytest.raises(Failure) as caught:
        taken(user(), message, repair=repair)
    assert caught.value.problem.kind == "invalid_history"
    assert str(caught.value).startswith(f"message 1 of the history {why}")
    assert str(caught.value).endswith("; mend it, or pass result.messages of an earlier run")


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [(None, "{}"), ("", "{}"), ({"a": 1}, '{"a":1}'), ('{"a": ', "{}"), ('"{}"', "{}"), ("[1]", "{}")],
)
def test_arguments_that_an_endpoint_could_not_read_are_mended(arguments: Any, sent: str) -> None:
    call = {"id": "call_a", "function": {"name": "ping", "arguments": arguments}}
    messages, warnings = taken(assistant(tool_calls=[call]), result("call_a"))
    mended = {"id": "call_a", "type": "function", "function": {"name": "ping", "arguments": sent}}
    assert messages[0]["tool_calls"] == [mended]
    told = f"the arguments of call 'call_a' in message 0 of the history were sent as {sent}"
    assert warnings == [("arguments_repaired", told)]


def test_a_call_of_another_type_goes_on_as_it_came() -> None:
    custom = {"id": "call_a", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
    history = [assistant(tool_calls=[custom]), result("call_a")]
    assert taken(*history) == (history, [])


def test_answers_go_in_the_order_of_their_calls() -> None:
    calls = assistant("call_a", "call_b", "call_c")
    sent, warnings = taken(calls, result("call_c", "3"), result("call_a", "1"), result("call_b", "2"))
    assert sent == [calls, result("call_a", "1"), result("call_b", "2"), result("call_c", "3")]
    told = "the answers in messages 1 to 3 of the history were put in the order of their calls"
    assert warnings == [("history_reordered", told)]


@pytest.mark.parametrize("call_id", ["", None, "call_a"])
def test_calls_that_share_an_id_or_have_none_are_answered_by_position(call_id: Any) -> None:
    sent, warnings = taken(assistant(call_id, call_id), result(call_id, "1"), result(call_id, "2"))
    first, second = (call["id"] for call in sent[0]["tool_calls"])
    assert first != second
    assert [(message["tool_call_id"], message["content"]) for message in sent[1:]] == [
        (first, "1"),
        (second, "2"),
    ]
    assert {code for code, _ in warnings} == {"call_id_replaced"}


@pytest.mark.parametrize("content", [None, 7, True, {"a": 1}])
def test_the_content_of_an_answer_is_a_text(content: Any) -> None:
    sent, warnings = taken(assistant("call_a"), result("call_a", content))
    text = json.dumps(content, separators=(",", ":"))
    assert sent[1]["content"] == text
    assert warnings == [
        ("content_encoded", f"the content of message 1 of the history was sent as JSON: {text}")
    ]


def test_fields_that_are_null_are_left_out_save_the_content_of_a_message_with_calls() -> None:
    dumped: dict[str, Any] = {"refusal": None, "audio": None, "function_call": None, "annotations": []}
    calls = assistant("call_a", **dumped)
    del calls["content"]
    history = [
        {**user(), "name": None},
        calls,
        result("call_a"),
        {"role": "assistant", "content": "Hi", **dumped},
    ]
    assert taken(*history) == (
        [user(), assistant("call_a"), result("call_a"), {"role": "assistant", "content": "Hi"}],
        [],
    )


def test_ids_that_the_endpoint_refuses_are_replaced_in_calls_and_results_alike() -> None:
    history = [assistant("call_a", "abcDEF123"), result("abcDEF123"), result("call_a"), assistant("call_b")]
    sent, warnings = taken(*history, profile=NINE, repair=True)
    (first, kept), (second,) = ([call["id"] for call in sent[index]["tool_calls"]] for index in (0, 3))
    assert [message["tool_call_id"] for message in (sent[1], sent[2], sent[4])] == [first, kept, second]
    assert kept == "abcDEF123"
    assert all(NINE.fits_id(call_id) for call_id in (first, second))
    assert len({first, second, kept}) == 3
    replaced = [told for code, told in warnings if code == "call_id_replaced"]
    assert replaced == [
        f"the call id 'call_a' in message 0 of the history was replaced by {first}",
        f"the call id 'call_b' in message 3 of the history was replaced by {second}",
    ]
    assert taken(*history, profile=NINE, repair=True)[0] == sent


def test_a_server_that_counts_anew_in_each_response_gives_no_id_twice() -> None:
    one_round = [assistant("call_0", "call_1"), result("call_0", "a"), result("call_1", "b")]
    sent, warnings = taken(*one_round, *one_round)
    assert sent[:3] == one_round
    first, second = (call["id"] for call in sent[3]["tool_calls"])
    assert [message["tool_call_id"] for message in sent[4:]] == [first, second]
    assert len({first, second, "call_0", "call_1"}) == 4
    assert [code for code, _ in warnings] == ["call_id_replaced"] * 2


ids = st.sampled_from(["call_0", "call_1", "abcDEF123"])
messages: st.SearchStrategy[Any] = st.one_of(
    st.builds(user),
    st.lists(ids, max_size=2, unique=True).map(lambda given: assistant(*given)),
    st.builds(result, ids),
    st.just({"role": "assistant", "content": "Hello.", "tool_calls": []}),
)


@given(history=st.lists(messages, max_size=8), profile=st.sampled_from([GENERIC, NINE]))
def test_any_history_of_messages_can_be_mended_to_one_that_the_api_takes(
    history: list[Message], profile: Profile
) -> None:
    sent, warnings = taken(*history, profile=profile, repair=True)
    assert refuse({"model": "m", "messages": [*sent, user("Go")]}) is None
    given_ids = [call["id"] for message in sent for call in message.get("tool_calls", [])]
    assert len(set(given_ids)) == len(given_ids)
    assert all(profile.fits_id(call_id) for call_id in given_ids)
    if not any(code == "history_repaired" for code, _ in warnings):
        assert taken(*history, profile=profile) == (sent, warnings)
    again, _ = taken(*sent, profile=profile)
    assert again == sent
    json.dumps(sent)
