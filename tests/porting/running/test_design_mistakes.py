"""Designs that cannot be run: what is missing is named, and what goes in a circle comes to an end."""

import pytest
from tests.porting.running.small_designs import design, does

from callagain.porting.design.model import Design
from callagain.porting.running import DesignRunner, MissingPartError
from callagain.porting.running.recorder import Recorder
from callagain.porting.running.runs import Kind
from callagain.porting.script import ScriptError, ScriptLimitError, UnknownFunctionError, Value

CALL_TOOL = 'If(!RunOperation("<TAG>operation:Tool</TAG>"), "hidden")'


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (design({"Mian": does()}, {}), "the design has no operation 'Main'; did you mean 'Mian'?"),
        (design({}, {}), "the design has no operation 'Main'; it has none"),
        (
            design({"Main": does("Initialise")}, {"Other": ""}),
            "Main, step 1: the design has no script 'Initialise'; it has Other",
        ),
        (
            design({"Main": does(invokes="Tool")}, {}),
            "Main, step 1: the design has no operation 'Tool'; it has Main",
        ),
        (
            design({"Main": does(on_success="Sent")}, {}),
            "Main: the design has no operation 'Sent'; it has Main",
        ),
        (
            design({"Main": does("Call")}, {"Call": f"\n  Eval({CALL_TOOL}, 'hidden')"}),
            "Call, line 2, column 12: the design has no operation 'Tool'; it has Main",
        ),
        (
            design({"Main": does("Call")}, {"Call": 'RunScript("<TAG>script:Cal</TAG>")'}),
            "Call, line 1, column 1: the design has no script 'Cal'; did you mean 'Call'?",
        ),
        (
            design({"Main": does("Call"), "Tool": does(activity="LLM Call")}, {"Call": CALL_TOOL}),
            "Call, line 1, column 5: Tool, step 1: nothing runs the activity 'LLM Call'; "
            'give a function for it: activities={"LLM Call": function}',
        ),
    ],
)
def test_what_is_missing_is_named_and_nothing_hides_it(given: Design, message: str) -> None:
    with pytest.raises(MissingPartError) as raised:
        DesignRunner(given).run("Main")
    assert raised.value.headline == message


def test_an_unknown_function_in_an_operation_that_a_script_runs_goes_through() -> None:
    given = design({"Main": does("Call"), "Tool": does("Work")}, {"Call": CALL_TOOL, "Work": "Lenght(1)"})
    with pytest.raises(UnknownFunctionError, match="Work, line 1, column 1: there is no function 'Lenght'"):
        DesignRunner(given).run("Main")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            design({"Main": does("Call"), "Tool": does("Call")}, {"Call": CALL_TOOL}),
            "scripts and operations run each other 10 deep; look for two that call each other",
        ),
        (
            design({"Main": does(invokes="Tool"), "Tool": does(invokes="Main")}, {}),
            "Tool, step 1: operations run each other 10 deep; look for two that invoke each other",
        ),
        (
            design({"Main": does(on_success="Tool"), "Tool": does(on_success="Main")}, {}),
            "the run took more than 10,000 steps; look for operations that follow each other in a circle, "
            "the latest were Main, Tool; or set max_steps",
        ),
        (
            design({"Main": does("Call"), "Tool": does()}, {"Call": f"While(true, {CALL_TOOL})"}),
            "the run took more than 10,000 steps",
        ),
        (design({"Main": does("Call")}, {"Call": "While(true, 1)"}), "50,000"),
    ],
    ids=["RunOperation", "Invoke Operation", "links", "loop", "while"],
)
def test_what_goes_in_a_circle_ends_with_an_error(given: Design, message: str) -> None:
    with pytest.raises(ScriptLimitError) as raised:
        DesignRunner(given).run("Main")
    assert message in raised.value.headline


def test_an_asynchronous_operation_that_queues_itself_ends_with_an_error() -> None:
    again = 'RunOperation("<TAG>operation:Main</TAG>", false)'
    with pytest.raises(ScriptLimitError, match="more than 50 steps"):
        DesignRunner(design({"Main": does("Call")}, {"Call": again}), max_steps=50).run("Main")


def test_max_nesting_is_how_deep_operations_may_run_each_other() -> None:
    given = design({"Main": does("Call"), "Tool": does("Work")}, {"Call": CALL_TOOL, "Work": "$n = 1"})
    assert DesignRunner(given, max_nesting=2).run("Main").error is None
    with pytest.raises(ScriptError, match="1 deep"):
        DesignRunner(given, max_nesting=1).run("Main")


def test_snapshots_do_not_take_all_memory() -> None:
    recorder = Recorder((), max_copied=10)
    shared: list[Value] = [1, 2, 3]
    recorder.take(Kind.SCRIPT, "One", {"a": shared, "b": [shared, shared]}, 0, None)
    assert recorder.snapshots[0].variables == {"a": [1, 2, 3], "b": [[1, 2, 3], [1, 2, 3]]}
    with pytest.raises(ScriptLimitError, match="the snapshots of this run hold more than 10 elements"):
        recorder.take(Kind.SCRIPT, "Two", {"a": [*shared, 4, 5, 6]}, 0, None)
