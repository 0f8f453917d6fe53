"""The guide's Verify list as checks: what passes, what fails, and what is said about it."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain import ToolLoop
from callagain.cli import example_tools
from callagain.cli.example_rules import EXAMPLE_RULES, NO_CALL, ONE_CALL, TWO_CALLS
from callagain.engine.errors import ConfigurationError
from callagain.scenarios.two_tools import create_ticket, look_up_contact
from callagain.testing import Answer, calls
from callagain.testing.plugin import StartStandIn
from callagain.verify import (
    REPEATED,
    UNDESCRIBED,
    Check,
    verify,
    verify_no_call,
    verify_one_call,
    verify_two_calls,
)

Command = Callable[..., Any]
Loop = Callable[..., ToolLoop]

TOOLS: list[Callable[..., object]] = [
    example_tools.get_order_status,
    look_up_contact,
    create_ticket,
]
ORDER = ("get_order_status", {"order_id": "1"})


@pytest.fixture
def loop(stand_in: StartStandIn) -> Loop:
    """`loop(script, **options)` is a loop with the example tools, against a stand-in."""

    def loop(script: Any, **options: Any) -> ToolLoop:
        return ToolLoop(model="any", tools=TOOLS, base_url=stand_in(script).base_url, **options)

    return loop


def failed(checks: list[Check]) -> list[Check]:
    return [check for check in checks if not check.passed]


def test_all_points_pass_when_the_integration_works(loop: Loop) -> None:
    checks = verify(loop(EXAMPLE_RULES), one=ONE_CALL, two=TWO_CALLS, none=NO_CALL)
    assert [(check.point, check.seen) for check in checks] == [
        (1, "loop_count 1"),
        (1, 'get_order_status {"order_id":"481516"} → {"order_id":"481516","status":"shipped"}'),
        (2, "user; then user, assistant, tool"),
        (
            2,
            "a text of 87 characters: What get_order_status says about order 481516: "
            '{"order_id":"481516","status":"shipped"}',
        ),
        (3, "loop_count 2"),
        (3, "assistant, tool, assistant, tool"),
        (3, "call_1 answers call_1; call_2 answers call_2"),
        (4, "1 LLM Call, call_llm_again false, loop_count 0"),
    ]
    assert all(check.passed and not check.advice for check in checks)


def test_each_message_may_be_given_alone(loop: Loop) -> None:
    rules = loop(EXAMPLE_RULES)
    assert {check.point for check in verify(rules, one=ONE_CALL)} == {1, 2}
    assert {check.point for check in verify(rules, two=TWO_CALLS)} == {3}
    assert {check.point for check in verify(rules, none=NO_CALL)} == {4}
    with pytest.raises(ConfigurationError, match="give at least one of the messages one, two and none"):
        verify(rules)


def test_point_1_fails_when_no_tool_is_called(loop: Loop) -> None:
    count, ran, extended, text = verify_one_call(loop(["I know that by myself."]), "Hi")
    assert (count.passed, count.seen, count.advice) == (False, "loop_count 0", UNDESCRIBED)
    assert (ran.passed, ran.seen, ran.advice) == (False, "no tool ran", UNDESCRIBED)
    assert (extended.passed, extended.seen) == (False, "1 LLM Call")
    assert extended.advice == "the loop made no second call: see to point 1 first"
    assert (text.passed, text.seen) == (False, "no second response")


def test_point_1_fails_when_the_tool_returns_an_error(loop: Loop) -> None:
    script = [calls(("get_order_status", {"number": 1})), "There is no such order."]
    [ran] = failed(verify_one_call(loop(script), "Hi"))
    assert ran.point == 1
    assert ran.seen.startswith('get_order_status {"number":1} → error invalid_arguments: ')
    assert ran.advice.startswith("mend what the error names")


def test_point_1_fails_when_calls_are_parallel(loop: Loop) -> None:
    script = [calls(ORDER, ("look_up_contact", {"name": "Ada"})), "Done."]
    [ran] = failed(verify_one_call(loop(script), "Hi"))
    assert ran.advice == "choose a message that needs exactly one call"
    assert "get_order_status" in ran.seen
    assert "look_up_contact" in ran.seen


def test_points_1_and_2_tell_of_a_call_that_is_repeated(loop: Loop) -> None:
    count, ran, text = failed(verify_one_call(loop([calls(ORDER), calls(ORDER), "Done."]), "Hi"))
    assert (count.seen, count.advice) == ("loop_count 2", REPEATED)
    assert ran.point == 1
    assert (text.point, text.seen) == (2, 'tool_calls: get_order_status {"order_id":"1"}')
    assert text.advice == REPEATED


def test_point_2_fails_when_the_messages_are_not_extended(loop: Loop) -> None:
    from callagain.engine.operation import Script
    from callagain.engine.variables import Variables
    from callagain.operations import TOOL_CALLING_LOOP

    class Forget(Script):
        def run(self, variables: Variables) -> None:
            variables.assign_jitterbit("tools_messages", "")

    chain = TOOL_CALLING_LOOP.insert("forget", Forget(), after="append_tool_result")
    [extended] = failed(verify_one_call(loop([calls(ORDER), "Done."], chain=chain), "Hi"))
    assert (extended.point, extended.seen) == (2, "user; then user")
    assert "an operation of the chain changes the messages" in extended.advice


def test_point_3_fails_when_one_call_is_enough(loop: Loop) -> None:
    count, four = failed(verify_two_calls(loop(EXAMPLE_RULES), ONE_CALL))
    assert (count.seen, count.advice) == ("loop_count 1", UNDESCRIBED)
    assert (four.seen, four.point) == ("assistant, tool", 3)


def test_point_3_tells_of_calls_that_came_in_one_response(loop: Loop) -> None:
    script = [calls(ORDER, ("look_up_contact", {"name": "Ada"})), "Done."]
    count, four = failed(verify_two_calls(loop(script), "Hi"))
    assert count.advice.startswith("the calls came in one response: ")
    assert four.seen == "assistant, tool, tool"


def test_point_3_tells_of_more_calls_than_two(loop: Loop) -> None:
    script = [calls(("get_order_status", {"order_id": str(number)})) for number in range(3)]
    count, _ = failed(verify_two_calls(loop([*script, "Done."]), "Hi"))
    assert count.seen == "loop_count 3"
    assert count.advice == "the message took more calls than it should: choose one that needs exactly 2"


def test_point_3_fails_when_an_id_does_not_match(loop: Loop) -> None:
    from callagain.engine.operation import Script
    from callagain.engine.variables import Variables
    from callagain.operations import TOOL_CALLING_LOOP

    class Spoil(Script):
        def run(self, variables: Variables) -> None:
            if not variables.call_llm_again:
                text = str(variables.as_jitterbit()["tools_messages"])
                spoiled = text.replace('"tool_call_id":"call_2"', '"tool_call_id":"call_1"')
                variables.assign_jitterbit("tools_messages", spoiled)

    chain = TOOL_CALLING_LOOP.insert("spoil", Spoil(), before="extract_final")
    [ids] = failed(verify_two_calls(loop(EXAMPLE_RULES, chain=chain), TWO_CALLS))
    assert ids.seen == "call_1 answers call_1; call_1 answers call_2"
    assert "tools_resp was updated before the id was extracted" in ids.advice


def test_point_4_fails_when_a_tool_is_called(loop: Loop) -> None:
    [check] = verify_no_call(loop(EXAMPLE_RULES), ONE_CALL)
    assert (check.passed, check.seen) == (False, "2 LLM Calls, call_llm_again true, loop_count 1")
    assert check.advice.startswith("the model called a tool that the request does not need")


def test_point_5_shows_when_the_api_refuses_an_id(loop: Loop) -> None:
    refusal = Answer(400, {"error": {"message": "Invalid parameter: 'tool_call_id' of 'call_1' not found"}})
    checks = verify_one_call(loop([calls(ORDER), refusal]), "Hi")
    assert checks[0].seen.startswith(
        "loop_count 1; outcome failed (bad_request): HTTP 400: Invalid parameter"
    )
    assert {check.advice for check in failed(checks[:-1])} == {"mend what ended the run, and verify again"}
    diagnosis = checks[-1]
    assert (diagnosis.point, diagnosis.passed) == (5, False)
    assert "the calls in tools_resp have the ids call_1" in diagnosis.seen
    assert "tools_resp was updated before the id was extracted" in diagnosis.advice


def test_point_6_shows_when_the_limit_is_reached(loop: Loop) -> None:
    checks = verify_two_calls(loop([calls(ORDER)] * 9, max_iterations=2), "Hi")
    diagnosis = checks[-1]
    assert (diagnosis.point, diagnosis.passed) == (6, False)
    assert 'get_order_status was asked for 3 times with the same arguments {"order_id":"1"}' in diagnosis.seen
    assert REPEATED in diagnosis.advice
    assert checks[0].seen.startswith("loop_count 2; outcome limit (max_iterations): ")


def test_any_other_failure_is_told_with_the_first_check(loop: Loop) -> None:
    [check] = verify_no_call(loop([Answer(401, {"error": "no"})]), "Hi")
    assert check.seen.startswith(
        "1 LLM Call, call_llm_again false, loop_count 0; outcome failed (auth): HTTP 401: no; check the key"
    )
    assert check.advice == "mend what ended the run, and verify again"


# The command


def options(stand_in: StartStandIn, script: Any) -> list[str]:
    url = stand_in(script).base_url
    return ["--tools", str(example_tools.__file__), "--model", "any", "--base-url", url]


def test_the_command_prints_each_point_and_exits_with_0(command: Command, stand_in: StartStandIn) -> None:
    messages = ["--one", ONE_CALL, "--two", TWO_CALLS, "--none", NO_CALL]
    ended = command("verify", *messages, *options(stand_in, EXAMPLE_RULES))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        "--one Where is order 481516?\n"
        "1  pass  loop_count reaches 1, and no more\n"
        "         seen: loop_count 1\n"
    )
    assert ended.out.endswith("\npoint 1: pass; point 2: pass; point 3: pass; point 4: pass\n")
    assert [line for line in ended.out.splitlines() if len(line) > 80] == []


def test_the_command_exits_with_1_and_gives_advice_when_a_point_fails(
    command: Command, stand_in: StartStandIn
) -> None:
    ended = command("verify", "--none", ONE_CALL, *options(stand_in, EXAMPLE_RULES))
    assert ended.code == 1
    assert "4  FAIL  the loop does not execute" in ended.out
    assert "         do: the model called a tool that the request does not need: " in ended.out
    assert ended.out.endswith("\npoint 4: FAIL; not asked for: 1, 2, 3\n")


def test_the_command_gives_one_json_document(command: Command, stand_in: StartStandIn) -> None:
    messages = ["--one", ONE_CALL, "--none", ONE_CALL]
    ended = command("verify", "--json", *messages, *options(stand_in, EXAMPLE_RULES))
    assert (ended.code, ended.json["passed"]) == (1, False)
    assert [check["point"] for check in ended.json["checks"]] == [1, 1, 2, 2, 4]
    assert ended.json["checks"][0] == {
        "point": 1,
        "expected": "loop_count reaches 1, and no more",
        "passed": True,
        "seen": "loop_count 1",
        "advice": "",
    }
