"""The orders assistant of examples/designs, run as it stands against the stand-in endpoint."""

from collections.abc import Sequence

import pytest
from tests.porting.running.asking import Asked, ask, tool
from tests.porting.running.example_designs import example

from callagain.porting.running import Outcome
from callagain.testing import Answer, AnyAnswer, calls

STATUS = tool("get_order_status", order_id="481516")
SHIPPED = '{"order_id":"481516","status":"shipped","carrier":"DHL"}'


def ask_orders(*answers: AnyAnswer, question: str = "Where is order 481516?") -> Asked:
    variables = {"userMessage": question}
    return ask(example("orders"), "Orders Assistant", "POST Chat Completions", answers, variables)


@pytest.mark.parametrize(
    ("answers", "results"),
    [
        ([], []),
        ([STATUS], [SHIPPED]),
        (
            [STATUS, tool("get_delivery_date", order_id="234299", express=True)],
            [SHIPPED, "Order 234299 arrives 1 days after 2026-03-04 (domestic)."],
        ),
        (
            [
                tool("get_order_status", order_id=" 108815 "),
                tool("get_delivery_date", order_id="108815"),
                tool("cancel_order", order_id="108815", reason='"too" late'),
            ],
            [
                '{"order_id":"108815","status":"packed"}',
                "Order 108815 arrives 10 days after 2026-03-05 (overseas).",
                'Order 108815 is cancelled. Reason: ""too" late"',
            ],
        ),
        (
            [
                tool("get_order_status", order_id="1"),
                tool("cancel_order", order_id="1", reason="wrong number"),
                tool("cancel_order", order_id="481516", reason="too late"),
            ],
            [
                "There is no order 1.",
                "There is no order 1.",
                "Order 481516 has been shipped and cannot be cancelled.",
            ],
        ),
    ],
    ids=["no tool", "one tool", "two tools", "three tools", "refusals"],
)
def test_the_loop_runs_until_the_model_answers(answers: Sequence[AnyAnswer], results: list[str]) -> None:
    asked = ask_orders(*answers, "That is all.")
    assert asked.run.outcome is Outcome.COMPLETED
    assert asked.variables["loop_count"] == len(answers)
    assert asked.variables["call_llm_again"] is False
    assert asked.variables["final_response"] == asked.variables["chat_reply"] == "That is all."
    assert asked.results == results
    assert asked.roles == ["system", "user", *["assistant", "tool"] * len(answers)]
    assert asked.ids_fit
    assert len(asked.requests) == len(answers) + 1


def test_base_messages_and_fields_of_the_request_stay_as_they_are() -> None:
    asked = ask_orders(STATUS, "Shipped.", question='Where is "my" order?')
    first, second = asked.requests
    assert second["messages"][:2] == first["messages"]
    assert first["messages"][1] == {"role": "user", "content": 'Where is "my" order?'}
    assert first | {"messages": []} == second | {"messages": []}
    names = [each["function"]["name"] for each in first["tools"]]
    assert (first["model"], names) == ("gpt-4o", ["get_order_status", "get_delivery_date", "cancel_order"])


def test_at_the_limit_there_is_a_line_in_the_log_and_no_final_response() -> None:
    asked = ask_orders(*[STATUS] * 6)
    assert (asked.variables["loop_count"], asked.variables["call_llm_again"]) == (5, True)
    assert "final_response" not in asked.variables
    assert asked.variables["chat_reply"] == "I could not find an answer. A colleague will get back to you."
    line = "Tool-calling loop reached 5 iterations without a final response. Last function: get_order_status"
    assert line in asked.run.log


def test_an_unknown_function_gets_the_result_of_the_round_before() -> None:
    assert ask_orders(STATUS, tool("get_invoice"), "Done.").results == [SHIPPED, SHIPPED]
    in_the_first_round = ask_orders(tool("get_invoice"), "Done.")
    assert "$function_resp" in str(in_the_first_round.run.error)
    assert in_the_first_round.run.after("Append Tool Result")[0].error == in_the_first_round.run.error
    assert in_the_first_round.variables["chat_reply"] == "The assistant is not available at the moment."


def test_a_tool_that_raises_an_error_sends_the_result_of_the_round_before() -> None:
    asked = ask_orders(STATUS, tool("cancel_order", order_id="234299", reason=""), "Done.")
    assert asked.results == [SHIPPED, SHIPPED]
    failed = asked.run.after("Tool - Cancel Order")[0]
    assert failed.outcome is Outcome.FAILED
    assert str(failed.error).endswith(": cancel_order: no reason given for order 234299")


def test_of_two_calls_in_one_response_the_first_is_answered_and_the_endpoint_refuses_the_rest() -> None:
    twice = calls(("get_order_status", {"order_id": "481516"}), ("get_order_status", {"order_id": "234299"}))
    asked = ask_orders(twice, "Never said.")
    assert asked.statuses == [200, 400, 400, 400, 400, 400]
    assert "did not have response messages: call_2" in str(asked.run.after("LLM Call")[1].error)


def test_a_line_break_in_the_question_breaks_the_request() -> None:
    asked = ask_orders("Never said.", question="two\nlines")
    assert asked.statuses == [400]
    assert asked.variables["chat_reply"].startswith("I could not find an answer.")


def test_a_first_call_that_fails_ends_with_no_answer() -> None:
    asked = ask_orders(Answer(500, {"error": {"message": "overloaded"}}))
    assert asked.run.log[1] == 'Operation LLM Call failed: HTTP 500: {"error":{"message":"overloaded"}}'
    assert asked.variables["loop_count"] == 0
