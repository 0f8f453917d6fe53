"""Designs of which less is known than of the examples, or that have another shape."""

from pathlib import Path

from tests.porting.recognition.designs import RETRY, design, guide_design
from tests.porting.script import guide_scripts as guide

from callagain.porting.package import port, write_package
from callagain.porting.parity import Case, Status, default_cases, parity
from callagain.porting.ported import PortedDesign
from callagain.testing import AnyAnswer, calls

STATUS = calls(("get_order_status", {"order_id": "1"}))
NO_TOOLS = "the design does not say what $toolsJson is: tools.json stands in for it"
ONE_ROUND = {
    "Main": "Initialize -> LLM Call",
    "LLM Call": "@Send Request, Parse Response -> Tool Dispatcher",
    "Tool Dispatcher": "Dispatch",
    "Tool - Order Status": "Order Status",
    "Tool - Invoice": "Order Status",
}
ONE_ROUND_SCRIPTS = {
    "Initialize": guide.INITIALIZE,
    "Parse Response": guide.PARSE_RESPONSE,
    "Dispatch": guide.DISPATCHER,
    "Order Status": guide.ORDER_STATUS,
}


def test_the_guide_s_scripts_alone_are_compared_with_the_tools_of_the_package(tmp_path: Path) -> None:
    write_package(port(guide_design()), tmp_path / "guide")
    answers: list[AnyAnswer] = [STATUS, "Done."]
    (case,) = parity(tmp_path / "guide", cases=[Case("one", "Hello", answers)])
    assert (case.status, case.differences, case.explained) == (Status.SAME, (), ())
    assert case.notes == (NO_TOOLS,)
    assert case.left_out == ("the system message",)


def test_messages_that_the_design_does_not_replace_are_supplied_by_the_chain(tmp_path: Path) -> None:
    scripts = {
        **ONE_ROUND_SCRIPTS,
        "Controller": guide.CONTROLLER,
        "Append Tool Result": guide.APPEND_BY_STRINGS,
    }
    operations = {
        "Main": "Initialize, Controller",
        "LLM Call": "@Send Request, Parse Response",
        "Tool Dispatcher": "Dispatch",
        "Tool - Order Status": "Order Status",
        "Tool - Invoice": "Order Status",
    }
    write_package(port(design(scripts, operations, javascript=())), tmp_path / "guide")
    (case,) = parity(tmp_path / "guide", cases=[Case("one", "Hello", [STATUS, "Done."])])
    assert (case.status, case.differences) == (Status.SAME, ())
    assert [(each.after, each.variable, each.design, each.trap) for each in case.explained] == [
        ("append_tool_result 1", f"InAndOut: messages[{number}]", "(not set)", "messages not replaced")
        for number in (1, 2)
    ]


def test_a_single_round_is_compared_to_its_end(tmp_path: Path) -> None:
    write_package(
        port(design(ONE_ROUND_SCRIPTS, ONE_ROUND, activities={"Send Request": {}})), tmp_path / "one"
    )
    called, answered = parity(
        tmp_path / "one", cases=[Case("called", "Hello", [STATUS]), Case("answered", "Hello", ["Hello."])]
    )
    assert (called.status, called.differences, called.explained) == (Status.SAME, (), ())
    # A link leads to the dispatcher in any case, and its default answers.
    assert [(each.after, each.variable, each.design) for each in answered.differences] == [
        ("the end", "function_resp", '"Unknown function: "')
    ]


def test_a_design_without_such_a_loop_has_a_case_for_each_operation(tmp_path: Path) -> None:
    scripts = {"Retry": RETRY, "Try": '$n = $n + 1; If($n < 2, RaiseError("not yet"));'}
    package = port(design(scripts, {"Main": "Retry", "Target": "Try"}))
    write_package(package, tmp_path / "retry")
    found = parity(tmp_path / "retry")
    assert [case.name for case in found] == ["operation Main", "operation Target"]
    assert found.holds
    notes = {note for case in found for note in case.notes}
    assert notes == {"the chain is not compared: no operation of the design begins a tool-calling loop"}


def test_a_limit_of_very_many_rounds_is_not_tried(tmp_path: Path) -> None:
    controller = guide.CONTROLLER.replace("maxIterations = 5", "maxIterations = 5000")
    package = port(guide_design(Controller=controller))
    write_package(package, tmp_path / "guide")
    project = PortedDesign(tmp_path / "guide" / package.plan.package / "design", python={})
    assert "limit" not in [case.name for case in default_cases(project)]
