"""Conversations in a journal: for all processes, through every crash, and readable for people."""

import itertools
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.engine.journal.stored import eventually
from tests.journal.killing import KILLED, When, exit_code, kill_at, start
from tests.journal.orders import client_of
from tests.loop.shop import Shop, a_refund, asks_for
from tests.loop.talk import REFUSED, lines

from callagain import (
    Conversation,
    DecisionError,
    JournalError,
    JournalFile,
    RunInProgressError,
    SnapshotError,
    Tool,
    ToolLoop,
    tool,
)
from callagain.chains import FUNCTION_ROUTING
from callagain.testing import AnyAnswer, StandIn, call, calls, says

Serve = Callable[..., StandIn]

TWO_TURNS = ["user: Hello.", "assistant: After 1.", "user: Look.", "assistant: After 5."]


@tool(read_only=True)
def look() -> str:
    """Look."""
    return "seen"


def model(body: dict[str, Any]) -> AnyAnswer:
    """Looks when told to, and adds; else says how many messages it was sent."""
    newest = body["messages"][-1]["content"]
    wanted = {"Look.": "look", "Add.": "add"}.get(newest)
    return calls(call(wanted)) if wanted else says(f"After {len(body['messages'])}.")


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in(model)


def loop_with(server: StandIn, journal: JournalFile, *tools: Tool, **options: Any) -> ToolLoop:
    client = client_of(server, is_async=False)
    return ToolLoop(model="m", client=client, journal=journal, tools=[look, *tools], max_retries=0, **options)


def rows(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def test_another_process_goes_on(server: StandIn, journal: JournalFile) -> None:
    talk = loop_with(server, journal).conversation("ada")
    talk.run("Hello.")
    assert exit_code(start(lambda: talk.run("In a child."))) == 0
    assert talk.run("And back.").final_response == "After 5."


def test_turns_of_two_processes_follow_one_another(server: StandIn, path: Path) -> None:
    def speak() -> None:
        with closing(JournalFile(path)) as journal:
            talk = loop_with(server, journal).conversation("ada")
            for _ in range(6):
                assert talk.run("Look.").outcome == "completed"

    workers = [start(speak) for _ in range(2)]
    assert [exit_code(worker) for worker in workers] == [0, 0]
    with closing(JournalFile(path)) as journal:
        turns = loop_with(server, journal).conversation("ada").turns
    answers = [turn.messages[-1]["content"] for turn in turns]
    assert answers == [f"After {3 + 2 * number}." for number in range(12)]


def test_a_turn_of_another_process_is_named(server: StandIn, journal: JournalFile, tmp_path: Path) -> None:
    entered = tmp_path / "entered"

    @tool(read_only=True)
    def add() -> str:
        """Wait for the end."""
        entered.touch()
        signal.pause()
        return "never"

    talk = loop_with(server, journal, add).conversation("ada", on_busy="refuse")
    worker = start(lambda: talk.run("Add."))
    try:
        eventually(entered.exists)
        with pytest.raises(
            RunInProgressError,
            match=rf"^turn 1 of the conversation 'ada' is under way: the run .* by process {worker.pid} on ",
        ):
            talk.run("Hello?")
    finally:
        worker.kill()
        worker.join()
    with pytest.raises(
        DecisionError, match="^turn 1 of the conversation 'ada' is interrupted; conversation.re"
    ):
        talk.run("Hello?")


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_turn_goes_on_after_any_row(server: StandIn, path: Path, when: When) -> None:
    for row in itertools.count(1):
        name = f"row-{row}"
        with closing(JournalFile(path, "process")) as journal:
            loop_with(server, journal).conversation(name).run("Hello.")

        code = exit_code(start(partial(look_and_die, server, path, name, row, when)))
        with closing(JournalFile(path, "process")) as journal:
            talk = loop_with(server, journal).conversation(name)
            go_on(talk, "Look.")
            assert lines(talk.messages) == TWO_TURNS, name
            assert talk.run("Bye.").final_response == "After 5."
        if code == 0:
            assert row > 15, "it has more entries and steps than that"
            break
        assert code == KILLED


def look_and_die(server: StandIn, path: Path, name: str, row: int, when: When) -> None:
    kill_at(row, when)
    with closing(JournalFile(path, "process")) as journal:
        loop_with(server, journal).conversation(name).run("Look.")


def go_on(talk: Conversation, message: str) -> None:
    """As an application does that finds a conversation after a crash."""
    if len(talk.turns) == 1:
        talk.run(message)
    elif talk.turns[-1].status == "interrupted":
        assert talk.resume().final_response == "After 5."


def test_a_call_of_which_nobody_knows_the_outcome_is_not_repeated(
    server: StandIn, journal: JournalFile
) -> None:
    @tool
    def add() -> str:
        """Add."""
        os.kill(os.getpid(), signal.SIGKILL)
        return "never"

    talk = loop_with(server, journal, add).conversation("ada")
    assert exit_code(start(lambda: talk.run("Add."))) == KILLED
    with pytest.raises(
        DecisionError, match="^turn 1 of the conversation 'ada' is interrupted; conversation.re"
    ):
        talk.run("Hello?")
    waiting = talk.resume()
    assert waiting.error is not None
    assert waiting.error.kind == "call_outcome_unknown"
    (pending,) = talk.pending_calls
    assert pending == waiting.pending_calls[0]
    assert talk.resume(results={pending.id: "added"}).final_response == "After 3."
    assert lines(talk.messages) == ["user: Add.", "assistant: After 3."]


def test_a_turn_that_was_resumed_outside_is_found_as_it_ended(server: StandIn, journal: JournalFile) -> None:
    loop = loop_with(server, journal)
    run_id = interrupted(loop.conversation("ada"))
    assert loop.resume(run_id).outcome == "completed"
    talk = loop.conversation("ada")
    assert talk.run("Hello.").final_response == "After 3."
    assert lines(talk.messages)[:2] == ["user: Look.", "assistant: After 3."]


def test_a_turn_that_has_ended_is_not_read_by_another_chain(server: StandIn, journal: JournalFile) -> None:
    loop = loop_with(server, journal)
    run_id = interrupted(loop.conversation("ada"))
    assert loop.resume(run_id).outcome == "completed"
    other = loop_with(server, journal, chain=FUNCTION_ROUTING).conversation("ada")
    with pytest.raises(
        SnapshotError,
        match=r"^turn 1 of the conversation 'ada' cannot be read with the chain of this loop \(.*\); open "
        r"the conversation with the loop that it began with, or discard\(\) the turn$",
    ):
        other.run("Hello.")
    other.discard()
    assert other.run("Hello.").final_response == "After 1."


def test_an_interrupted_turn_goes_on_only_with_the_tools_that_it_began_with(
    server: StandIn, journal: JournalFile
) -> None:
    @tool
    def add() -> str:
        """Add."""
        return "added"

    talk = loop_with(server, journal).conversation("ada")
    interrupted(talk)
    with pytest.raises(
        SnapshotError, match=r"^the snapshot is of another loop: the tools are not those .*'add'"
    ):
        loop_with(server, journal, add).conversation("ada").resume()
    assert talk.resume().outcome == "completed"
    assert loop_with(server, journal, add).conversation("ada").run("Hello.").outcome == "completed"


def test_only_the_last_turn_can_be_resumed_by_whatever_way(stand_in: Serve, journal: JournalFile) -> None:
    shop = Shop()
    server = stand_in([REFUSED, says("Yes."), asks_for(a_refund())])
    loop = shop.loop(server, journal=journal)
    talk = loop.conversation("ada")
    failed = talk.run("One?")
    talk.run("Two?")
    with pytest.raises(
        SnapshotError,
        match=r"^the conversation 'ada' has gone on without turn 1, which is over; begin a new one$",
    ):
        loop.resume(failed.run_id)
    waiting = talk.run("My money!")
    talk.discard()
    with pytest.raises(
        SnapshotError, match=r"^turn 3 of the conversation 'ada' was discarded; begin a new one$"
    ):
        loop.resume(waiting.run_id, decisions={waiting.pending_calls[0].id: True})
    assert shop.refunds == []


def test_a_stream_that_was_left_does_not_go_on_behind_somebody_else(
    server: StandIn, journal: JournalFile
) -> None:
    loop = loop_with(server, journal)
    stream = loop.conversation("ada").stream("Look.")
    next(iter(stream))
    stream.close()
    assert loop.conversation("ada").resume().outcome == "completed"
    with pytest.raises(RunInProgressError, match="^somebody else went on with the run "):
        next(iter(stream))


def test_every_turn_can_be_replayed(server: StandIn, journal: JournalFile) -> None:
    loop = loop_with(server, journal)
    talk = loop.conversation("ada", keep="tools")
    for message in ("Look.", "Hello."):
        talk.run(message)
    assert [loop.replay(turn.run_id).difference for turn in talk.turns] == [None, None]


def test_a_turn_whose_run_was_deleted_can_be_discarded(server: StandIn, journal: JournalFile) -> None:
    talk = loop_with(server, journal).conversation("ada")
    run_id = interrupted(talk)
    journal.delete(run_id)
    with pytest.raises(JournalError, match=f"^the journal .* has no run '{run_id}'; "):
        talk.resume()
    talk.discard()
    assert talk.run("Hello.").final_response == "After 1."


def test_people_can_read_the_turns(server: StandIn, journal: JournalFile, path: Path) -> None:
    loop_with(server, journal).conversation("ada").run("Look.")
    assert rows(
        path,
        "SELECT conversation_id, number, message, outcome, kept, json_extract(messages, '$[1].content'), "
        "requests, status FROM turns JOIN runs USING (run_id)",
    ) == [("ada", 1, '"Look."', "completed", 2, "After 3.", 2, "completed")]


def test_a_journal_of_an_older_version_gets_the_tables(server: StandIn, path: Path) -> None:
    with closing(JournalFile(path)) as journal:
        loop_with(server, journal).run("Hello.", run_id="old")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE turns; DROP TABLE conversations; PRAGMA user_version = 1;")
    with closing(JournalFile(path)) as journal:
        loop = loop_with(server, journal)
        assert loop.conversation("ada").run("Hello.").outcome == "completed"
        assert loop.replay("old").outcome == "completed"


@pytest.mark.parametrize("change", ["messages = '['", "messages = '{}'", "message = ''"])
def test_what_is_damaged_is_told(server: StandIn, journal: JournalFile, path: Path, change: str) -> None:
    talk = loop_with(server, journal).conversation("ada")
    talk.run("Hello.")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE turns SET {change}")
    with pytest.raises(
        JournalError,
        match=rf"^what the journal {path} has of the conversation 'ada' is damaged \(.*\); take the journal "
        "from a backup$",
    ):
        talk.run("Hello?")


def interrupted(talk: Conversation) -> str:
    """A turn that was left in the middle; the id of its run."""
    stream = talk.stream("Look.")
    next(iter(stream))
    stream.close()
    (turn,) = talk.turns
    assert turn.status == "interrupted"
    return turn.run_id
