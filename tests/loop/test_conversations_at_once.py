"""Turns of one conversation that come at once wait for each other, or are refused; streamed ones too."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from tests.loop.talk import heard, lines, loop_with

from callagain import (
    Conversation,
    DecisionError,
    JournalFile,
    OperationEnded,
    Result,
    RunCancelledError,
    RunInProgressError,
    TextDelta,
    ToolLoop,
    tool,
)
from callagain.testing import AnyAnswer, StandIn, call, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Serve = Callable[..., StandIn]


class Gate:
    """A tool that waits until it is opened, in a conversation whose model asks for it when told to wait."""

    def __init__(self, stand_in: Serve, journal: JournalFile | None) -> None:
        self.entered = threading.Event()
        self.open = threading.Event()

        @tool(read_only=True)
        def gate() -> str:
            """Wait for the gate."""
            self.entered.set()
            assert self.open.wait(20)
            return "open"

        self.server = stand_in(self._answer)
        self.loop: ToolLoop = loop_with(self.server, tools=[gate], journal=journal)

    def _answer(self, body: dict[str, Any]) -> AnyAnswer:
        newest = body["messages"][-1]
        return (
            calls(call("gate")) if newest["content"] == "Wait." else says(f"After {len(body['messages'])}.")
        )

    @contextmanager
    def held(self, talk: Conversation) -> Generator[None, None, None]:
        """Somebody else has a turn for so long."""
        other = threading.Thread(target=talk.run, args=("Wait.",))
        other.start()
        try:
            assert self.entered.wait(20)
            yield
        finally:
            self.open.set()
            other.join()


@pytest.fixture
def gate(stand_in: Serve, journal: JournalFile | None) -> Gate:
    return Gate(stand_in, journal)


def test_threads_take_turns_in_the_order_in_which_they_came(gate: Gate) -> None:
    talk = gate.loop.conversation("ada")
    with ThreadPoolExecutor(5) as threads:
        with gate.held(talk):
            waiting: list[Future[Result]] = []
            for number in range(4):
                waiting.append(threads.submit(gate.loop.conversation("ada").run, f"Number {number}."))
                time.sleep(0.05)
            assert [turn.status for turn in talk.turns] == ["running"]
        results = [each.result() for each in waiting]
    assert [result.final_response for result in results] == ["After 3.", "After 5.", "After 7.", "After 9."]
    assert [turn.message for turn in talk.turns][1:] == [f"Number {number}." for number in range(4)]


async def test_tasks_take_turns_and_the_event_loop_goes_on(gate: Gate) -> None:
    talk = gate.loop.conversation("ada")
    with gate.held(talk):
        tasks = [asyncio.create_task(talk.arun(f"Number {number}.")) for number in range(3)]
        ticks, end = 0, time.monotonic() + 0.5
        while time.monotonic() < end:
            await asyncio.sleep(0.005)
            ticks += 1
        assert ticks > 20
        assert not any(task.done() for task in tasks)
        gate.open.set()
        results = await asyncio.gather(*tasks)
    assert [result.final_response for result in results] == ["After 3.", "After 5.", "After 7."]


def test_a_turn_may_be_refused(gate: Gate) -> None:
    talk = gate.loop.conversation("ada", on_busy="refuse")
    told = r"^turn 1 of the conversation 'ada' is under way: "
    with gate.held(talk):
        for busy in (
            lambda: talk.run("Now."),
            lambda: asyncio.run(talk.arun("Now.")),
            talk.discard,
            talk.resume,
        ):
            with pytest.raises(RunInProgressError, match=told):
                busy()
        with pytest.raises(RunInProgressError, match=told):
            next(iter(talk.stream("Now.")))
        with pytest.raises(RunInProgressError):
            talk.delete()
        assert gate.loop.conversation("bob").run("Now.").outcome == "completed"
    assert talk.run("Now.").final_response == "After 3."


def test_of_many_that_are_refused_one_gets_the_turn(stand_in: Serve, journal: JournalFile | None) -> None:
    server = stand_in([says("Yes.")], repeat_last=True, delay=0.3)
    loop = loop_with(server, journal=journal)
    together = threading.Barrier(6)

    def speak(number: int) -> str:
        together.wait()
        try:
            return loop.conversation("ada", on_busy="refuse").run(f"{number}").outcome
        except RunInProgressError:
            return "refused"

    with ThreadPoolExecutor(6) as threads:
        outcomes = sorted(threads.map(speak, range(6)))
    assert outcomes == ["completed", *["refused"] * 5]
    assert (len(server.requests), len(loop.conversation("ada").turns)) == (1, 1)


async def test_a_task_that_is_cancelled_while_it_waits_leaves_nothing(gate: Gate) -> None:
    talk = gate.loop.conversation("ada")
    with gate.held(talk):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await talk.arun("Too long.")
        gate.open.set()
        assert (await talk.arun("Hello.")).final_response == "After 3."
    assert [turn.message for turn in talk.turns] == ["Wait.", "Hello."]


async def test_a_task_that_is_cancelled_in_its_turn_leaves_it_to_be_resumed(gate: Gate) -> None:
    talk = gate.loop.conversation("ada")
    task = asyncio.create_task(talk.arun("Wait."))
    assert await asyncio.to_thread(gate.entered.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [turn.status for turn in talk.turns] == ["interrupted"]
    with pytest.raises(DecisionError, match=r"^turn 1 of the conversation 'ada' is interrupted; "):
        await talk.arun("Hello.")
    gate.open.set()
    assert (await talk.aresume()).final_response == "After 3."
    assert (await talk.arun("Hello.")).final_response == "After 3."


class TestAStream:
    def test_is_a_turn(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("One and two."), says("Three.")])
        talk = loop_with(server, journal=journal).conversation("ada")
        with talk.stream("Count.") as stream:
            assert talk.turns == []
            text = "".join(event.text for event in stream if isinstance(event, TextDelta))
        assert stream.result is not None
        assert text == stream.result.final_response == "One and two."
        assert talk.run("More.").final_response == "Three."
        assert heard(server) == ["user: Count.", "assistant: One and two.", "user: More."]

    async def test_is_a_turn_of_the_event_loop(self, stand_in: Serve, journal: JournalFile | None) -> None:
        server = stand_in([says("One and two.")])
        talk = loop_with(server, journal=journal).conversation("ada")
        async with talk.stream("Count.") as stream:
            text = "".join([event.text async for event in stream if isinstance(event, TextDelta)])
        assert text == "One and two."
        assert lines(talk.messages) == ["user: Count.", "assistant: One and two."]

    def test_that_is_left_goes_on_with_the_next_iteration(
        self, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([says("One.")], repeat_last=True)
        talk = loop_with(server, journal=journal).conversation("ada")
        stream = talk.stream("Count.")
        for event in stream:
            if isinstance(event, OperationEnded):
                break
        stream.close()
        assert [turn.status for turn in talk.turns] == ["interrupted"]
        for _ in stream:
            pass
        assert [turn.status for turn in talk.turns] == ["completed"]

    async def test_that_is_left_on_the_event_loop_is_resumed(
        self, stand_in: Serve, journal: JournalFile | None
    ) -> None:
        server = stand_in([says("One.")], repeat_last=True)
        talk = loop_with(server, journal=journal).conversation("ada")
        async with talk.stream("Count.") as stream:
            async for event in stream:
                if isinstance(event, OperationEnded):
                    break
        assert (await talk.aresume()).final_response == "One."
        assert lines(talk.messages) == ["user: Count.", "assistant: One."]

    def test_that_waits_can_be_cancelled(self, gate: Gate) -> None:
        talk = gate.loop.conversation("ada")
        with gate.held(talk):
            stream = talk.stream("Now.")
            threading.Timer(0.05, stream.cancel).start()
            with pytest.raises(
                RunCancelledError, match="^the turn was cancelled while it waited; nothing of"
            ):
                next(iter(stream))
        assert len(talk.turns) == 1

    def test_that_is_under_way_can_be_cancelled(self, gate: Gate) -> None:
        talk = gate.loop.conversation("ada")
        stream = talk.stream("Wait.")

        def cancel() -> None:
            assert gate.entered.wait(20)
            stream.cancel()

        threading.Thread(target=cancel).start()
        with pytest.raises(RunCancelledError):
            list(stream)
        gate.open.set()
        assert talk.resume().final_response == "After 3."
