"""Whether a text is JavaScript is told without running it."""

import pytest

from callagain.porting.javascript import JavaScriptLimits, run_javascript, syntax_problem
from callagain.porting.script import ScriptError

RIGHT = (
    "",
    "while (true);",
    "<javascript>\nvar a = 1;\n</javascript>",
    "throw {toString: null}",
    "let a = `x${1}`; class A {}",
    "var o = 010; // octal",
    "'use strict'; var a = 1;",
)
WRONG = (
    "foo(;",
    "\n  foo(;",
    "'use strict'; var o = 010;",
    "// why\n'use strict'; with (a) {}",
    "}; $ran = 1; {",
    "}), $ran = 1, (function () {",
    "return 1;",
    "if (a)",
    "/* no end",
    "<javascript>\nvar a = ;\n</javascript>",
    "<javascript>1",
    "'\0'",
)


@pytest.mark.parametrize("text", RIGHT)
def test_a_script_that_can_be_read_has_no_problem_and_is_not_run(text: str) -> None:
    assert syntax_problem(text, limits=JavaScriptLimits(seconds=5)) is None


@pytest.mark.parametrize("text", WRONG)
def test_the_problem_is_what_running_the_script_tells(text: str) -> None:
    with pytest.raises(ScriptError) as raised:
        run_javascript(text, name="Append")
    assert syntax_problem(text, "Append") == raised.value.headline


def test_the_problem_is_one_line_with_the_place() -> None:
    assert syntax_problem("var a;\nvar b = ;", "Append") == (
        "Append, line 2, column 9: this is no JavaScript: unexpected token in expression: ';'"
    )


def test_a_text_that_nests_without_end_is_a_problem() -> None:
    assert "too deeply" in str(syntax_problem("(" * 100_000))
