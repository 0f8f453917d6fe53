"""What a JavaScript step fails with: kind, message and place; and its limits."""

import sys
from typing import Any

import pytest

from callagain.engine.errors import ConfigurationError
from callagain.porting.javascript import JavaScriptLimits, run_javascript
from callagain.porting.script import Caller, Limits, LocalHost, ScriptError, run_script
from callagain.porting.script.limits import Meter

FAILURES = (
    (
        "\n  foo(;",
        "syntax",
        "script, line 2, column 7: this is no JavaScript: unexpected token in expression: ';'",
    ),
    (
        "<javascript>1",
        "syntax",
        "line 1, column 1: <javascript> and </javascript> must stand around the whole",
    ),
    ("'\0'", "syntax", "line 1, column 1: the script holds a character that no text has"),
    ("\nvar a = JSON.parse('{');", "value", "line 2, column 14: SyntaxError: Expected property name"),
    (
        "var a;\nvar b = a.choices[0];",
        "value",
        "line 2, column 9: TypeError: cannot read property 'choices' of unde",
    ),
    ("$missing", "value", "$missing is not set; set it before, or declare it here: var $missing = …"),
    ("missing", "value", "line 1, column 1: missing is not defined"),
    (
        "RunOperation('x')",
        "unknown function",
        "RunOperation is a function of Jitterbit Script; JavaScript has",
    ),
    (
        "Jitterbit.ReadFile('x')",
        "unknown function",
        "line 1, column 10: Jitterbit.ReadFile is not supported: a scr",
    ),
    ("Jitterbit.WriteFile('x', 1)", "unknown function", "Jitterbit.WriteFile is not supported"),
    ("Jitterbit.DbExecute('x')", "unknown function", "Jitterbit.DbExecute is not supported"),
    ("Jitterbit.DbLookup('x')", "unknown function", "Jitterbit.DbLookup is not supported"),
    ("function f() {\n  throw new Error('boom');\n}\nf();", "raised", "line 2, column 13: boom"),
    ("throw 5", "raised", "line 1, column 1: 5"),
    ("throw null", "raised", "null"),
    ("$a = NaN", "value", "$a holds what no variable can hold: a number that is not finite"),
    ("var $a = {x: [1 / 0]}", "value", "$a holds what no variable can hold: a number that is not finite"),
    ("$a = function () {}", "value", "$a holds a function, which no variable can hold"),
    ("var a = {}; a.a = a; var $a = a;", "value", "$a holds what no variable can hold: circular reference"),
    ("SetScriptResult(NaN)", "value", "the script's result holds what no variable can hold"),
    ("var $a = []; for (var i = 0; i < 70; i++) $a = [$a];", "value", "nested deeper than"),
    ("\n  throw {toString: null}", "raised", "line 2, column 3: the script threw a value that has no text"),
    (
        "'use strict';\nthrow {toString: null}",
        "raised",
        "line 2, column 1: the script threw a value that has",
    ),
    ("throw {toString: function () { while (true); }}", "limit", "the script ran longer than 0.1 seconds"),
    ("Jitterbit.GetVar(Object.create(null))", "value", "line 1, column 31: TypeError"),
    ("while (true);", "limit", "the script ran longer than 0.1 seconds; look for a loop that does not end"),
    ("for (;;) { try { while (true); } catch (e) {} }", "limit", "the script ran longer than 0.1 seconds"),
    ("/(a+)+$/.test(new Array(40).join('a') + 'b')", "limit", "the script ran longer than 0.1 seconds"),
    ("[].reverse.call({length: 1 << 23})", "limit", "the script ran longer than 0.1 seconds"),
    (
        "var a = []; while (true) a.push('x' + a.length);",
        "limit",
        "the script took more than 8,388,608 bytes",
    ),
    ("'x'.repeat(1e9)", "limit", "the script took more than 8,388,608 bytes"),
    ("function f() { f(); }\nf();", "limit", "functions call each other too deeply"),
)


@pytest.mark.parametrize(("script", "kind", "message"), FAILURES)
def test_a_failure_is_told_with_kind_and_place(script: str, kind: str, message: str) -> None:
    # Only what would not end is stopped by the clock, however busy the machine is.
    seconds = 0.1 if "0.1 seconds" in message else 10
    with pytest.raises(ScriptError) as raised:
        run_javascript(script, globals={"a": 1}, limits=JavaScriptLimits(seconds, memory=8 * 1024 * 1024))
    assert (raised.value.kind, message in raised.value.headline) == (kind, True), str(raised.value)
    assert raised.value.place is not None


def test_an_error_shows_the_line_with_a_caret() -> None:
    text = "<javascript>\nvar order = JSON.parse($order);\n</javascript>"
    with pytest.raises(ScriptError) as raised:
        run_javascript(text, name="Append Tool Result", globals={"order": "{'id': 1}"})
    assert str(raised.value) == (
        "Append Tool Result, line 2, column 24: SyntaxError: Expected property name or '}' in JSON at "
        "position 1 (line 1 column 2)\n"
        "    var order = JSON.parse($order);\n"
        "                           ^"
    )


def test_what_was_assigned_before_an_error_stays() -> None:
    variables: dict[str, Any] = {"a": 1, "b": 1}
    with pytest.raises(ScriptError, match="boom"):
        run_javascript("$a = 2; throw new Error('boom'); $b = 2;", globals=variables)
    assert variables == {"a": 2, "b": 1}


def test_a_value_that_json_cannot_hold_does_not_go_in() -> None:
    with pytest.raises(ScriptError, match=r"\$a: the result is no finite number"):
        run_javascript("1", globals={"a": float("nan")})


def test_scripts_that_run_each_other_come_to_an_end() -> None:
    host = LocalHost()
    host.scripts = {
        "Jitterbit": lambda arguments, caller: run_script(
            'RunScript("<TAG>script:JavaScript</TAG>")', host=host, arguments=arguments, caller=caller
        ),
        "JavaScript": lambda arguments, caller: run_javascript(
            "1", host=host, arguments=arguments, caller=Caller(10, caller.meter)
        ),
    }
    with pytest.raises(ScriptError, match="scripts run each other 10 deep"):
        run_script('RunScript("<TAG>script:Jitterbit</TAG>")', host=host)
    assert run_javascript("1", host=host, caller=Caller(9, Meter(Limits()))) == 1


def test_without_quickjs_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'callagain\[jitterbit\]'"):
        run_javascript("1")
