"""Translated scripts at work: in the guide's loop, under a host, with their limits."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.porting.script.test_guide_scripts import TOOLS, answers, calls_tool
from tests.porting.translation import golden_design as design
from tests.porting.translation import golden_guide as guide

from callagain.porting.jitterbit import State, Value, left
from callagain.porting.script import (
    Caller,
    Limits,
    LocalHost,
    OperationFailed,
    RaisedError,
    ScriptLimitError,
    ScriptValueError,
    run_script,
)

Function = Callable[[State], Value]


class Project:
    """The guide's project, each of its scripts in Python, with an endpoint that answers from a list."""

    def __init__(self, responses: list[str]) -> None:
        self.responses = iter(responses)
        operations = {
            "LLM Call": self._llm_call,
            "Tool Dispatcher": self._operation(guide.tool_dispatcher),
            "Tool - Order Status": self._operation(guide.order_status),
        }
        self.host = LocalHost(
            variables={"systemPrompt": "", "userMessage": "Where is 42?", "toolsJson": TOOLS},
            operations=operations,
            scripts={
                "Append Tool Result": lambda arguments, caller: guide.append_tool_result(
                    State(host=self.host, arguments=arguments, caller=caller)
                )
            },
        )

    def run(self) -> dict[str, Any]:
        guide.initialize(State(host=self.host))
        guide.controller(State(host=self.host))
        return dict(self.host.variables)

    def _operation(self, function: Function) -> Callable[[Caller], None]:
        def run(caller: Caller) -> None:
            function(State(host=self.host, caller=caller))

        return run

    def _llm_call(self, caller: Caller) -> None:
        response = next(self.responses, None)
        if response is None:
            raise OperationFailed("the endpoint has no more answers")
        self.host.variables["jitterbit.response"] = response
        guide.parse_response(State(host=self.host, caller=caller))


def test_the_loop_runs_until_the_model_answers() -> None:
    project = Project([calls_tool("call_1", '{"order_id": "42"}'), answers("It is shipped.")])
    after = project.run()
    assert (after["loop_count"], after["call_llm_again"]) == (1, False)
    assert after["final_response"] == "It is shipped."
    assert after["function_resp"] == 'Order 42 is "shipped"'
    assert project.host.log == []


def test_the_loop_logs_its_limit() -> None:
    project = Project([calls_tool(f"call_{number}", '{"order_id": "42"}') for number in range(9)])
    assert project.run()["loop_count"] == 5
    assert project.host.log == [
        "Tool-calling loop reached 5 iterations without a final response. Last function: get_order_status"
    ]


def test_a_missing_path_is_null_in_the_guide_and_an_error_in_the_reference() -> None:
    variables: dict[str, Value] = {"jitterbit.response": answers("It is shipped.")}
    assert guide.parse_response(State(variables)) == "It is shipped."
    with pytest.raises(ScriptValueError, match="tool_calls is not a valid path"):
        guide.parse_response(State(variables, mode="strict"))


def test_a_function_changes_the_variables_that_it_is_given() -> None:
    variables = {"orders_json": '{"orders":[{"name":"Zoe"},{"name":""},{"name":"Ann"}]}'}
    assert design.collect_names(State(variables)) == 3
    assert variables["names"] == "Ann, Zoe, order 2"


def test_the_retry_controller_tells_every_attempt_and_gives_up() -> None:
    def fail(_: Caller) -> None:
        raise OperationFailed("HTTP 500")

    waited: list[float] = []
    host = LocalHost({"maxRetries": 2}, operations={"Post Invoice": fail}, waiting=waited.append)
    with pytest.raises(RaisedError, match="Gave up after 2 attempts"):
        design.retry_controller(State(host=host))
    assert host.log == ["Attempt 1 of 2 failed: HTTP 500", "Attempt 2 of 2 failed: HTTP 500"]
    assert waited == [2, 4]


def test_a_loop_without_end_is_stopped() -> None:
    host = LocalHost({"maxRetries": 100}, operations={"Post Invoice": fail_always}, waiting=lambda _: None)
    with pytest.raises(ScriptLimitError, match="the loop reached 10 iterations; check its condition"):
        design.retry_controller(State(host=host, limits=Limits(iterations=10)))


def fail_always(_: Caller) -> None:
    raise OperationFailed("HTTP 500")


def test_scripts_and_functions_that_run_each_other_have_one_limit() -> None:
    def again(state: State) -> Value:
        return state.run_script("Text")

    host = LocalHost()
    host.scripts = {
        "Function": lambda _, caller: again(State(host=host, caller=caller)),
        "Text": lambda _, caller: run_script(
            "RunScript('<TAG>script:Function</TAG>')", host=host, caller=caller
        ),
    }
    with pytest.raises(ScriptLimitError, match="scripts and operations run each other"):
        again(State(host=host))


def test_variables_and_a_host_are_not_given_together() -> None:
    with pytest.raises(TypeError, match="give variables, or a host that has them, and not both"):
        State({}, host=LocalHost())


def test_a_function_has_the_docstring_of_the_reference() -> None:
    assert left(12345, 2) == "12"
    assert "string Left(string str, int n)" in str(left.__doc__)
