"""What looks like a shape and is none, designs that lack a part, and designs that are odd."""

import pytest
from tests.porting.recognition.designs import (
    OPERATIONS,
    READ,
    SCRIPTS,
    WITHOUT_TOOLS,
    design,
    guide_design,
)
from tests.porting.recognition.parts import GUIDE_PARTS, guesses_of, parts_of

from callagain.porting.design.model import Design
from callagain.porting.recognition import recognise

TARGET = 'RunOperation("<TAG>operation:Target</TAG>")'
NEAR_MISSES = {
    "a loop without an LLM call": f"i = 0; While(i < 10, i++; {TARGET})",
    "a loop that ends when something fails": f"ok = true; While(ok && i < 10, i++; ok = {TARGET})",
    "a loop that goes on when something fails": f"While(i < n, If(!{TARGET}, errors++); i++)",
    "pages of a list": f"While($more == true && $page < 10, $page++; {TARGET})",
    "a file that is read": 'While(Length(x = ReadFile("<TAG>activity:f/F/read/R</TAG>")) > 0, $out += x)',
    "an Eval over data": 'While(i < Length(a), x = Eval(a[i], ""); i++)',
    "an Eval that ends a loop": 'While(i < 9 && Eval(a[i], "end") != "end", i++)',
    "a Case over something else": f'Case($status == "open", {TARGET}, true, $x = "?")',
    "a Case beside a text of a model": f'{READ} Case($status == "open", {TARGET}, true, $x = "?")',
    "a request without tools": WITHOUT_TOOLS,
    "a text of a model": READ,
    "a role that is none of a message": r'$x = "{\"role\":\"admin\",\"name\":\"x\"}"',
    "words in a comment": r'// {"role":"tool","tool_call_id":"1"}' + "\n$x = 1",
    "words in a log": r'WriteToOperationLog("\"role\":\"tool\",\"tool_call_id\":\"" + $id)',
}


@pytest.mark.parametrize("what", NEAR_MISSES)
def test_what_only_looks_alike_is_not_recognised(what: str) -> None:
    found = recognise(design({"S": NEAR_MISSES[what]}, {"Main": "@Send, S", "Target": "@Get"}))
    assert (found.shapes, found.guesses) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        'var d = new Date($d); $out = d.getFullYear() + "-" + (d.getMonth() + 1);',
        '/* {"role":"tool","tool_call_id":1} */ var a = 1; // $x = {role: "tool", tool_call_id: 1}',
        'var m = [{role: "user", content: $a}]; $b = JSON.stringify(m);',
    ],
)
def test_a_javascript_step_of_another_kind_is_not_taken_for_the_append(text: str) -> None:
    assert recognise(design({"S": text}, {"Main": "S"}, javascript=("S",))).shapes == ()
    assert parts_of(guide_design(Append_Tool_Result=text)) == GUIDE_PARTS | {"append_tool_result": None}


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        ("Initialize", {"initialise": None}),
        ("Controller", {"controller": None}),
        ("Parse Response", {"response_parser": None}),
        ("Dispatch", {"dispatcher": None}),
        ("Append Tool Result", {"append_tool_result": None}),
        ("Order Status", {}),
    ],
)
def test_without_a_script_the_others_are_found(script: str, missing: dict[str, None]) -> None:
    """What takes the place of a part by its place alone is told."""
    without = guide_design(**{script.replace(" ", "_"): None})
    assert parts_of(without) == GUIDE_PARTS | missing
    assert bool(recognise(without).guesses) is (script in ("Controller", "Parse Response", "Dispatch"))


def test_what_is_taken_by_its_place_alone_is_told() -> None:
    assert guesses_of(guide_design(Parse_Response=None)) == [
        "scripts/Controller: line 7: script 'Controller': "
        "the operation 'LLM Call' is taken for the LLM Call, since it is run before the loop and in it",
        "scripts/Dispatch: line 1: script 'Dispatch': "
        "it is taken for the dispatcher by its place in the loop: nothing says where the name comes from",
    ]


@pytest.mark.parametrize(
    ("operation", "missing"),
    [("Main", {}), ("LLM Call", {"llm_call": None}), ("Tool Dispatcher", {"tool_dispatcher": None})],
)
def test_without_an_operation_the_others_are_found(operation: str, missing: dict[str, None]) -> None:
    without = {name: steps for name, steps in OPERATIONS.items() if name != operation}
    assert parts_of(design(SCRIPTS, without)) == GUIDE_PARTS | missing


def test_scripts_alone_are_enough() -> None:
    alone = design(SCRIPTS)
    assert parts_of(alone) == GUIDE_PARTS | {"llm_call": None, "tool_dispatcher": None}
    assert guesses_of(alone) == [
        "scripts/Controller: line 7: script 'Controller': it runs the operation 'LLM Call' before its loop "
        "and in it; the design has no such operation"
    ]


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("Initialize", []),
        ("Controller", []),
        ("Dispatch", []),
        (
            "Parse Response",
            ["it takes a tool call out of a response, and no dispatcher and no request with tools was found"],
        ),
        (
            "Append Tool Result",
            ["it makes a message of the role tool, and nothing else of a tool-calling loop was found"],
        ),
    ],
)
def test_one_part_alone_is_no_shape(script: str, told: list[str]) -> None:
    found = recognise(design({script: SCRIPTS[script]}))
    assert found.shapes == ()
    assert [guess.text for guess in found.guesses] == [f"script '{script}': {text}" for text in told]


def test_a_script_that_does_not_parse_is_told_with_its_place_and_the_others_are_found() -> None:
    broken = guide_design(Initialize="$a = 1;\n$b = (2;")
    assert parts_of(broken) == GUIDE_PARTS | {"initialise": None}
    assert guesses_of(broken) == [
        "scripts/Initialize: line 2: script 'Initialize': it is left out of the search for shapes, "
        "since it does not parse, column 8: expected ')', found ';'; it closes the '(' at line 2, column 6"
    ]


ODD: dict[str, Design] = {
    "nothing": design({}),
    "empty scripts": design({"A": "", "B": " ;; "}, {"X": "A, B"}, javascript=("B",)),
    "operations in a circle": design({"A": "$a = 1"}, {"X": "A -> Y", "Y": "-> X", "Z": ">Z"}),
    "links to nothing": design({"A": 'RunScript("<TAG>script:B</TAG>")'}, {"X": "A, C, >D -> E"}),
    "scripts that run themselves": design({"A": 'While(x, RunScript("<TAG>script:A</TAG>"))'}, {"X": "A"}),
    "calls of the wrong form": design({"A": 'If(); Case(1); While(a); RunOperation(); GetJSONString("x")'}),
    "a text that doubles": design({"A": '$a = "x";' + "$a = $a + $a;" * 60}),
    "numbers beyond measure": design({"A": f"n = {'9' * 290}; While(i < n * n, i++; {TARGET})"}),
    "variables that are each other": design({"A": f"a = b; b = a; While(i < a, i++; {TARGET})"}),
    "javascript in pieces": design({"A": "var = ( { [ ; function (=> ` /* $x = {role:"}, javascript=("A",)),
    "brackets without end": design({"A": "$x = " + "[(" * 2000}, javascript=("A",)),
    "functions without end": design({"A": "function(){" * 2000}, javascript=("A",)),
    "a deep expression": design({"A": "(" * 500}),
}  # fmt: skip


@pytest.mark.parametrize("what", ODD)
def test_an_odd_design_has_no_shape_and_is_no_error(what: str) -> None:
    assert recognise(ODD[what]).shapes == ()


def test_of_very_many_loops_the_first_ones_are_looked_at() -> None:
    many = design({"A": f"While(x, {TARGET});\n" * 201}, {"X": "A"})
    assert guesses_of(many) == [
        "scripts/A: line 201: script 'A': it has 201 loops; 200 of them are looked at"
    ]
