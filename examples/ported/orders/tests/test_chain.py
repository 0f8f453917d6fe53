"""The chain runs against a stand-in of the endpoint."""

import pytest
from callagain.testing import StandIn, calls

from orders_assistant import ask


def test_an_answer_without_a_tool_is_the_final_response() -> None:
    with StandIn(["Good morning."]) as endpoint:
        answer = ask("Hello", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert answer.result.final_response == "Good morning."
    assert answer.result.loop_count == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_order_status", {"order_id": "some order id"}),
        ("get_delivery_date", {"order_id": "some order id"}),
        ("cancel_order", {"order_id": "some order id", "reason": "some reason"}),
    ],
)
def test_a_call_is_answered(name: str, arguments: dict[str, object]) -> None:
    with StandIn([calls((name, arguments)), "Done."]) as endpoint:
        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert [each.name for each in answer.result.tool_results] == [name]


def test_a_model_that_never_ends_reaches_the_limit() -> None:
    again = calls(("get_order_status", {"order_id": "some order id"}))
    with StandIn([again], repeat_last=True) as endpoint:
        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "limit"
    assert answer.result.loop_count == 5
