"""Budgets of a conversation: each turn may use what the turns before it have left."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.loop.talk import Say, adds, lines, looks, loop_with

from callagain import ConfigurationError, Conversation, JournalFile, OutcomeError, Prices
from callagain.testing import StandIn, calls, says

Serve = Callable[..., StandIn]

PRICES = Prices(input=1.0, output=1.0)
# 100 tokens, and so $0.0001, a response.
USAGE = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}


def yes() -> Any:
    return says("Yes.", usage=USAGE)


def look(number: int = 1) -> Any:
    return calls(("look", {"number": number}), usage=USAGE)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ({"budget_tokens": 200}, "200 of budget_tokens=200"),
        ({"budget_tokens": 101}, "200 of budget_tokens=101"),
        ({"budget_requests": 2}, "2 of budget_requests=2"),
        ({"budget_money": 0.0002}, r"\$0.000200 of budget_money=0.0002"),
    ],
)
def test_a_turn_for_which_nothing_is_left_makes_no_request(
    say: Say, stand_in: Serve, journal: JournalFile | None, budget: dict[str, Any], told: str
) -> None:
    server = stand_in([yes()], repeat_last=True)
    talk = loop_with(server, journal=journal, prices=PRICES).conversation("ada", **budget)
    assert [say(talk, message).outcome for message in ("One?", "Two?")] == ["completed", "completed"]
    result = say(talk, "Three?")
    (name,) = budget
    assert result.outcome == "limit"
    assert len(server.requests) == 2
    with pytest.raises(
        OutcomeError,
        match=rf"^limit \({name}\): the conversation has used {told}, and goes no further; open it with a "
        rf"larger {name} and resume\(\) the turn, or begin another conversation$",
    ):
        result.raise_for_outcome()
    assert lines(talk.messages) == ["user: One?", "assistant: Yes.", "user: Two?", "assistant: Yes."]
    assert [(turn.status, turn.kind) for turn in talk.turns][-1] == ("limit", name)


def test_a_turn_ends_within_what_is_left(say: Say, stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([yes(), look(1), look(2), yes()])
    talk = loop_with(server, journal=journal).conversation("ada", budget_requests=3)
    say(talk, "One?")
    result = say(talk, "1 and 2?")
    assert (result.outcome, result.loop_count, len(server.requests)) == ("limit", 2, 3)
    assert result.variables.limits.budget_requests == 2


def test_the_turn_goes_on_where_the_budget_is_larger(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([yes(), look(1), look(2), yes()])
    loop = loop_with(server, journal=journal)
    small = loop.conversation("ada", budget_requests=2)
    small.run("One?")
    assert small.run("1 and 2?").outcome == "limit"
    told = (
        r"^the conversation leaves 1 of budget_requests=2 to this turn; open it with a larger one, and "
        r"resume there: loop.conversation\('ada', budget_requests=…\).resume\(\)$"
    )
    with pytest.raises(ConfigurationError, match=told):
        small.resume()
    with pytest.raises(ConfigurationError, match=told):
        small.resume(changes={"budget_requests": 9})
    with pytest.raises(ConfigurationError, match=told):
        small.resume(changes={"budget_requests": None})
    large = loop.conversation("ada", budget_requests=4)
    assert large.resume().outcome == "completed"
    assert large.run("More?").outcome == "limit"
    assert len(server.requests) == 4


def test_calls_are_counted_over_all_turns(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([looks(1, 2), yes(), yes(), look(3), yes()])
    talk = loop_with(server, journal=journal).conversation("ada", budget_tool_calls=2)
    assert talk.run("1 and 2?").outcome == "completed"
    assert talk.run("Sure?").outcome == "completed"
    result = talk.run("And 3?")
    assert result.error is not None
    assert (result.error.kind, len(result.pending_calls)) == ("budget_tool_calls", 1)
    assert result.error.message.startswith("the conversation has used 2 of budget_tool_calls=2, and goes no")


def test_the_loops_own_budget_counts_for_each_turn(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([look(1), yes(), look(1), look(2), yes()])
    talk = loop_with(server, journal=journal, budget_requests=2).conversation("ada", budget_requests=9)
    assert talk.run("1?").outcome == "completed"
    result = talk.run("1 and 2?")
    assert result.error is not None
    assert result.error.message.startswith("the run has used 2 requests of budget_requests=2, and makes no")
    with pytest.raises(ConfigurationError, match=r"^the run is at its limit \(budget_requests\); give it a "):
        talk.resume()
    assert talk.resume(changes={"budget_requests": 7}).outcome == "completed"


def test_what_failed_or_was_discarded_has_been_used(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([adds(1), yes()])
    talk = loop_with(server, journal=journal).conversation("ada", budget_requests=3)
    talk.run("Add 1.")
    talk.discard()
    assert talk.run("Hello?").outcome == "failed"
    assert talk.run("Hello?").outcome == "limit"


def test_turns_without_prices_leave_nobody_knows_how_much(stand_in: Serve, tmp_path: Path) -> None:
    server = stand_in([yes()], repeat_last=True)
    with closing(JournalFile(tmp_path / "runs.db")) as journal:
        loop_with(server, journal=journal).conversation("ada").run("One?")
        talk = loop_with(server, journal=journal, prices=PRICES).conversation("ada", budget_money=1.0)
        with pytest.raises(
            ConfigurationError,
            match=r"^turn 1 of the conversation 'ada' was run without prices, so nobody knows what is left "
            r"of budget_money; leave it out, or begin another conversation$",
        ):
            talk.run("Two?")


def test_without_budgets_the_chain_is_the_loops(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([yes()], repeat_last=True)
    loop = loop_with(server, journal=journal)
    plain = loop.conversation("ada").run("One?")
    watched = loop.conversation("bob", budget_tokens=1000).run("One?")
    assert [step.operation for step in plain.trace][1] == "llm_call"
    assert [step.operation for step in watched.trace][1] == "check_budget"


def test_options_are_of_the_opened_conversation(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([yes()], repeat_last=True)
    loop = loop_with(server, journal=journal)
    free: Conversation = loop.conversation("ada")
    free.run("One?")
    assert loop.conversation("ada", budget_requests=1).run("Two?").outcome == "limit"
    assert free.run("Two?").outcome == "completed"
