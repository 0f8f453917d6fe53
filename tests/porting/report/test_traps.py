"""Each trap is found where it is, and not where something only looks like it."""

import pytest
from tests.porting.report.designs import guide_design, javascript, jitterbit, of
from tests.porting.report.trap_cases import CASES
from tests.porting.script import guide_scripts as guide

from callagain.porting.design.model import Design
from callagain.porting.recognition.model import (
    PromptBasedRouting,
    Recognition,
    RetryController,
    ToolCallingLoop,
)
from callagain.porting.report import TRAPS, FoundTrap, find_traps, unreadable_scripts
from callagain.porting.report.trap import REPLACED, Trap

NOTHING_RECOGNISED = Recognition()
LOOP = ToolCallingLoop(
    controller="Controller",
    initialise="Initialize",
    llm_call="LLM Call",
    response_parser="Parse Response",
    tool_dispatcher="Tool Dispatcher",
    dispatcher="Tool Dispatcher",
    append_tool_result="Append Tool Result",
    append_form="javascript",
    max_iterations=5,
)


def place(found: FoundTrap) -> str:
    return f"{found.script} {found.line}:{found.column}" if found.script else ""


def places(design: Design, name: str) -> list[str]:
    (trap,) = (each for each in TRAPS if each.name == name)
    return [place(each) for each in find_traps(design, NOTHING_RECOGNISED) if each.trap == trap.name]


def by_trap(design: Design, recognition: Recognition = NOTHING_RECOGNISED) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in find_traps(design, recognition):
        found.setdefault(each.trap, []).append(place(each))
    return found


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)
def test_a_trap_is_found_at_its_places_and_nowhere_else(trap: Trap) -> None:
    for design, expected in CASES[trap.name]:
        texts = [script.text for script in design.scripts]
        assert (texts, places(design, trap.name)) == (texts, expected)


def test_every_trap_has_designs_with_it_and_designs_that_come_near() -> None:
    assert list(CASES) == [trap.name for trap in TRAPS]
    for name, cases in CASES.items():
        assert {bool(expected) for _, expected in cases} == {True, False}, name


def test_the_guides_own_scripts_have_these_traps_and_no_others() -> None:
    assert by_trap(guide_design(javascript(guide.APPEND_TOOL_RESULT, "Append Tool Result"))) == {
        "missing path": ["Parse Response 2:16"],
        "index-style path": [f"Parse Response {at}" for at in ("2:51", "7:31", "9:31", "11:31", "17:27")],
        "undocumented response variable": [
            f"Parse Response {at}" for at in ("2:30", "6:51", "8:51", "10:41", "12:27", "16:47")
        ],
        "quotes escaped only": ["Initialize 3:7", "Initialize 5:7"],
        "quotes trimmed from text": ["Parse Response 16:23"],
        "first call only": ["Parse Response 7:31"],
        "parallel calls not forbidden": ["Initialize 12:7"],
        "stale final_response at the limit": ["Controller 14:1"],
        "failed operation unseen": [
            *("Controller 4:1", "Controller 9:5", "Controller 11:5"),
            *("Tool Dispatcher 2:43", "Tool Dispatcher 3:38"),
        ],
    }


def test_the_guides_way_without_javascript_has_three_more() -> None:
    by_javascript = by_trap(guide_design(javascript(guide.APPEND_TOOL_RESULT, "Append")))
    by_strings = by_trap(guide_design(jitterbit(guide.APPEND_BY_STRINGS, "Append")))
    more = {
        name: [each for each in found if each not in by_javascript.get(name, [])]
        for name, found in by_strings.items()
    }
    assert {name: found for name, found in more.items() if found} == {
        "index-style path": ["Append 2:47"],
        "quotes escaped only": ["Append 5:15"],
        "messages not replaced": ["Append 11:5"],
    }


def test_a_clean_design_has_no_traps() -> None:
    parser = r"""
        resp = $llm.body;
        calls = GetJSONStringEx(resp, "/choices/[0]/message/tool_calls", "null");
        If(calls != "null" && Length(calls) > 2,
            $tool_call_id = GetJSONString(resp, "/choices/[0]/message/tool_calls/[0]/id");
            $function_name = GetJSONString(resp, "/choices/[0]/message/tool_calls/[0]/function/name");
            $tools_resp = resp;
            $call_llm_again = true;
        ,
            $call_llm_again = false;
            $final_response = GetJSONString(resp, "/choices/[0]/message/content");
        );
    """
    start = r"""
        request = Dict();
        request["model"] = "gpt-4o";
        request["max_tokens"] = 500;
        $InAndOut = Left(JSONStringify(request), 20) + ",\"parallel_tool_calls\":false}";
        $final_response = "";
        $loop_count = 0;
    """
    controller = """
        If(!RunOperation("<TAG>operation:LLM Call</TAG>"), SetLastError(GetLastError()));
        While($call_llm_again == true && $loop_count < 5,
            $loop_count = $loop_count + 1;
            If(RunOperation("<TAG>operation:Tool Dispatcher</TAG>"),
                RunScript("<TAG>script:Append</TAG>"), $call_llm_again = false);
            WriteToOperationLog("Round " + $loop_count + ": " + $function_name);
        );
    """
    scripts = (jitterbit(parser, "Parse"), jitterbit(start, "Start"), jitterbit(controller, "Controller"))
    assert by_trap(of(*scripts)) == {}


def test_a_part_of_a_recognised_loop_is_told_what_the_chain_does() -> None:
    design = guide_design(javascript(guide.APPEND_TOOL_RESULT, "Append Tool Result"))
    found = {each.trap: each for each in find_traps(design, Recognition((LOOP,)))}
    assert found["first call only"].python_does == (
        "Every call of a response is run and answered, at the same time where the tools allow it."
    )
    kept = {each.trap: each for each in find_traps(design, NOTHING_RECOGNISED)}
    assert kept["first call only"].python_does.startswith("The same: only the first call is run.")


def test_a_trap_of_the_language_is_gone_where_the_script_became_a_part_of_a_chain() -> None:
    controller = RetryController("S", "Work", 3)
    (found,) = find_traps(of("$x = $y; If($x == Null(), 1)"), Recognition((controller,)))
    assert found.python_does == REPLACED


def test_the_names_of_the_design_stand_for_those_of_the_guide() -> None:
    names = {"function_name": "tool.name", "function_resp": "tool.result", "call_llm_again": "again"}
    loop = ToolCallingLoop(None, None, None, None, None, None, None, None, None, names=names)
    dispatcher = 'Case($tool.name == "a", $tool.result = "A");\n'
    assert by_trap(of(f"{dispatcher}While($again, 1)"), Recognition((loop,))) == {
        "dispatcher without default": ["S 1:1"],
        "loop without limit": ["S 2:1"],
    }
    by_guide_names = by_trap(of(f"{dispatcher}While($again, 1)"))
    assert by_guide_names.keys() & {"dispatcher without default", "loop without limit"} == set()


def test_a_dispatcher_by_prompt_may_ask_for_any_variable() -> None:
    design = of('Case($answer == "hr", ok = RunOperation("<TAG>operation:HR</TAG>"))')
    routing = PromptBasedRouting(None, None, "S")
    assert by_trap(design, Recognition((routing,))) == {"dispatcher without default": ["S 1:1"]}
    assert by_trap(design) == {}


def test_a_script_that_does_not_parse_hides_no_other() -> None:
    design = of(jitterbit("x = ;", "Broken"), "x = $jitterbit.response")
    assert by_trap(design) == {"undocumented response variable": ["S 1:5"]}
    assert unreadable_scripts(design) == {
        "Broken": "Broken, line 1, column 5: expected a value, a variable or a function, found ';'; "
        "write what is missing here"
    }


def test_long_scripts_and_long_chains_of_variables_are_gone_through_quickly() -> None:
    nested = "(1 + " * 20
    chain = "".join(f"$v{number} = {nested}$v{number + 1}{')' * 20}; " for number in range(60))
    reads = "".join(f'x{number} = d["k{number}"]; ' for number in range(200))
    comments = "/*" * 20_000
    reading = jitterbit(f"d = Dict(); {reads}", "Reads")
    design = of(f'{chain} "a" + $v0; If($v0 == "1", 1)', reading, javascript(comments))
    assert len(by_trap(design)["missing key"]) == 200
