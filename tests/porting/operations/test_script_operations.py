"""The guide's own scripts as operations of the loop, against the stand-in endpoint."""

import json
from collections.abc import Mapping, Sequence

import pytest
from tests.porting.script import guide_scripts as guide

from callagain import TOOL_CALLING_LOOP, Result, ToolLoop
from callagain.porting.jitterbit_script import JitterbitScript
from callagain.testing import AnyAnswer, StandIn, call, calls, says

SCRIPTS = {
    "initialize": JitterbitScript(guide.INITIALIZE, name="Part 1"),
    "parse_response": JitterbitScript(guide.PARSE_RESPONSE, name="Part 2"),
    "tool_dispatcher": JitterbitScript(
        guide.DISPATCHER, name="Part 3", operations={"Tool - Order Status": [guide.ORDER_STATUS]}
    ),
    "append_tool_result": JitterbitScript(guide.APPEND_TOOL_RESULT, name="Part 4", language="javascript"),
}
TWO_ROUNDS = (
    calls(call("get_order_status", {"order_id": "42"})),
    calls(call("get_order_status", {"order_id": "43"})),
    says('"Both" are shipped.\nGood bye.'),
)


def get_order_status(order_id: str) -> str:
    """The status of an order."""
    return f'Order {order_id} is "shipped"'


def loop_with(scripts: Mapping[str, JitterbitScript], endpoint: StandIn) -> ToolLoop:
    return ToolLoop(
        model="gpt-4o",
        tools=[get_order_status],
        chain=TOOL_CALLING_LOOP.replace(operations=scripts),
        base_url=endpoint.base_url,
        api_key="none",
        system_prompt='Be "brief".',
    )


def run_with(scripts: Mapping[str, JitterbitScript], answers: Sequence[AnyAnswer] = TWO_ROUNDS) -> Result:
    with StandIn(answers) as endpoint:
        return loop_with(scripts, endpoint).run('Where are "they"?', run_id="run-1")


def sent_by(result: Result) -> list[object]:
    """The messages before the answer; the scripts send a null refusal on, the operations do not."""
    return [
        {key: value for key, value in message.items() if value is not None}
        for message in result.messages[:-1]
    ]


@pytest.fixture(scope="module")
def built_in() -> Result:
    return run_with({})


def same_as(built_in: Result, result: Result) -> bool:
    return (
        (result.outcome, result.loop_count) == ("completed", 2)
        and sent_by(result) == sent_by(built_in)
        and result.tool_results == built_in.tool_results
        and result.warnings == built_in.warnings
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_script_does_the_work_of_its_operation(name: str, built_in: Result) -> None:
    result = run_with({name: SCRIPTS[name]})
    assert result.final_response in (built_in.final_response, 'Both" are shipped.\nGood bye.')
    assert same_as(built_in, result)


async def test_all_scripts_together_do_the_same_sync_and_async(built_in: Result) -> None:
    with StandIn(TWO_ROUNDS) as endpoint:
        loop = loop_with(SCRIPTS, endpoint)
        result = await loop.arun('Where are "they"?', run_id="run-1")
    assert same_as(built_in, result)
    assert result.final_response == 'Both" are shipped.\nGood bye.', "Part 2 trims a quote of the text"
    assert result.variables.as_jitterbit() == run_with(SCRIPTS).variables.as_jitterbit()
    assert loop.replay(result).variables.as_jitterbit() == result.variables.as_jitterbit()


def test_the_guides_scripts_count_usage_and_stop_at_the_limit() -> None:
    answers = [calls(call("get_order_status", {"order_id": str(number)})) for number in range(9)]
    result = run_with(SCRIPTS, answers)
    assert (result.outcome, result.loop_count, len(result.tool_results)) == ("limit", 5, 5)
    assert result.usage.total_tokens > 0


def test_an_unknown_function_is_answered_by_the_scripts_own_case() -> None:
    result = run_with(SCRIPTS, [calls(call("nonsense")), says("Sorry.")])
    assert [each.content for each in result.tool_results] == ["Unknown function: nonsense"]
    assert result.final_response == "Sorry."


def test_all_calls_of_a_response_are_there_for_the_dispatcher_after_part_2() -> None:
    both = calls(*(call("get_order_status", {"order_id": number}) for number in ("1", "2")))
    result = run_with({"parse_response": SCRIPTS["parse_response"]}, [both, says("Done.")])
    assert [each.content for each in result.tool_results] == ['Order 1 is "shipped"', 'Order 2 is "shipped"']
    assert result.final_response == "Done."


def test_a_script_that_answers_one_call_leaves_the_others_with_an_error() -> None:
    both = calls(*(call("get_order_status", {"order_id": number}) for number in ("1", "2")))
    result = run_with({"tool_dispatcher": SCRIPTS["tool_dispatcher"]}, [both, says("Done.")])
    assert [(each.content, each.error) for each in result.tool_results] == [
        ('Order 1 is "shipped"', None),
        (
            '{"error":{"code":"not_executed","message":"one call of a response is run; call it again"}}',
            "not_executed",
        ),
    ]


def test_a_script_may_read_a_call_out_of_a_text() -> None:
    parser = r"""
    text = GetJSONString($jitterbit.response, "/choices/0/message/content");
    $call_llm_again = Index(text, "RUN ") == 0;
    $function_name = Mid(text, 4, 100);
    $function_arguments = "{\"order_id\":\"7\"}";
    $final_response = text;
    """
    append = r"""
    $non_tool_messages_json = Replace($non_tool_messages_json, "]",
        ",{\"role\":\"user\",\"content\":\"It says: " + Replace($function_resp, "\"", "'") + "\"}]");
    $InAndOut = "{\"model\":\"gpt-4o\",\"messages\":" + $non_tool_messages_json + "}";
    """
    scripts = {"parse_response": JitterbitScript(parser), "append_tool_result": JitterbitScript(append)}
    result = run_with(scripts, [says("RUN get_order_status"), says("Shipped.")])
    assert (result.outcome, result.final_response) == ("completed", "Shipped.")
    assert [each.content for each in result.tool_results] == ['Order 7 is "shipped"']
    assert "It says: Order 7 is 'shipped'" in json.dumps(result.messages)


def test_an_answer_that_parse_response_refuses_is_the_scripts_to_take() -> None:
    result = run_with({"parse_response": SCRIPTS["parse_response"]}, [says("")])
    assert (result.outcome, [each.code for each in result.warnings]) == ("completed", ["empty_response"])
