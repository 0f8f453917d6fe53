"""Turns that did not simply complete: what becomes of them, and what later turns are told of them."""

from collections.abc import Callable

import pytest
from tests.loop.shop import SORRY, Shop, a_refund, asks_for
from tests.loop.talk import REFUSED, Say, adds, heard, lines, looks, loop_with

from callagain import ConfigurationError, DecisionError, JournalFile, approve, deny
from callagain.testing import StandIn, says

Serve = Callable[..., StandIn]
NO_ANSWER = "assistant: [This turn ended without an answer. What its calls did is done, and stands above.]"


class TestATurnWithoutAnAnswer:
    def test_that_did_nothing_is_left_out(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([looks(1), REFUSED, says("Hello.")])
        talk = loop_with(server, journal=journal).conversation("ada", keep="tools")
        assert say(talk, "Is 1 there?").outcome == "failed"
        assert talk.messages == []
        assert say(talk, "Hello?").outcome == "completed"
        assert heard(server) == ["user: Hello?"]
        first = talk.turns[0]
        assert (first.status, first.kind, first.messages) == ("failed", "bad_request", ())

    def test_that_did_something_is_told_so_that_it_is_not_done_again(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([adds(1), REFUSED, says("I did.")])
        talk = loop_with(server, journal=journal).conversation("ada")
        assert say(talk, "Add 1.").outcome == "failed"
        assert say(talk, "Did you?").outcome == "completed"
        assert heard(server) == [
            "user: Add 1.",
            "assistant: add",
            "tool: 1 was added",
            NO_ANSWER,
            "user: Did you?",
        ]

    def test_whose_call_was_denied_did_nothing(self, stand_in: Serve, journal: JournalFile | None) -> None:
        shop = Shop()
        server = stand_in([asks_for(a_refund(id="r1")), REFUSED, SORRY])
        talk = shop.loop(server, journal=journal).conversation("ada")
        talk.run("My money!")
        assert talk.resume(decisions={"r1": deny("too late")}).outcome == "failed"
        talk.run("Hello?")
        assert heard(server) == ["user: Hello?"]

    def test_goes_on_where_it_failed_until_there_is_another(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([adds(1), REFUSED, says("I added 1."), says("Yes."), REFUSED])
        talk = loop_with(server, journal=journal).conversation("ada")
        failed = say(talk, "Add 1.")
        assert talk.resume(failed).final_response == "I added 1."
        say(talk, "Sure?")
        assert heard(server) == ["user: Add 1.", "assistant: I added 1.", "user: Sure?"]
        with pytest.raises(
            ConfigurationError,
            match=rf"^the run '{failed.run_id}' is not that of the last turn of the conversation 'ada', ",
        ):
            talk.resume(failed)

    def test_at_a_limit_goes_on_with_a_larger_one(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([looks(1), looks(2), says("Both.")])
        talk = loop_with(server, journal=journal, max_iterations=1).conversation("ada")
        result = talk.run("1 and 2?")
        assert result.outcome == "limit"
        with pytest.raises(ConfigurationError, match=r"^the run is at its limit \(max_iterations\); give it"):
            talk.resume()
        assert talk.resume(result.run_id, changes={"max_iterations": 2}).final_response == "Both."
        assert lines(talk.messages) == ["user: 1 and 2?", "assistant: Both."]

    def test_is_told_if_the_limit_had_one(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([looks(1), looks(2), says("I know of 1 alone.")])
        loop = loop_with(server, journal=journal, max_iterations=1, on_limit="final_answer")
        talk = loop.conversation("ada")
        assert talk.run("1 and 2?").outcome == "limit"
        assert lines(talk.messages) == ["user: 1 and 2?", "assistant: I know of 1 alone."]


class TestASuspendedTurn:
    def test_has_to_be_decided_before_the_next_one(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        shop = Shop()
        server = stand_in([asks_for(a_refund(id="r1")), says("Refunded."), says("Bye.")])
        talk = shop.loop(server, journal=journal).conversation("ada")
        waiting = say(talk, "My money!")
        assert waiting.outcome == "suspended"
        with pytest.raises(
            DecisionError,
            match=r"^turn 1 of the conversation 'ada' is suspended \(approval_required\); "
            r"conversation.resume\(\) goes on with it, conversation.discard\(\) leaves it out$",
        ):
            say(talk, "Hello?")
        assert [(turn.status, turn.kind) for turn in talk.turns] == [("suspended", "approval_required")]
        with pytest.raises(DecisionError, match=r"^nothing was decided; waiting: r1$"):
            talk.resume(waiting)
        assert talk.resume(waiting, decisions={"r1": approve}).final_response == "Refunded."
        say(talk, "Bye!")
        assert heard(server) == ["user: My money!", "assistant: Refunded.", "user: Bye!"]
        assert shop.refunds == [("481516", 40)]

    async def test_is_resumed_on_the_event_loop(self, stand_in: Serve, journal: JournalFile | None) -> None:
        shop = Shop()
        server = stand_in([asks_for(a_refund(id="r1")), says("Refunded.")])
        talk = shop.loop(server, journal=journal).conversation("ada")
        await talk.arun("My money!")
        assert (await talk.aresume(decisions={"r1": approve})).final_response == "Refunded."

    def test_is_left_out_if_it_is_discarded(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        shop = Shop()
        server = stand_in([asks_for(a_refund(id="r1")), says("Hello.")])
        talk = shop.loop(server, journal=journal).conversation("ada")
        waiting = say(talk, "My money!")
        talk.discard()
        say(talk, "Hello?")
        assert heard(server) == ["user: Hello?"]
        assert [turn.status for turn in talk.turns] == ["discarded", "completed"]
        used = talk.turns[0].spent
        assert used is not None
        assert used.tokens == waiting.spent.tokens > 0
        assert shop.refunds == []


class TestDiscarding:
    def test_lets_the_last_question_be_asked_again(
        self, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([says("One."), says("Bad."), says("Good.")])
        talk = loop_with(server, journal=journal).conversation("ada")
        talk.run("First.")
        talk.run("Second.")
        talk.discard()
        with pytest.raises(ConfigurationError, match=r"^turn 2 of .* is discarded already; there is nothing"):
            talk.discard()
        with pytest.raises(
            ConfigurationError, match=r"^turn 2 of .* is discarded; run\(message\) begins the next one$"
        ):
            talk.resume()
        talk.run("Second.")
        assert lines(talk.messages) == [
            "user: First.",
            "assistant: One.",
            "user: Second.",
            "assistant: Good.",
        ]

    def test_of_all_begins_anew(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("Yes.")], repeat_last=True)
        talk = loop_with(server, journal=journal).conversation("ada")
        talk.run("One?")
        talk.delete()
        assert (talk.turns, talk.messages) == ([], [])
        talk.run("Two?")
        assert heard(server) == ["user: Two?"]
        assert [turn.number for turn in talk.turns] == [1]
        if journal is not None:
            assert [run.run_id for run in journal.list()] == [talk.turns[0].run_id]
