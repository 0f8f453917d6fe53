"""A script and its translation give the same: value, variables, log, and the kind of an error."""

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from tests.porting.script import test_guide_scripts
from tests.porting.script.test_script_function_tables import ROWS as FUNCTION_ROWS
from tests.porting.script.test_script_language import ROWS as LANGUAGE_ROWS
from tests.porting.translation.comparing import differences, parsed, translation_of
from tests.porting.translation.generating import Scripts
from tests.porting.translation.guide import SCRIPTS

from callagain.porting.script import ScriptError, Value
from callagain.porting.translation import NotTranslatable

CALL = test_guide_scripts.calls_tool("call_1", '{"order_id": "42"}')
SITUATIONS: list[dict[str, Value]] = [
    {},
    {"systemPrompt": 'Be "brief".', "userMessage": "two\nlines", "toolsJson": "[]"},
    {"jitterbit.response": CALL, "tools_resp": CALL, "function_arguments": '{"order_id": 42}'},
    {"jitterbit.response": test_guide_scripts.answers('"Hi" he said'), "call_llm_again": True},
    {"tools_resp": CALL, "tools_messages": "[{}]", "function_resp": 'say "hi"', "tool_call_id": "call_1"},
    {"tools_resp": CALL, "tools_messages": ["no", "text"], "function_resp": {"a": 1}, "toolsJson": {}},
    {"call_llm_again": "true", "loop_count": 3, "function_name": "get_invoice"},
    {"call_llm_again": {}, "loop_count": "4", "function_name": ["get_invoice"]},
    {"call_llm_again": True, "loop_count": 0, "function_name": "get_order_status"},
    {"call_llm_again": True, "loop_count": [0], "function_name": 0},
]


def compared(scripts: list[str], variables: dict[str, Value]) -> tuple[list[str], list[str]]:
    """What differs, and the reasons for which scripts are not translated."""
    different: list[str] = []
    refused: list[str] = []
    for script in scripts:
        try:
            different += differences(script, variables, (5, "seven"))
        except NotTranslatable as error:
            refused.append(error.reason)
    return different, refused


def parses(script: str) -> bool:
    try:
        parsed(script)
    except ScriptError:
        return False
    return True


@pytest.mark.parametrize("variables", SITUATIONS)
def test_the_scripts_of_the_guide_do_the_same(variables: dict[str, Value]) -> None:
    different, refused = compared(list(SCRIPTS.values()), variables)
    assert (different, refused) == ([], [])


def test_the_scripts_of_the_tables_do_the_same_and_nearly_all_are_translated() -> None:
    scripts = [script for script, _ in (*FUNCTION_ROWS, *LANGUAGE_ROWS) if parses(script)]
    different, refused = compared(scripts, {})
    assert different == []
    # The ones that are not would fail whenever they run: unknown functions, too few arguments, no tags.
    assert len(refused) / len(scripts) < 0.03, refused


VARIABLES: list[dict[str, Value]] = [
    {"x": 2, "y": "text"},
    {"x": [1, 2], "y": {"k": 1}, "order.id": True, "list": ["a", [1]], "d": {"a": None}},
    {"x": "3", "y": None, "order.id": b"a", "list": "no", "d": 5, "n": True, "w": 1.5},
]


@seed(7)
@settings(max_examples=120, deadline=None, database=None)
@given(st.integers(0, 10**9), st.sampled_from(VARIABLES))
def test_scripts_that_nobody_wrote_do_the_same(number: int, variables: dict[str, Value]) -> None:
    different, _ = compared([Scripts(number).script()], variables)
    assert different == []


def test_of_scripts_that_nobody_wrote_most_are_translated() -> None:
    refused: list[str] = []
    for number in range(40):
        try:
            translation_of(Scripts(number).script())
        except NotTranslatable as error:
            refused.append(error.reason)
    assert len(refused) <= 5, refused
