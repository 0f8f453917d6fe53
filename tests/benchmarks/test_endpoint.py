"""The endpoint of the benchmarks answers by the name of the model and the messages alone."""

import json
from typing import Any

import pytest
from benchmarks.endpoint import respond
from benchmarks.task import FINAL, Finish, Orders, Task, task_of_model

HEAD = b"POST /v1/chat/completions HTTP/1.1\r\n"


def answer(task: Task, made: int, finish: Finish = "text") -> dict[str, Any]:
    messages = [{"role": "tool", "tool_call_id": f"call_{n:08}", "content": "found"} for n in range(made)]
    body = json.dumps({"model": task.model(finish), "messages": messages}).encode()
    status, response, _ = respond(HEAD, body)
    assert status == b"200 OK"
    choice: dict[str, Any] = json.loads(response)["choices"][0]
    return choice


def test_asks_for_the_calls_of_a_round_with_ids_of_their_own() -> None:
    choice = answer(Task(rounds=2, calls=3), made=3)
    assert choice["finish_reason"] == "tool_calls"
    calls = choice["message"]["tool_calls"]
    assert [call["id"] for call in calls] == ["call_00000003", "call_00000004", "call_00000005"]
    assert json.loads(calls[0]["function"]["arguments"]) == {"order_id": "481519"}


@pytest.mark.parametrize("finish", ["text", "call"])
def test_ends_when_all_calls_are_answered(finish: Finish) -> None:
    choice = answer(Task(rounds=2), made=2, finish=finish)
    if finish == "text":
        assert (choice["finish_reason"], choice["message"]["content"]) == ("stop", FINAL)
    else:
        (call,) = choice["message"]["tool_calls"]
        assert call["function"] == {"name": "final_answer", "arguments": json.dumps({"answer": FINAL})}


def test_waits_as_long_as_the_model_says() -> None:
    body = json.dumps({"model": Task(rounds=1, wait_ms=200).model()}).encode()
    assert respond(HEAD, body)[2] == 0.2


def test_a_model_that_is_no_task_is_refused() -> None:
    status, body, _ = respond(HEAD, b'{"model": "gpt-4o"}')
    assert (status, json.loads(body)["error"]["message"]) == (
        b"400 Bad Request",
        "model= must be the name of a task",
    )


def test_the_name_of_a_model_says_its_task_also_behind_a_prefix() -> None:
    task = Task(rounds=7, calls=2, wait_ms=5)
    assert task_of_model("openai/" + task.model("call")) == (task, "call")


def test_a_result_is_as_long_as_is_wanted() -> None:
    orders = Orders(result_chars=4096)
    assert len(orders.status("481516")["detail"]) == 4096
    assert orders.calls == 1
