"""What the real Responses API refuses is refused over real HTTP; the rest is accepted."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from callagain.testing import refuse_responses
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]
Refused = Callable[..., Body]

PATH = "/v1/responses"
USER = {"role": "user", "content": "Weather in Rome?"}
TOOL: Body = {"type": "function", "name": "get_weather", "parameters": {"type": "object"}}


def request(*items: Any, **more: Any) -> Body:
    return {"model": "m", "input": list(items) or "Hi", **more}


def made_call(call_id: Any = "call_1", **more: Any) -> Body:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"} | more


def output_of(call_id: Any = "call_1", output: Any = "21") -> Body:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


@pytest.fixture
def refused(stand_in: StartStandIn, send: Send) -> Refused:
    """`refused(body)` gives the error of the 400 that answers it; a refusal leaves the script untouched."""

    def refused(body: object) -> Body:
        server = stand_in(["accepted"])
        status, answer = send(server, body, path=PATH)
        assert status == 400, answer
        error: Body = answer["error"]
        assert error.keys() == {"message", "type", "param", "code"}
        assert send(server, request(), path=PATH)[0] == 200
        return error

    return refused


# The body and its settings


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[]", b'"text"'])
def test_refuses_a_body_that_is_no_json_object(refused: Refused, body: bytes) -> None:
    assert refused(body)["message"].startswith("We could not parse the JSON body of your request.")


def test_the_check_alone_takes_a_parsed_body_or_its_bytes() -> None:
    body = request(max_output_tokens=1)
    refusal = refuse_responses(body)
    assert refusal is not None
    assert refusal.param == "max_output_tokens"
    assert refuse_responses(json.dumps(body).encode()) == refusal
    assert refuse_responses(request()) is None
    with pytest.raises(TypeError, match="takes a body that is parsed, or its bytes"):
        refuse_responses(json.dumps(body))


@pytest.mark.parametrize("param", ["model", "input"])
def test_refuses_a_request_without(refused: Refused, param: str) -> None:
    body = request()
    del body[param]
    error = refused(body)
    assert error["message"] == f"Missing required parameter: '{param}'."
    assert (error["param"], error["code"]) == (param, "missing_required_parameter")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            7,
            "Invalid type for 'input': expected one of a string or array of objects, "
            "but got an integer instead.",
        ),
        ([], "Invalid 'input': empty array. Expected an array with minimum length 1, but got"),
        (["Hi"], "Invalid type for 'input[0]': expected an object, but got a string instead."),
    ],
)
def test_refuses_an_input_of_another_shape(refused: Refused, asked: Any, message: str) -> None:
    assert refused(request() | {"input": asked})["message"].startswith(message)


@pytest.mark.parametrize(
    ("param", "new_name"),
    [
        ("messages", "input"),
        ("max_tokens", "max_output_tokens"),
        ("response_format", "text.format"),
        ("reasoning_effort", "reasoning.effort"),
    ],
)
def test_refuses_parameters_of_chat_completions(refused: Refused, param: str, new_name: str) -> None:
    body = request(**{param: [USER]})
    if param == "messages":
        del body["input"]
    error = refused(body)
    assert error["message"].startswith(
        f"Unsupported parameter: '{param}'. In the Responses API, this parameter has moved to '{new_name}'."
    )
    assert (error["param"], error["code"]) == (param, "unsupported_parameter")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"max_output_tokens": 15},
            "Invalid 'max_output_tokens': integer below minimum value. "
            "Expected a value >= 16, but got 15 instead.",
        ),
        (
            {"stream_options": {"include_obfuscation": False}},
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        ),
        (
            {"store": "no"},
            "Invalid type for 'store': expected a boolean, but got a string instead.",
        ),
        (
            {"include": "reasoning.encrypted_content"},
            "Invalid type for 'include': expected an array of strings, but got a string instead.",
        ),
        (
            {"temperature": 3},
            "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
        ),
        (
            {"previous_response_id": 1},
            "Invalid type for 'previous_response_id': expected a string, but got an integer instead.",
        ),
    ],
)
def test_refuses_a_setting_out_of_its_range(refused: Refused, settings: Body, message: str) -> None:
    assert refused(request(**settings))["message"] == message


# Single items


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"type": "tool_use"}, "Invalid value: 'tool_use'. Supported values are: 'additional_tools', "),
        ({"content": "Hi"}, "Missing required parameter: 'input[0].role'."),
        (
            {"role": "tool", "content": "21", "tool_call_id": "c"},
            "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
        ),
        ({"role": "user"}, "Missing required parameter: 'input[0].content'."),
        (
            {"role": "assistant", "content": None},
            "Invalid type for 'input[0].content': expected one of a string or array of objects, "
            "but got null instead.",
        ),
        (
            {"role": "assistant", "content": "", "tool_calls": []},
            "Unknown parameter: 'input[0].tool_calls'.",
        ),
        (
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', ",
        ),
        (
            {"role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]},
            "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
        ),
        (
            {"role": "user", "content": [{"type": "input_text"}]},
            "Invalid type for 'input[0].content[0].text': expected a string, but got null instead.",
        ),
        (
            {"role": "user", "content": ["Hi"]},
            "Invalid type for 'input[0].content[0]': expected an object, but got a string instead.",
        ),
        (made_call(None), "Missing required parameter: 'input[0].call_id'."),
        (
            made_call(""),
            "Invalid 'input[0].call_id': empty string. Expected a string with minimum length 1, "
            "but got an empty string instead.",
        ),
        (made_call(7), "Invalid type for 'input[0].call_id': expected a string, but got an integer instead."),
        (
            made_call(id="call_1"),
            "Invalid 'input[0].id': 'call_1'. Expected an ID that begins with 'fc'.",
        ),
        (made_call(id=7), "Invalid type for 'input[0].id': expected a string, but got an integer instead."),
        (made_call(name=None), "Missing required parameter: 'input[0].name'."),
        (
            made_call(arguments={"city": "Rome"}),
            "Invalid type for 'input[0].arguments': expected a string, but got an object instead.",
        ),
        (
            made_call(arguments='{"city": "Ro'),
            "Invalid 'input[0].arguments': expected the text of a JSON object.",
        ),
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "f"},
            "Missing required parameter: 'input[0].input'.",
        ),
        (
            {"type": "function_call_output", "call_id": "c"},
            "Missing required parameter: 'input[0].output'.",
        ),
        (
            output_of(output={"degrees": 21}),
            "Invalid type for 'input[0].output': expected one of a string or array of objects, "
            "but got an object instead.",
        ),
        (
            output_of(output=[{"type": "text", "text": "21"}]),
            "Invalid value: 'text'. Supported values are: 'input_text', ",
        ),
        ({"type": "reasoning", "id": "rs_1"}, "Missing required parameter: 'input[0].summary'."),
    ],
)
def test_refuses_an_item_of_another_shape(refused: Refused, item: Body, message: str) -> None:
    assert refused(request(item))["message"].startswith(message)


# Tools


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("get_weather", "Invalid type for 'tools[0]': expected an object, but got a string instead."),
        (
            {"type": "function", "function": {"name": "get_weather"}},
            "Missing required parameter: 'tools[0].name'.",
        ),
        ({"name": "get_weather"}, "Missing required parameter: 'tools[0].type'."),
        (TOOL | {"type": "retrieval"}, "Invalid value: 'retrieval'. Supported values are: "),
        (TOOL | {"name": "get.weather"}, "Invalid 'tools[0].name': string does not match pattern."),
        (
            TOOL | {"parameters": {"type": "string"}},
            "Invalid schema for function 'get_weather': schema must be a JSON Schema of 'type: \"object\"'",
        ),
    ],
)
def test_refuses_a_tool_of_another_shape(refused: Refused, entry: object, message: str) -> None:
    assert refused(request(tools=[entry]))["message"].startswith(message)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tools": {}}, "Invalid type for 'tools': expected an array of objects, but got an object instead."),
        (
            {"tools": [TOOL, TOOL]},
            "Invalid 'tools': tool names must be unique, but 'get_weather' stands twice.",
        ),
        (
            {"tool_choice": "auto"},
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
        ),
        (
            {"parallel_tool_calls": True},
            "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed "
            "when 'tools' are specified.",
        ),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
            "Missing required parameter: 'tool_choice.name'.",
        ),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "name": "get_time"}},
            "Invalid value for 'tool_choice': no function named 'get_time' was specified "
            "in the 'tools' parameter.",
        ),
        (
            {
                "tools": [TOOL],
                "tool_choice": {
                    "type": "allowed_tools",
                    "mode": "auto",
                    "tools": [{"type": "function", "name": "get_time"}],
                },
            },
            "Invalid value for 'tool_choice': no function named 'get_time' was specified "
            "in the 'tools' parameter.",
        ),
        (
            {"tools": [TOOL], "tool_choice": "any"},
            "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
        ),
    ],
)
def test_refuses_settings_that_do_not_fit_the_tools(refused: Refused, settings: Body, message: str) -> None:
    assert refused(request(**settings))["message"] == message


# What is accepted


@pytest.mark.parametrize(
    "body",
    [
        request(),
        request(USER, {"role": "assistant", "content": "Sunny."}, USER),
        request({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "x"}]}),
        request(
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "content": [{"type": "output_text", "text": "x"}],
            }
        ),
        request({"type": "web_search_call", "id": "ws_1", "status": "completed"}),
        request(tools=[], tool_choice="auto", parallel_tool_calls=True),
        request(
            tools=[TOOL, {"type": "web_search"}], tool_choice={"type": "function", "name": "get_weather"}
        ),
        request(tools=[TOOL], tool_choice={"type": "web_search"}),
        request(tools=None, tool_choice=None, max_output_tokens=16, store=True, stream=False, include=None),
    ],
)
def test_accepts_a_valid_request(stand_in: StartStandIn, send: Send, body: Body) -> None:
    assert send(stand_in(["accepted"]), body, path=PATH)[0] == 200
