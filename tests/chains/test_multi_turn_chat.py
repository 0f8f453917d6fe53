"""Multi-turn chat: load the history of a session, run the loop, store what was said."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import Result, RunCancelledError, ToolLoop, tool
from callagain.chains import MULTI_TURN_CHAT, turn_id
from callagain.engine.links import COMPLETED, ON_SUCCESS, Link
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, AnyAnswer, StandIn, calls, says

Serve = Callable[..., StandIn]
Messages = list[dict[str, Any]]

both = pytest.mark.parametrize("by_async", [False, True])


class Sessions:
    """A session store in memory. A turn that it has already is not stored a second time."""

    def __init__(self) -> None:
        self.turns: dict[str, dict[str, Messages]] = {}
        self.stored: list[str] = []

    def load_history(self, session_id: str) -> Messages:
        turns = self.turns.get(session_id, {})
        return [message for messages in turns.values() for message in messages]

    def store_messages(self, session_id: str, turn_id: str, messages: Messages) -> None:
        self.stored.append(turn_id)
        self.turns.setdefault(session_id, {}).setdefault(turn_id, messages)


@tool(read_only=True)
def look() -> str:
    """Look."""
    return "seen"


def model(body: dict[str, Any]) -> AnyAnswer:
    """Looks when told to; else says how many messages it was sent."""
    if body["messages"][-1]["content"] == "Look.":
        return calls(("look", {}))
    return says(f"After {len(body['messages'])}.")


def chat(server: StandIn, sessions: Sessions, **options: Any) -> ToolLoop:
    store = {"load_history": sessions.load_history, "store_messages": sessions.store_messages}
    options = {"functions": store, **options}
    return ToolLoop(
        model="m",
        base_url=server.base_url,
        tools=[look],
        chain=MULTI_TURN_CHAT,
        max_retries=0,
        **options,
    )


def ran(loop: ToolLoop, message: str, run_id: str = "ada/1", by_async: bool = False) -> Result:
    if by_async:
        return asyncio.run(loop.arun(message, run_id=run_id))
    return loop.run(message, run_id=run_id)


def said(user: str, assistant: str) -> Messages:
    return [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]


@both
def test_a_turn_is_told_what_was_said_before_in_its_session(stand_in: Serve, by_async: bool) -> None:
    server, sessions = stand_in(model), Sessions()
    loop = chat(server, sessions, system_prompt="Be brief.")
    for run_id, message in (("ada/1", "Hello."), ("bob/1", "Good day."), ("ada/2", "And?")):
        assert ran(loop, message, run_id, by_async).outcome == "completed"
    assert server.requests[-1].json["messages"] == [
        {"role": "system", "content": "Be brief."},
        *said("Hello.", "After 2."),
        {"role": "user", "content": "And?"},
    ]
    assert sessions.load_history("bob") == said("Good day.", "After 2.")


@both
def test_the_messages_of_tools_are_not_stored(stand_in: Serve, by_async: bool) -> None:
    sessions = Sessions()
    result = ran(chat(stand_in(model), sessions), "Look.", by_async=by_async)
    assert (result.loop_count, sessions.turns) == (1, {"ada": {"ada/1": said("Look.", "After 3.")}})
    assert [step.operation for step in result.trace] == [
        "load_history",
        "initialize",
        "llm_call",
        "parse_response",
        "tool_dispatcher",
        "append_tool_result",
        "llm_call",
        "parse_response",
        "extract_final",
        "store_messages",
    ]


def test_a_history_that_is_given_follows_the_stored_one(stand_in: Serve) -> None:
    server, sessions = stand_in(model), Sessions()
    loop = chat(server, sessions)
    ran(loop, "Hello.")
    loop.run("And?", history=said("Aside.", "Yes."), run_id="ada/2")
    sent = [message["content"] for message in server.requests[-1].json["messages"]]
    assert sent == ["Hello.", "After 1.", "Aside.", "Yes.", "And?"]


def test_the_responses_api_is_told_it_too(stand_in: Serve) -> None:
    server, sessions = stand_in([says("One."), says("Two.")]), Sessions()
    loop = chat(server, sessions, api="responses")
    ran(loop, "Hello.", "ada/1")
    ran(loop, "And?", "ada/2")
    assert sessions.load_history("ada") == [*said("Hello.", "One."), *said("And?", "Two.")]
    assert [item["content"] for item in server.requests[-1].json["input"]] == ["Hello.", "One.", "And?"]


@pytest.mark.parametrize(
    ("answer", "options", "outcome"),
    [(Answer(400, "no"), {}, "failed"), (calls(("look", {})), {"max_iterations": 0}, "limit")],
)
def test_a_turn_without_an_answer_stores_nothing(
    stand_in: Serve, answer: Any, options: dict[str, Any], outcome: str
) -> None:
    sessions = Sessions()
    assert ran(chat(stand_in([answer]), sessions, **options), "Look.").outcome == outcome
    assert sessions.turns == {}


def test_a_closing_answer_at_the_limit_is_stored(stand_in: Serve) -> None:
    sessions = Sessions()
    server = stand_in([calls(("look", {})), says("As far as I see.")])
    result = ran(chat(server, sessions, max_iterations=0, on_limit="final_answer"), "Look.")
    assert (result.outcome, sessions.load_history("ada")) == ("limit", said("Look.", "As far as I see."))


def load_nothing(session_id: str) -> None:
    assert session_id == "ada"


def load_what_cannot_be_sent(session_id: str) -> list[dict[str, str]]:
    return [{"role": "tool", "content": session_id}]


def load_from_no_database(session_id: str) -> list[object]:
    raise OSError(f"no database of {session_id}")


@pytest.mark.parametrize(
    ("load", "kind", "message"),
    [
        (
            load_nothing,
            "invalid_history",
            "load_history must return a list of messages, not NoneType; of a new session []",
        ),
        (load_what_cannot_be_sent, "invalid_history", ""),
        (load_from_no_database, "operation_failed", "OSError: no database of ada"),
        (None, "operation_failed", "there is no function 'load_history'; give it to the loop by functions="),
    ],
)
def test_a_history_that_cannot_be_loaded_fails_the_turn_before_anything_is_sent(
    stand_in: Serve, load: Callable[[str], object] | None, kind: str, message: str
) -> None:
    server = stand_in(model)
    result = ran(chat(server, Sessions(), functions={"load_history": load} if load else {}), "Hello.")
    assert result.error is not None
    assert (result.outcome, result.error.kind, len(server.requests)) == ("failed", kind, 0)
    assert result.error.message.startswith(message)


@pytest.mark.parametrize("run_id", ["ada", "/1", None])
def test_a_run_id_that_names_no_session_is_refused(stand_in: Serve, run_id: str | None) -> None:
    result = chat(stand_in(model), Sessions()).run("Hello.", run_id=run_id)
    assert result.error is not None
    assert result.error.message == (
        f"the run id {result.run_id!r} names no session; begin the turn with run_id=turn_id(session_id), or "
        "with SESSION/TURN"
    )


def test_a_turn_id_is_new_each_time_and_names_its_session(stand_in: Serve) -> None:
    sessions = Sessions()
    loop = chat(stand_in(model), sessions)
    turns = [turn_id("team/ada") for _ in range(2)]
    for turn in turns:
        ran(loop, "Hello.", turn)
    assert list(sessions.turns["team/ada"]) == turns
    assert len(set(turns)) == 2


@both
def test_a_turn_that_could_not_be_stored_is_stored_by_the_resumed_run_alone(
    stand_in: Serve, by_async: bool
) -> None:
    server, sessions, is_full = stand_in(model), Sessions(), [True]

    def store(**turn: Any) -> None:
        if is_full:
            raise OSError("disk full")
        sessions.store_messages(**turn)

    loop = chat(server, sessions, functions={"load_history": sessions.load_history, "store_messages": store})
    failed = ran(loop, "Hello.", by_async=by_async)
    assert failed.error is not None
    assert (failed.error.message, failed.final_response) == ("OSError: disk full", "After 1.")
    is_full.clear()
    result = asyncio.run(loop.aresume(failed)) if by_async else loop.resume(failed)
    assert (result.outcome, len(server.requests)) == ("completed", 1)
    assert sessions.turns == {"ada": {"ada/1": said("Hello.", "After 1.")}}


@both
def test_a_turn_that_was_interrupted_while_it_was_stored_is_stored_once(
    stand_in: Serve, by_async: bool, tmp_path: Path
) -> None:
    server, sessions, released = stand_in(model), Sessions(), threading.Event()

    def store(**turn: Any) -> None:
        sessions.store_messages(**turn)
        if not released.is_set():
            live.cancel()
            released.wait(30)

    functions = {"load_history": sessions.load_history, "store_messages": store}
    loop = chat(server, sessions, functions=functions, journal=tmp_path / "runs.db")
    live = loop.start("Hello.", run_id="ada/1")
    with pytest.raises(RunCancelledError):
        asyncio.run(live.arun()) if by_async else live.run()
    released.set()

    result = asyncio.run(loop.aresume("ada/1")) if by_async else loop.resume("ada/1")
    assert (result.outcome, len(server.requests)) == ("completed", 1)
    assert sessions.stored == ["ada/1", "ada/1"]
    assert sessions.load_history("ada") == said("Hello.", "After 1.")
    loop.replay("ada/1").raise_for_difference()
    assert len(sessions.stored) == 2


def test_between_loading_and_storing_the_table_is_the_loops() -> None:
    chat_links, loop_links = set(MULTI_TURN_CHAT.links), set(TOOL_CALLING_LOOP.links)
    assert loop_links - chat_links == {Link("extract_final", ON_SUCCESS, COMPLETED)}
    assert chat_links - loop_links == {
        Link("load_history", ON_SUCCESS, "initialize"),
        Link("extract_final", ON_SUCCESS, "store_messages"),
        Link("store_messages", ON_SUCCESS, COMPLETED),
    }
