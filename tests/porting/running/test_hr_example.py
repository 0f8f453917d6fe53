"""The HR assistant of examples/designs, run as it stands against the stand-in endpoint."""

from collections.abc import Sequence

import pytest
from tests.porting.running.asking import Asked, ask, tool
from tests.porting.running.example_designs import example

from callagain.porting.running import Outcome
from callagain.testing import Answer, AnyAnswer

FIND = tool("find_employee", name=" ADA k")
BALANCE = tool("get_time_off_balance", employee_id="E-1007")
FOUND = '[{"employee_id":"E-1007","name":"Ada Krüger"}]'
LEFT = '{"employee_id":"E-1007","days_left":17.5}'


def request(days: float) -> AnyAnswer:
    return tool("request_time_off", employee_id="E-1007", days=days, **{"from": "2026-07-01"})


def ask_hr(*answers: AnyAnswer, question: str = "May Ada take a week off?") -> Asked:
    return ask(example("hr_assistant"), "HR - Logic", "Ask OpenAI", answers, {"hr.question": question})


@pytest.mark.parametrize(
    ("answers", "results"),
    [
        ([], []),
        ([FIND], [FOUND]),
        ([FIND, BALANCE], [FOUND, LEFT]),
        (
            [FIND, BALANCE, request(2.5)],
            [FOUND, LEFT, 'Request "TO-0001" for 2.5 days from 2026-07-01 is with the manager.'],
        ),
        (
            [tool("find_employee", name="a"), BALANCE, request(30), request(17.5)],
            [
                FOUND[:-1]
                + ',{"employee_id":"E-1012","name":"Ben Okafor"}'
                + ',{"employee_id":"E-1020","name":"Ada Lindqvist"}]',
                LEFT,
                "Refused: only 17.5 days are left.",
                'Request "TO-0001" for 17.5 days from 2026-07-01 is with the manager.',
            ],
        ),
        ([tool("find_employee", name="Zoe")], ["Nobody is called Zoe."]),
        ([tool("get_salary", employee_id="E-1007")], ["There is no tool get_salary."]),
        ([BALANCE, request(-1)], [LEFT, LEFT]),
    ],
    ids=[
        "no tool",
        "one",
        "two",
        "three",
        "four",
        "nobody",
        "unknown function",
        "a tool that raises an error",
    ],
)
def test_the_loop_runs_until_the_model_answers(answers: Sequence[AnyAnswer], results: list[str]) -> None:
    asked = ask_hr(*answers, "That is all.")
    assert asked.run.outcome is Outcome.COMPLETED
    assert asked.variables["gpt.round"] == len(answers)
    assert asked.variables["call_llm_again"] is False
    assert asked.variables["hr.answer"] == "That is all."
    assert asked.results == results
    assert asked.roles == ["system", "user", *["assistant", "tool"] * len(answers)]
    assert asked.ids_fit


def test_the_messages_are_replaced_in_the_request_and_all_else_stays() -> None:
    question = 'Is ","tools":" a word, and "messages":?'
    first, second, third = ask_hr(FIND, BALANCE, "Yes.", question=question).requests
    assert first["messages"][1] == {"role": "user", "content": question}
    assert second["messages"][:2] == first["messages"]
    assert third["messages"][:4] == second["messages"]
    assert first | {"messages": []} == third | {"messages": []}
    assert (first["temperature"], first["parallel_tool_calls"]) == (0.2, False)


def test_at_the_limit_there_is_a_line_in_the_log_and_no_answer() -> None:
    asked = ask_hr(*[BALANCE] * 5)
    assert (asked.variables["gpt.round"], asked.variables["call_llm_again"]) == (4, True)
    assert asked.run.log[-1] == "[HR] no answer after 4 rounds, last tool: get_time_off_balance"
    assert "hr.answer" not in asked.variables


def test_if_the_model_cannot_be_asked_hr_says_sorry() -> None:
    overloaded = Answer(503, {"error": {"message": "overloaded"}})
    asked = ask_hr(overloaded)
    why = 'The model could not be asked: HTTP 503: {"error":{"message":"overloaded"}}'
    assert asked.run.outcome is Outcome.FAILED
    assert str(asked.run.error).endswith(f": {why}")
    assert asked.run.log[-1] == f"[HR] failed: {why}"
    assert asked.variables["hr.answer"] == "HR is not available at the moment."
    lost = ask_hr(BALANCE, overloaded)
    assert (lost.run.outcome, lost.variables["gpt.round"]) == (Outcome.COMPLETED, 1)
    assert lost.variables["hr.answer"] == "Sorry, I lost the connection. Please ask again."


def test_a_result_with_more_than_quotes_to_escape_is_refused_or_changed() -> None:
    assert ask_hr(tool("find_employee", name="two\nlines"), "Never said.").statuses == [200, 400]
    assert ask_hr(tool("find_employee", name="C:\\new"), "Done.").results == ["Nobody is called C:\new."]
