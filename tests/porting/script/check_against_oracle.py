"""Values held against an interpreter of others: npm's `jitterbit-script`, made by watching an agent.

Node and the package come from elsewhere (`npm install jitterbit-script`, NODE_PATH), so this runs when it is
named: `python -m pytest tests/porting/script/check_against_oracle.py`.

It is asked only where it is right. Left out are: loops and what evaluates lazily, `&&` and `||`, errors
inside of calls, empty arguments, and functions that it does not have, or in which it departs from the
reference (Mid, Equal, RegExMatch, CountSubString, Bool, RPad, Truncate).
"""

import json
import shutil
import subprocess
from typing import Any

import pytest
from tests.porting.script.evaluating import Fails, outcome

from callagain.porting.script import to_text

ASKED = """
const { evaluate, Parser, Scope } = require("jitterbit-script");
console.warn = console.error = console.log = () => {};
(async () => {
  const values = [];
  for (const script of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    try {
      const value = await evaluate(new Parser().parse("<trans>" + script + "</trans>"), new Scope());
      values.push({ type: value.type, text: value.toString() });
    } catch (error) {
      values.push({ type: "error", text: "" });
    }
  }
  process.stdout.write(JSON.stringify(values));
})();
"""

SCRIPTS = (
    "1 + 2 * 3", "-2 ^ 2", "2 ^ 3 ^ 2", "2 ^ -1", "1 / 3", "0.1 + 0.2", "7 / 2", "10 - 2 - 3", "1 / 10000000",
    "10000000000 * 10000000000 * 100", "1 + 2 + 'a' + 1 + 2", "'n=' + 5 + ' ok=' + true + ' no=' + false",
    "'5' + 1", "'5' * 2", "true + 1", "1 - '1'", "'' + Null()", "Null() + 5", "Null() - 5", "5 - Null()",
    "5 * Null()", "Null() / 5", "5 / Null()", "Null() == Null()", "Null() != 1", "Null() < 1", "'abc' == 0",
    "'1234x' == 1234", "'10' < '9'", "'10' < 9", "'b' > 'a'", "'' == false", "'1' == true", "'abc' == true",
    "true == 2", "true < 2", "true < false", "'1.50' == 1.5", "'2' == '2.0'", "-'5'", "!{1, 0}", "$n++",
    "s = '5'; s++; s", "{1, 2} == 2", "{1, 2} + {3, 4}", "{1, 2} + {3}", "{1, 2}[5]", "{1, 2}[-1]",
    "Dict()['x']", "d = Dict(); d[1] = 2; d['1']", "$a = {}; $a['k'] = 1; $a", "a = 1; b = a; a = 2; b",
    "$x = 5; $x += 2; $x", "'a\\nb'", '"a\\qb"', '"\\t\\\\\\""', "'one\ntwo'", "1;", "5 5", "1e3", "12. + .5",
    "Length('abc')", "Length(5.50)", "Length(true)", "Length(Null())", "Left('abc', 2)", "Left('abc', -1)",
    "Right('abc', 9)", "LPad('abc', 5)", "LPad('abc', 2)", "Split('a,b,', ',')", "Split('a,,b', ',')",
    "Split('', ',')", "Split('abc', '')", "Replace('aXbX', 'X', '')", "Replace('abc', '', 'x')",
    r'TrimChars("\"\"hi\" he said\"", "\"")', "Trim(' a ')", "ToUpper('aBc')", "Quote('a')", "Mod(-7, 3)",
    "Mod(7, 0)", "Round(2.345, 2)", "Round(2.5)", "RoundToInt(2.5)", "RoundToInt(-2.5)", "Ceiling(1.2)",
    "Int('12abc')", "Int(-2.7)", "Int('abc')", "Double('1.5e3')", "IsInteger(5.0)", "If('', 1, 2)",
    "If('0.5', 1, 2)", "If(1 == 1, 'x')", "Case(false, 1, 1 == 1, 'b', true, 'c')", "IfNull($z, 'd')",
    "a = {3, 1, 2}; SortArray(a); a", "ReduceDimension({{1, 2}, {3}})", "StringLength({'a', 'bcd'})",
    "GeneralDate('2018-12-25T15:30:05')", "LongDate('2018-12-25T15:30:05')", "ShortTime('2018-12-25 15:30')",
    "DayOfWeek('2018-12-25')", "Date('2018-12-25') - Date('2018-12-24')", "HexToString('616263')",
)  # fmt: skip


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    """What the oracle says about each script."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    command = [node, "-e", ASKED]
    answer = subprocess.run(command, input=json.dumps(SCRIPTS), capture_output=True, text=True, timeout=60)
    if "Cannot find module 'jitterbit-script'" in answer.stderr:
        pytest.skip("npm's jitterbit-script is not installed where node looks for it (NODE_PATH)")
    values: list[dict[str, Any]] = json.loads(answer.stdout)
    return values


def test_values_are_those_of_another_interpreter(told: list[dict[str, Any]]) -> None:
    differing: list[str] = []
    for script, value in zip(SCRIPTS, told, strict=True):
        found = outcome(script)
        if isinstance(found, Fails):
            same = value["type"] == "error"
        else:
            same = value["text"] == ("null" if found is None else to_text(found))
        if not same:
            differing.append(f"{script}: {found!r} here, {value} there")
    assert differing == []
