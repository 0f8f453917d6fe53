"""The driver for engines that keep steps, without an engine: a recorder that keeps what each step gave.

A run is cut off at any step and driven again from its beginning. It must come to the same, by the same steps
in the same order, and no effect may happen twice.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.engine.commands import CallTool, Command, Key, SendRequest
from callagain.engine.drivers.in_flight import UNKNOWN_OUTCOME
from callagain.engine.drivers.one_command import TellEvent
from callagain.engine.drivers.recorded import drive_recorded
from callagain.engine.events import Event, RunEnded
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Decision, Entry, Held, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.operations import TOOL_CALLING_LOOP

Rounds: TypeAlias = tuple[tuple[str, ...], ...]

# One that may be repeated, two effects, of which one is an ordering point, and one that waits for somebody.
TOOLS = tuple(
    AnnouncedTool(
        name,
        {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}},
        sequential=name in ("post", "ask"),
        on_unknown="retry" if name == "look" else "ask",
    )
    for name in ("look", "pay", "post", "ask")
)
ROUNDS = st.lists(
    st.lists(st.sampled_from([tool.name for tool in TOOLS]), min_size=1, max_size=4).map(tuple), max_size=3
).map(tuple)
DELAYS = st.lists(st.integers(0, 4), min_size=5, max_size=5)
DONE = {"role": "assistant", "content": "Done."}


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Engine:
    """Keeps what each step gave, by its number; one that has begun and has not ended gave nothing.

    cut: the step in which the process ends, and whether before it does anything.
    """

    cut: tuple[int, bool] | None = None
    kept: dict[int, tuple[str, Any]] = field(default_factory=dict[int, tuple[str, Any]])


@dataclass
class World:
    """What the model says, how long steps take, and what took effect, over all executions.

    delays: turns of the event loop that a step takes, by its number.
    """

    rounds: Rounds
    delays: list[int]
    happened: list[Key] = field(default_factory=list[Key])

    def receipt(self, key: Key, command: Command) -> Receipt:
        if isinstance(command, SendRequest):
            return Receipt(key, self._response(command))
        assert isinstance(command, CallTool)
        return Receipt(key, ToolReceipt(f"{command.call_id} is done").as_json())

    def _response(self, command: SendRequest) -> Json:
        """Which round it is, is told by the conversation."""
        messages = json.loads(command.body)["messages"]
        done = sum(message["role"] == "assistant" for message in messages)
        wanted = [
            {"id": f"call-{done}-{place}", "type": "function", "function": {"name": name, "arguments": "{}"}}
            for place, name in enumerate(self.rounds[done] if done < len(self.rounds) else ())
        ]
        message = {"role": "assistant", "content": None, "tool_calls": wanted} if wanted else DONE
        body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        return HttpAnswer(200, "application/json", json.dumps(body)).as_json()


class Execution:
    """One execution of a run: a Recorder."""

    def __init__(self, run: Run, engine: Engine, world: World) -> None:
        self._run = run
        self._engine = engine
        self._world = world
        self._numbers = itertools.count(1)
        self._token = object()
        self._begun_by: dict[Key, object] = {}

    async def intend(self, key: Key, command: Command) -> None:
        if command.on_unknown != "retry":
            self._begun_by[key] = await self._step(f"intent {key}", lambda: self._token)

    def perform(self, key: Key, command: Command, tell: TellEvent) -> Coroutine[Any, Any, Receipt | Held]:  # noqa: ARG002
        return self._step(f"perform {key}", lambda: self._performed(key, command))

    async def hold(self, key: Key, command: Command) -> Held | None:
        held: Held | None = await self._step(f"hold {key}", lambda: self._waits_for(key, command))
        return held

    async def _step(self, name: str, act: Callable[[], Any]) -> Any:
        number, kept = next(self._numbers), self._engine.kept
        if number in kept:
            assert kept[number][0] == name, f"step {number} was {kept[number][0]}, and is {name}"
            return kept[number][1]
        for _ in range(self._world.delays[number % len(self._world.delays)]):
            await asyncio.sleep(0)
        if self._engine.cut == (number, True):
            raise Killed
        value = act()
        if self._engine.cut == (number, False):
            raise Killed
        kept[number] = name, value
        return value

    def _performed(self, key: Key, command: Command) -> Receipt | Held:
        if (held := self._waits_for(key, command)) is not None:
            return held
        if self._begun_by.get(key, self._token) is not self._token:
            return Held(key, UNKNOWN_OUTCOME)
        if command.on_unknown != "retry":
            self._world.happened.append(key)
        return self._world.receipt(key, command)

    def _waits_for(self, key: Key, command: Command) -> Held | None:
        is_asked = (
            isinstance(command, CallTool) and command.name == "ask" and key not in self._run.open.released
        )
        return Held(key, "approval_required") if is_asked else None


def run_with(log: Sequence[Entry]) -> Run:
    run = Run(TOOL_CALLING_LOOP, Inputs("r1", "m", "Go", tools=TOOLS, seed="s", max_iterations=9))
    for entry in log:
        run.apply(entry)
    return run


async def driven(log: Sequence[Entry], engine: Engine, world: World, most: int) -> tuple[Run, list[Event]]:
    """The run at its outcome, and what happened in the last execution: after a cut there is a second one."""
    run = run_with(log)
    events: list[Event] = []
    try:
        async with aclosing(
            drive_recorded(run, Execution(run, engine, world), max_concurrent_tools=most)
        ) as driving:
            async for event in driving:
                events.append(event)
    except Killed:
        engine.cut = None
        return await driven(log, engine, world, most)
    return run, events


def lived(world: World, most: int, cut: tuple[int, int, bool] | None = None) -> tuple[Run, list[list[str]]]:
    """The completed run, and the names of its steps by its parts; somebody decides about calls that wait.

    cut: the part, the step, and whether before it.
    """
    log: list[Entry] = []
    parts: list[list[str]] = []
    while True:
        engine = Engine(cut[1:] if cut is not None and cut[0] == len(parts) else None)
        run, events = asyncio.run(driven(log, engine, world, most))
        assert isinstance(events[-1], RunEnded)
        parts.append([engine.kept[number][0] for number in sorted(engine.kept)])
        if run.outcome != "suspended":
            return run, parts
        for key in list(run.open.held):
            command = run.open.commands[key]
            if key in world.happened:
                run.apply(Decision(key, command.digest, "answer", world.receipt(key, command).value))
            else:
                run.apply(Decision(key, command.digest, "release"))
        log = list(run.log)


@given(rounds=ROUNDS, delays=DELAYS, others=DELAYS, most=st.integers(1, 4))
def test_steps_are_begun_in_the_same_order_whatever_ends_first(
    rounds: Rounds, delays: list[int], others: list[int], most: int
) -> None:
    first, second = World(rounds, delays), World(rounds, others)
    (run, parts), (other, other_parts) = lived(first, most), lived(second, most)
    assert parts == other_parts
    assert (run.outcome, run.variables.messages) == ("completed", other.variables.messages)
    assert sorted(first.happened) == sorted(second.happened)


@settings(max_examples=150)
@given(
    rounds=ROUNDS,
    delays=DELAYS,
    most=st.integers(1, 4),
    cut=st.tuples(st.integers(0, 2), st.integers(1, 14), st.booleans()),
)
def test_a_run_that_is_cut_off_anywhere_comes_to_the_same(
    rounds: Rounds, delays: list[int], most: int, cut: tuple[int, int, bool]
) -> None:
    whole, broken = World(rounds, delays), World(rounds, delays)
    run, _ = lived(whole, most)
    resumed, _ = lived(broken, most, cut)
    assert (resumed.outcome, resumed.variables.messages) == ("completed", run.variables.messages)
    assert sorted(broken.happened) == sorted(whole.happened)
    assert len(set(broken.happened)) == len(broken.happened)


@given(rounds=ROUNDS, delays=DELAYS, most=st.integers(1, 4), kept=st.integers(0, 30))
def test_what_was_recorded_happens_again_by_itself(
    rounds: Rounds, delays: list[int], most: int, kept: int
) -> None:
    """An execution that is given the first steps does the others, and comes to the same events."""
    engine, world = Engine(), World(rounds, delays)
    run, _ = asyncio.run(driven([], engine, world, most))
    prefix = {number: step for number, step in engine.kept.items() if number <= kept}
    intended = {step[0].removeprefix("intent ") for step in prefix.values() if step[0].startswith("intent")}
    performed = {
        step[0].removeprefix("perform ") for step in prefix.values() if step[0].startswith("perform")
    }
    again = World(rounds, delays)
    other, _ = asyncio.run(driven([], Engine(kept=dict(prefix)), again, most))
    if intended <= performed:
        assert (other.log, other.variables, other.outcome) == (run.log, run.variables, run.outcome)
    assert not {str(key) for key in again.happened} & intended


def test_whoever_leaves_leaves_nothing_behind() -> None:
    """An execution that is cut off cancels what it has begun, and waits for it."""

    async def work() -> int:
        world = World((("look", "pay", "look"),), [0, 0, 0, 0, 50])
        run = run_with([])
        with pytest.raises(Killed):
            async for _ in drive_recorded(run, Execution(run, Engine(cut=(3, True)), world)):
                pass
        return len(asyncio.all_tasks())

    assert asyncio.run(work()) == 1
