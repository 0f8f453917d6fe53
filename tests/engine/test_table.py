"""The guide's table: every state, event and combination of guards; whatever is not in it changes nothing."""

import copy
import itertools

import pytest

from callagain.chains import FUNCTION_ROUTING, MULTI_TURN_CHAT, PROMPT_ROUTING, RETRY_CONTROLLER
from callagain.engine.chain import Chain
from callagain.engine.errors import IllegalEventError
from callagain.engine.links import EVENTS, FINAL_STATES
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.extensions import with_deadline, with_final_answer
from callagain.operations import TOOL_CALLING_LOOP

# (state, event, call_llm_again, iterations_left) -> state, written out by hand from the guide.
ANY = (True, False)
EXPECTED = {
    **{("initialize", "on_success", again, left): "llm_call" for again in ANY for left in ANY},
    **{("llm_call", "on_success", again, left): "parse_response" for again in ANY for left in ANY},
    ("parse_response", "on_success", True, True): "tool_dispatcher",
    ("parse_response", "on_success", True, False): "limit",
    ("parse_response", "on_success", False, True): "extract_final",
    ("parse_response", "on_success", False, False): "extract_final",
    **{("tool_dispatcher", "on_success", again, left): "append_tool_result" for again in ANY for left in ANY},
    **{("append_tool_result", "on_success", again, left): "llm_call" for again in ANY for left in ANY},
    **{("extract_final", "on_success", again, left): "completed" for again in ANY for left in ANY},
    **{
        (state, "on_fail", again, left): "failed"
        for state in TOOL_CALLING_LOOP.operations
        for again in ANY
        for left in ANY
    },
}


def variables(call_llm_again: bool, iterations_left: bool) -> Variables:
    made = Variables.of(Inputs(run_id="r", model="m", user_message="Hi", max_iterations=2))
    made.call_llm_again = call_llm_again
    made.loop_count = 1 if iterations_left else 2
    return made


def test_the_table_has_the_guides_states() -> None:
    assert list(TOOL_CALLING_LOOP.operations) == [
        "initialize",
        "llm_call",
        "parse_response",
        "tool_dispatcher",
        "append_tool_result",
        "extract_final",
    ]
    assert TOOL_CALLING_LOOP.final_states == FINAL_STATES == ("completed", "limit", "failed")


@pytest.mark.parametrize(
    ("state", "event", "call_llm_again", "iterations_left"),
    list(itertools.product(TOOL_CALLING_LOOP.operations, EVENTS, ANY, ANY)),
)
def test_every_state_event_and_combination_of_guards(
    state: str, event: str, call_llm_again: bool, iterations_left: bool
) -> None:
    target = TOOL_CALLING_LOOP.next_state(state, event, variables(call_llm_again, iterations_left))
    assert target == EXPECTED[state, event, call_llm_again, iterations_left]


CHAINS = [
    TOOL_CALLING_LOOP,
    FUNCTION_ROUTING,
    PROMPT_ROUTING,
    RETRY_CONTROLLER,
    MULTI_TURN_CHAT,
    with_deadline(TOOL_CALLING_LOOP),
    with_final_answer(TOOL_CALLING_LOOP),
    with_final_answer(with_deadline(TOOL_CALLING_LOOP)),
]


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
@pytest.mark.parametrize("state", [*FINAL_STATES, "no_such_state"])
@pytest.mark.parametrize("event", EVENTS)
def test_no_event_leaves_a_final_state(chain: Chain, state: str, event: str) -> None:
    assert_illegal(chain, state, event)


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
@pytest.mark.parametrize("event", ["on_error", "", "to_completed", "On Success"])
def test_an_unknown_event_is_illegal_everywhere(chain: Chain, event: str) -> None:
    for state in chain.operations:
        assert_illegal(chain, state, event)


def assert_illegal(chain: Chain, state: str, event: str) -> None:
    given = variables(True, True)
    before = copy.deepcopy(given)
    with pytest.raises(IllegalEventError) as caught:
        chain.next_state(state, event, given)
    assert str(caught.value) == f"chain {chain.name!r}: no link fires for {event!r} in state {state!r}"
    assert given == before


def test_function_routing_ends_after_one_round() -> None:
    assert (
        FUNCTION_ROUTING.next_state("parse_response", "on_success", variables(True, False))
        == "tool_dispatcher"
    )
    assert (
        FUNCTION_ROUTING.next_state("parse_response", "on_success", variables(False, True)) == "extract_final"
    )
    assert FUNCTION_ROUTING.next_state("tool_dispatcher", "on_success", variables(True, True)) == "completed"
    assert FUNCTION_ROUTING.final_states == ("completed", "failed")


@pytest.mark.parametrize("call_llm_again", ANY)
@pytest.mark.parametrize("iterations_left", ANY)
@pytest.mark.parametrize("asked", ANY)
def test_a_closing_answer_is_asked_for_once(call_llm_again: bool, iterations_left: bool, asked: bool) -> None:
    chain = with_final_answer(TOOL_CALLING_LOOP)
    given = variables(call_llm_again, iterations_left)
    if asked:
        chain.operations["ask_for_answer"].run(given)  # type: ignore[union-attr]
    after_parse = {
        (True, True): "tool_dispatcher",
        (True, False): "limit" if asked else "ask_for_answer",
    }.get((call_llm_again, iterations_left), "extract_final")
    assert chain.next_state("parse_response", "on_success", given) == after_parse
    assert chain.next_state("extract_final", "on_success", given) == ("limit" if asked else "completed")
    assert chain.next_state("ask_for_answer", "on_success", given) == "llm_call"
