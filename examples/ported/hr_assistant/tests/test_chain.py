"""The chain runs against a stand-in of the endpoint."""

import pytest
from callagain.testing import StandIn, calls

from hr_assistant import ask


def test_an_answer_without_a_tool_is_the_final_response() -> None:
    with StandIn(["Good morning."]) as endpoint:
        answer = ask("Hello", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert answer.result.final_response == "Good morning."
    assert answer.result.loop_count == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("find_employee", {"name": "some name"}),
        ("get_time_off_balance", {"employee_id": "some employee id"}),
        ("request_time_off", {"employee_id": "some employee id", "from": "some from", "days": 1}),
    ],
)
def test_a_call_is_answered(name: str, arguments: dict[str, object]) -> None:
    with StandIn([calls((name, arguments)), "Done."]) as endpoint:
        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert [each.name for each in answer.result.tool_results] == [name]


def test_a_model_that_never_ends_reaches_the_limit() -> None:
    again = calls(("find_employee", {"name": "some name"}))
    with StandIn([again], repeat_last=True) as endpoint:
        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "limit"
    assert answer.result.loop_count == 4
