"""What the scripts of a shape do besides, which the chain in their place does not do."""

from pathlib import Path

import pytest
from tests.porting.recognition.designs import (
    JAVASCRIPT,
    OPERATIONS,
    READ,
    RETRY,
    ROUTE,
    SCRIPTS,
    WITHOUT_TOOLS,
    design,
    guide_design,
)
from tests.porting.recognition.test_recognised_parts import (
    APPEND,
    DISPATCHER,
    IN_JAVASCRIPT,
    INITIALISE,
    LLM_CALL,
    REBUILT,
)
from tests.porting.script import guide_scripts as guide

from callagain.porting.design import read_design
from callagain.porting.design.model import Design
from callagain.porting.recognition import Residue, recognise, residue

EXAMPLES = Path(__file__).parents[3] / "examples" / "designs"
BY_STRINGS = guide.APPEND_BY_STRINGS + REBUILT.replace("$base", "$non_tool_messages_json")


def residues_of(of: Design) -> tuple[Residue, ...]:
    return residue(of, recognise(of).shapes[0])


def lines_of(of: Design) -> list[str]:
    return [f"{each.script}:{each.line} {each.where}: {', '.join(each.effects)}" for each in residues_of(of)]


def test_the_guide_s_own_scripts_have_none() -> None:
    assert residues_of(guide_design()) == ()
    strings = SCRIPTS | {"Append Tool Result": BY_STRINGS}
    assert residues_of(design(strings, OPERATIONS, javascript=())) == ()


@pytest.mark.parametrize("form", IN_JAVASCRIPT)
def test_another_way_to_append_is_none(form: str) -> None:
    assert residues_of(guide_design(Append_Tool_Result=IN_JAVASCRIPT[form])) == ()


@pytest.mark.parametrize("form", INITIALISE)
def test_another_way_to_write_the_first_request_is_none(form: str) -> None:
    javascript = {*JAVASCRIPT, "Initialize" if form == "javascript" else ""}
    made = design(SCRIPTS | {"Initialize": INITIALISE[form]}, OPERATIONS, javascript=javascript)
    assert residues_of(made) == ()


def test_the_examples_have_what_they_do_besides() -> None:
    assert lines_of(read_design(EXAMPLES / "orders")) == [
        "Controller:4 before: writes to the log",
        "Controller:9 inside: writes to the log",
        "Append Tool Result:23 inside: writes to the log",
    ]
    assert lines_of(read_design(EXAMPLES / "hr_assistant")) == [
        "HR - Logic:6 inside: sets $hr.error, raises an error",
        "HR - Logic:12 inside: writes to the log",
        "HR - Logic:17 inside: sets $call_llm_again, sets $hr.error, sets $hr.answer",
        "HR - Dispatch Tool:12 inside: writes to the log",
    ]


INITIALISING = {
    "$session = GUID();": ("sets $session",),
    'RunOperation("<TAG>operation:Log In</TAG>");': ("runs operation Log In",),
    'RunScript("<TAG>script:Defaults</TAG>");': ("runs script Defaults",),
    "RunOperation($next);": ("runs an operation whose name is computed",),
    'Set("session", 1);': ("sets $session",),
    "Sleep(2);": ("waits",),
    '$trace["a"] = 1;': ("sets $trace",),
    'AddToDict($trace, "a", 1);': ("sets $trace",),
    'If($x == 1, $a = 2; WriteToOperationLog("b"));': ("sets $a", "writes to the log"),
    "$toolsJson = ReadFile($f);": ("sets $toolsJson",),
    "local = GUID();": None,
    '$final_response = "";': None,
    "$function_resp = Null();": None,
}


@pytest.mark.parametrize("statement", INITIALISING)
def test_a_statement_beside_the_first_request_is_residue(statement: str) -> None:
    made = guide_design(Initialize=f"{guide.INITIALIZE}{statement}")
    effects = INITIALISING[statement]
    line = guide.INITIALIZE.count("\n") + 1
    text = statement.rstrip(";")
    expected = (Residue("Initialize", "initialise", "inside", text, line, effects or ()),)
    assert residues_of(made) == (expected if effects else ())


ONE_PROMPT = 'Replace($systemPrompt, "\\"", "\\\\\\"")'
PROMPTS = {
    '"Be brief."': "builds the system prompt of a literal text",
    f'{ONE_PROMPT} + " Tier: " + $tier': (
        "builds the system prompt of $systemPrompt and a literal text and $tier"
    ),
    f"{ONE_PROMPT} + $tier": "builds the system prompt of $systemPrompt and $tier",
    "If($a, $b, $c)": "changes the system prompt before it is sent",
    "Base64Encode($a)": "builds the system prompt of what is computed from $a",
    "Left($systemPrompt, 100)": "changes the system prompt before it is sent",
    "Trim($systemPrompt)": "changes the system prompt before it is sent",
    'TrimChars($systemPrompt, "\"")': None,
    "Replace(Replace($systemPrompt, \"\\\\\", \"\\\\\\\\\"), \"\\n\", \"\\\\n\")": None,
}  # fmt: skip


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_that_is_not_just_one_variable_is_residue(prompt: str) -> None:
    found = residues_of(guide_design(Initialize=guide.INITIALIZE.replace(ONE_PROMPT, prompt)))
    effect = PROMPTS[prompt]
    assert [(each.role, each.line, each.effects) for each in found] == (
        [("initialise", 2 if effect.startswith("builds") else 3, (effect,))] if effect else []
    )


OF_THE_PARSER = {
    'If(hasToolCalls, $log = $log + $function_name + ";");': "sets $log",
    '$tokens += Int(GetJSONString($jitterbit.response, "/usage/total_tokens"));': "sets $tokens",
    '$final_response = "<p>" + $final_response + "</p>";': "changes the final response after it is read",
    '$final_response = Left(GetJSONString($jitterbit.response, "/choices/0/message/content"), 9);': (
        "changes the final response after it is read"
    ),
    '$final_response = "";': None,
}


@pytest.mark.parametrize("statement", OF_THE_PARSER)
def test_what_a_parser_does_besides_is_residue(statement: str) -> None:
    found = residues_of(guide_design(Parse_Response=f"{guide.PARSE_RESPONSE}{statement}"))
    effect = OF_THE_PARSER[statement]
    assert [(each.role, each.effects) for each in found] == (
        [("response_parser", (effect,))] if effect else []
    )


def test_a_statement_in_the_midst_of_a_part_has_its_condition() -> None:
    text = guide.PARSE_RESPONSE.replace("If(hasToolCalls,", "If(hasToolCalls,\n    $calls++;")
    (found,) = residues_of(guide_design(Parse_Response=text))
    assert (found.text, found.line, found.effects) == ("If(hasToolCalls, $calls++)", 6, ("sets $calls",))


RESULTS = {
    "$function_resp = Left($function_resp, 500);": ("strings", "changes the tool result before it is sent"),
    "$last = $function_resp;": ("strings", "sets $last"),
    "$function_resp = $function_resp.substring(0, 9);": (
        "javascript",
        "changes the tool result before it is sent",
    ),
    "var r = $function_resp; r = r.slice(9);": (
        "javascript",
        "changes the tool result before it is sent",
    ),
    'WriteToOperationLog("x");': ("javascript", "writes to the log"),
    "$seen = 1;": ("javascript", "sets $seen"),
    "// $seen = 1;": ("javascript", None),
}


@pytest.mark.parametrize("statement", RESULTS)
def test_what_an_append_does_besides_is_residue(statement: str) -> None:
    form, effect = RESULTS[statement]
    text = guide.APPEND_TOOL_RESULT if form == "javascript" else BY_STRINGS
    scripts = SCRIPTS | {"Append Tool Result": f"{statement}\n{text}"}
    made = design(scripts, OPERATIONS, javascript=JAVASCRIPT if form == "javascript" else ())
    found = [(each.role, each.line, each.effects) for each in residues_of(made)]
    assert found == ([("append_tool_result", 1, (effect,))] if effect else [])


def test_a_controller_has_a_before_an_inside_and_an_after() -> None:
    text = guide.CONTROLLER.replace("    RunScript(", '    Sleep(1);\n    RunScript("x");\n    RunScript(')
    text = text.replace("\n// Loop", "WriteToOperationLog($function_name);\n// Loop")
    text = f"""$started = Now();
{text}
If($call_llm_again, $final_response = "Sorry.");
If(!{LLM_CALL}, RaiseError("no"));
RunOperation("<TAG>operation:Human</TAG>");"""
    assert lines_of(guide_design(Controller=text)) == [
        "Controller:1 before: sets $started",
        "Controller:6 inside: writes to the log",
        "Controller:11 inside: waits",
        "Controller:12 inside: runs script x",
        "Controller:22 after: sets $final_response",
        "Controller:23 inside: raises an error",
        "Controller:24 after: runs operation Human",
    ]


DISPATCHING = {
    '$function_resp = "";': [],
    '$calls++; $function_resp = "";': ["Dispatch:1 inside: sets $calls"],
    'If($function_name == "a", $x = 1; RunOperation("<TAG>operation:A</TAG>"));': [],
    'If(Index($function_name, "a") == 0, RunOperation("<TAG>operation:A</TAG>"));': [
        "Dispatch:1 inside: runs operation A"
    ],
}


@pytest.mark.parametrize("statement", DISPATCHING)
def test_the_branches_of_a_dispatcher_are_none(statement: str) -> None:
    assert lines_of(guide_design(Dispatch=f"{statement}\n{guide.DISPATCHER}")) == DISPATCHING[statement]


def test_a_default_that_does_more_and_what_follows_it_are_residue() -> None:
    text = guide.DISPATCHER.replace("true, ", "true, $bad++; ")
    text += "WriteToOperationLog($function_resp); $function_resp = Trim($function_resp);"
    assert lines_of(guide_design(Dispatch=text)) == [
        "Dispatch:4 inside: sets $bad",
        "Dispatch:6 inside: writes to the log",
        "Dispatch:6 inside: changes the tool result before it is sent",
    ]


def test_a_script_that_calls_the_model_again_is_looked_at_without_being_the_controller() -> None:
    body = f"$loop_count++; Sleep(1); {DISPATCHER}; {APPEND}; {LLM_CALL}"
    again = f"If($call_llm_again && $loop_count < 3, {body})"
    scripts = {name: text for name, text in SCRIPTS.items() if name != "Controller"}
    operations = OPERATIONS | {"Main": "Initialize -> LLM Call", "LLM Call": "@Send, Parse Response, Again"}
    made = design(scripts | {"Again": again}, operations)
    assert lines_of(made) == ["Again:1 inside: waits"]
    scripts["Parse Response"] += again
    assert [each.effects for each in residues_of(design(scripts, OPERATIONS | {"Main": "Initialize"}))] == [
        ("waits",)
    ]


def test_routing_has_residue_too() -> None:
    read = READ.replace("Trim(", "ToUpper(", 1)
    route = f'{ROUTE}; $result = "[" + $result + "]"'
    made = design(
        {"Start": WITHOUT_TOOLS, "Read": READ, "Route": ROUTE}, {"Main": "Start, @Send, Read, Route"}
    )
    assert residues_of(made) == ()
    together = design({"Start": WITHOUT_TOOLS, "Route": f"{read}\n{route}"}, {"Main": "Start, @Send, Route"})
    assert lines_of(together) == [
        "Route:1 inside: changes the text of the model before it is compared",
        "Route:6 inside: changes the tool result before it is sent",
    ]


def test_a_retry_controller_counts_and_tries_itself() -> None:
    made = design({"Again": RETRY + "; $done = true"}, {"Main": "Again", "Target": "@Get"})
    assert lines_of(made) == ["Again:5 inside: writes to the log", "Again:8 after: sets $done"]
    expression = 'n = 0; While(Eval(x = ReadCache("k"), "E") == "E" && n <= 3, n++); $x = x'
    assert residues_of(design({"Again": expression}, {"Main": "Again"})) == ()
