"""Turns follow one another: each is a run of its own, and is told what the turns before it have left."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.loop.talk import Say, heard, lines, looks, loop_with

from callagain import ConfigurationError, JournalFile, ToolLoop
from callagain.engine.journal.store import StoredTurn
from callagain.testing import StandIn, says
from callagain.turns import first_told

Serve = Callable[..., StandIn]
ANYWHERE = "http://127.0.0.1:9/v1"


class TestHistory:
    def test_is_user_messages_and_answers(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([looks(1, 2), says("Both are there."), says("You are welcome.")])
        talk = loop_with(server, journal=journal, system_prompt="Be kind.").conversation("ada")
        assert say(talk, "Are 1 and 2 there?").final_response == "Both are there."
        assert say(talk, "Thank you.").final_response == "You are welcome."
        assert heard(server) == [
            "system: Be kind.",
            "user: Are 1 and 2 there?",
            "assistant: Both are there.",
            "user: Thank you.",
        ]
        assert lines(talk.messages) == [*heard(server)[1:], "assistant: You are welcome."]
        assert [(turn.number, turn.message, turn.status) for turn in talk.turns] == [
            (1, "Are 1 and 2 there?", "completed"),
            (2, "Thank you.", "completed"),
        ]

    def test_holds_whole_rounds_if_asked(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([looks(1, 2), says("Both are there."), says("You are welcome.")])
        talk = loop_with(server, journal=journal).conversation("ada", keep="tools")
        say(talk, "Are 1 and 2 there?")
        say(talk, "Thank you.")
        assert heard(server) == [
            "user: Are 1 and 2 there?",
            "assistant: look, look",
            "tool: 1 is there",
            "tool: 2 is there",
            "assistant: Both are there.",
            "user: Thank you.",
        ]

    def test_is_of_one_conversation(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("Hello.")], repeat_last=True)
        loop = loop_with(server, journal=journal)
        loop.conversation("ada").run("I am Ada.")
        loop.conversation("bob").run("I am Bob.")
        loop.conversation().run("I am nobody.")
        loop.conversation("ada").run("Who am I?")
        assert [heard(server, number) for number in range(4)] == [
            ["user: I am Ada."],
            ["user: I am Bob."],
            ["user: I am nobody."],
            ["user: I am Ada.", "assistant: Hello.", "user: Who am I?"],
        ]

    def test_does_not_change_what_a_turn_begins_with(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([looks(1), says("It is."), looks(2), says("It is, too.")])
        talk = loop_with(server, journal=journal, max_iterations=1).conversation("ada", keep="tools")
        say(talk, "Is 1 there?")
        result = say(talk, "And 2?")
        first = result.trace[0]
        assert (first.operation, result.loop_count) == ("initialize", 1)
        began = first.after.as_jitterbit()
        assert (began["loop_count"], began["tools_messages"], began["tools_resp"]) == (0, "", "")
        assert [each.arguments for each in result.tool_results] == [{"number": 2}]

    def test_goes_with_parts_and_to_the_other_api(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("A cat.")], repeat_last=True)
        loop = loop_with(server, journal=journal, api="responses")
        parts: Any = [{"type": "text", "text": "What is this?"}]
        loop.conversation("ada", keep="tools").run(parts)
        result = loop.conversation("ada").run("Sure?")
        assert result.outcome == "completed"
        assert server.requests[1].json["input"] == [
            {"role": "user", "content": [{"type": "input_text", "text": "What is this?"}]},
            {"role": "assistant", "content": "A cat."},
            {"role": "user", "content": "Sure?"},
        ]

    def test_is_nobodys_to_change(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("Yes.")], repeat_last=True)
        talk = loop_with(server, journal=journal).conversation("ada")
        parts: Any = [{"type": "text", "text": "One?"}]
        talk.run(parts)
        parts[0]["text"] = talk.messages[0]["content"] = talk.turns[0].messages[1]["content"] = "Changed."
        talk.run("Two?")
        assert heard(server) == [
            "user: [{'type': 'text', 'text': 'One?'}]",
            "assistant: Yes.",
            "user: Two?",
        ]

    def test_in_memory_belongs_to_the_loop(self, stand_in: Serve) -> None:
        server = stand_in([says("Hello.")], repeat_last=True)
        loop_with(server).conversation("ada").run("One.")
        loop_with(server).conversation("ada").run("Two.")
        assert heard(server) == ["user: Two."]

    def test_of_a_journal_goes_on_with_another_loop(self, stand_in: Serve, tmp_path: Path) -> None:
        server = stand_in([looks(1), says("It is."), says("Yes.")])
        with closing(JournalFile(tmp_path / "runs.db")) as journal:
            loop_with(server, journal=journal, system_prompt="Old.").conversation("ada").run("One?")
            other = ToolLoop(
                model="n", base_url=server.base_url, journal=journal, system_prompt="New."
            ).conversation("ada")
            assert other.run("Sure?").outcome == "completed"
        assert heard(server) == ["system: New.", "user: One?", "assistant: It is.", "user: Sure?"]


class TestTrimming:
    def test_leaves_the_oldest_turns_out_and_the_system_prompt_in(
        self, say: Say, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([says("Yes.")], repeat_last=True)
        talk = loop_with(server, journal=journal, system_prompt="Be kind.").conversation("ada", max_turns=1)
        for message in ("One?", "Two?", "Three?"):
            say(talk, message)
        assert heard(server) == ["system: Be kind.", "user: Two?", "assistant: Yes.", "user: Three?"]
        assert lines(talk.messages) == ["user: Three?", "assistant: Yes."]
        assert len(talk.turns) == 3

    def test_by_messages_cuts_no_turn_in_half(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([looks(1), says("It is."), says("You are welcome."), says("Bye.")])
        talk = loop_with(server, journal=journal).conversation("ada", keep="tools", max_messages=5)
        for message in ("One?", "Thanks.", "Bye!"):
            talk.run(message)
        assert heard(server) == ["user: Thanks.", "assistant: You are welcome.", "user: Bye!"]

    def test_to_nothing_makes_each_turn_the_first(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("Yes.")], repeat_last=True)
        talk = loop_with(server, journal=journal).conversation("ada", max_turns=0)
        talk.run("One?")
        talk.run("Two?")
        assert heard(server) == ["user: Two?"]

    @given(
        kept=st.lists(st.integers(0, 6), max_size=12),
        max_turns=st.none() | st.integers(0, 8),
        max_messages=st.none() | st.integers(0, 20),
    )
    def test_keeps_the_most_turns_that_fit(
        self, kept: list[int], max_turns: int | None, max_messages: int | None
    ) -> None:
        turns = [
            StoredTurn(number, f"r{number}", "completed", kept=each) for number, each in enumerate(kept, 1)
        ]
        first = first_told(turns, max_turns, max_messages)
        told = [turn for turn in turns if first is not None and turn.number >= first and turn.kept]
        more = [turn for turn in turns if turn.kept][-len(told) - 1 :]

        def fits(some: list[StoredTurn]) -> bool:
            messages = sum(turn.kept for turn in some)
            return (max_turns is None or len(some) <= max_turns) and (
                max_messages is None or messages <= max_messages
            )

        assert fits(told)
        assert more == told or not fits(more)


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"conversation_id": ""}, "conversation_id must be a text that is not empty, or None, not ''"),
            ({"conversation_id": 7}, "conversation_id must be a text that is not empty, or None, not 7"),
            ({"conversation_id": "a\0"}, r"conversation_id must be a text .*, not 'a\\x00'"),
            ({"conversation_id": "\ud800"}, "conversation_id must be a text that is not empty, or None, "),
            ({"keep": "all"}, """keep must be "messages" or "tools", not 'all\'"""),
            ({"on_busy": None}, 'on_busy must be "wait" or "refuse", not None'),
            ({"max_turns": -1}, "max_turns must be a whole number, 0 or more, or None, not -1"),
            ({"max_messages": True}, "max_messages must be a whole number, 0 or more, or None, not True"),
            ({"budget_tokens": 0}, "budget_tokens must be a whole number, 1 or more, or None, not 0"),
            ({"budget_money": 1.0}, "budget_money needs the prices of m: pass prices=Prices"),
        ],
    )
    def test_is_told_in_one_line(self, options: dict[str, Any], told: str) -> None:
        with pytest.raises(ConfigurationError, match=f"^{told}"):
            ToolLoop(model="m", base_url=ANYWHERE).conversation(**options)

    def test_of_an_unknown_name_is_a_type_error(self) -> None:
        options: Any = {"max_turn": 1}
        with pytest.raises(
            TypeError, match=r"^conversation\(\) got an unexpected keyword argument 'max_turn'"
        ):
            ToolLoop(model="m", base_url=ANYWHERE).conversation("ada", **options)

    def test_is_refused_before_a_turn_begins(self, stand_in: Serve, journal: JournalFile | None) -> None:
        message: Any = 7
        talk = loop_with(stand_in([]), journal=journal).conversation("ada")
        with pytest.raises(
            ConfigurationError, match="^the message must be a text or a list of parts, not int$"
        ):
            talk.run(message)
        assert talk.turns == []

    def test_of_a_turn_that_is_not_there(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("Yes.")])
        talk = loop_with(server, journal=journal).conversation("ada")
        with pytest.raises(
            ConfigurationError, match=r"^the conversation 'ada' has no turn yet; run\(message\) begins one$"
        ):
            talk.resume()
        result = talk.run("One?")
        with pytest.raises(ConfigurationError, match="^the run 'r7' is not that of the last turn of the "):
            talk.resume("r7")
        with pytest.raises(
            ConfigurationError, match=r"^turn 1 of .* is completed; run\(message\) begins the"
        ):
            talk.resume(result)
