"""The fields of a request to the Responses API."""

import json
from typing import Any

import pytest
from openai.types.responses import ToolParam
from pydantic import TypeAdapter

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.profile import GENERIC, ModelFacts, Profile, Supports
from callagain.engine.wire.responses import RESPONSES

SCHEMA: JsonObject = {"type": "object", "properties": {}}
PING_FUNCTION: JsonObject = {"name": "ping", "description": "Pings.", "parameters": SCHEMA, "strict": True}
PING: JsonObject = {"type": "function", "function": PING_FUNCTION}
TOOL: TypeAdapter[Any] = TypeAdapter(ToolParam)


def first_fields(*tools: JsonObject, **options: Json) -> dict[str, Any]:
    return RESPONSES.first_fields("demo-model", tools, options, GENERIC, stream=False)


def function(**fields: Json) -> JsonObject:
    return {"type": "function", "function": {"name": "ping", **fields}}


def test_it_speaks_of_responses() -> None:
    assert (RESPONSES.name, RESPONSES.path, RESPONSES.messages_field) == ("responses", "/responses", "input")
    assert RESPONSES.output_limit_fields == ("max_output_tokens",)


def test_the_loop_keeps_the_conversation_and_the_reasoning() -> None:
    fields = first_fields(PING, temperature=0.1)
    assert list(fields.items()) == [
        ("model", "demo-model"),
        ("input", []),
        ("tools", [{"type": "function", **PING_FUNCTION}]),
        ("tool_choice", "auto"),
        ("temperature", 0.1),
        ("include", ["reasoning.encrypted_content"]),
        ("store", False),
    ]


@pytest.mark.parametrize(
    ("given", "strict"),
    [({}, False), ({"strict": None}, False), ({"strict": False}, False), ({"strict": True}, True)],
)
def test_a_tool_is_strict_only_where_it_says_so(given: JsonObject, strict: bool) -> None:
    (tool,) = first_fields(function(parameters=SCHEMA, **given))["tools"]
    assert tool == {"type": "function", "name": "ping", "parameters": SCHEMA, "strict": strict}
    TOOL.validate_python(tool)


def test_a_tool_without_parameters_says_that_it_has_none() -> None:
    (tool,) = first_fields(function())["tools"]
    assert tool == {"type": "function", "name": "ping", "parameters": None, "strict": False}


def test_tools_of_the_endpoint_stay_as_they_are() -> None:
    assert first_fields({"type": "web_search"})["tools"] == [{"type": "web_search"}]


def test_entries_of_the_caller_are_not_changed() -> None:
    before = json.dumps(PING)
    first_fields(PING)
    assert json.dumps(PING) == before


def test_without_tools_nothing_is_said_about_them() -> None:
    fields = first_fields(tools=[], tool_choice="auto", parallel_tool_calls=False)
    assert list(fields) == ["model", "input", "include", "store"]
    assert RESPONSES.without_tools(fields) == fields


def test_further_calls_are_forbidden_by_the_tool_choice() -> None:
    fields = first_fields(PING)
    assert RESPONSES.without_tools(fields) == {**fields, "tool_choice": "none"}
    assert fields["tool_choice"] == "auto"


FLAT: JsonObject = {"type": "function", "name": "ping"}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("required", "required"),
        (function(), FLAT),
        (FLAT, FLAT),
        ({"type": "custom", "custom": {"name": "sql"}}, {"type": "custom", "name": "sql"}),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [function()]}},
            {"type": "allowed_tools", "mode": "auto", "tools": [FLAT]},
        ),
    ],
)
def test_a_tool_choice_takes_the_form_of_this_api(given: Json, sent: Json) -> None:
    assert first_fields(PING, tool_choice=given)["tool_choice"] == sent


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens", "max_output_tokens"])
def test_the_output_limit_has_the_name_of_this_api(name: str) -> None:
    fields = first_fields(**{name: 7})
    assert fields["max_output_tokens"] == 7
    assert not {"max_tokens", "max_completion_tokens"} & fields.keys()


def test_the_output_limit_by_its_own_name_wins() -> None:
    assert first_fields(max_output_tokens=7, max_tokens=9)["max_output_tokens"] == 7


@pytest.mark.parametrize("keeps", [{"store": True}, {"conversation": "conv_1"}])
def test_where_the_endpoint_keeps_the_conversation_nothing_else_is_asked_for(keeps: JsonObject) -> None:
    assert first_fields(**keeps) == {"model": "demo-model", "input": [], **keeps}


def test_encrypted_reasoning_is_asked_for_beside_what_the_caller_includes() -> None:
    logprobs = "message.output_text.logprobs"
    assert first_fields(include=[logprobs])["include"] == [logprobs, "reasoning.encrypted_content"]


def test_options_of_chat_completions_stand_where_this_api_has_them() -> None:
    fields = first_fields(
        response_format={"type": "json_schema", "json_schema": {"name": "order", "schema": {}}},
        reasoning_effort="low",
        verbosity="low",
    )
    assert fields["text"] == {
        "format": {"type": "json_schema", "name": "order", "schema": {}},
        "verbosity": "low",
    }
    assert fields["reasoning"] == {"effort": "low"}
    assert not {"response_format", "reasoning_effort", "verbosity"} & fields.keys()


def test_options_of_the_caller_win() -> None:
    fields = first_fields(include=[], store=False, previous_response_id="resp_0", model="another")
    assert fields == {
        "model": "another",
        "input": [],
        "include": [],
        "store": False,
        "previous_response_id": "resp_0",
    }


@pytest.mark.parametrize(("reasoning", "is_asked_for"), [(True, True), (None, True), (False, False)])
def test_encrypted_reasoning_is_not_asked_of_a_model_that_does_not_reason(
    reasoning: bool | None, is_asked_for: bool
) -> None:
    profile = Profile("known", models={"demo-model": ModelFacts(reasoning=reasoning)})
    fields = RESPONSES.first_fields("demo-model", [], {}, profile, stream=False)
    assert ("include" in fields) is is_asked_for
    assert fields["store"] is False


def test_parallel_tool_calls_are_not_mentioned_where_the_endpoint_refuses_that() -> None:
    profile = Profile("simple", supports=Supports(parallel_tool_calls=False))
    options: JsonObject = {"parallel_tool_calls": True}
    assert "parallel_tool_calls" not in RESPONSES.first_fields("m", [PING], options, profile, stream=False)
    assert first_fields(PING, **options)["parallel_tool_calls"] is True


def test_a_stream_is_asked_for() -> None:
    assert RESPONSES.first_fields("m", [], {}, GENERIC, stream=True)["stream"] is True
    assert "stream" not in first_fields()
