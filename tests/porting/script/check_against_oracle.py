"""Asks an interpreter of others, npm's `jitterbit-script`, which was made by watching an agent.

What it said is in oracle_record.json, which every run of the tests holds our values against. It is asked
again where it is installed, at the top of the checkout or in a folder that NODE_PATH names:

    npm install --no-save jitterbit-script@1.0.14
    python -m tests.porting.script.check_against_oracle           says whether the record is true
    python -m tests.porting.script.check_against_oracle --record  writes it anew

It is asked only where it is right. Left out are: loops and what evaluates lazily, `&&` and `||`, errors
inside of calls, empty arguments, and functions that it does not have, or in which it departs from the
reference (Mid, Equal, RegExMatch, CountSubString, Bool, RPad, Truncate).
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.porting.node import run_node

PACKAGE = "jitterbit-script"
RECORD = Path(__file__).with_name("oracle_record.json")
_ROOT = Path(__file__).parents[3]

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
    "String('abc' == 0) + String('1234x' == 1234) + String('10' < '9') + String('10' < 9)",
    "$f = 'b'; Case($f == 'a', 'A', $f == 'b', $s = 'hit'; 'B', true, 'unknown') + $s",
    r'"{\"c\":\"" + Replace("say \"x\"\nnext", "\"", "\\\"") + "\"}"',
)  # fmt: skip


def recorded() -> dict[str, Any]:
    """`package`, `version`, and `values`: by script, what the oracle said, as `type` and `text`."""
    record: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return record


def node_modules() -> Path | None:
    """The folder in which the oracle is installed, if it is."""
    folders = [_ROOT / "node_modules", *map(Path, os.environ.get("NODE_PATH", "").split(os.pathsep))]
    return next((folder for folder in folders if (folder / PACKAGE / "package.json").is_file()), None)


def ask(folder: Path) -> dict[str, Any]:
    """What the oracle of this folder says, in the form of the record."""
    package = json.loads((folder / PACKAGE / "package.json").read_text("utf-8"))
    values = run_node(ASKED, list(SCRIPTS), node_path=folder)
    return {
        "package": PACKAGE,
        "version": package["version"],
        "values": dict(zip(SCRIPTS, values, strict=True)),
    }


def main(arguments: list[str]) -> str | None:
    """Checks or writes the record; gives what is wrong."""
    folder = node_modules()
    if folder is None:
        return f"{PACKAGE} is neither in node_modules here nor where NODE_PATH says; npm install it"
    told = ask(folder)
    if arguments == ["--record"]:
        RECORD.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
        return None
    if told == recorded():
        print(f"{PACKAGE} {told['version']} says what is recorded, to {len(SCRIPTS)} scripts")
        return None
    return f"{RECORD.name} is not what {PACKAGE} {told['version']} says"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
