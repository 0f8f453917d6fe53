"""What a translation looks like, what it says of itself, and what is not translated."""

import ast
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.porting.script.test_script_function_tables import ROWS as FUNCTION_ROWS
from tests.porting.script.test_script_language import ROWS as LANGUAGE_ROWS
from tests.porting.translation.comparing import differences, translation_of
from tests.porting.translation.guide import DESIGN_SCRIPTS, SCRIPTS

from callagain.porting import jitterbit
from callagain.porting.script import ScriptError, parse
from callagain.porting.translation import NotTranslatable, Translation, module_source, translate

HERE = Path(__file__).parent
RUFF = shutil.which("ruff", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def body_of(script: str) -> str:
    """The statements of a translation, without comment block, signature and docstring."""
    source = translation_of(script).source
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    end_of_docstring = function.body[0].end_lineno or 0
    lines = source.split("\n")[end_of_docstring:]
    return "\n".join(line.removeprefix("    ") for line in lines).strip("\n")


@pytest.mark.parametrize(
    ("scripts", "file", "docstring"),
    [
        (SCRIPTS, "golden_guide.py", "The scripts of the guide in Python."),
        (DESIGN_SCRIPTS, "golden_design.py", "Scripts as designs have them in Python."),
    ],
)
def test_the_scripts_read_as_a_person_writes_them(scripts: dict[str, str], file: str, docstring: str) -> None:
    translations = [translate(parse(text, name)) for name, text in scripts.items()]
    assert module_source(translations, docstring) == (HERE / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("script", "body"),
    [
        ("$x = $x + 1; $y = 2;", 'state["x"] = add(state["x"], 1)\nstate["y"] = 2\nreturn 2'),
        ("a = 1; b = a + 2; $x = b; b", 'a = 1\nb = a + 2\nstate["x"] = b\nreturn b'),
        ("Left(Trim($x), 3)", 'return trim(state["x"])[:3]'),
        ("Length(Trim($x)) > 0", 'return len(trim(state["x"])) > 0'),
        ("$on == true && $n != 5", 'return equals(state["on"], True) and differs(state["n"], 5)'),
        ("If($x, 'a', 'b')", 'if truth(state["x"]):\n    return "a"\nreturn "b"'),
        ("$y = If($x, 'a', 'b'); ''", 'state["y"] = "a" if truth(state["x"]) else "b"\nreturn ""'),
        ("If($a, If($b, $c = 1)); Null()", 'if truth(state["a"]) and truth(state["b"]):\n    state["c"] = 1'),
        ("If($a, , $c = 1); Null()", 'if not truth(state["a"]):\n    state["c"] = 1'),
        (
            "Eval($x = 1 / $y, $x = 0)",
            'try:\n    state["x"] = divide(1, state["y"])\n    return state["x"]\n'
            'except ScriptError as error:\n    state.catch(error)\n    state["x"] = 0\n    return 0',
        ),
        (
            "$log = 'Result: ' + Eval(JSONParser($x), 'none'); Null()",
            'try:\n    value: Value = json_parser(state["x"])\nexcept ScriptError as error:\n'
            '    state.catch(error)\n    value = "none"\nstate["log"] = add("Result: ", value)',
        ),
        (
            "While(IsValid(Int($x)), $x = Get('y')); Null()",
            'iterations = state.iterations()\nwhile True:\n    try:\n        to_int(state["x"])\n'
            "        valid = True\n    except ScriptError as error:\n        state.catch(error)\n"
            "        valid = False\n    if not valid:\n        break\n    iterations.count()\n"
            '    state["x"] = state["y"]',
        ),
        ("a = {}; a[-1] = 'x'; a", 'a: list[Value] = []\na.append("x")\nreturn a'),
        ("RunOperation('<TAG>operation:A</TAG>'); Null()", 'state.run_operation("A")'),
        ("class = 1; len = class; $x = len + class", 'class_ = 1\nlen_ = class_\nstate["x"] = len_ + class_\n'
         'return state["x"]'),
        ("größe = 1; Größe = 2; $x = größe + Größe; Null()", 'grosse = 1\ngrosse_2 = 2\n'
         'state["x"] = grosse + grosse_2'),
        (
            "// first\n1;\n\n// second\n$x = 2; // behind",
            '# first\n\n# second\n# behind\nstate["x"] = 2\nreturn 2',
        ),
        ("$a-$b", 'return subtract(state["a"], state["b"])'),
    ],
)  # fmt: skip
def test_a_script_becomes_this(script: str, body: str) -> None:
    assert body_of(script) == body


def test_a_translation_says_what_it_reads_writes_runs_and_needs() -> None:
    script = """
    $out = Get('in') + $project.variable;
    $list[0] = _1;
    Set('other', 1);
    RegExMatch($out, '(a)', 'group');
    Set($name, RunScript('<TAG>script:Echo</TAG>'));
    RunOperation('<TAG>Operations/folder/Tool</TAG>');
    RunOperation('<TAG>operation:' + $which + '</TAG>');
    """
    translation = translate(parse(script, "Utility - Do It"))
    assert translation.function == "utility_do_it"
    assert translation.reads == ("in", "list", "name", "out", "project.variable", "which")
    assert translation.writes == ("group", "list", "other", "out")
    assert translation.runs == ("Echo", "Tool")
    assert translation.imports == tuple(
        f"from callagain.porting.jitterbit import {name}" for name in ("State", "Value", "add")
    )
    assert translation.notes == (
        "line 6: the name of the variable that Set uses is computed",
        "line 8: the operation that RunOperation runs is computed",
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("$x = 1;\n$y = Lenght($x)", "line 2, column 6: there is no function 'Lenght'; did you mean Length?"),
        ("DbLookup('x')", "DBLookup is a function of Jitterbit that is not supported here; write this step"),
        ("Left($x)", "line 1, column 1: Left takes 2 arguments and got 1"),
        ("If($x, a = 1); $y = a", "column 21: the local variable 'a' may not be set here; set it before"),
        ("If($x, a = {}); a[0] = 1; a", "column 17: whether 'a' is set here depends on the way"),
        ("RunOperation('LLM Call')", 'RunOperation wants a tag, such as "<TAG>operation:Name</TAG>"'),
        ("$a && Eval($b, 1)", "column 7: 'Eval' stands inside an expression, behind a part"),
        ("AddToDict($d, $key, RunScript('<TAG>script:A</TAG>'))", "evaluates its value behind the key"),
        ("AddToDict($x + 1, 'k', 1)", "may be given what is no dictionary; make it one by Dict() before"),
    ],
)
def test_a_script_that_is_better_kept_is_refused_with_the_place(script: str, message: str) -> None:
    with pytest.raises(NotTranslatable) as caught:
        translation_of(script)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_too_deep_for_python_is_refused() -> None:
    with pytest.raises(NotTranslatable, match="it is nested too deeply for Python; part the script"):
        translation_of("While($a," * 30 + "$b = 1" + ")" * 30)


@pytest.mark.parametrize(
    "script", ["!" * 85 + "$a", "If($a, 0, " * 30 + "'found'" + ")" * 30, " + ".join(["$a", "'b'"] * 500)]
)
def test_what_is_deep_or_long_is_translated(script: str) -> None:
    assert differences(script) == []


HOSTILE = [
    '// """ \\\n$x = 1',
    "/* a */ $x = 1 /*\nimport os; os.abort()\n*/",
    "// a\rimport os\r$x = 1",
    "// type: ignore\n// noqa\n// coding: utf-7\n// fmt: off\n$x = 1",
    "// a \u2028 import os \u202e \0 \x0c b\n$x = 1",
    "$x = '\"\"\" {state} \\\\' + \"'''\\n{0}\" + '\\u0041\u202e'",
    "Set('a\"]\\nimport os#', 1)",
    "RunOperation('<TAG>operation:\"); import os; (\"</TAG>')",
    "state = 1; State = 2; add = 3; error = 4; $x = state + State + add + error",
    "__import__ = 1; print = __import__; _ = print; exec = _; $x = exec",
    "ﬁ = 1; fi = 2; 变量 = 3; $x = ﬁ + fi + 变量",
]


@pytest.mark.parametrize("script", HOSTILE)
def test_nothing_breaks_out_of_its_place(script: str) -> None:
    assert differences(script) == []
    source = translate(parse(script, 'a"""\nimport os # \\')).source
    module = ast.parse(source)
    assert [type(node) for node in module.body] == [ast.FunctionDef]
    names = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    assert "os" not in names
    assert source.isprintable() or set(filter(lambda each: not each.isprintable(), source)) == {"\n"}


@pytest.mark.parametrize(
    "text", ["type: ignore", "x # type: ignore", "noqa", "coding: latin-1", "x = f(1);", "else:"]
)
def test_a_comment_speaks_to_no_tool(text: str) -> None:
    source = translation_of(f"// {text}\n$x = 1").source
    comments = [line.strip() for line in source.split("\n") if "#" in line]
    assert len(comments) > 3
    for comment in comments:
        assert not comment.removeprefix("#").strip().startswith(("type:", "noqa", "x =", "else"))
        assert "# type" not in comment
        assert "coding:" not in comment


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("Parse Response", "parse_response"),
        ("HTTPCall v2", "http_call_v2"),
        ("2nd step", "script_2nd_step"),
        ("Añadir", "anadir"),
        ("变量", "script"),
        ("print", "print_"),
        ("Add", "add_"),
        ("class", "class_"),
    ],
)
def test_a_function_is_named_after_its_script(name: str, function: str) -> None:
    assert translate(parse("1", name)).function == function


@pytest.mark.parametrize("function", ["class", "add", "two words", "größe", "print"])
def test_a_name_that_is_no_name_for_a_function_is_told(function: str) -> None:
    with pytest.raises(ValueError, match="is no name for a function here"):
        translate(parse("1"), function=function)


def test_a_module_has_no_two_functions_of_one_name() -> None:
    with pytest.raises(ValueError, match="two functions of one module have one name: sample, sample"):
        module_source([translation_of("1"), translation_of("2")], "Two.")


def test_every_name_of_the_runtime_is_there() -> None:
    assert [name for name in jitterbit.__all__ if not hasattr(jitterbit, name)] == []


@pytest.mark.skipif(RUFF is None, reason="ruff is not installed, so its view is not asked")
def test_a_linter_and_a_formatter_have_nothing_to_change(tmp_path: Path) -> None:
    module = tmp_path / "translated.py"
    translations: list[Translation] = []
    for number, (script, _) in enumerate((*FUNCTION_ROWS, *LANGUAGE_ROWS)):
        with suppress(ScriptError, NotTranslatable):
            translation = translation_of(script)
            source = translation.source.replace("def sample(", f"def sample_{number}(")
            translations.append(replace(translation, function=f"sample_{number}", source=source))
    module.write_text(module_source(translations, "All rows."), "utf-8")
    settings = ["--no-cache", "--config", str(HERE.parents[2] / "pyproject.toml")]
    for command in (["format", "--diff"], ["check"]):
        ran = subprocess.run([str(RUFF), *command, *settings, str(module)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout
