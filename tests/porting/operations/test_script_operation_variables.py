"""Variables, errors, time and chance of a script that is an operation."""

import sys
from datetime import datetime
from typing import Any

import pytest

from callagain.engine import Inputs, Variables
from callagain.engine.errors import ConfigurationError, Failure
from callagain.porting.design.model import Language, SourcePlace
from callagain.porting.design.model import Script as DesignScript
from callagain.porting.javascript import JavaScriptLimits
from callagain.porting.jitterbit_script import JitterbitScript
from callagain.porting.script import ScriptSyntaxError


def variables_of_a_run(run_id: str = "run-1") -> Variables:
    return Variables.of(Inputs(run_id=run_id, model="gpt-4o", user_message="Hi", seed="seed"))


def after(script: JitterbitScript | str, variables: Variables | None = None) -> Variables:
    variables = variables_of_a_run() if variables is None else variables
    operation = JitterbitScript(script) if isinstance(script, str) else script
    operation.run(variables)
    return variables


def failure_of(script: JitterbitScript | str) -> str:
    with pytest.raises(Failure) as raised:
        after(script)
    assert raised.value.problem.kind == "operation_failed"
    return raised.value.problem.message


def test_scripts_of_both_languages_share_their_variables() -> None:
    variables = after(
        '$order = Dict(); $order["id"] = 42; $n = 1; $flag = 1 == 1; $day = Date("2026-03-05");'
    )
    after(JitterbitScript("$order.items = [$n]; $n = $n + 0.5;", language="javascript"), variables)
    after('$first = $order["items"][0]; $count = $n + 1;', variables)
    assert variables.own["jitterbit"] == {
        "order": {"id": 42, "items": [1]},
        "n": 1.5,
        "flag": True,
        "day": "2026-03-05 00:00:00",
        "first": 1,
        "count": 2.5,
    }


def test_what_an_earlier_operation_left_is_not_changed_in_place() -> None:
    before = after("$list = {1};")
    variables = before.copy()
    after("$list[1] = 2;", variables)
    assert before.own["jitterbit"] == {"list": [1]}
    assert variables.own["jitterbit"] == {"list": [1, 2]}


def test_project_variables_begin_every_run_anew() -> None:
    script = JitterbitScript(
        "$retries += 1; $names[2] = $gpt.model;",
        variables={
            "retries": 0,
            "names": ["a", "b"],
            "gpt.model": "gpt-4o",
            "$unused": True,
        },
    )
    for _ in range(2):
        assert after(script).own["jitterbit"] == {"retries": 1, "names": ["a", "b", "gpt-4o"]}


def test_the_variables_of_the_guide_have_their_forms() -> None:
    variables = after(
        '$loop_count = "2"; $maxIterations = 7; $call_llm_again = "true"; $function_resp = 5;'
        "$final_response = Null(); $tools_messages = JSONStringify({1, 2});"
    )
    found = variables.as_jitterbit()
    names = ("loop_count", "maxIterations", "call_llm_again", "function_resp")
    assert {name: found[name] for name in names} == {
        "loop_count": 2,
        "maxIterations": 7,
        "call_llm_again": True,
        "function_resp": "5",
    }
    assert (found["final_response"], found["tools_messages"]) == ("", "[1,2]")


def test_registered_tools_of_the_hr_agent_are_the_tools_of_the_run() -> None:
    assert after("$same = $gpt.registeredTools == $toolsJson;").own["jitterbit"] == {"same": True}


def test_lines_of_the_log_and_warnings_are_the_operations_notes() -> None:
    variables = after('WriteToOperationLog("one"); Sleep(3600); WriteToOperationLog("two");')
    assert [(note.code, note.message) for note in variables.notes] == [
        (None, "one"),
        (None, "two"),
        ("not_waited", "script: Sleep(3600) did not wait: no operation of a chain does"),
    ]


FAILURES: tuple[tuple[str, str], ...] = (
    ('\n RaiseError("no such order");', "script, line 2, column 2: no such order"),
    ("$a = Nonsense(1);", "script, line 1, column 6: there is no function 'Nonsense'"),
    (
        "$a = Now();",
        "a script of a chain knows no time, since a run that is replayed must give the same; pass now=",
    ),
    (
        'RunOperation("<TAG>operation:LLM Call</TAG>");',
        "operation 'LLM Call': the operations of a chain are run by",
    ),
    ('RunScript("<TAG>script:Other</TAG>");', "the project has no script 'Other'; known: none"),
    ('CancelOperationChain("enough");', "script cancelled the operation chain: enough"),
    (
        '$systemPrompt = "x";',
        "$systemPrompt is set when the run begins, and stays as it is; pass system_prompt= to",
    ),
    ('$InAndOut = "{";', "script: InAndOut must be a JSON object: "),
    ("$tools_messages = {1};", "script: $tools_messages holds text here; make one by JSONStringify"),
    ("$loop_count = Array();", "a value of type array is no number"),
)


@pytest.mark.parametrize(("script", "message"), FAILURES)
def test_a_script_that_fails_fails_the_operation(script: str, message: str) -> None:
    assert message in failure_of(script)


def test_a_javascript_step_that_fails_or_does_not_end_fails_the_operation() -> None:
    raising = JitterbitScript("<javascript>throw new Error('boom')</javascript>", name="Append")
    assert failure_of(raising) == "Append, line 1, column 23: boom"
    timeless = JitterbitScript("new Date()", language="javascript")
    assert "a script of a chain knows no time" in failure_of(timeless)
    endless = JitterbitScript(
        "while (true);", language="javascript", javascript_limits=JavaScriptLimits(seconds=0.05)
    )
    assert "look for a loop that does not end" in failure_of(endless)


def test_a_request_that_is_built_in_pieces_need_be_whole_in_the_end_alone() -> None:
    variables = after(r'$InAndOut = "{\"model\":"; $InAndOut += "\"m\""; $InAndOut += "}";')
    assert variables.InAndOut == b'{"model":"m"}'


def test_chance_follows_from_the_run_and_differs_from_script_to_script() -> None:
    def drawn(run_id: str) -> dict[str, Any]:
        variables = after("$one = GUID();", variables_of_a_run(run_id))
        after("$two = GUID();", variables)
        after(JitterbitScript("var $three = Math.random()", language="javascript"), variables)
        return dict(variables.own["jitterbit"])  # type: ignore[arg-type]

    assert drawn("run-1") == drawn("run-1")
    assert drawn("run-1") != drawn("run-2")
    assert len(set(drawn("run-1").values())) == 3


def test_the_time_is_the_one_that_was_given() -> None:
    now = datetime(2026, 3, 5, 12, 30)
    jitterbit = JitterbitScript('$at = FormatDate(Now(), "yyyy-mm-dd HH:MM");', now=now)
    javascript = JitterbitScript("var $at = new Date().toISOString()", language="javascript", now=now)
    assert after(jitterbit).own["jitterbit"] == {"at": "2026-03-05 12:30"}
    assert after(javascript).own["jitterbit"] == {"at": "2026-03-05T12:30:00.000Z"}


def test_the_cache_lasts_as_long_as_the_run() -> None:
    variables = after('WriteCache("token", {1});')
    after('$token = ReadCache("token")[0];', variables)
    assert variables.own["jitterbit"] == {"token": 1}
    assert after('$token = IfNull(ReadCache("token"), "none");').own["jitterbit"] == {"token": "none"}


def test_scripts_of_the_project_run_each_other() -> None:
    place = SourcePlace("design.json")
    script = JitterbitScript(
        'RunOperation("<TAG>operation:Prepare</TAG>"); $sum = RunScript("<TAG>script:Add</TAG>", 1, 2);',
        scripts={"Add": DesignScript("Add", Language.JAVASCRIPT, "_1 + _2 + $base", place)},
        operations={"Prepare": ["$base = 10;", "<javascript>$base = $base * 2;</javascript>"]},
    )
    assert after(script).own["jitterbit"] == {"base": 20, "sum": "23"}


def test_mistakes_are_told_when_the_operation_is_made() -> None:
    with pytest.raises(ScriptSyntaxError, match=r'if this is JavaScript, say language="javascript"'):
        JitterbitScript("var a = 1;")
    with pytest.raises(ScriptSyntaxError, match="Prepare, step 2, line 1"):
        JitterbitScript("1", operations={"Prepare": ["1", "1 +"]})
    with pytest.raises(ValueError, match="there is no language 'python'; the languages are"):
        JitterbitScript("1", language="python")
    with pytest.raises(ValueError, match="variables: the value of a is no JSON value"):
        JitterbitScript("1", variables={"a": float("nan")})
    with pytest.raises(ValueError, match="variables: userMessage comes from the run; pass it to run()"):
        JitterbitScript("1", variables={"userMessage": "Hi"})
    with pytest.raises(ValueError, match="variables: loop_count comes from the run; a script may set it"):
        JitterbitScript("1", variables={"$loop_count": 1})
    with pytest.raises(ValueError, match="Prepare has no script; an operation has one at least"):
        JitterbitScript("1", operations={"Prepare": []})
    with pytest.raises(ValueError, match="there is no mode 'loose'"):
        JitterbitScript("1", mode="loose")


def test_javascript_without_quickjs_is_told_when_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'callagain\[jitterbit\]'"):
        JitterbitScript("1", language="javascript")
