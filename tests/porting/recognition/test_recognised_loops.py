"""The tool-calling loop: the guide's own, and what designs make of it."""

import re
from dataclasses import replace

import pytest
from tests.porting.recognition.designs import OPERATIONS, SCRIPTS, design, guide_design
from tests.porting.recognition.parts import guesses_of, loop_of
from tests.porting.script import guide_scripts as guide

from callagain.porting.design.model import Design
from callagain.porting.recognition import DispatchedTool, ToolCallingLoop, recognise

GUIDE_LOOP = ToolCallingLoop(
    controller="Controller",
    initialise="Initialize",
    llm_call="LLM Call",
    response_parser="Parse Response",
    tool_dispatcher="Tool Dispatcher",
    dispatcher="Dispatch",
    append_tool_result="Append Tool Result",
    append_form="javascript",
    max_iterations=5,
    tools=(
        DispatchedTool("get_order_status", "Tool - Order Status"),
        DispatchedTool("get_invoice", "Tool - Invoice"),
    ),
    default_response="Unknown function: [function_name]",
    tools_variable="toolsJson",
    model="gpt-4o",
    tool_choice="auto",
)

VARIABLES = (
    *("InAndOut", "non_tool_messages_json", "tools_messages", "tools_resp", "call_llm_again", "loop_count"),
    *("tool_call_id", "function_name", "function_arguments", "function_resp", "final_response"),
    *("toolsJson", "systemPrompt", "userMessage"),
)


def test_the_guide_s_design_is_recognised_without_a_guess() -> None:
    recognition = recognise(guide_design())
    assert recognition.shapes == (GUIDE_LOOP,)
    assert recognition.guesses == ()


def test_no_name_counts() -> None:
    """Every script, operation and variable has another name."""
    texts = dict(SCRIPTS)
    for number, name in enumerate((*SCRIPTS, *OPERATIONS)):
        for script, text in texts.items():
            texts[script] = text.replace(f":{name}</TAG>", f":N{number}</TAG>")
    for number, name in enumerate(VARIABLES):
        for script, text in texts.items():
            texts[script] = re.sub(rf"\${name}\b", f"$v{number}", text)
    scripts = {f"N{number}": texts[name] for number, name in enumerate(SCRIPTS)}
    steps = {name: f"N{number}" for number, name in enumerate(SCRIPTS)}
    operations = {
        f"N{len(SCRIPTS) + number}": ", ".join(
            steps.get(step.strip(), step.strip()) for step in OPERATIONS[name].split(",")
        )
        for number, name in enumerate(OPERATIONS)
    }
    loop = loop_of(design(scripts, operations, javascript={steps["Append Tool Result"]}))
    assert (loop.initialise, loop.controller, loop.response_parser) == ("N0", "N1", "N2")
    assert (loop.dispatcher, loop.append_tool_result) == ("N3", "N4")
    assert (loop.llm_call, loop.tool_dispatcher, loop.max_iterations) == ("N7", "N8", 5)
    assert loop.names == {name: f"v{number}" for number, name in enumerate(VARIABLES)}
    assert loop.tools_variable == f"v{VARIABLES.index('toolsJson')}"


def test_a_dotted_variable_is_read_in_javascript_by_getvar() -> None:
    texts = {
        name: re.sub(r"\$(InAndOut|tools_messages|tools_resp)\b", r"$gpt.\1", text)
        for name, text in SCRIPTS.items()
    }
    append = re.sub(r"(\$gpt\.\w+) = (.*);", r'Jitterbit.SetVar("\1", \2);', texts["Append Tool Result"])
    texts["Append Tool Result"] = re.sub(r'(?<!")(\$gpt\.\w+)', r'Jitterbit.GetVar("\1")', append)
    loop = loop_of(design(texts, OPERATIONS))
    assert loop.append_tool_result == "Append Tool Result"
    assert loop.names == {name: f"gpt.{name}" for name in ("InAndOut", "tools_messages", "tools_resp")}


A, B = ('RunOperation("<TAG>operation:A</TAG>")', 'RunOperation("<TAG>operation:B</TAG>")')
BOTH, SAME = (("a", "A"), ("b", "B")), (("a", "A"), ("b", "A"))
NO = '$function_resp = "no"'
DISPATCHERS = {
    "CASE in any case": (f'CASE($function_name=="a",{A}, "b"==$function_name,{B})', BOTH, None),
    "nested Ifs": (f'If($function_name=="a",{A}, If($function_name=="b",{B}, {NO}))', BOTH, "no"),
    "Ifs in a row": (f'If($function_name=="a",{A}); If($function_name=="b",{B})', BOTH, None),
    "what was there before": (
        f'$function_resp="no"; If($function_name=="a",{A}); If($function_name=="b",{B})', BOTH, "no",
    ),
    "none of the names": (
        f'If($function_name=="a",{A});If($function_name=="b",{B});'
        'If($function_name!="a" && $function_name!="b",$function_resp="no")', BOTH, "no",
    ),
    "no answer so far": (
        f'If($function_name=="a",{A});If($function_name=="b",{B});'
        'If(Length($function_resp)==0,$function_resp="no")', BOTH, "no",
    ),
    "by a local copy": (f'f=ToLower(Trim($function_name)); Case(f=="a",{A}, Equal(f,"b"),{B})', BOTH, None),
    "two names at once": (f'If($function_name=="a"||$function_name=="b",{A})', SAME, None),
    "InList": (f'If(InList($function_name,"a","b")>0,{A})', SAME, None),
    "with the switch": (f'If($call_llm_again && $function_name=="a",{A})', (("a", "A"),), None),
    "a default that runs": (
        f'Case($function_name=="a",{A},true,{B})', (("a", "A"),), 'RunOperation("<TAG>operation:B</TAG>");',
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", DISPATCHERS)
def test_a_dispatcher_in_any_form(form: str) -> None:
    script, tools, default = DISPATCHERS[form]
    loop = loop_of(guide_design(Dispatch=script))
    assert loop.dispatcher == "Dispatch"
    assert tuple((tool.function_name, tool.operation) for tool in loop.tools) == tools
    assert all(tool.script is None for tool in loop.tools)
    assert loop.default_response == default


def test_a_branch_that_does_more_than_run_an_operation_keeps_its_source() -> None:
    script = f'Case($function_name=="a", $function_resp = "x";, $function_name=="b", {B}; $n = 1)'
    assert loop_of(guide_design(Dispatch=script)).tools == (
        DispatchedTool("a", None, '$function_resp = "x";'),
        DispatchedTool("b", "B", 'RunOperation("<TAG>operation:B</TAG>");\n$n = 1;'),
    )


def test_a_branch_may_give_the_tag_of_its_operation() -> None:
    tags = 'Case($function_name=="a","<TAG>operation:A</TAG>",$function_name=="b","<TAG>operation:B</TAG>")'
    assert loop_of(guide_design(Dispatch=f"RunOperation({tags})")).tools == (
        DispatchedTool("a", "A"),
        DispatchedTool("b", "B"),
    )


def test_a_computed_operation_may_have_the_name_of_a_known_tool() -> None:
    scripts = SCRIPTS | {"Dispatch": 'RunOperation("<TAG>operation:" + $function_name + "</TAG>")'}
    named = design(scripts, OPERATIONS | {"get_weather": "@Get"}, tools=("get_weather", "get_time"))
    assert loop_of(named).tools == (DispatchedTool("get_weather", "get_weather"),)


@pytest.mark.parametrize("link", ["default", "steps"])
def test_a_dispatcher_that_is_split_over_scripts_is_one(link: str) -> None:
    more = f'If($function_name=="b",{B},$function_resp="no")'
    onward = ', true, RunScript("<TAG>script:More</TAG>")' if link == "default" else ""
    scripts = SCRIPTS | {"More": more, "Dispatch": f'Case($function_name=="a",{A}{onward})'}
    steps = "Dispatch" if link == "default" else "Dispatch, More"
    split = design(scripts, OPERATIONS | {"Tool Dispatcher": steps})
    loop = loop_of(split)
    assert (loop.dispatcher, loop.default_response) == ("Dispatch", "no")
    assert tuple((tool.function_name, tool.operation) for tool in loop.tools) == BOTH
    assert guesses_of(split) == [
        "scripts/Dispatch: line 1: script 'Dispatch': the dispatcher begins here and goes on in 'More'; "
        "they are taken for one"
    ]


def test_an_operation_that_is_computed_from_the_name_is_found_by_the_operations_there_are() -> None:
    computed = guide_design(Dispatch='RunOperation("<TAG>operation:Tool - " + $function_name + "</TAG>")')
    assert loop_of(computed).tools == (
        DispatchedTool("Order Status", "Tool - Order Status"),
        DispatchedTool("Invoice", "Tool - Invoice"),
    )
    (guess,) = guesses_of(computed)
    assert guess.endswith(
        "the operation is computed from the function name; the tools that are known are taken for it"
    )


COMPARISON = "$loop_count < maxIterations"
LIMITS: dict[str, tuple[dict[str, str], int | None, dict[str, str]]] = {
    "a number": ({COMPARISON: "$loop_count < 7"}, 7, {}),
    "one more": ({COMPARISON: "$loop_count <= maxIterations"}, 6, {}),
    "turned": ({COMPARISON: "maxIterations > $loop_count"}, 5, {}),
    "unequal": ({COMPARISON: "$loop_count != 3"}, 3, {}),
    "a global": ({"maxIterations = 5": "$most = 8", "maxIterations": "$most"}, 8, {"maxIterations": "most"}),
    "a project variable": ({"maxIterations = 5;": "", "maxIterations": "$cfg.most"}, 12,
                           {"maxIterations": "cfg.most"}),
    "a copy of it": ({"maxIterations = 5": "maxIterations = $cfg.most"}, 12, {}),
    "a default": ({"maxIterations = 5": "maxIterations = IfEmpty($cfg.none, 9)"}, 9, {}),
    "another counter": ({"$loop_count = $loop_count + 1": "$round++", "$loop_count": "$round"}, 5,
                        {"loop_count": "round"}),
    "counting down": ({"maxIterations = 5": "left = 4", "$loop_count = $loop_count + 1": "left--",
                       COMPARISON: "left > 0"}, 4, {}),
    "single &": ({"$call_llm_again == true && ": "$call_llm_again & "}, 5, {}),
    "none": ({f"&& {COMPARISON}": ""}, None, {}),
}  # fmt: skip


def controller_with(changes: dict[str, str]) -> Design:
    text = guide.CONTROLLER
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    scripts = SCRIPTS | {"Controller": text}
    return design(scripts, OPERATIONS, variables={"cfg.most": "12", "cfg.none": None})


@pytest.mark.parametrize("form", LIMITS)
def test_the_limit_of_the_loop_is_found(form: str) -> None:
    changes, limit, names = LIMITS[form]
    changed = controller_with(changes)
    assert loop_of(changed) == loop_with(limit, names)
    assert guesses_of(changed) == []


def loop_with(limit: int | None, names: dict[str, str]) -> ToolCallingLoop:
    return replace(GUIDE_LOOP, max_iterations=limit, names=names)


def test_a_limit_that_ends_the_loop_from_inside_is_a_guess() -> None:
    inside = "$loop_count + 1; If($loop_count >= 6 || $stop, $call_llm_again = false);"
    changed = controller_with({f"&& {COMPARISON}": "", "$loop_count + 1;": inside})
    assert loop_of(changed).max_iterations == 6
    assert guesses_of(changed) == [
        "scripts/Controller: line 7: script 'Controller': the loop is ended from inside; "
        "the limit is taken to be 6"
    ]


def test_a_limit_that_is_given_several_numbers_is_a_guess() -> None:
    given = "$most = 5; If($long, $most = 9)"
    changed = controller_with({"maxIterations = 5": given, "maxIterations": "$most"})
    assert loop_of(changed).max_iterations == 5
    assert guesses_of(changed) == [
        "scripts/Controller: line 7: script 'Controller': the limit is given several numbers: 5, 9; "
        "the first one is taken"
    ]


def test_a_limit_without_a_value_is_a_guess() -> None:
    changed = controller_with({"maxIterations = 5;": "", "maxIterations": "$cfg.none"})
    assert loop_of(changed).max_iterations is None
    assert guesses_of(changed) == [
        "scripts/Controller: line 7: script 'Controller': what 'loop_count' is compared with has no value "
        "here; no limit is assumed"
    ]


RESPONSE = "$jitterbit.response"
PARSERS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "of an API": ({RESPONSE: "$jitterbit.api.response"}, {"jitterbit.response": "jitterbit.api.response"}),
    "a plain global": ({RESPONSE: "$answer"}, {"jitterbit.response": "answer"}),
    "a local copy": ({"toolCallsVal = ": "r = $answer; toolCallsVal = ",
                      RESPONSE: "r"}, {"jitterbit.response": "answer"}),
    "bracketed indices": ({"/choices/0/": "/choices/[0]/", "tool_calls/0/": "tool_calls/[0]/"}, {}),
    "with a fallback": ({'"/choices/0/message/tool_calls")': '"/choices/0/message/tool_calls", "null")',
                         "GetJSONString(": "GetJSONStringEx("}, {}),
    "a computed switch": ({"$call_llm_again     = true;": "", "$call_llm_again = false;": "",
                           "If(hasToolCalls": "$call_llm_again = hasToolCalls; If(hasToolCalls"}, {}),
}  # fmt: skip


@pytest.mark.parametrize("form", PARSERS)
def test_a_parser_in_any_form(form: str) -> None:
    changes, names = PARSERS[form]
    text = guide.PARSE_RESPONSE
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert loop_of(guide_design(Parse_Response=text)) == loop_with(5, names)


def test_a_parser_that_takes_the_response_apart_as_a_dictionary() -> None:
    script = """
    r = JSONParser($jitterbit.response);
    m = r["choices"][0]["message"];
    If(HasKey(m, "tool_calls"),
        c = m["tool_calls"][0];
        $tool_call_id = c["id"];
        $fn = c["function"]["name"];
        $args = c["function"]["arguments"];
        $tools_resp = $jitterbit.response;
        $call_llm_again = true;
    ,
        $call_llm_again = false;
        $answer = m["content"];
    );
    """
    dispatch = guide.DISPATCHER.replace("function_name", "fn")
    loop = loop_of(guide_design(Parse_Response=script, Dispatch=dispatch))
    assert loop.response_parser == "Parse Response"
    assert loop.names == {"final_response": "answer", "function_arguments": "args", "function_name": "fn"}


def test_a_switch_that_is_the_opposite_is_told_and_not_named() -> None:
    parser = guide.PARSE_RESPONSE.replace("$call_llm_again     = true", "$done = false")
    parser = parser.replace("$call_llm_again = false", "$done = true")
    controller = guide.CONTROLLER.replace("$call_llm_again == true", "$done == false")
    changed = guide_design(Parse_Response=parser, Controller=controller)
    assert loop_of(changed) == GUIDE_LOOP
    assert guesses_of(changed) == [
        "scripts/Controller: line 7: script 'Controller': $done is the opposite of call_llm_again: "
        "it ends the loop where it is true"
    ]
