"""What the real API refuses in body, settings and tools is refused over real HTTP; the rest is accepted."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.testing import refuse
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]
ErrorFor = Callable[[object], Body]

CITY_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


def tool(name: str = "get_weather", **function: Any) -> Body:
    return {
        "type": "function",
        "function": {"name": name, "parameters": CITY_SCHEMA, **function},
    }


def request(**more: Any) -> Body:
    return {"model": "stand-in", "messages": [{"role": "user", "content": "Weather in Rome?"}], **more}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"model": NaN}', b"[]", b'"text"', b"null"])
def test_refuses_a_body_that_is_no_json_object(error_for: ErrorFor, body: bytes) -> None:
    assert error_for(body)["message"].startswith("We could not parse the JSON body of your request.")


def test_the_check_alone_takes_a_parsed_body_or_its_bytes() -> None:
    body = request() | {"temperature": 3}
    refusal = refuse(body)
    assert refusal is not None
    assert refusal.param == "temperature"
    assert refuse(json.dumps(body).encode()) == refusal
    assert refuse(json.dumps(request()).encode()) is None
    for no_object in (b"{", b"\xff", b'"text"'):
        refusal = refuse(no_object)
        assert refusal is not None
        assert refusal.message.startswith("We could not parse the JSON body of your request.")


def test_the_check_alone_takes_no_text() -> None:
    with pytest.raises(
        TypeError, match=r"takes a body that is parsed, or its bytes: refuse\(text.encode\(\)\)"
    ):
        refuse(json.dumps(request()))


@pytest.mark.parametrize("model", [None, "", 7])
def test_refuses_a_request_without_a_model(error_for: ErrorFor, model: object) -> None:
    assert error_for(request() | {"model": model})["message"] == "you must provide a model parameter"


def test_refuses_a_request_without_messages(error_for: ErrorFor) -> None:
    error = error_for({"model": "stand-in"})
    assert error["message"] == "Missing required parameter: 'messages'."
    assert (error["param"], error["code"]) == ("messages", "missing_required_parameter")


def test_refuses_an_empty_list_of_messages(error_for: ErrorFor) -> None:
    error = error_for({"model": "stand-in", "messages": []})
    assert error["message"] == (
        "Invalid 'messages': empty array. "
        "Expected an array with minimum length 1, but got an empty array instead."
    )
    assert error["code"] == "empty_array"


def test_refuses_messages_that_are_no_list(error_for: ErrorFor) -> None:
    assert error_for({"model": "m", "messages": "Hi"})["message"] == (
        "Invalid type for 'messages': expected an array of objects, but got a string instead."
    )


@pytest.mark.parametrize(
    ("temperature", "message"),
    [
        (-0.1, "decimal below minimum value. Expected a value >= 0, but got -0.1 instead."),
        (2.5, "decimal above maximum value. Expected a value <= 2, but got 2.5 instead."),
    ],
)
def test_refuses_a_temperature_out_of_range(error_for: ErrorFor, temperature: float, message: str) -> None:
    assert error_for(request(temperature=temperature))["message"] == f"Invalid 'temperature': {message}"


@pytest.mark.parametrize("temperature", ["1", True])
def test_refuses_a_temperature_that_is_no_number(error_for: ErrorFor, temperature: object) -> None:
    assert error_for(request(temperature=temperature))["code"] == "invalid_type"


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
@pytest.mark.parametrize(
    ("limit", "code"),
    [(0, "integer_below_min_value"), (1.5, "invalid_type"), ("9", "invalid_type"), (True, "invalid_type")],
)
def test_refuses_a_limit_that_is_no_positive_integer(
    error_for: ErrorFor, name: str, limit: object, code: str
) -> None:
    error = error_for(request() | {name: limit})
    assert (error["param"], error["code"]) == (name, code)


def test_says_how_small_a_limit_may_be(error_for: ErrorFor) -> None:
    assert error_for(request(max_tokens=0))["message"] == (
        "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead."
    )


@pytest.mark.parametrize("stream", [False, None])
def test_refuses_options_for_a_stream_that_is_not_asked_for(error_for: ErrorFor, stream: object) -> None:
    error = error_for(request(stream=stream, stream_options={"include_usage": True}))
    assert error["message"] == "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    assert error["param"] == "stream_options"


@pytest.mark.parametrize(
    ("settings", "param"),
    [({"stream": "yes"}, "stream"), ({"stream": True, "stream_options": []}, "stream_options")],
)
def test_refuses_settings_for_a_stream_of_another_type(
    error_for: ErrorFor, settings: Body, param: str
) -> None:
    error = error_for(request(**settings))
    assert (error["param"], error["code"]) == (param, "invalid_type")


def test_refuses_an_empty_list_of_tools(error_for: ErrorFor) -> None:
    assert error_for(request(tools=[]))["message"] == "[] is too short - 'tools'"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("get_weather", "Invalid type for 'tools[0]': expected an object, but got a string instead."),
        ({"function": {"name": "f"}}, "Missing required parameter: 'tools[0].type'."),
        (tool() | {"type": "retrieval"}, "Invalid value: 'retrieval'. Supported values are: 'function'."),
        ({"type": "function"}, "Missing required parameter: 'tools[0].function'."),
        (
            {"type": "function", "function": {"description": "no name"}},
            "Missing required parameter: 'tools[0].function.name'.",
        ),
    ],
)
def test_refuses_a_tool_of_another_shape(error_for: ErrorFor, entry: object, message: str) -> None:
    assert error_for(request(tools=[entry]))["message"] == message


def test_refuses_tools_that_are_no_list(error_for: ErrorFor) -> None:
    assert error_for(request(tools={}))["message"].startswith("Invalid type for 'tools': expected an array")


@pytest.mark.parametrize("name", ["get.weather", "wetter für", "", "name\n"])
def test_refuses_a_tool_name_with_other_characters(error_for: ErrorFor, name: str) -> None:
    assert error_for(request(tools=[tool(name)]))["message"] == (
        "Invalid 'tools[0].function.name': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    )


def test_refuses_a_tool_name_of_more_than_64_characters(error_for: ErrorFor) -> None:
    error = error_for(request(tools=[tool("x" * 65)]))
    assert error["message"] == (
        "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, "
        "but got a string with length 65 instead."
    )
    assert error["code"] == "string_above_max_length"


@pytest.mark.parametrize(("schema", "kind"), [({"type": "string"}, "string"), ({}, "None")])
def test_refuses_parameters_that_are_no_object_schema(error_for: ErrorFor, schema: object, kind: str) -> None:
    error = error_for(request(tools=[tool(parameters=schema)]))
    assert error["message"] == (
        "Invalid schema for function 'get_weather': "
        f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
    )
    assert error["code"] == "invalid_function_parameters"


@pytest.mark.parametrize("schema", [None, [], "object"])
def test_refuses_parameters_that_are_no_schema_at_all(error_for: ErrorFor, schema: object) -> None:
    error = error_for(request(tools=[tool(parameters=schema)]))
    assert error["message"].startswith("Invalid type for 'tools[0].function.parameters': expected an object")


def test_refuses_two_tools_of_one_name(error_for: ErrorFor) -> None:
    error = error_for(request(tools=[tool(), tool("other"), tool()]))
    assert error["message"] == "Invalid 'tools': tool names must be unique, but 'get_weather' stands twice."


@pytest.mark.parametrize(("param", "value"), [("tool_choice", "auto"), ("parallel_tool_calls", False)])
def test_refuses_settings_for_tools_without_tools(error_for: ErrorFor, param: str, value: object) -> None:
    error = error_for(request() | {param: value})
    assert error["message"] == (
        f"Invalid value for '{param}': '{param}' is only allowed when 'tools' are specified."
    )


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "function", "function": {"name": "get_time"}},
        {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto", "tools": [tool(), tool("get_time")]},
        },
    ],
)
def test_refuses_a_choice_of_an_unknown_function(error_for: ErrorFor, choice: object) -> None:
    assert error_for(request(tools=[tool()], tool_choice=choice))["message"] == (
        "Invalid value for 'tool_choice': "
        "no function named 'get_time' was specified in the 'tools' parameter."
    )


@pytest.mark.parametrize("choice", ["any", {"type": "function"}, 7])
def test_refuses_a_choice_that_does_not_exist(error_for: ErrorFor, choice: object) -> None:
    error = error_for(request(tools=[tool()], tool_choice=choice))
    assert error["message"].endswith("Supported values are: 'none', 'auto', and 'required'.")


@pytest.mark.parametrize(
    "settings",
    [
        {"tools": [tool(), tool("x" * 64)]},
        {"tools": [{"type": "function", "function": {"name": "ping"}}]},
        {"tools": [tool()], "tool_choice": "none"},
        {"tools": [tool()], "tool_choice": "required", "parallel_tool_calls": False},
        {"tools": [tool()], "tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
        {
            "tools": [tool()],
            "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [tool()]}},
        },
        {"tools": None, "tool_choice": None, "parallel_tool_calls": None},
        {"temperature": 0, "max_tokens": 1, "stream": False},
        {"temperature": 2, "max_completion_tokens": 100},
    ],
)
def test_accepts_valid_settings(stand_in: StartStandIn, send: Send, settings: Body) -> None:
    assert send(stand_in(["accepted"]), request(**settings))[0] == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["tool", "assistant"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "tool_calls",
                    "tool_call_id",
                    "id",
                    "type",
                    "function",
                    "name",
                    "arguments",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(messages=json_values, tools=json_values, tool_choice=json_values)
def test_any_json_is_accepted_or_refused_with_a_message(messages: Any, tools: Any, tool_choice: Any) -> None:
    refusal = refuse({"model": "m", "messages": messages, "tools": tools, "tool_choice": tool_choice})
    assert refusal is None or refusal.message
