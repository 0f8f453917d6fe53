"""Runs of the loop without a network, for what keeps them: a world answers each command by itself."""

import json
from collections.abc import Callable, Iterable

from hypothesis import strategies as st

from callagain.engine.commands import CallTool, Command, Key, SendRequest
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Decision, Held, Intent, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.operations import TOOL_CALLING_LOOP


def announced(name: str, description: str = "") -> AnnouncedTool:
    function: Json = {"name": name, "description": description, "parameters": {"type": "object"}}
    return AnnouncedTool(name, {"type": "function", "function": function}, sequential=name == "log")


TOOLS = tuple(announced(name) for name in ("read", "pay", "log"))

# The calls of each round: names, and the texts of their arguments.
Rounds = list[list[tuple[str, str]]]
Order = Callable[[list[tuple[Key, Command]]], Iterable[tuple[Key, Command]]]

json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
rounds_of_calls: st.SearchStrategy[Rounds] = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(["read", "pay", "log", "ghost"]),
            st.sampled_from(["{}", '{"amount":1.5}', "", "{broken", '{"text":"\\ud800 é"}']),
        ),
        min_size=1,
        max_size=3,
    ),
    max_size=3,
)


def inputs_of(max_iterations: int = 5) -> Inputs:
    return Inputs("r1", "m", "Go", tools=TOOLS, max_iterations=max_iterations)


def answer(calls: list[tuple[str, str]], round_number: int) -> Json:
    """An HTTP answer as a receipt: these calls, or a text where there are none."""
    asked = [
        {
            "id": f"call_{round_number}_{place}",
            "type": "function",
            "function": {"name": name, "arguments": text},
        }
        for place, (name, text) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": asked} if asked else {"content": "Done."}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]})
    return {"status": 200, "content_type": "application/json", "body": body}


def receipt(command: Command, rounds: Rounds) -> Json:
    if isinstance(command, SendRequest):
        messages = json.loads(command.body)["messages"]
        done = sum(message["role"] == "assistant" for message in messages)
        return answer(rounds[done] if done < len(rounds) else [], done)
    assert isinstance(command, CallTool)
    return ToolReceipt(f"{command.name}: {json.dumps(command.arguments)}").as_json()


def finish(run: Run, rounds: Rounds, order: Order = list) -> None:
    """Drives the run to its end. `pay` is held each time, and answered by a decision."""
    while run.outcome in (None, "suspended"):
        for _ in run.walk():
            pass
        for key, command in run.open.ready():
            held = isinstance(command, CallTool) and command.name == "pay"
            run.apply(Held(key, "approval_required") if held else Intent(key, command.digest))
        for key, command in order(run.open.unanswered()):
            run.apply(Receipt(key, receipt(command, rounds)))
        if run.outcome == "suspended":
            for key in list(run.open.held):
                command = run.open.commands[key]
                run.apply(Decision(key, command.digest, "answer", receipt(command, rounds)))


def suspended_run(inputs: Inputs | None = None) -> Run:
    """A run in whose first round `pay` is held and `read` has its receipt."""
    rounds = [[("pay", '{"amount":100}'), ("read", "{}")]]
    run = Run(TOOL_CALLING_LOOP, inputs or inputs_of())
    for _ in range(2):
        for _ in run.walk():
            pass
        *held, (key, command) = run.open.ready()
        run.apply(Intent(key, command.digest))
        run.apply(Receipt(key, receipt(command, rounds)))
        for key, _ in held:
            run.apply(Held(key, "approval_required"))
    assert run.outcome == "suspended"
    return run


def story(run: Run) -> object:
    """All that there is to see of a run."""
    return (run.state, run.outcome, run.problem, run.variables, run.trace, run.log, run.open.ready())
