"""A run is its inputs and its log: whatever order things happen in, and wherever it is taken up again."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.commands import CallTool, Command, Key, SendRequest
from callagain.engine.errors import EntryError, Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.limits import Limits
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed
from callagain.engine.operation import Script
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP

TOOLS = tuple(
    AnnouncedTool(
        name,
        {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}},
        sequential=name == "log",
        on_unknown="retry" if name == "read" else "ask",
    )
    for name in ("read", "pay", "log")
)

# What a script of the world says in one round: names and arguments of the calls.
Rounds = list[list[tuple[str, str]]]


def answer(message: JsonObject, finish_reason: str = "stop") -> Json:
    body = {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish_reason}]}
    return {"status": 200, "content_type": "application/json", "body": json.dumps(body)}


def calls_answer(calls: list[tuple[str, str]], round_number: int) -> Json:
    entries: list[Json] = [
        {
            "id": f"call_{round_number}_{place}",
            "type": "function",
            "function": {"name": name, "arguments": text},
        }
        for place, (name, text) in enumerate(calls)
    ]
    return answer({"content": None, "tool_calls": entries})


@dataclass
class World:
    """Answers each command by what it says alone, and counts the effects."""

    rounds: Rounds
    effects: Counter[Key] = field(default_factory=Counter[Key])
    requests: int = 0

    def perform(self, key: Key, command: Command) -> Json:
        if isinstance(command, SendRequest):
            self.requests += 1
            messages = json.loads(command.body)["messages"]
            done = sum(message["role"] == "assistant" for message in messages)
            return (
                calls_answer(self.rounds[done], done)
                if done < len(self.rounds)
                else answer({"content": "Done."})
            )
        assert isinstance(command, CallTool)
        self.effects[key] += 1
        return self.receipt(command)

    @staticmethod
    def receipt(command: Command) -> Json:
        assert isinstance(command, CallTool)
        return ToolReceipt(f"{command.name}: {json.dumps(command.arguments)}").as_json()


Order = Callable[[list[tuple[Key, Command]]], list[tuple[Key, Command]]]


def finish(run: Run, world: World, order: Order) -> None:
    """A driver in ten lines: intents in the order of the commands, receipts in whatever order."""
    for key, command in run.open.unanswered():
        if command.on_unknown != "retry":
            run.apply(Held(key, "call_outcome_unknown"))
    while run.outcome in (None, "suspended"):
        for _ in run.walk():
            pass
        for key, command in run.open.ready():
            run.apply(Intent(key, command.digest))
        for key, command in order(run.open.unanswered()):
            run.apply(Receipt(key, world.perform(key, command)))
        if run.outcome == "suspended":
            for key in list(run.open.held):
                command = run.open.commands[key]
                run.apply(Decision(key, command.digest, "answer", world.receipt(command)))


def folded(inputs: Inputs, log: list[Entry]) -> Run:
    run = Run(TOOL_CALLING_LOOP, inputs)
    for entry in log:
        run.apply(entry)
    for _ in run.walk():
        pass
    return run


def story(run: Run) -> object:
    """All that there is to see of a run that has ended."""
    return (
        run.state,
        run.problem,
        run.variables,
        [
            (step.number, step.operation, step.event, step.target, step.before, step.after)
            for step in run.trace
        ],
    )


names = st.sampled_from(["read", "pay", "log", "ghost"])
arguments = st.sampled_from(["{}", '{"amount":1}', "", "[1]", "{broken"])
scripts = st.lists(st.lists(st.tuples(names, arguments), min_size=1, max_size=4), max_size=4)


def orders(data: st.DataObject) -> Order:
    return lambda items: data.draw(st.permutations(items))


def inputs_of(max_iterations: int) -> Inputs:
    limits = Limits(max_repairs=None)
    return Inputs("r1", "m", "Go", tools=TOOLS, max_iterations=max_iterations, limits=limits)


@given(rounds=scripts, max_iterations=st.integers(0, 4), data=st.data())
def test_a_run_taken_up_from_any_prefix_of_its_log_is_the_same_run(
    rounds: Rounds, max_iterations: int, data: st.DataObject
) -> None:
    inputs = inputs_of(max_iterations)
    world = World(rounds)
    live = Run(TOOL_CALLING_LOOP, inputs)
    finish(live, world, orders(data))
    assert set(world.effects.values()) <= {1}

    assert story(folded(inputs, live.log)) == story(live)
    for length in range(len(live.log) + 1):
        prefix = live.log[:length]
        performed = {entry.key for entry in prefix if isinstance(entry, Intent)}
        taken_up = folded(inputs, prefix)
        later = World(rounds)
        finish(taken_up, later, orders(data))
        assert story(taken_up) == story(live)
        for key, times in later.effects.items():
            command_before = key in performed
            assert times == 1
            assert not command_before or _is_repeatable(live, key)


def _is_repeatable(run: Run, key: Key) -> bool:
    step = next(step for step in run.trace if step.number == key[0])
    runnable = [call for call in step.after.tool_calls if call.error is None]
    return runnable[key[1]].name == "read"


@given(rounds=scripts, max_iterations=st.integers(0, 4), data=st.data())
def test_every_call_gets_one_answer_in_order_within_the_limits(
    rounds: Rounds, max_iterations: int, data: st.DataObject
) -> None:
    world = World(rounds)
    run = Run(TOOL_CALLING_LOOP, inputs_of(max_iterations))
    finish(run, world, orders(data))

    assert world.requests <= max_iterations + 1
    assert run.variables.loop_count == min(len(rounds), max_iterations)
    assert run.outcome == ("limit" if len(rounds) > max_iterations else "completed")
    messages = run.variables.messages[1:]
    for calls in rounds[:max_iterations]:
        asked, answers, messages = messages[0], messages[1 : len(calls) + 1], messages[len(calls) + 1 :]
        assert isinstance(asked["tool_calls"], list)
        ids = [call["id"] for call in asked["tool_calls"] if isinstance(call, dict)]
        assert [message["tool_call_id"] for message in answers] == ids
        assert all(message["role"] == "tool" for message in answers)
    assert messages == []


@given(rounds=scripts, data=st.data())
def test_looking_twice_changes_nothing(rounds: Rounds, data: st.DataObject) -> None:
    inputs = inputs_of(4)
    live = Run(TOOL_CALLING_LOOP, inputs)
    finish(live, World(rounds), orders(data))
    length = data.draw(st.integers(0, len(live.log)))
    run = folded(inputs, live.log[:length])
    first = (run.open.ready(), run.open.unanswered(), run.outcome, story(run), list(run.log))
    assert list(run.walk()) == []
    assert (run.open.ready(), run.open.unanswered(), run.outcome, story(run), list(run.log)) == first


def started(calls: list[tuple[str, str]]) -> Run:
    """A run that waits for the calls of its first round."""
    run = Run(TOOL_CALLING_LOOP, inputs_of(5))
    for _ in run.walk():
        pass
    (key, command), *_ = run.open.ready()
    run.apply(Intent(key, command.digest))
    run.apply(Receipt(key, calls_answer(calls, 0)))
    for _ in run.walk():
        pass
    return run


def ready_names(run: Run) -> list[str]:
    return [command.name for _, command in run.open.ready() if isinstance(command, CallTool)]


def settle(run: Run, key: Key) -> None:
    command = run.open.commands[key]
    run.apply(Intent(key, command.digest))
    run.apply(Receipt(key, World.receipt(command)))


def test_a_sequential_tool_is_an_ordering_point() -> None:
    run = started([("read", "{}"), ("pay", "{}"), ("log", "{}"), ("read", "{}")])
    step = run.open.ready()[0][0][0]
    assert ready_names(run) == ["read", "pay"]
    settle(run, (step, 0))
    assert ready_names(run) == ["pay"]
    settle(run, (step, 1))
    assert ready_names(run) == ["log"]
    settle(run, (step, 2))
    assert ready_names(run) == ["read"]


def test_with_one_call_held_the_others_run_and_the_run_is_suspended() -> None:
    run = started([("pay", "{}"), ("read", "{}")])
    (pay, _), (read, _) = run.open.ready()
    run.apply(Held(pay, "approval_required"))
    assert ready_names(run) == ["read"]
    assert run.outcome is None
    settle(run, read)
    assert run.outcome == "suspended"


def test_an_edited_call_is_performed_with_the_new_arguments() -> None:
    run = started([("pay", '{"amount":100}')])
    ((key, command),) = run.open.ready()
    run.apply(Held(key, "approval_required"))
    run.apply(Decision(key, command.digest, "edit", {"amount": 1}))
    ((_, edited),) = run.open.ready()
    assert isinstance(edited, CallTool)
    assert edited.arguments == {"amount": 1}
    assert key in run.open.released


def test_from_the_limit_the_open_calls_are_run_first() -> None:
    world = World([[("read", "{}")], [("pay", "{}")]])
    run = Run(TOOL_CALLING_LOOP, inputs_of(1))
    finish(run, world, list)
    assert (run.outcome, world.requests) == ("limit", 2)
    run.apply(Resumed({"max_iterations": 3}))
    for _ in run.walk():
        pass
    assert ready_names(run) == ["pay"]
    finish(run, world, list)
    assert (run.outcome, world.requests, run.variables.loop_count) == ("completed", 3, 2)
    assert story(folded(run.inputs, run.log)) == story(run)


def test_after_a_failure_only_the_llm_call_is_made_again() -> None:
    run = started([("pay", "{}")])
    ((key, _),) = run.open.ready()
    settle(run, key)
    for _ in run.walk():
        pass
    ((request, command),) = run.open.ready()
    run.apply(Intent(request, command.digest))
    run.apply(Receipt(request, {"status": 503, "content_type": "text/html", "body": "<html>503</html>"}))
    for _ in run.walk():
        pass
    assert (run.outcome, run.problem and run.problem.kind) == ("failed", "provider_unavailable")
    run.apply(Resumed(discard=True))
    world = World([[("pay", "{}")]])
    finish(run, world, list)
    assert run.outcome == "completed"
    assert (world.effects, world.requests) == (Counter(), 1)
    assert story(folded(run.inputs, run.log)) == story(run)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Intent((9, 0), "x"), "intent for (9, 0): no open command has this key"),
        (
            Intent((4, 0), "x"),
            "intent for (4, 0): the command differs from the one in the log; the chain, the inputs or an "
            "operation have changed since",
        ),
        (Receipt((4, 0), None), "receipt for (4, 0): there was no intent"),
        (Decision((4, 0), "x", "release"), "decision about (4, 0): no command of this key is held"),
        (Resumed(), "resumed: a run in state 'tool_dispatcher' did not end at a limit or by a failure"),
    ],
)
def test_an_entry_that_does_not_fit_changes_nothing(entry: Entry, message: str) -> None:
    run = started([("pay", "{}"), ("log", "{}")])
    before = (story(run), list(run.log), run.open.ready(), run.open.unanswered())
    with pytest.raises(EntryError) as caught:
        run.apply(entry)
    assert str(caught.value) == message
    assert (story(run), list(run.log), run.open.ready(), run.open.unanswered()) == before


def test_an_ordering_point_cannot_be_passed() -> None:
    run = started([("pay", "{}"), ("log", "{}")])
    with pytest.raises(EntryError, match="a call before it is an ordering point, and still open"):
        run.apply(Intent((4, 1), run.open.commands[4, 1].digest))


def test_a_second_receipt_is_refused() -> None:
    run = started([("pay", "{}"), ("read", "{}")])
    settle(run, (4, 0))
    with pytest.raises(EntryError, match="the command has its receipt already"):
        run.apply(Receipt((4, 0), None))


def test_a_decision_holds_for_the_command_that_was_seen() -> None:
    run = started([("pay", "{}")])
    run.apply(Held((4, 0), "approval_required"))
    with pytest.raises(EntryError, match="it was made about another command"):
        run.apply(Decision((4, 0), "another digest", "release"))
    with pytest.raises(EntryError, match="only a call can be edited, with a JSON object"):
        run.apply(Decision((4, 0), run.open.commands[4, 0].digest, "edit", "no object"))
    assert run.outcome == "suspended"


@pytest.mark.parametrize("limit", [-1, True, "5", None])
def test_a_run_is_resumed_with_a_limit_that_is_one(limit: Json) -> None:
    run = Run(TOOL_CALLING_LOOP, inputs_of(0))
    finish(run, World([[("read", "{}")]]), list)
    with pytest.raises(EntryError, match="max_iterations must be a whole number, 0 or more"):
        run.apply(Resumed({"max_iterations": limit}))
    with pytest.raises(
        EntryError, match="resumed: colour is no limit; limits are max_iterations, max_repairs"
    ):
        run.apply(Resumed({"colour": "red"}))
    assert run.outcome == "limit"


class Buggy(Script):
    broken = True

    def run(self, variables: Variables) -> None:
        variables.own["seen"] = True
        if self.broken:
            raise ZeroDivisionError


def test_a_bug_of_an_operation_leaves_the_run_where_it_is() -> None:
    buggy = Buggy()
    run = Run(TOOL_CALLING_LOOP.insert("buggy", buggy, before="llm_call"), inputs_of(5))
    with pytest.raises(ZeroDivisionError):
        list(run.walk())
    assert (run.state, run.variables.own) == ("buggy", {})
    buggy.broken = False
    assert [step.operation for step in run.walk()] == ["buggy"]
    assert (run.state, run.variables.own) == ("llm_call", {"seen": True})


class Complains(Script):
    def run(self, variables: Variables) -> None:
        variables.write_to_operation_log("seen")
        variables.warn("odd", "an odd thing")
        variables.own["lost"] = True
        raise Failure("operation_failed", "no")


def test_what_an_operation_wrote_before_it_failed_stays_in_the_log() -> None:
    run = Run(TOOL_CALLING_LOOP.insert("complains", Complains(), before="llm_call"), inputs_of(5))
    *_, step = run.walk()
    assert (step.operation, step.event, [note.message for note in step.notes]) == (
        "complains",
        "on_fail",
        ["seen", "an odd thing"],
    )
    assert run.variables.own == {}
