"""What a JavaScript step has, and what it leaves behind."""

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.porting.script import guide_scripts as guide

from callagain.porting.javascript import run_javascript
from callagain.porting.script import LocalHost, Value, run_script

VALUES: tuple[tuple[str, Value], ...] = (
    ("", None),
    ("undefined", None),
    ("1 + 1", 2),
    ("1.5", 1.5),
    ("-0", 0),
    ("1e21", 1e21),
    ("true", True),
    ("'a' + 1", "a1"),
    ("'a\\u0000b' + '\\ud800'", "a\0b\ud800"),
    ("'x'.repeat(100000) + 'y'", "x" * 100_000 + "y"),
    ("[1, [true, null], {a: undefined, b: 'x'}]", [1, [True, None], {"b": "x"}]),
    ("({b: 1, 10: 2, 9: 3})", {"9": 3, "10": 2, "b": 1}),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"),
    ("var x = 5; x; function f() {}", 5),
    ("const n = typeof $never === 'undefined' ? [1] : []; n.concat({a: 2})", [1, {"a": 2}]),
    ("'use strict'; 'x'.repeat(100000) + 'y'", None),
    ("NaN", None),
    ("(function () {})", None),
    ("<javascript>1 + 1</javascript>", 2),
    (" \n<JavaScript>\n'a'\n</JAVASCRIPT>\n", "a"),
    ("SetScriptResult({a: [1]}); 5", {"a": [1]}),
    ("SetScriptResult('a\\u0000b'); SetScriptResult(null); 5", None),
    ("typeof require + typeof process + typeof std + typeof os + typeof print", "undefined" * 5),
    ("typeof Promise + typeof performance + typeof Atomics", "undefined" * 3),
    ("this.constructor.constructor('return this')() === this", True),
)


@pytest.mark.parametrize(("script", "value"), VALUES)
def test_the_value_of_a_script(script: str, value: Value) -> None:
    found = run_javascript(script)
    assert (type(found), found) == (type(value), value)


CHANGES: tuple[tuple[str, dict[str, Value], dict[str, Value]], ...] = (
    ("$a = $a + 1;", {"a": 1}, {"a": 2}),
    ("var $new = {x: [1]};", {}, {"new": {"x": [1]}}),
    ("$a = undefined;", {"a": 1}, {"a": None}),
    (
        "$list.push($dict.key); delete $dict.key;",
        {"list": [1], "dict": {"key": True}},
        {"list": [1, True], "dict": {}},
    ),
    ("'use strict'; var $a = 1; let $b = 2; const $c = 3;", {"a": 0}, {"a": 1, "b": 2, "c": 3}),
    ("(function () { var $inner = 1; $a = $inner; })()", {"a": 0}, {"a": 1}),
    ("globalThis['$' + 'a'] = 2;", {"a": 1}, {"a": 2}),
    ("Jitterbit.SetVar('$a', [1, true, null]);", {"a": 0}, {"a": "1,true,"}),
    ("Jitterbit.SetVar('$a.b', {});", {}, {"a.b": "[object Object]"}),
    (
        "$x = Jitterbit.GetVar('$a.b') + Jitterbit.GetVar('$y');",
        {"a.b": 1, "x": 0, "y": 2},
        {"a.b": 1, "x": 3, "y": 2},
    ),
    ("$x = Jitterbit.GetVar('$no.such');", {"x": 1}, {"x": None}),
    ("$day = typeof $day;", {"day": datetime(2026, 3, 5)}, {"day": "string"}),
    ("$s = '\\u0000\\ud800é';", {"s": ""}, {"s": "\0\ud800é"}),
    ("$n = 9007199254740993; $big = 1e20;", {}, {"n": 9007199254740992, "big": 1e20}),
    ("var local = 1; other = 2;", {}, {}),
)


@pytest.mark.parametrize(("script", "before", "after"), CHANGES)
def test_variables_are_read_and_assigned(
    script: str, before: dict[str, Value], after: dict[str, Value]
) -> None:
    variables = dict(before)
    run_javascript(script, globals=variables)
    assert variables == after


REPLACED_BY_SCRIPTS = (
    "['push', 'join', 'forEach', 'slice'].forEach(function (name) { Array.prototype[name] = null; });",
    "Array.prototype.push = function () { return 9; };",
    "Array.prototype[Symbol.iterator] = String.prototype.includes = String.prototype.slice = null;",
    "JSON.stringify = JSON.parse = null; JSON = String = Number = Array = Map = Error = Reflect = null;",
    "Object.keys = Object.getOwnPropertyNames = Object.getPrototypeOf = null; Object = Function = null;",
    "Map.prototype.get = Map.prototype.has = Map.prototype.forEach = null;",
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null;",
    "Object.prototype.toJSON = Array.prototype.toJSON = function () { return 'lost'; };",
    "Date.prototype.toJSON = Date.prototype.getTime = Date.prototype.toISOString = null;",
    "String.prototype.valueOf = Number.prototype.valueOf = Math.imul = RegExp.prototype.exec = null;",
    "Object.prototype.refused = 'no'; Object.prototype.$x = Object.prototype['$a.b'] = 'inherited';",
    "[0, 1, 2, 'value', 'length', 'above', '$a.b'].forEach(function (name) { Object.defineProperty("
    "Object.prototype, name, {__proto__: null, get: function () { return 7; }, "
    "set: function () { throw 'set'; }}); });",
    "Object.defineProperty(Array.prototype, '0', {set: function () {}});",
    "eval = parseInt = isNaN = isFinite = undefined; Object.freeze(Array.prototype);",
)
ASSIGNS = """
$x = {a: [1, 'two'], day: new Date(0), none: undefined}; Jitterbit.SetVar('$a.b', 1);
$seen = Jitterbit.GetVar('$a.b') + typeof Jitterbit.GetVar('$c.d') + Date.parse('2024-02-29T10:00');
$told = new Date(2024, 1, 29).toLocaleString(); Math.random(); WriteToOperationLog('one'); 0
"""


@pytest.mark.parametrize("replaced", REPLACED_BY_SCRIPTS)
def test_what_a_script_replaces_of_the_language_changes_nothing_of_what_it_leaves(replaced: str) -> None:
    host = LocalHost(variables={"x": 1, "c.d": "d"})
    assert run_javascript(replaced + ASSIGNS, host=host) == 0
    assert host.variables == {
        "x": {"a": [1, "two"], "day": "1970-01-01T00:00:00.000Z"},
        "c.d": "d",
        "a.b": "1",
        "seen": "1string1709200800000",
        "told": "02/29/2024, 12:00:00 AM",
    }
    assert host.log == ["one"]


def test_what_a_value_says_of_its_own_json_counts() -> None:
    script = """
        function Money(n) { this.n = n; }
        Money.prototype.toJSON = function () { return this.n + ' EUR'; };
        [new Money(5),
         {toJSON: function () { return 6; }}, Object('text'), Object(7), Object(false), new Date(NaN)]
    """
    assert run_javascript(script) == ["5 EUR", 6, "text", 7, False, None]


def test_what_a_script_does_not_change_stays_the_object_that_it_is() -> None:
    kept: dict[str, Value] = {"day": datetime(2026, 3, 5), "data": b"\0", "list": [1, {"10": 1, "9": 2}]}
    variables = dict(kept)
    run_javascript("var all = [$day, $data, $list, Jitterbit.GetVar('$x.y')];", globals=variables)
    assert all(variables[name] is value for name, value in kept.items())


def test_the_log_is_the_hosts_also_of_a_script_that_fails() -> None:
    host = LocalHost()
    assert run_javascript("WriteToOperationLog('one'); WriteToOperationLog(2)", host=host) == 2
    with pytest.raises(Exception, match="boom"):
        run_javascript("WriteToOperationLog('three'); throw new Error('boom');", host=host)
    assert host.log == ["one", "2", "three"]


def test_time_and_chance_are_the_hosts_and_the_zone_is_utc() -> None:
    def run(script: str) -> Value:
        noon = datetime(2026, 3, 5, 12, 30, 15, 250_000, UTC)
        return run_javascript(script, host=LocalHost(clock=lambda: noon, chance=random.Random(7)))

    script = "[new Date().toISOString(), Date.now() % 1000, Date(), new Date().toLocaleString()]"
    assert run(script) == [
        "2026-03-05T12:30:15.250Z",
        250,
        "Thu Mar 05 2026 12:30:15 GMT+0000",
        "03/05/2026, 12:30:15 PM",
    ]
    assert run("[Math.random(), Math.random()]") == run("[Math.random(), Math.random()]")
    assert run("Math.random() !== Math.random()") is True


def test_a_jitterbit_script_runs_a_javascript_step_with_arguments() -> None:
    host = LocalHost(variables={"total": 1})
    host.scripts = {
        "Add": lambda arguments, caller: run_javascript(
            "$total += _1; ({sum: $total})", host=host, arguments=arguments, caller=caller
        )
    }
    assert run_script('RunScript("<TAG>script:Add</TAG>", 4)["sum"]', host=host) == 5
    assert host.variables["total"] == 5


def test_part_4_of_the_guide_appends_a_round_and_rebuilds_the_request() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    base = [{"role": "user", "content": "Hi"}]
    variables: dict[str, Any] = {
        "tools_resp": json.dumps({"choices": [{"message": message}]}),
        "tools_messages": "",
        "non_tool_messages_json": json.dumps(base),
        "tool_call_id": "call_1",
        "function_resp": 5,
        "InAndOut": '{"model":"gpt-4o","messages":[],"tools":[]}',
    }
    run_javascript(guide.APPEND_TOOL_RESULT, name="Append Tool Result", globals=variables)
    round_ = [message, {"role": "tool", "tool_call_id": "call_1", "content": "5"}]
    assert json.loads(variables["tools_messages"]) == round_
    assert json.loads(variables["InAndOut"]) == {"model": "gpt-4o", "messages": base + round_, "tools": []}


def test_either_globals_or_a_host_is_given() -> None:
    with pytest.raises(TypeError, match="give globals, or a host"):
        run_javascript("1", globals={}, host=LocalHost())
