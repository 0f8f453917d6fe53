"""The functions that stand for an LLM Call: an endpoint, and a script of answers."""

import json

import pytest

from callagain.engine.errors import ConfigurationError
from callagain.porting.running import llm_activity, scripted_activity
from callagain.porting.script import OperationFailed
from callagain.testing import Answer, Rule, StandIn, calls, faulty, says

BODY = '{"model": "gpt-4o",  "messages": [{"role": "user", "content": "Grüße"}]}'


def test_the_endpoint_gets_the_body_as_it_stands_and_the_answer_comes_back_as_text() -> None:
    with StandIn([says("Hallo")]) as stand_in:
        response = llm_activity(stand_in.base_url, "sk-a-key")(BODY, {})
        assert stand_in.requests[0].body == BODY.encode()
        assert stand_in.requests[0].headers["authorization"] == "Bearer sk-a-key"
    assert json.loads(response or "")["choices"][0]["message"]["content"] == "Hallo"


def test_what_an_endpoint_does_wrong_fails_the_operation_and_says_no_key() -> None:
    refused = Answer(401, {"error": {"message": "bad key sk-a-key"}})
    with StandIn([refused, faulty(says("Hallo"), cut_after=10)]) as stand_in:
        llm_call = llm_activity(stand_in.base_url, "sk-a-key")
        with pytest.raises(OperationFailed) as raised:
            llm_call(BODY, {})
        assert str(raised.value) == 'HTTP 401: {"error":{"message":"bad key ***"}}'
        with pytest.raises(OperationFailed, match="the connection to http://127.0.0.1:.* broke"):
            llm_call(BODY, {})
    with pytest.raises(OperationFailed, match="could not reach http://127.0.0.1:"):
        llm_call(BODY, {})


def test_an_endpoint_that_cannot_be_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigurationError, match="must begin with http"):
        llm_activity("api.openai.com/v1", "sk-a-key")


def test_a_script_answers_without_a_server_and_refuses_what_an_api_refuses() -> None:
    llm_call = scripted_activity([calls(("get_order_status", {"order_id": "42"})), "Shipped."])
    message = json.loads(llm_call(BODY, {}))["choices"][0]["message"]
    assert message["tool_calls"][0]["function"]["name"] == "get_order_status"
    with pytest.raises(OperationFailed, match="HTTP 400: .*JSON"):
        llm_call("{", {})
    assert json.loads(llm_call(BODY, {}))["choices"][0]["message"]["content"] == "Shipped."
    with pytest.raises(OperationFailed, match="script of 2 answers is used up"):
        llm_call(BODY, {})
    assert llm_call.requests == [BODY, "{", BODY, BODY]


def test_a_script_may_be_rules_and_may_stream() -> None:
    llm_call = scripted_activity([Rule("grüße", ["Auch so."])])
    assert "Auch so." in llm_call(BODY, {})
    streamed = llm_call(json.dumps(json.loads(BODY) | {"stream": True}), {})
    assert streamed.startswith("data: ")
