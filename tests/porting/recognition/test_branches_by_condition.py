"""Branches of a dispatcher whose condition is no equality with one name, and what its default does."""

import pytest
from tests.porting.recognition.designs import OPERATIONS, READ, SCRIPTS, WITHOUT_TOOLS, design
from tests.porting.recognition.parts import guesses_of, loop_of

from callagain.porting.recognition import DispatchedTool, PromptBasedRouting, recognise

CRM = 'RunOperation("<TAG>operation:CRM</TAG>")'
KNOWN = ("crm_delete", "crm_find", "get_order_status", "get_invoice")
BY_NAME = DispatchedTool("get_order_status", "Tool - Order Status")


def dispatcher(condition: str) -> str:
    return (
        'Case($function_name == "get_order_status", '
        'RunOperation("<TAG>operation:Tool - Order Status</TAG>"),\n'
        f'{condition}, {CRM}, true, $function_resp = "?")'
    )


UNDERSTOOD = {
    'Left($function_name, 4) == "crm_"': ("crm_delete", "crm_find"),
    '"crm_" == Left($function_name, 4)': ("crm_delete", "crm_find"),
    'Left($function_name, 4) == "crm_" || $function_name == "get_invoice"': (
        *("get_invoice", "crm_delete", "crm_find"),
    ),
    'InList($function_name, "crm_find", "get_invoice")': ("crm_find", "get_invoice"),
    'InList($function_name, "crm_find", "get_invoice") > 0': ("crm_find", "get_invoice"),
    'ToLower($function_name) == "crm_find"': ("crm_find",),
}


@pytest.mark.parametrize("condition", UNDERSTOOD)
def test_a_branch_is_for_the_announced_tools_that_its_condition_fits(condition: str) -> None:
    made = design(SCRIPTS | {"Dispatch": dispatcher(condition)}, OPERATIONS | {"CRM": ""}, tools=KNOWN)
    tools = (DispatchedTool(name, "CRM") for name in UNDERSTOOD[condition])
    assert loop_of(made).tools == (BY_NAME, *tools)
    assert guesses_of(made) == []


@pytest.mark.parametrize(
    "condition",
    [
        'Left($function_name, 3) == "crm_"',
        'Left($function_name, n) == "crm_"',
        'Right($function_name, 4) == "crm_"',
        'Mid($function_name, 0, 4) == "crm_"',
        'Left($function_name, 4) != "crm_"',
        'Left($function_name, 4) == "crm_" && $function_name != "crm_delete"',
        'Index($function_name, "crm_") == 0',
        'Index($function_name, "crm_") >= 0',
        'RegExMatch($function_name, "crm_.*") > 0',
        'InList($function_name, "crm_find") == 0',
        "InList($function_name, $names)",
        "Length($function_name) > 4",
        "HasKey($names, $function_name)",
    ],
)
def test_a_condition_that_is_not_understood_makes_no_tool(condition: str) -> None:
    made = design(SCRIPTS | {"Dispatch": dispatcher(condition)}, OPERATIONS | {"CRM": ""}, tools=KNOWN)
    assert loop_of(made).tools == (BY_NAME,)
    assert guesses_of(made) == [
        "scripts/Dispatch: line 2: script 'Dispatch': the condition of this branch was not understood; "
        "the operation 'CRM' that it runs is no tool here"
    ]


def test_a_beginning_that_no_announced_name_has_makes_no_tool() -> None:
    made = design(SCRIPTS | {"Dispatch": dispatcher('Left($function_name, 4) == "crm_"')}, OPERATIONS)
    assert loop_of(made).tools == (BY_NAME,)
    assert guesses_of(made) == [
        "scripts/Dispatch: line 2: script 'Dispatch': no announced name begins with 'crm_'; "
        "the operation 'CRM' that it runs is no tool here"
    ]


DEFAULTS: dict[str, str | None] = {
    '$function_resp = "No tool " + $function_name': None,
    "RunOperation(human)": "RunOperation(human);",
    '$bad++; $function_resp = "?"': '$bad++;\n$function_resp = "?";',
    'WriteToOperationLog($function_name); $function_resp = "?"': (
        'WriteToOperationLog($function_name);\n$function_resp = "?";'
    ),
    '$bad = "?"': '$bad = "?";',
}


@pytest.mark.parametrize("default", DEFAULTS)
def test_a_default_that_does_more_than_to_answer_is_kept_as_a_script(default: str) -> None:
    text = SCRIPTS["Dispatch"].replace('$function_resp = "Unknown function: " + $function_name;', default)
    human = 'human = "<TAG>operation:Human</TAG>";'
    loop = loop_of(design(SCRIPTS | {"Dispatch": human + text}, OPERATIONS))
    assert loop.default_script == DEFAULTS[default]


def test_prompt_based_routing_has_names_and_numbers_of_its_request() -> None:
    start = WITHOUT_TOOLS.replace("$userMessage", "$question").replace("$InAndOut", "$body")
    start = start.replace('\\"model\\":', '\\"temperature\\":0,\\"model\\":')
    route = 'If($answer == "hr", $reply = "HR", RunOperation("<TAG>operation:Human</TAG>"))'
    made = design({"Start": start, "Read": READ, "Route": route}, {"Main": "Start, @Send, Read, Route"})
    (shape,) = recognise(made).shapes
    assert isinstance(shape, PromptBasedRouting)
    assert (shape.model, shape.numbers) == ("gpt-4o", {"temperature": 0})
    assert shape.names == {
        "InAndOut": "body",
        "function_name": "answer",
        "function_resp": "reply",
        "userMessage": "question",
    }
    assert shape.default_script == 'RunOperation("<TAG>operation:Human</TAG>");'
