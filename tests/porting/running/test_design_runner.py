"""Operations of a design: their steps, their links, what scripts run, and the snapshots of all that."""

from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.porting.running.small_designs import PLACE, design, does, posts

from callagain.porting.design.model import Design, Variable
from callagain.porting.running import DesignRun, DesignRunner, Kind, Outcome
from callagain.porting.script import OperationFailed, Value

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


def run(given: Design, operation: str = "Main", **variables: Value) -> tuple[DesignRun, dict[str, Any]]:
    """The run of an operation, and the variables after it."""
    after: dict[str, Any] = dict(variables)
    return DesignRunner(given).run(operation, after), after


def log_of(operations: dict[str, Any], scripts: dict[str, str]) -> list[str]:
    """What the scripts wrote when Main was run."""
    return list(run(design(operations, scripts))[0].log)


def test_steps_run_in_order_and_each_leaves_a_snapshot_of_its_own() -> None:
    given = design(
        {"Main": does("First", "Second", on_success="Last"), "Last": does("Third")},
        {
            "First": "$list = {1}; $n = 1; WriteToOperationLog('one')",
            "Second": "$list[1] = 2; $n = $n + 1",
            "Third": "$n = $n + 1; WriteToOperationLog('three')",
        },
    )
    result, after = run(given)
    assert [
        (each.kind, each.name, each.variables["n"], each.variables["list"]) for each in result.snapshots
    ] == [
        (Kind.SCRIPT, "First", 1, [1]),
        (Kind.SCRIPT, "Second", 2, [1, 2]),
        (Kind.OPERATION, "Main", 2, [1, 2]),
        (Kind.SCRIPT, "Third", 3, [1, 2]),
        (Kind.OPERATION, "Last", 3, [1, 2]),
    ]
    assert [each.log for each in result.snapshots] == [("one",), (), ("one",), ("three",), ("three",)]
    assert (result.outcome, result.error, result.log) == (Outcome.COMPLETED, None, ("one", "three"))
    assert after["n"] == 3
    assert [each.kind for each in result.after("Last")] == [Kind.OPERATION]


def test_raise_error_ends_the_operation_and_takes_its_on_fail_link() -> None:
    given = design(
        {
            "Main": does("Break", "Never", on_success="Well", on_fail="Ill"),
            "Well": does(),
            "Ill": does("Report"),
        },
        {
            "Break": "$n = 1;\nRaiseError('no stock')",
            "Never": "$n = 2",
            "Report": "WriteToOperationLog('because: ' + $jitterbit.operation.previous.error)",
        },
    )
    result, after = run(given)
    assert after["n"] == 1
    assert [(each.name, each.outcome) for each in result.snapshots] == [
        ("Break", Outcome.FAILED),
        ("Main", Outcome.FAILED),
        ("Report", Outcome.COMPLETED),
        ("Ill", Outcome.COMPLETED),
    ]
    assert result.log == ("Operation Main failed: no stock", "because: no stock")
    assert result.outcome is Outcome.FAILED
    assert result.error == "Break, line 2, column 1: no stock"
    assert result.snapshots[1].error == result.error


def test_run_operation_runs_what_follows_and_is_false_if_any_of_it_fails() -> None:
    operations = {
        "Main": does("Call"),
        "Tool": does("Work", on_success="Check"),
        "Check": does("Look", on_fail="Mend"),
        "Mend": does("Repair"),
    }
    scripts = {
        "Call": """
            ok = RunOperation("<TAG>operation:Tool</TAG>");
            WriteToOperationLog("ok=" + ok + " " + GetLastError() + " in " + $jitterbit.operation.name);
        """,
        "Work": "WriteToOperationLog('in ' + $jitterbit.operation.name)",
        "Look": "RaiseError('wrong')",
        "Repair": "WriteToOperationLog('mended')",
    }
    assert log_of(operations, scripts) == [
        "in Tool",
        "Operation Check failed: wrong",
        "mended",
        "ok=0 wrong in Main",
    ]


def test_an_operation_that_another_one_runs_by_a_script_need_not_fail_that_one() -> None:
    result, _ = run(
        design(
            {"Main": does("Call"), "Tool": does("Work")},
            {"Call": 'RunOperation("<TAG>operation:Tool</TAG>")', "Work": "RaiseError('wrong')"},
        )
    )
    assert result.outcome is Outcome.COMPLETED


def test_the_invoke_operation_tool_fails_with_what_it_invokes() -> None:
    result, _ = run(
        design({"Main": does(invokes="Tool"), "Tool": does("Work")}, {"Work": "RaiseError('wrong')"})
    )
    assert result.error == "Main: wrong"
    assert [each.name for each in result.snapshots] == ["Work", "Tool", "Main"]


def test_cancel_operation_chain_cancels_the_links_of_its_own_chain_alone() -> None:
    operations = {
        "Main": does("Call", on_success="After main"),
        "Tool": does("Cancel", on_success="After tool"),
        "After main": does("Main is over"),
        "After tool": does("Never"),
    }
    scripts = {
        "Call": 'RunOperation("<TAG>operation:Tool</TAG>")',
        "Cancel": "CancelOperationChain('enough'); WriteToOperationLog('the script goes on')",
        "Main is over": "WriteToOperationLog('main goes on')",
        "Never": "WriteToOperationLog('never')",
    }
    assert log_of(operations, scripts) == [
        "Operation chain cancelled: enough",
        "the script goes on",
        "main goes on",
    ]


def test_an_asynchronous_operation_runs_at_the_end_with_the_variables_of_its_call() -> None:
    given = design(
        {"Main": does("Call", on_success="Last"), "Last": does("Third"), "Later": does("Work")},
        {
            "Call": """
                $n = 1;
                queued = RunOperation("<TAG>operation:Later</TAG>", false);
                WriteToOperationLog("queued=" + queued);
                $n = 2;
            """,
            "Third": "WriteToOperationLog('last')",
            "Work": "WriteToOperationLog('n=' + $n); $n = 7; RaiseError('unseen')",
        },
    )
    result, after = run(given)
    assert result.log == ("queued=1", "last", "n=1", "Operation Later failed: unseen")
    assert (after["n"], result.outcome) == (2, Outcome.COMPLETED)
    assert result.after("Later")[0].variables["n"] == 7


def test_run_script_passes_arguments_and_gives_the_value() -> None:
    operations = {"Main": does("Call")}
    scripts = {
        "Call": 'WriteToOperationLog(RunScript("<TAG>script:Twice</TAG>", "ab"))',
        "Twice": "_1 + _1",
    }
    assert log_of(operations, scripts) == ["abab"]


def test_globals_win_over_project_variables_and_those_over_defaults() -> None:
    given = design(
        {"Main": does("Show")},
        {"Show": "$all = $a + $b + $c"},
        variables=[Variable(name, PLACE, default="default ") for name in "abc"],
    )
    variables = {"a": "given "}
    DesignRunner(given, project_variables={"a": "project ", "b": "project "}).run("Main", variables)
    assert variables["all"] == "given project default "


def test_with_a_clock_and_a_seed_two_runs_are_the_same() -> None:
    given = design({"Main": does("Draw")}, {"Draw": "$drawn = Now() + ' ' + GUID(); Sleep(60)"})
    waited: list[float] = []
    runner = DesignRunner(given, clock=lambda: NOON, seed=4, sleep=waited.append)
    assert runner.run("Main") == runner.run("Main")
    assert str(runner.run("Main").snapshots[0].variables["drawn"]).startswith("2026-03-05 12:00:00 ")
    assert waited == [60, 60, 60]


def test_an_activity_gets_the_body_and_the_variables_and_its_text_is_the_response() -> None:
    def upper(body: str, variables: MutableMapping[str, Value]) -> str:
        variables["seen"] = True
        return body.upper()

    given = design(
        {"Main": does("Read", activity="LLM Call")},
        {"Read": "$said = $jitterbit.response"},
        activities=[posts("LLM Call")],
    )
    by_name, for_all = (
        DesignRunner(given, activities={"LLM Call": upper}),
        DesignRunner(given, activities=upper),
    )
    for runner in (by_name, for_all):
        variables: dict[str, Any] = {"InAndOut": "hello"}
        runner.run("Main", variables)
        assert (variables["said"], variables["seen"]) == ("HELLO", True)


@pytest.mark.parametrize(
    ("template", "body"),
    [
        ("[gpt.request]", '{"a": [1]}'),
        ('{"q": "[question]", "n": [$n]}', '{"q": "why", "n": 2}'),
        ("[never{some default}]|[never{}]|[never]|[question{x}]", "some default|||why"),
        ("[1] [not a name] [[question]]", "[1] [not a name] [why]"),
        ("", ""),
        (None, "the guide's"),
    ],
)
def test_the_property_body_names_the_variables_of_the_request(template: str | None, body: str) -> None:
    bodies: list[str] = []
    given = design({"Main": does(activity="Ask")}, {}, activities=[posts("Ask", template)])
    variables = {"gpt.request": '{"a": [1]}', "question": "why", "n": 2, "InAndOut": "the guide's"}
    DesignRunner(given, activities={"Ask": lambda sent, _: bodies.append(sent)}).run("Main", variables)
    assert bodies == [body]
    assert "jitterbit.response" not in variables


def test_an_activity_that_fails_fails_its_operation_and_leaves_the_old_response() -> None:
    def fails(body: str, _: MutableMapping[str, Value]) -> str:
        raise OperationFailed(f"HTTP 503 for '{body}'")

    given = design({"Main": does("Read", activity="Ask")}, {"Read": "$read = true"})
    variables: dict[str, Any] = {"jitterbit.response": "old"}
    result = DesignRunner(given, activities={"Ask": fails}).run("Main", variables)
    assert (result.outcome, result.error) == (Outcome.FAILED, "Main: HTTP 503 for ''")
    assert variables["jitterbit.response"] == "old"
    assert "read" not in variables


def test_values_of_secret_variables_are_in_no_snapshot_log_or_error() -> None:
    given = design(
        {"Main": does("Leak")},
        {
            "Leak": """
                $header = 'Bearer ' + $key; $all = {{$key}};
                WriteToOperationLog($header);
                RaiseError($key + $pin)
            """
        },
        variables=[Variable("key", PLACE, is_secret=True), Variable("pin", PLACE, is_secret=True)],
    )
    variables: dict[str, Any] = {}
    result = DesignRunner(given, project_variables={"key": "sk-1234", "pin": "12"}).run("Main", variables)
    assert "sk-1234" not in repr(result)
    assert result.log[0] == "Bearer ***"
    assert result.error == "Leak, line 4, column 17: ***12"
    kept = result.snapshots[-1].variables
    assert (kept["key"], kept["pin"], kept["header"], kept["all"]) == ("***", "***", "Bearer ***", [["***"]])
    assert variables["header"] == "Bearer sk-1234"


def test_a_mode_decides_where_the_guide_and_the_reference_disagree() -> None:
    given = design({"Main": does("Parse")}, {"Parse": "$calls = GetJSONString('{}', '/tool_calls')"})
    variables: dict[str, Any] = {}
    assert DesignRunner(given).run("Main", variables).outcome is Outcome.COMPLETED
    assert variables["calls"] == "null"
    error = DesignRunner(given, mode="strict").run("Main").error
    assert error == "Parse, line 1, column 10: tool_calls is not a valid path (in /tool_calls)"
    with pytest.raises(ValueError, match="there is no mode 'lenient'"):
        DesignRunner(given, mode="lenient")
