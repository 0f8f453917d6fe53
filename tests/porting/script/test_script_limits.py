"""No script takes all time, all memory or the interpreter's stack."""

import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from callagain.porting.script import (
    Limits,
    LocalHost,
    ScriptError,
    ScriptLimitError,
    ScriptValueError,
    parse,
    run_script,
)

SMALL = Limits(steps=30_000, value_size=20_000, held_size=1_000_000)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("a = 'x'; While(true, a = a + a)", "a value would have 32,768 characters or elements"),
        ("a = {1}; While(true, a = {a, a}; String(a))", "a value would have 24,573 characters"),
        ("i = 0; While(true, i = 0; While(i < 100, i++))", "the script took more than 30,000 steps"),
        ("a[500000] = 1", "a value would have 500,001 characters or elements"),
        ("Replace(RPad('', 15000), ' ', 'ab')", "a value would have 30,000 characters"),
        ("RegExReplace(RPad('', 15000), ' ', 'ab')", "a value would have"),
        ("RandomString(1000000)", "a value would have 1,000,000 characters"),
        ("RegExMatch(RPad('', 15000), '( *)*( | )*x')", "steps"),
        ("CountSubString(RPad('', 12000), RPad('', 6000))", "steps"),
        ("{RPad('', 12000), RPad('', 12000)}", "a value would have 24,000"),
        ("Split(RPad('', 15000), ' ')", "a value would have 240,000"),
        ("Sleep(3000); Sleep(700)", "the script would wait more than 3,600 seconds in all"),
    ],
)
def test_a_script_is_stopped_at_a_limit(script: str, message: str) -> None:
    with pytest.raises(ScriptLimitError, match=message):
        run_script(script, host=LocalHost(waiting=lambda _: None), limits=SMALL)


def test_what_the_variables_hold_together_has_a_limit() -> None:
    limits = Limits(held_size=10_000_000)
    script = "a = Array(); s = RPad('', 1000000); i = 0; While(true, a[-1] = s + i; i++)"
    with pytest.raises(ScriptLimitError, match="the variables hold more than 10,000,000 bytes together"):
        run_script(script, limits=limits)


def test_a_limit_is_not_caught_by_eval() -> None:
    with pytest.raises(ScriptLimitError):
        run_script("Eval(While(true, 1), 'caught')", limits=Limits(iterations=10))


def test_a_loop_has_50_000_iterations() -> None:
    variables = {"jitterbit.scripting.while.max_iterations": None, "i": 0}
    with pytest.raises(ScriptLimitError, match="the loop reached 50,000 iterations"):
        run_script("While(true, $i++)", globals=variables)
    assert variables["i"] == 50_000


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5_000,
        "-" * 5_001 + "1",
        "!" * 5_000,
        "{" * 5_000,
        "a[" * 5_000,
        "If(1," * 5_000,
        "x = " * 5_000,
        "f(" * 300 + ")" * 300,
        "(" * 60 + "1" + " + 1) * 2 == 1 && 1 || 1" * 60,
        "JSONParser('" + "[" * 5_000 + "')",
        "ReadArrayString('" + "{" * 5_000 + "')",
        "RegExMatch('', '" + "(" * 5_000 + "')",
        "x" * 2_000_000,
    ],
    ids=lambda text: text[:20],
)
def test_no_nesting_reaches_the_stack(text: str) -> None:
    with pytest.raises(ScriptError):
        run_script(text)


def test_a_long_concatenation_is_not_deep() -> None:
    assert run_script(" + ".join(["'a'"] * 5_000)) == "a" * 5_000


def test_forty_ifs_inside_each_other_are_not_too_deep() -> None:
    assert run_script("If(false, 0, " * 40 + "'found'" + ")" * 40) == "found"


@pytest.mark.parametrize("script", ["a = {1}; a[0] = a; ", "a = Dict(); a['k'] = {a}; "])
@pytest.mark.parametrize(
    "use", ["String(a)", "JSONStringify(a)", "Equal(a, a)", "'' + Length(a) + String({a})"]
)
def test_a_value_that_contains_itself_is_told(script: str, use: str) -> None:
    with pytest.raises((ScriptValueError, ScriptLimitError), match="does one contain itself"):
        run_script(script + use)


def recursive_host() -> LocalHost:
    host = LocalHost()
    script = parse("$depth = $depth + 1; RunScript('<TAG>script:Again</TAG>')", "Again")
    host.scripts = {
        "Again": lambda arguments, caller: run_script(script, host=host, arguments=arguments, caller=caller)
    }
    host.variables["depth"] = 0
    return host


@pytest.mark.parametrize(("most", "depth"), [(None, 9), (3, 2), ("4", 3)])
def test_scripts_that_run_each_other_come_to_an_end(most: int | str | None, depth: int) -> None:
    host = recursive_host()
    host.variables["jitterbit.scripting.nesting.max"] = most
    with pytest.raises(ScriptLimitError, match="look for two that call each other"):
        run_script('RunScript("<TAG>script:Again</TAG>")', host=host)
    assert host.variables["depth"] == depth


def test_a_host_that_loses_count_is_stopped_before_the_stack_is() -> None:
    host = recursive_host()
    host.scripts = {"Again": lambda arguments, caller: run_script(script, host=host)}  # noqa: ARG005
    script = "RunScript('<TAG>script:Again</TAG>')"
    with pytest.raises(ScriptLimitError, match="nested too deeply"):
        run_script(script, host=host)


def test_scripts_that_run_each_other_have_one_limit_together() -> None:
    host = LocalHost()
    host.scripts = {
        "Loop": lambda arguments, caller: run_script(
            "i = 0; While(i < 100, i++)", host=host, arguments=arguments, caller=caller
        )
    }
    with pytest.raises(ScriptLimitError, match="the script took more than 5,000 steps"):
        run_script("While(true, RunScript('<TAG>script:Loop</TAG>'))", host=host, limits=Limits(steps=5_000))


def below(levels: int, run: Callable[[], object]) -> object:
    return run() if levels == 0 else below(levels - 1, run)


def test_a_script_runs_deep_inside_of_a_program() -> None:
    levels = sys.getrecursionlimit() - 450
    assert below(levels, lambda: run_script("If(true, 1 + Length('abc'), 0)")) == 4


@pytest.mark.parametrize(
    "script",
    [
        "If(" * 80 + "1" + ", 1, 1)" * 80,
        "(" * 80 + "1" + ")" * 80,
        "{" * 80 + "1" + "}" * 80,
        "Length(" * 80 + "1" + ")" * 80,
        "a = {1}; i = 0; While(i < 60, i++; a = {a}); String(a) + JSONStringify(a) + Equal(a, a); -a; a + 1",
    ],
    ids=lambda script: script[:10],
)
def test_no_depth_of_the_program_brings_the_stack_to_its_end(script: str) -> None:
    def run() -> None:
        with suppress(ScriptError):
            run_script(script)

    for levels in range(0, sys.getrecursionlimit() - 150, 60):
        below(levels, run)


def test_megabytes_of_json_are_read() -> None:
    text = json.dumps({"choices": [{"message": {"content": "x" * 3_000_000, "n": list(range(50_000))}}]})
    started = time.process_time()
    script = "GetJSONString($r, '/choices/0/message/n/49999') + Length(JSONParser($r)['choices'])"
    assert run_script(script, globals={"r": text}) == "499991"
    assert time.process_time() - started < 5
