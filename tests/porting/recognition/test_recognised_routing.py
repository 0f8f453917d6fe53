"""Routing without a loop, and retry controllers."""

from dataclasses import replace

import pytest
from tests.porting.recognition.designs import OPERATIONS, READ, RETRY, ROUTE, SCRIPTS, WITHOUT_TOOLS, design
from tests.porting.script import guide_scripts as guide

from callagain.porting.recognition import (
    DispatchedTool,
    PromptBasedRouting,
    RetryController,
    SingleRoundRouting,
    recognise,
)

TOOLS = (
    DispatchedTool("get_order_status", "Tool - Order Status"),
    DispatchedTool("get_invoice", "Tool - Invoice"),
)
ANSWERED = {"function_name": "answer", "function_resp": "result"}
ROUTES = (DispatchedTool("hr", "Notify HR"), DispatchedTool("it", "Provision IT"))


def test_a_parser_and_a_dispatch_without_a_way_back_are_single_round_routing() -> None:
    scripts = {name: SCRIPTS[name] for name in ("Initialize", "Parse Response", "Dispatch", "Order Status")}
    operations = OPERATIONS | {
        "Main": "Initialize -> LLM Call",
        "LLM Call": "@Send, Parse Response -> Tool Dispatcher",
    }
    expected = SingleRoundRouting(
        initialise="Initialize",
        llm_call="LLM Call",
        response_parser="Parse Response",
        dispatcher="Dispatch",
        tools=TOOLS,
        default_response="Unknown function: [function_name]",
        model="gpt-4o",
        tool_choice="auto",
    )
    recognition = recognise(design(scripts, operations))
    assert (recognition.shapes, recognition.guesses, recognition.loop) == ((expected,), (), None)


def test_single_round_routing_in_one_script() -> None:
    text = f"{guide.PARSE_RESPONSE}If($call_llm_again, {guide.DISPATCHER.rstrip().rstrip(';')})"
    (shape,) = recognise(design({"Start": guide.INITIALIZE, "Do": text}, {"Main": "Start, @Send, Do"})).shapes
    assert isinstance(shape, SingleRoundRouting)
    assert (shape.response_parser, shape.dispatcher, shape.llm_call, shape.tools) == (
        "Do",
        "Do",
        "Main",
        TOOLS,
    )


@pytest.mark.parametrize("apart", [True, False])
def test_a_case_over_the_text_of_the_model_is_prompt_based_routing(apart: bool) -> None:
    texts = {"Read": READ, "Route": ROUTE} if apart else {"Route": READ + ROUTE}
    steps = ", ".join(texts)
    found = recognise(design({"Start": WITHOUT_TOOLS} | texts, {"Main": f"Start, @Send, {steps}"}))
    expected = PromptBasedRouting(
        "Start", "Main", "Route", ROUTES, "No such operation: [answer]", model="gpt-4o", names=ANSWERED
    )
    assert (found.shapes, found.guesses) == ((expected,), ())


def test_a_name_that_is_looked_for_in_the_text_is_told() -> None:
    subject = 'GetJSONString($r, "/choices/0/message/content")'
    text = f'If(Index({subject}, "hr") >= 0, RunOperation("<TAG>operation:Notify HR</TAG>"))'
    found = recognise(design({"Route": text}, {"Main": "@Send, Route"}))
    assert found.shapes == (PromptBasedRouting(None, "Main", "Route", ROUTES[:1]),)
    assert [f"{guess.place}: {guess.text}" for guess in found.guesses] == [
        "scripts/Route: line 1: script 'Route': names are looked for inside a longer text; "
        "they are taken for what the model answers with"
    ]


def test_behind_the_prompt_of_a_connector_for_models_the_text_is_in_a_variable_that_no_script_sets() -> None:
    asked = design({"Route": ROUTE}, {"Ask": "@Prompt -> Route", "Route": "Route"}, activities={"Prompt": {}})
    assert recognise(asked).shapes == ()
    prompt = replace(asked.activities[0], connector="openai", function="prompt")
    found = recognise(replace(asked, activities=(prompt,)))
    expected = PromptBasedRouting(None, "Ask", "Route", ROUTES, "No such operation: [answer]", names=ANSWERED)
    assert found.shapes == (expected,)
    assert [guess.text for guess in found.guesses] == [
        "script 'Route': $answer is taken for the text of the model, since no script sets it"
    ]


def test_single_round_routing_beside_a_loop_is_found_too() -> None:
    beside = {
        "Parse": guide.PARSE_RESPONSE.replace("$function_name", "$chosen"),
        "Choose": 'If($chosen == "a", RunOperation("<TAG>operation:A</TAG>"))',
    }
    found = recognise(design(SCRIPTS | beside, OPERATIONS | {"Once": "@Send, Parse, Choose"}))
    assert found.loop is not None
    assert found.loop.response_parser == "Parse Response"
    assert found.shapes[1:] == (
        SingleRoundRouting(
            None, "Once", "Parse", "Choose", (DispatchedTool("a", "A"),), names={"function_name": "chosen"}
        ),
    )


TARGET = 'RunOperation("<TAG>operation:Target</TAG>")'
RETRIES = {
    "as in the guide": (RETRY, 3),
    "by other names": (f"$n = 4; While($k < $n && $ok == false, $ok = {TARGET}; $k++)", 4),
    "as long as it fails": (f"fail = true; While(fail && i < 3, i++; fail = !{TARGET})", 3),
    "by the counter": (f"n = 0; While(n < 3, If({TARGET}, n = 99, n++))", 3),
    "in the condition": (f"n = 0; While(!{TARGET} && n < 2, n++; Sleep(5))", 3),
    "by a variable": (f"While(n < 3 && !done, n++; ok = {TARGET}; If(ok == true, done = true))", 3),
    "by the last error": (f'While(n < 3 && !done, n++; {TARGET}; If(GetLastError() == "", done = true))', 3),
    "without a limit": (f"ok = false; While(ok == false, ok = {TARGET})", None),
}  # fmt: skip


@pytest.mark.parametrize("form", RETRIES)
def test_a_loop_that_runs_an_operation_until_it_succeeds_is_a_retry_controller(form: str) -> None:
    text, attempts = RETRIES[form]
    found = recognise(design({"Again": text}, {"Main": "Again", "Target": "@Get"}))
    assert found.shapes == (RetryController("Again", "Target", attempts),)
    assert found.guesses == ()


@pytest.mark.parametrize(
    ("text", "expression", "attempts"),
    [
        (
            'n = 0; While((Eval(x = ReadCache("k"), "ERROR") == "ERROR") && (n <= 3), n++;);',
            'Eval(x = ReadCache("k"), "ERROR")',
            5,
        ),
        (
            'While(!ok && n < 5, r = Eval(DBLookup("x"), "ERROR"); ok = r != "ERROR"; n++)',
            'Eval(DBLookup("x"), "ERROR")',
            5,
        ),
    ],
)
def test_an_eval_that_is_tried_again_is_a_retry_controller_too(
    text: str, expression: str, attempts: int
) -> None:
    found = recognise(design({"Again": text}, {"Main": "Again"}))
    assert found.shapes == (RetryController("Again", "", attempts, expression),)
    assert [guess.text for guess in found.guesses] == [
        f"script 'Again': what is tried again is no operation: {expression}"
    ]


def test_a_loop_whose_llm_call_is_retried_is_both() -> None:
    controller = guide.CONTROLLER.replace(
        'RunOperation("<TAG>operation:LLM Call</TAG>")', 'RunScript("<TAG>script:Again</TAG>")'
    )
    again = RETRY.replace("Target", "LLM Call")
    found = recognise(design(SCRIPTS | {"Controller": controller, "Again": again}, OPERATIONS))
    assert found.loop is not None
    assert (found.loop.controller, found.loop.llm_call) == ("Controller", "LLM Call")
    assert found.shapes[1:] == (RetryController("Again", "LLM Call", 3),)
