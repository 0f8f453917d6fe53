"""What is said of a shape, and the roles of scripts and operations."""

from tests.porting.recognition.designs import (
    OPERATIONS,
    READ,
    RETRY,
    ROUTE,
    SCRIPTS,
    WITHOUT_TOOLS,
    design,
    guide_design,
)

from callagain.porting.recognition import RetryController, explain, recognise, roles


def test_the_guide_s_loop_is_explained_in_a_paragraph() -> None:
    (shape,) = recognise(guide_design()).shapes
    assert explain(shape) == (
        "A tool-calling loop. "
        "'Controller' goes back to the LLM Call for as long as the response has tool calls. "
        "Its limit is 5 iterations. 'Initialize' writes the first request, with the tools of $toolsJson. "
        "'LLM Call' sends it to the model. 'Parse Response' reads tool_calls in the response. "
        "'Dispatch' compares the name with get_order_status, get_invoice, and has a default for all others. "
        "'Append Tool Result' makes the message of the role tool in JavaScript."
    )


def test_parts_that_were_not_found_are_named() -> None:
    (shape,) = recognise(
        guide_design(Initialize=None, Controller=None, Append_Tool_Result="var a = 1;")
    ).shapes
    assert explain(shape).startswith(
        "Single-round routing by function calling: nothing leads back to the model."
    )
    (shape,) = recognise(guide_design(Initialize=None, Controller=None)).shapes
    said = explain(shape)
    assert "No controller goes round" in said
    assert "It has no limit that the design says." in said
    assert said.endswith("Not found: the first request.")


def test_every_other_shape_is_explained_by_what_it_was_recognised_by() -> None:
    routing = design(
        {"Start": WITHOUT_TOOLS, "Read": READ, "Route": ROUTE}, {"Main": "Start, @Send, Read, Route"}
    )
    (shape,) = recognise(routing).shapes
    assert explain(shape) == (
        "Prompt-based routing: the model answers with a name as text. 'Start' writes the first request. "
        "'Main' sends it to the model. "
        "'Route' compares the name with hr, it, and has a default for all others."
    )
    retry = design({"Again": RETRY}, {"Target": "@Get"})
    (shape,) = recognise(retry).shapes
    assert explain(shape) == (
        "A retry controller: 'Again' tries the operation 'Target' again in a While until it succeeds. "
        "It makes 3 attempts at most."
    )
    assert "tries `Eval(x, 1)` again" in explain(RetryController("Again", "", None, "Eval(x, 1)"))


def test_roles_are_those_of_the_shapes_by_name() -> None:
    assert roles(recognise(guide_design())) == {
        "Controller": "controller",
        "Initialize": "initialise",
        "LLM Call": "llm_call",
        "Parse Response": "response_parser",
        "Tool Dispatcher": "tool_dispatcher",
        "Dispatch": "dispatcher",
        "Append Tool Result": "append_tool_result",
        "Tool - Order Status": "tool",
        "Tool - Invoice": "tool",
    }


def test_a_name_with_two_roles_has_both() -> None:
    scripts = SCRIPTS | {"Tool Dispatcher": SCRIPTS["Dispatch"]}
    del scripts["Dispatch"]
    named = design(scripts, OPERATIONS | {"Tool Dispatcher": "Tool Dispatcher"})
    assert roles(recognise(named))["Tool Dispatcher"] == "tool_dispatcher, dispatcher"
