"""Tools that are scripts of a design, beside runs of their own."""

import pytest
from tests.porting.script import guide_scripts as guide

from callagain import Tool, ToolContext, ToolLoop, loop_tool
from callagain.connectors.tools import ToolProblem
from callagain.engine import Chain, Link
from callagain.engine.json_text import JsonObject
from callagain.porting.jitterbit_script import JitterbitScript
from callagain.porting.jitterbit_script_tools import FunctionArguments, script_tool
from callagain.testing import StandIn, call, calls, says

ORDER: JsonObject = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}},
    "required": ["order_id"],
}


def order_tool(*scripts: str, **given: str) -> Tool:
    steps = scripts[0] if len(scripts) == 1 else scripts
    language = given.get("language")
    return script_tool("get_order", steps, description="An order.", parameters=ORDER, language=language)


def told(tool: Tool, log: list[str] | None = None) -> str:
    """What the model is told of a call for order 42."""
    lines: list[str] = [] if log is None else log
    context = ToolContext("run-1", "call_1", tool.name, "key", write_log=lines.append)
    return tool.result_text(tool.bind({"order_id": "42"}, context)())


RESULTS = (
    (guide.ORDER_STATUS, None, 'Order 42 is "shipped"'),
    (
        "$function_resp = $function_name + $function_arguments + $tool_call_id;",
        None,
        'get_order{"order_id":"42"}call_1',
    ),
    ('d = Dict(); d["ok"] = true; $function_resp = d;', None, '{"ok":true}'),
    ("$function_resp = 1 == 1;", None, "1"),
    ("var $function_resp = JSON.parse($function_arguments);", "javascript", '{"order_id":"42"}'),
    ("var $function_resp = 1.50;", "javascript", "1.5"),
    ("var $function_resp = new Date().getTime() > 1e12 ? 'now' : 'never';", "javascript", "now"),
)


@pytest.mark.parametrize(("script", "language", "result"), RESULTS)
def test_the_result_is_what_the_script_left_in_function_resp(
    script: str, language: str | None, result: str
) -> None:
    assert told(order_tool(script, **({"language": language} if language else {}))) == result


def test_an_operation_is_its_scripts_in_their_order() -> None:
    log: list[str] = []
    tool = order_tool(
        '$id = JSONParser($function_arguments)["order_id"]; WriteToOperationLog("looking for " + $id);',
        "<javascript>var $function_resp = 'Order ' + $id;</javascript>",
    )
    assert (told(tool, log), log) == ("Order 42", ["looking for 42"])


FAILURES = (
    ('RaiseError("no such order");', "no such order"),
    ("$x = 1;", "get_order left no result: it did not set $function_resp"),
    ("\n$x = 1 - 'a';", "get_order, line 2, column 8: "),
)


@pytest.mark.parametrize(("script", "message"), FAILURES)
def test_the_model_is_told_why_a_script_failed(script: str, message: str) -> None:
    with pytest.raises(ToolProblem) as raised:
        told(order_tool(script))
    assert (raised.value.code, message in raised.value.message) == ("tool_exception", True)


def test_calls_share_nothing_and_arguments_are_held_against_the_schema() -> None:
    tool = script_tool(
        "count",
        "$list[Length($list)] = 1; $function_resp = Length($list);",
        description="Counts.",
        parameters={"type": "object", "properties": {}, "additionalProperties": False},
        variables={"list": []},
        options={"read_only": True},
    )
    context = ToolContext("run-1", "call_1", "count", "key")
    assert [tool.result_text(tool.bind({}, context)()) for _ in range(2)] == ["1", "1"]
    assert tool.read_only
    with pytest.raises(ToolProblem, match="more"):
        tool.bind({"more": 1}, context)


def test_tools_of_all_kinds_answer_the_model() -> None:
    links = (
        Link("arguments", "on_success", "answer"),
        Link("answer", "on_success", "completed"),
        Link("any operation", "on_fail", "failed"),
    )
    answer = JitterbitScript(guide.ORDER_STATUS, name="Order Status")
    chain = Chain(
        "order_status", links, {"arguments": FunctionArguments(), "answer": answer}, {}, "arguments"
    )
    asked = [call("by_script", {"order_id": "1"}), call("by_chain", {"order_id": "2"})]
    asked += [call("by_loop", {"message": "Hello"}), call("by_chain", {"order_id": '"'})]
    with StandIn([calls(*asked), says("Hello to you."), says("Done.")]) as endpoint:
        url = endpoint.base_url
        inner = ToolLoop(model="gpt-4o", base_url=url, api_key="none", chain=chain)
        tools = [
            script_tool("by_script", guide.ORDER_STATUS, description="An order.", parameters=ORDER),
            loop_tool("by_chain", inner, description="An order.", parameters=ORDER),
            loop_tool("by_loop", ToolLoop(model="gpt-4o", base_url=url, api_key="none"), description="Ask."),
        ]
        result = ToolLoop(model="gpt-4o", tools=tools, base_url=url, api_key="none").run("Hi")
    assert [each.content for each in result.tool_results] == [
        'Order 1 is "shipped"',
        'Order 2 is "shipped"',
        "Hello to you.",
        'Order " is "shipped"',
    ]
    assert result.final_response == "Done."
