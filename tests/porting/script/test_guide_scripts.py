"""The guide's own scripts, run as they stand."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.porting.script import guide_scripts as guide
from tests.porting.script.evaluating import evaluate

from callagain.porting.script import Caller, LocalHost, OperationFailed, ScriptValueError, Value, run_script

TOOLS = '[{"type":"function","function":{"name":"get_order_status"}}]'


def calls_tool(call_id: str, arguments: str, name: str = "get_order_status") -> str:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return json.dumps({"choices": [{"message": message}]})


def answers(text: str) -> str:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]})


def variables_after(script: str, **before: Value) -> dict[str, Any]:
    variables: dict[str, Value] = dict(before)
    run_script(script, globals=variables)
    return variables


def test_part_1_builds_the_first_request_and_resets_the_loop() -> None:
    after = variables_after(
        guide.INITIALIZE, systemPrompt='Be "brief".', userMessage="Where is order 42?", toolsJson=TOOLS
    )
    request = json.loads(after["InAndOut"])
    assert request["messages"] == json.loads(after["non_tool_messages_json"])
    assert request["messages"][0] == {"role": "system", "content": 'Be "brief".'}
    assert request["tools"] == json.loads(TOOLS)
    assert request["tool_choice"] == "auto"
    state = {name: after[name] for name in ("tools_messages", "tools_resp", "call_llm_again", "loop_count")}
    assert state == {"tools_messages": "", "tools_resp": "", "call_llm_again": False, "loop_count": 0}


@pytest.mark.parametrize("text", ["two\nlines", "a\tb", "C:\\dir"])
def test_part_1_escapes_quotes_alone_so_other_characters_break_the_json(text: str) -> None:
    after = variables_after(guide.INITIALIZE, systemPrompt="", userMessage=text, toolsJson="[]")
    with pytest.raises(json.JSONDecodeError):
        json.loads(after["InAndOut"])


def test_part_2_takes_the_first_tool_call() -> None:
    response = calls_tool("call_1", '{"order_id": "42"}')
    after = variables_after(guide.PARSE_RESPONSE, **{"jitterbit.response": response})
    assert after == {
        "jitterbit.response": response,
        "tool_call_id": "call_1",
        "function_name": "get_order_status",
        "function_arguments": '{"order_id": "42"}',
        "tools_resp": response,
        "call_llm_again": True,
    }


def test_part_2_takes_the_text_if_there_is_no_tool_call() -> None:
    after = variables_after(guide.PARSE_RESPONSE, **{"jitterbit.response": answers("It is shipped.")})
    assert after["call_llm_again"] is False
    assert after["final_response"] == "It is shipped."


def test_part_2_takes_quotes_off_a_text_that_they_belong_to() -> None:
    after = variables_after(guide.PARSE_RESPONSE, **{"jitterbit.response": answers('"Hi" he said')})
    assert after["final_response"] == 'Hi" he said'


def test_part_2_fails_by_the_reference_where_the_guide_expects_null() -> None:
    response = {"jitterbit.response": answers("It is shipped.")}
    with pytest.raises(ScriptValueError, match="tool_calls is not a valid path"):
        evaluate(guide.PARSE_RESPONSE, response, mode="strict")


def test_part_3_runs_the_one_tool_and_tells_an_unknown_one() -> None:
    ran: list[str] = []
    host = LocalHost(
        variables={"function_name": "get_invoice"},
        operations={
            "Tool - Order Status": lambda _: ran.append("order"),
            "Tool - Invoice": lambda _: ran.append("invoice"),
        },
    )
    assert run_script(guide.DISPATCHER, host=host) is True
    assert ran == ["invoice"]
    host.variables["function_name"] = "nonsense"
    run_script(guide.DISPATCHER, host=host)
    assert host.variables["function_resp"] == "Unknown function: nonsense"


def test_the_alternative_without_javascript_grows_the_messages_by_two_a_round() -> None:
    variables: dict[str, Value] = {
        "tools_messages": "",
        "tool_call_id": "call_1",
        "function_resp": 'say "hi"',
    }
    variables["tools_resp"] = calls_tool("call_1", "{}")
    run_script(guide.APPEND_BY_STRINGS, globals=variables)
    variables |= {"tools_resp": calls_tool("call_2", "{}"), "tool_call_id": "call_2"}
    run_script(guide.APPEND_BY_STRINGS, globals=variables)
    messages = json.loads(str(variables["tools_messages"]))
    assert [message["role"] for message in messages] == ["assistant", "tool", "assistant", "tool"]
    assert [messages[1]["tool_call_id"], messages[3]["tool_call_id"]] == ["call_1", "call_2"]
    assert messages[1]["content"] == 'say "hi"'


class Project:
    """The guide's project: its operations and scripts, with an endpoint that answers from a list."""

    def __init__(self, responses: list[str]) -> None:
        self.responses = iter(responses)
        self.requests: list[str] = []
        operations: dict[str, Callable[[Caller], None]] = {
            "LLM Call": self._llm_call,
            "Tool Dispatcher": self._script(guide.DISPATCHER),
            "Tool - Order Status": self._script(guide.ORDER_STATUS),
        }
        self.host = LocalHost(
            variables={"systemPrompt": "", "userMessage": "Where is 42?", "toolsJson": TOOLS},
            operations=operations,
            scripts={
                "Append Tool Result": lambda arguments, caller: run_script(
                    guide.APPEND_BY_STRINGS, host=self.host, arguments=arguments, caller=caller
                )
            },
        )

    def run(self) -> dict[str, Any]:
        run_script(guide.INITIALIZE, host=self.host)
        run_script(guide.CONTROLLER, host=self.host)
        return dict(self.host.variables)

    def _script(self, text: str) -> Callable[[Caller], None]:
        def run(caller: Caller) -> None:
            run_script(text, host=self.host, caller=caller)

        return run

    def _llm_call(self, caller: Caller) -> None:
        self.requests.append(str(self.host.variables["InAndOut"]))
        response = next(self.responses, None)
        if response is None:
            raise OperationFailed("the endpoint has no more answers")
        self.host.variables["jitterbit.response"] = response
        run_script(guide.PARSE_RESPONSE, host=self.host, caller=caller)


def test_part_5_runs_the_loop_until_the_model_answers() -> None:
    project = Project([calls_tool("call_1", '{"order_id": "42"}'), answers("It is shipped.")])
    after = project.run()
    assert after["loop_count"] == 1
    assert after["call_llm_again"] is False
    assert after["final_response"] == "It is shipped."
    assert after["function_resp"] == 'Order 42 is "shipped"'
    assert len(project.requests) == 2
    assert project.host.log == []


def test_part_5_logs_the_limit_and_leaves_no_final_response() -> None:
    project = Project([calls_tool(f"call_{number}", '{"order_id": "42"}') for number in range(9)])
    after = project.run()
    assert after["loop_count"] == 5
    assert "final_response" not in after
    assert project.host.log == [
        "Tool-calling loop reached 5 iterations without a final response. Last function: get_order_status"
    ]
    run_script(guide.LOG_MESSAGES, host=project.host)
    assert project.host.log[1].count('"role":"tool"') == 5


def test_part_5_does_not_loop_if_no_tool_is_called() -> None:
    after = Project([answers("Hello.")]).run()
    assert (after["loop_count"], after["final_response"]) == (0, "Hello.")


def test_part_5_goes_round_without_end_in_sight_if_the_llm_call_fails() -> None:
    project = Project([calls_tool("call_1", '{"order_id": "42"}')])
    after = project.run()
    assert after["loop_count"] == 5
    assert after["jitterbit.operation.last_error"] == "the endpoint has no more answers"
