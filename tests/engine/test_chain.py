"""A chain is checked when it is made; each fault has its message."""

import dataclasses
import logging
from typing import Any

import pytest

from callagain.chains import FUNCTION_ROUTING
from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError, IllegalEventError
from callagain.engine.links import ANY_OPERATION, Link
from callagain.engine.operation import Script
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP


class Nothing(Script):
    title = "Do nothing"

    def run(self, variables: Variables) -> None:
        """Nothing to do."""


def holds(_variables: Variables) -> bool:
    return True


def chain_of(*links: Link, operations: tuple[str, ...] = ("a", "b"), initial: str = "a") -> Chain:
    return Chain(
        name="test",
        links=links,
        operations={name: Nothing() for name in operations},
        guards={"warm": holds, "wet": holds},
        initial=initial,
    )


A_TO_B = Link("a", "on_success", "b")
B_ENDS = Link("b", "on_success", "completed")
FAILS = Link(ANY_OPERATION, "on_fail", "failed")
INPUTS = Inputs(run_id="r", model="m", user_message="Hi")


def test_a_whole_chain_is_accepted() -> None:
    assert chain_of(A_TO_B, B_ENDS, FAILS).final_states == ("completed", "failed")


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (
            (A_TO_B, FAILS),
            "in state 'b' on 'on_success' no link fires; add one, or widen the guards of another",
        ),
        (
            (A_TO_B, B_ENDS),
            "in state 'a' on 'on_fail' no link fires; add one, or widen the guards of another",
        ),
        (
            (Link("a", "on_success", "b", ("warm",)), B_ENDS, FAILS),
            "in state 'a' on 'on_success' with not warm no link fires; add one, or widen the guards of "
            "another",
        ),
        (
            (A_TO_B, Link("a", "on_success", "completed", ("wet",)), B_ENDS, FAILS),
            "in state 'a' on 'on_success' with wet more than one link fires: [a --on_success--> b], "
            "[a --on_success--> completed when wet]",
        ),
        (
            (Link("a", "on_success", "c"), B_ENDS, FAILS),
            "link [a --on_success--> c]: there is no operation or final state 'c'",
        ),
        (
            (A_TO_B, B_ENDS, FAILS, Link("c", "on_success", "b")),
            "link [c --on_success--> b]: there is no operation 'c'",
        ),
        (
            (A_TO_B, B_ENDS, FAILS, Link("a", "on_error", "failed")),
            "link [a --on_error--> failed]: the event is neither on_success nor on_fail",
        ),
        (
            (A_TO_B, B_ENDS, FAILS, Link("completed", "on_success", "a")),
            "link [completed --on_success--> a]: it leaves a final state",
        ),
        (
            (A_TO_B, B_ENDS, FAILS, Link("a", "on_fail", "b", ("cold",))),
            "link [a --on_fail--> b when cold]: there is no guard 'cold'",
        ),
        (
            (A_TO_B, B_ENDS, FAILS, Link("a", "on_fail", "b", ("warm", "not warm"))),
            "link [a --on_fail--> b when warm and not warm] can never fire",
        ),
        (
            (Link("a", "on_success", "completed"), B_ENDS, FAILS),
            "operation 'b' is never reached from 'a'",
        ),
        (
            (A_TO_B, Link("b", "on_success", "a"), FAILS),
            "from operation 'a' no final state can be reached by on_success",
        ),
    ],
)
def test_a_fault_in_the_links_is_named(links: tuple[Link, ...], message: str) -> None:
    with pytest.raises(ChainError) as caught:
        chain_of(*links)
    assert str(caught.value) == message


def test_the_initial_state_must_be_an_operation() -> None:
    with pytest.raises(ChainError, match="^the initial state 'start' has no operation$"):
        chain_of(A_TO_B, B_ENDS, FAILS, initial="start")


def test_an_operation_must_be_a_script_or_an_activity() -> None:
    chain = chain_of(A_TO_B, B_ENDS, FAILS)
    nothing: Any = "no operation"
    with pytest.raises(
        ChainError, match="^operation 'b' is neither a Script nor an Activity: 'no operation'$"
    ):
        chain.replace(operations={"b": nothing})


def test_an_operation_may_not_be_named_like_a_final_state() -> None:
    with pytest.raises(ChainError, match="^operation 'failed' has the name of a final state"):
        chain_of(A_TO_B, B_ENDS, FAILS, operations=("a", "b", "failed"))


def test_an_operations_own_on_fail_link_comes_before_the_general_one() -> None:
    own = Link("a", "on_fail", "b", ("warm",))
    chain = chain_of(FAILS, A_TO_B, B_ENDS, own)
    some = Variables.of(INPUTS)
    assert chain.next_state("a", "on_fail", some) == "b"
    assert chain.next_state("b", "on_fail", some) == "failed"


def test_insert_before_takes_all_links_to_the_operation() -> None:
    chain = TOOL_CALLING_LOOP.insert("redact", Nothing(), before="llm_call")
    targets = {link.target for link in chain.links if link.source in ("initialize", "append_tool_result")}
    assert targets == {"redact"}
    assert Link("redact", "on_success", "llm_call") in chain.links


def test_insert_before_the_first_operation_begins_there() -> None:
    assert TOOL_CALLING_LOOP.insert("greet", Nothing(), before="initialize").initial == "greet"


def test_insert_after_takes_over_the_guards() -> None:
    chain = TOOL_CALLING_LOOP.insert("translate", Nothing(), after="parse_response")
    assert Link("parse_response", "on_success", "translate") in chain.links
    moved = [link for link in chain.links if link.source == "translate"]
    assert [(link.target, link.when) for link in moved] == [
        ("tool_dispatcher", ("call_llm_again", "iterations_left")),
        ("limit", ("call_llm_again", "not iterations_left")),
        ("extract_final", ("not call_llm_again",)),
    ]


def test_insert_leaves_the_chain_as_it_was() -> None:
    before = TOOL_CALLING_LOOP.links
    TOOL_CALLING_LOOP.insert("redact", Nothing(), before="llm_call")
    assert TOOL_CALLING_LOOP.links == before
    assert "redact" not in TOOL_CALLING_LOOP.operations


@pytest.mark.parametrize(
    ("name", "where", "message"),
    [
        ("redact", {}, "insert 'redact': give exactly one of before= and after="),
        (
            "redact",
            {"before": "llm_call", "after": "llm_call"},
            "insert 'redact': give exactly one of before= and after=",
        ),
        (
            "redact",
            {"before": "llm"},
            "insert 'redact': there is no operation 'llm' in chain 'tool_calling_loop'",
        ),
        (
            "llm_call",
            {"before": "llm_call"},
            "insert 'llm_call': chain 'tool_calling_loop' has an operation of this name",
        ),
    ],
)
def test_insert_names_what_is_wrong(name: str, where: dict[str, str], message: str) -> None:
    with pytest.raises(ChainError) as caught:
        TOOL_CALLING_LOOP.insert(name, Nothing(), **where)
    assert str(caught.value) == message


def test_a_chain_that_exists_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        FUNCTION_ROUTING.links = ()  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_guard_that_gives_no_bool_is_an_error() -> None:
    def undecided(_: object) -> Any:
        return None

    chain = TOOL_CALLING_LOOP.replace(guards={"call_llm_again": undecided})
    with pytest.raises(IllegalEventError, match="a guard in state 'parse_response' gave no bool"):
        chain.next_state("parse_response", "on_success", Variables.of(INPUTS))


def test_the_log_of_transitions_is_silent_about_our_moves(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        TOOL_CALLING_LOOP.next_state("initialize", "on_success", Variables.of(INPUTS))
    assert caplog.records == []
