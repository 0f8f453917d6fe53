"""Histories that the real API refuses are refused over real HTTP; valid ones are accepted."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]
ErrorFor = Callable[[object], Body]

USER = {"role": "user", "content": "Weather in Rome?"}


def made_call(id_: str = "call_1", arguments: Any = "{}") -> Body:
    return {"id": id_, "type": "function", "function": {"name": "get_weather", "arguments": arguments}}


def asked(*entries: Any) -> Body:
    return {"role": "assistant", "content": None, "tool_calls": list(entries)}


def result(id_: Any = "call_1", content: Any = "21") -> Body:
    return {"role": "tool", "tool_call_id": id_, "content": content}


def request(*messages: Any) -> Body:
    return {"model": "stand-in", "messages": list(messages)}


def test_refuses_a_message_that_is_no_object(error_for: ErrorFor) -> None:
    assert error_for(request(USER, "Hi"))["message"] == (
        "Invalid type for 'messages[1]': expected an object, but got a string instead."
    )


def test_refuses_an_unknown_role(error_for: ErrorFor) -> None:
    error = error_for(request({"role": "robot", "content": "Hi"}))
    assert error["message"] == (
        "Invalid value: 'robot'. Supported values are: "
        "'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
    )
    assert (error["param"], error["code"]) == ("messages[0].role", "invalid_value")


def test_refuses_a_message_without_a_role(error_for: ErrorFor) -> None:
    error = error_for(request({"content": "Hi"}))
    assert error["message"] == "Missing required parameter: 'messages[0].role'."


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([USER], id="no call at all"),
        pytest.param([USER, {"role": "assistant", "content": "Sunny."}], id="an answer without calls"),
        pytest.param([USER, asked(made_call()), result(), USER], id="a round that is over"),
    ],
)
def test_refuses_a_tool_message_without_its_call(error_for: ErrorFor, before: list[Body]) -> None:
    error = error_for(request(*before, result()))
    assert error["message"] == (
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
        "with 'tool_calls'."
    )
    assert error["param"] == f"messages.[{len(before)}].role"


@pytest.mark.parametrize(
    ("after", "missing"),
    [
        pytest.param([], "call_1, call_2", id="no result"),
        pytest.param([result("call_1")], "call_2", id="one of two"),
        pytest.param([USER, result("call_1"), result("call_2")], "call_1, call_2", id="not directly after"),
        pytest.param([result("call_2"), USER], "call_1", id="cut off by a question"),
    ],
)
def test_refuses_calls_that_are_not_answered(error_for: ErrorFor, after: list[Body], missing: str) -> None:
    error = error_for(request(USER, asked(made_call("call_1"), made_call("call_2")), *after))
    assert error["message"] == (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        f"'tool_call_id'. The following tool_call_ids did not have response messages: {missing}"
    )


def test_refuses_a_result_for_an_unknown_call(error_for: ErrorFor) -> None:
    error = error_for(request(USER, asked(made_call()), result(), result("call_9")))
    assert error["message"] == (
        "Invalid parameter: 'tool_call_id' of 'call_9' not found in 'tool_calls' of previous message."
    )
    assert error["param"] == "messages.[3].tool_call_id"


def test_refuses_a_second_result_for_one_call(error_for: ErrorFor) -> None:
    error = error_for(request(USER, asked(made_call()), result(), result()))
    assert error["message"] == (
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_1', in messages[2] and messages[3]."
    )


@pytest.mark.parametrize("id_", [None, 1])
def test_refuses_a_result_without_an_id(error_for: ErrorFor, id_: object) -> None:
    error = error_for(request(USER, asked(made_call()), result(id_)))
    assert error["message"] == (
        "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."
    )


def test_refuses_an_empty_list_of_tool_calls(error_for: ErrorFor) -> None:
    error = error_for(request(USER, {"role": "assistant", "content": "Hi", "tool_calls": []}, USER))
    assert error["message"].startswith("Invalid 'messages[1].tool_calls': empty array.")


def test_refuses_one_id_for_two_calls_of_a_message(error_for: ErrorFor) -> None:
    error = error_for(request(USER, asked(made_call(), made_call()), result()))
    assert error["message"] == (
        "Invalid 'messages[1].tool_calls': ids must be unique, but 'call_1' stands twice."
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("call", "Invalid type for '{}': expected an object, but got a string instead."),
        ({"type": "function"}, "Missing required parameter: '{}.id'."),
        (made_call() | {"id": 7}, "Invalid type for '{}.id': expected a string, but got an integer instead."),
        (
            made_call() | {"type": "search"},
            "Invalid value: 'search'. Supported values are: 'function' and 'custom'.",
        ),
        (
            made_call() | {"type": ["custom"]},
            "Invalid value: 'an array'. Supported values are: 'function' and 'custom'.",
        ),
        (made_call() | {"type": "custom"}, "Missing required parameter: '{}.custom'."),
        (
            {"id": "call_1", "type": "custom", "custom": {"name": "sql"}},
            "Missing required parameter: '{}.custom.input'.",
        ),
        (
            {"id": "call_1", "type": "custom", "custom": {"name": "sql", "input": {}}},
            "Invalid type for '{}.custom.input': expected a string, but got an object instead.",
        ),
        ({"type": "custom", "custom": {"name": "sql", "input": ""}}, "Missing required parameter: '{}.id'."),
        ({"id": "call_1", "type": "function"}, "Missing required parameter: '{}.function'."),
        (
            made_call() | {"function": {"arguments": "{}"}},
            "Missing required parameter: '{}.function.name'.",
        ),
    ],
)
def test_refuses_a_tool_call_of_another_shape(error_for: ErrorFor, entry: object, message: str) -> None:
    error = error_for(request(USER, asked(entry), result()))
    assert error["message"] == message.format("messages[1].tool_calls[0]")


def test_refuses_tool_calls_that_are_no_list(error_for: ErrorFor) -> None:
    error = error_for(request(USER, {"role": "assistant", "content": "", "tool_calls": "none"}))
    assert error["message"] == (
        "Invalid type for 'messages[1].tool_calls': expected an array of objects, but got a string instead."
    )


@pytest.mark.parametrize(
    ("content", "kind"),
    [({"t": 21}, "an object"), (21, "an integer"), (2.5, "a decimal"), (True, "a boolean")],
)
def test_refuses_a_tool_result_that_is_no_text(error_for: ErrorFor, content: object, kind: str) -> None:
    error = error_for(request(USER, asked(made_call()), result(content=content)))
    assert error["message"] == (
        "Invalid type for 'messages[2].content': expected one of a string or array of objects, "
        f"but got {kind} instead."
    )
    assert error["code"] == "invalid_type"


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
def test_refuses_a_message_without_content(error_for: ErrorFor, role: str) -> None:
    error = error_for(request(USER, {"role": role, "content": None}))
    assert error["message"] == "Invalid value for 'content': expected a string, got null."
    assert error["param"] == "messages.[1].content"


def test_refuses_a_tool_result_of_null(error_for: ErrorFor) -> None:
    error = error_for(request(USER, asked(made_call()), result(content=None)))
    assert error["message"] == "Invalid value for 'content': expected a string, got null."


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_refuses_content_that_is_neither_text_nor_parts(error_for: ErrorFor, role: str) -> None:
    assert error_for(request({"role": role, "content": 7}))["param"] == "messages[0].content"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "Invalid 'messages[0].content': empty array."),
        (["Hi"], "Invalid type for 'messages[0].content[0]': expected an object"),
        ([{"type": "video"}], "Invalid value: 'video'. Supported values are: 'text', 'image_url',"),
        ([{"type": "text"}], "Invalid type for 'messages[0].content[0].text': expected a string"),
    ],
)
def test_refuses_parts_of_another_shape(error_for: ErrorFor, parts: list[Any], message: str) -> None:
    assert error_for(request({"role": "user", "content": parts}))["message"].startswith(message)


def test_refuses_an_image_as_a_tool_result(error_for: ErrorFor) -> None:
    image = [{"type": "image_url", "image_url": {"url": "data:,"}}]
    error = error_for(request(USER, asked(made_call()), result(content=image)))
    assert error["message"] == "Invalid value: 'image_url'. Supported values are: 'text'."


@pytest.mark.parametrize(("arguments", "kind"), [({"city": "Rome"}, "an object"), (7, "an integer")])
def test_refuses_arguments_that_are_no_string(error_for: ErrorFor, arguments: object, kind: str) -> None:
    error = error_for(request(USER, asked(made_call(arguments=arguments)), result()))
    assert error["message"] == (
        "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, "
        f"but got {kind} instead."
    )


@pytest.mark.parametrize("arguments", ["", "{", "[1]", "null", '{"a": NaN}'])
def test_refuses_arguments_that_are_not_the_text_of_an_object(error_for: ErrorFor, arguments: str) -> None:
    error = error_for(request(USER, asked(made_call(arguments=arguments)), result()))
    assert error["message"] == (
        "Invalid 'messages[1].tool_calls[0].function.arguments': expected the text of a JSON object."
    )


ROUND = [asked(made_call("call_1")), result("call_1")]
PARALLEL = [asked(made_call("call_2"), made_call("call_3")), result("call_2"), result("call_3")]
SWAPPED = [asked(made_call("call_4"), made_call("call_5")), result("call_5"), result("call_4")]
CUSTOM = {"id": "call_6", "type": "custom", "custom": {"name": "sql", "input": "select {"}}
SAID = {"role": "assistant", "content": "Sunny."}


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([USER], id="question"),
        pytest.param([{"role": "system", "content": "Be brief."}, USER], id="system and question"),
        pytest.param([{"role": "developer", "content": "Be brief."}, USER], id="developer and question"),
        pytest.param([USER, *ROUND], id="single call"),
        pytest.param([USER, *PARALLEL], id="parallel calls"),
        pytest.param([USER, *SWAPPED], id="results in another order"),
        pytest.param([USER, *ROUND, *PARALLEL], id="several rounds"),
        pytest.param([USER, asked(CUSTOM), result("call_6")], id="call of a custom tool"),
        pytest.param([USER, *ROUND, SAID, USER, *PARALLEL, SAID, USER], id="earlier turns"),
        pytest.param([USER, *ROUND, *ROUND], id="an id used again in a later round"),
        pytest.param([USER, ROUND[0] | {"content": "I look."}, ROUND[1]], id="text beside the call"),
        pytest.param([{"role": "user", "content": [{"type": "text", "text": "Hi"}]}], id="parts"),
        pytest.param(
            [USER, ROUND[0], result(content=[{"type": "text", "text": "21"}])], id="result in parts"
        ),
        pytest.param([USER, ROUND[0], result(content="")], id="empty result"),
        pytest.param([USER, {"role": "assistant", "content": ""}, USER], id="empty answer"),
        pytest.param([USER, {"role": "assistant", "content": None, "refusal": "No."}, USER], id="refusal"),
        pytest.param([USER, SAID | {"tool_calls": None}, USER], id="tool_calls null"),
    ],
)
def test_accepts_a_valid_history(stand_in: StartStandIn, send: Send, messages: list[Body]) -> None:
    status, answer = send(stand_in(["accepted"]), request(*messages))
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "accepted")
