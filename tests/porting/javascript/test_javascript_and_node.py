"""JavaScript steps held against node: the texts that JSON makes, and the values of expressions."""

import json
from typing import Any

import pytest
from tests.porting.node import run_node
from tests.porting.script import guide_scripts as guide

from callagain.porting.javascript import run_javascript

TEXTS = (
    '"\\ud83d\\ude00 é \\u2028\\u2029 \\u0000\\u001f\\u007f"', '"\\ud800"', '"\\udc00\\ud800"', '"a\\ud800b"',
    '"\\/ \\" \\\\ \\b\\f\\n\\r\\t"', '"</script>"', '"ẞ ﬀ"', "1e21", "1e20",
    "123456789012345678901234567890", "-0", "0.0", "-0.0", "1E-7", "0.000001", "1.0", "1.10", "5e-324",
    "1.7976931348623157e308", "1e400", "9007199254740993", "0.1", "100000000000000000000000", "4.35", "true",
    "null", '""', "[]", "{}", "[[],{}]",
    '{"b":1,"a":2,"10":3,"2":4,"-1":5,"01":6,"1.5":7,"4294967295":8,"4294967294":9}', '{"a":1,"a":2}',
    '{"__proto__":{"x":1},"constructor":2,"toJSON":3,"":4}', '{"é":{"\\u0000":[null]}}', " [1 , 2 ] ",
)  # fmt: skip

EXPRESSIONS = (
    "0.1 + 0.2", "1 / 3", "1e21 + 1", "123456789 * 987654321", "(25).toString(36)", "(1.005).toFixed(2)",
    "(1e21).toFixed(2)", "(123.456).toPrecision(4)", "String(-0)", "parseInt('12px')", "parseFloat('.5e3x')",
    "'5' * '2'", "[1, 10, 2].sort()", "[3, 1, 2].sort(function (a, b) { return a - b; })", "String({})",
    "String([1, [2, null]])", "'a-b-c'.replace(/-/g, '+')", "'x1y22'.match(/\\d+/g)", "'İ'.toLowerCase()",
    "'straße'.toUpperCase()", "encodeURIComponent('a b&é/')", "escape('ü')", "'😀'.length",
    "'😀'.charCodeAt(0)", "'abc'.substr(-2)", "Object.keys({b: 1, 2: 2, a: 3, 1: 4})", "'b,a,,'.split(',')",
    "typeof null", "new Date(Date.UTC(2024, 1, 29)).toISOString()",
    "new Date('2024-02-29T10:00').toISOString()", "new Date('Feb 29 2024 10:00').getTime()",
    "new Date(2024, 0, 31).toJSON()", "new Date('2024-02-29').getDay()", "new Date(0).getTimezoneOffset()",
    "new Date('2024-02-29T10:00:00+02:00').getHours()", "Date.parse('x')",
    "new Date(2024, 0, 31, 23).setMonth(1)", "new Date(NaN).getTime()", "new Date(new Date(5)).getTime()",
    "JSON.stringify({a: [undefined, function () {}], b: undefined, c: new Date(0)})", "isNaN('x')", "[,1]",
    "JSON.stringify({a: [1, {b: 2}]}, null, 2)", "JSON.stringify('\\u2028\\ud800')", "'a\\u0000b'",
)  # fmt: skip

MESSAGE = {
    "role": "assistant",
    "content": "\ud800 é \u2028",
    "tool_calls": [{"id": "call_1", "2": 1e21, "1": -0.0}],
}
VARIABLES = {
    "tools_resp": json.dumps({"choices": [{"message": MESSAGE}]}),
    "tools_messages": json.dumps([{"role": "assistant", "content": None}]),
    "non_tool_messages_json": json.dumps([{"role": "user", "content": 'a "quoted"\n\tline \\ 😀'}]),
    "tool_call_id": "call_1",
    "function_resp": 'odd \u0000 \u001f \udfff </script> "text"',
    "InAndOut": '{"model":"gpt-4o","messages":[],"9":1.0,"1":{"b":1e-7,"a":[]},"temperature":0.50}',
}

ASKED = """
process.env.TZ = "UTC";
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const global = {};
for (const name of Object.keys(given.variables)) global["$" + name] = given.variables[name];
require("vm").runInNewContext(given.script, global);
process.stdout.write(JSON.stringify({
  texts: given.texts.map(text => JSON.stringify(JSON.parse(text))),
  values: given.expressions.map(expression => JSON.stringify((0, eval)("(" + expression + ")"))),
  tools_messages: global.$tools_messages,
  InAndOut: global.$InAndOut,
}));
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What node makes of all of it, asked once."""
    asked = {
        "texts": TEXTS,
        "expressions": EXPRESSIONS,
        "script": guide.APPEND_TOOL_RESULT,
        "variables": VARIABLES,
    }
    values: dict[str, Any] = run_node(ASKED, asked)
    return values


def test_json_texts_are_those_of_node(told: dict[str, Any]) -> None:
    script = "$texts.map(function (text) { return JSON.stringify(JSON.parse(text)); })"
    found = run_javascript(script, globals={"texts": list(TEXTS)})
    assert isinstance(found, list)
    assert dict(zip(TEXTS, found, strict=True)) == dict(zip(TEXTS, told["texts"], strict=True))


def test_values_of_expressions_are_those_of_node(told: dict[str, Any]) -> None:
    script = "$all.map(function (each) { return JSON.stringify(eval('(' + each + ')')); })"
    found = run_javascript(script, globals={"all": list(EXPRESSIONS)})
    assert isinstance(found, list)
    assert dict(zip(EXPRESSIONS, found, strict=True)) == dict(zip(EXPRESSIONS, told["values"], strict=True))


def test_part_4_makes_the_bytes_that_node_makes(told: dict[str, Any]) -> None:
    variables: dict[str, Any] = dict(VARIABLES)
    run_javascript(guide.APPEND_TOOL_RESULT, globals=variables)
    assert variables["tools_messages"] == told["tools_messages"]
    assert variables["InAndOut"] == told["InAndOut"]
